"""A LIN file's text in batches of whole sessions or boards, so that a file of any length is read in bounded memory."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from overtrick.formats.text import TextBlock, with_last
from overtrick.problems import Finding

LONGEST_SESSION: Final = 16 * 1024 * 1024
"""Characters that a session may have before it is read in pieces."""

_CASES: Final = ("vg", "VG", "Vg", "vG"), ("pn", "PN", "Pn", "pN")
_FOUR_MORE: Final = r"(?:[^|,]*,){4}"
_FOR_ALL: Final = tuple(
    {f"{name}|": re.compile(rf"{name}\|(?<![^\s|]{name}\|){more}") for name in names}
    for names, more in zip(_CASES, ("", _FOUR_MORE), strict=True)
)
"""What holds for all boards that follow: a session's header, or the players of two rooms. By each way of writing the
command, because a search for known letters is many times faster than one for letters of any case."""
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
    for_all = ([form for name, form in forms.items() if name in text] for forms in _FOR_ALL)
    for begins in (*for_all, *([form] for form in _BEGINS)):
        starts = [match.start() for form in begins for match in form.finditer(text)]
        if starts:
            return text.rfind("\n", 0, max(starts) + 1) + 1
    return 0
