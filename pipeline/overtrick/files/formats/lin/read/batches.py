"""A LIN file's text in batches of whole sessions or boards, so that a file of any length is read in bounded memory."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import polars as pl

from overtrick.core.problems import Finding
from overtrick.files.formats.text import TextBlock, with_last

LONGEST_SESSION: Final = 16 * 1024 * 1024
"""Characters that a session may have before it is read in pieces."""

_FOUR_MORE: Final = r"(?:[^|,]*,){4}"
_MAY_BE_FOR_ALL: Final = rf"(?i)vg\||pn\|{_FOUR_MORE}"
"""What a text matches that holds one of `_FOR_ALL`: polars searches it ten times as fast as Python."""
_FOR_ALL: Final = tuple(
    re.compile(rf"{name}\|(?<![^\s|]{name}\|){more}", re.IGNORECASE) for name, more in (("vg", ""), ("pn", _FOUR_MORE))
)
"""What holds for all boards that follow: a session's header, or the players of two rooms."""
_BEGINS: Final = tuple(re.compile(rf"^{name}\|", re.IGNORECASE | re.MULTILINE) for name in ("pn", "qx", "md"))
"""A line that begins a board, the surest sign first."""
_LAST_PART: Final = 64 * 1024
"""Characters at the end of a text that are searched first."""


@dataclass(frozen=True)
class Batch:
    """Some whole boards of a file."""

    text: str
    lines_before: int
    """Lines of the file before the text."""
    is_last: bool
    findings: tuple[Finding, ...]


def cut_batches(blocks: Iterable[TextBlock]) -> Iterator[Batch]:
    """Cut a file's text into batches that end where a session does, or a board where no header holds for the next.

    Yields:
        At least one batch. A session longer than `LONGEST_SESSION` is cut, and the problem `lin-session-cut` says so.
    """
    left, lines = "", 0
    findings: tuple[Finding, ...] = ()
    for block, is_last in with_last(blocks, TextBlock("")):
        text = left + block.content
        findings += block.findings
        del block
        end = len(text) if is_last else _find_end_of_boards(text)
        if not end and len(text) >= LONGEST_SESSION:
            end = len(text)
            findings += (Finding("lin-session-cut", lines + text.count("\n"), 1),)
        left = text[end:]
        if end:
            yield Batch(text[:end], lines, is_last, findings)
            lines += text.count("\n", 0, end)
            findings = ()


def _find_end_of_boards(text: str) -> int:
    """Find where the last session begins, or the last board of a text without a header; 0 where none does."""
    for_all = _FOR_ALL if pl.Series([text]).str.contains(_MAY_BE_FOR_ALL)[0] else ()
    for begins in (*for_all, *_BEGINS):
        start = _find_last(begins, text)
        if start is not None:
            return text.rfind("\n", 0, start + 1) + 1
    return 0


def _find_last(begins: re.Pattern[str], text: str) -> int | None:
    """Find the last place of a pattern: in the last part of the text, else in ever longer ones."""
    size = _LAST_PART
    while True:
        first = max(len(text) - size, 0)
        starts = [match.start() for match in begins.finditer(text, first)]
        if starts or not first:
            return max(starts, default=None)
        size *= 16
