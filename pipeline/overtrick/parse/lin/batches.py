"""A LIN file's text in batches of whole sessions or boards, so that a file of any length is read in bounded memory."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from overtrick.parse.text import TextBlock, with_last
from overtrick.problems import Finding

LONGEST_SESSION: Final = 16 * 1024 * 1024
"""Characters that a session may have before it is read in pieces."""

_FOR_ALL: Final = tuple(re.compile(rf"(?:^|[\s|]){said}", re.IGNORECASE) for said in (r"vg\|", r"pn\|(?:[^|,]*,){4}"))
"""What is said for all boards that follow: a session's header, or the players of two rooms."""
_BEGINS: Final = tuple(re.compile(rf"^{name}\|", re.IGNORECASE | re.MULTILINE) for name in ("pn", "qx", "md"))
"""A line that begins a board, the surest sign first."""


@dataclass(frozen=True)
class Batch:
    """Some whole boards of a file."""

    text: str
    lines_before: int
    """Lines of the file before the text."""
    is_last: bool
    findings: tuple[Finding, ...]


def batches(blocks: Iterable[TextBlock]) -> Iterator[Batch]:
    """Cut a file's text into batches that end where a session does, or a board where no header holds for the next.

    Yields:
        At least one batch. A session longer than `LONGEST_SESSION` is cut, and the problem `lin-session-cut` says so.
    """
    left, lines = "", 0
    findings: tuple[Finding, ...] = ()
    for block, is_last in with_last(blocks, TextBlock("")):
        text = left + block.content
        findings += block.findings
        end = len(text) if is_last else _end_of_boards(text)
        if not end and len(text) >= LONGEST_SESSION:
            end = len(text)
            findings += (Finding("lin-session-cut", lines + text.count("\n"), 1),)
        left = text[end:]
        if end:
            yield Batch(text[:end], lines, is_last, findings)
            lines += text.count("\n", 0, end)
            findings = ()


def _end_of_boards(text: str) -> int:
    """Find where the last session begins, or the last board of a text that has no header; 0 where none does."""
    for begins in (*_FOR_ALL, *_BEGINS):
        starts = [match.start() for match in begins.finditer(text)]
        if starts:
            return text.rfind("\n", 0, starts[-1] + 1) + 1
    return 0
