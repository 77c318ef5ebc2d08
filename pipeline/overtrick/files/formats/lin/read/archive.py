"""A text longer than an evening: whole sessions or boards at a time, and columns that find commands and values.

They find the same commands as lark does, and match the terminals of the grammar's `slip` where a pipe is lost.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.grammar import terminal
from overtrick.core.problems import Finding
from overtrick.files.formats.lin.read.evening import TERMINALS, Mended, Pieces, Places
from overtrick.files.formats.text import TextBlock, with_last

LONGEST_SESSION: Final = 16 * 1024 * 1024
"""Characters that a session may have before it is read in pieces."""

_FOUR_MORE: Final = r"(?:[^|,]*,){4}"

_MAY_BE_FOR_ALL: Final = rf"(?i)vg\||pn\|{_FOUR_MORE}"
"""A pattern of every text with a match of `_FOR_ALL`: polars searches it ten times as fast as Python."""

_FOR_ALL: Final = tuple(
    re.compile(rf"{name}\|(?<![^\s|]{name}\|){more}", re.IGNORECASE) for name, more in (("vg", ""), ("pn", _FOUR_MORE))
)
"""Commands for all boards that follow: a session's header, or the players of two rooms."""

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


def mend(pieces: Pieces) -> Mended:
    r"""Separate commands from values in a whole text.

    Worked example, `mb|1C|mb|p an|weak|pg||` and a line end; `fits` marks pieces that end in a command:

        piece   0   1   2   3     4     5   6  7
        text    mb  1C  mb  p an  weak  pg     \n
        fits    x       x   x           x

    The run that begins at piece 0 reaches piece 4, which should be a command and is not. From the run's last command,
    piece 2, the terminals match `mb|p an|weak|` as JOINED_APART: the run is cut to pieces 0 and 1, and two commands are
    made from pieces 2 to 4. The next run begins at piece 5 and reaches the last piece.
    """
    mended, last, piece = Mended(), len(pieces.pair) - 1, 0
    misfits: dict[int, Places] = {}
    while piece <= last:
        parity = piece % 2
        if parity not in misfits:
            misfits[parity] = np.flatnonzero(~pieces.fits[parity::2])
        at = int(np.searchsorted(misfits[parity], piece // 2))
        stop = 2 * int(misfits[parity][at]) + parity if at < len(misfits[parity]) else last + 1
        name, first, text = _match(pieces, piece, stop)
        if first > piece:
            mended.runs.append((piece, first))
        start = int(pieces.starts[first])
        # A character for each byte, so that places are those of the bytes.
        mended.tokens += [token.shifted(start) for token in TERMINALS[name](text.decode("latin-1"))]
        piece = first + text.count(b"|") if stop < last and text.endswith(b"|") else last + 1
    return mended


def _match(pieces: Pieces, piece: int, stop: int) -> tuple[str, int, bytes]:
    """Return the terminal that ends a run of sound commands, the piece it begins with and its text.

    Args:
        pieces: the whole text.
        piece: where the run begins.
        stop: the first piece that should be a command and is not.
    """
    last = len(pieces.pair) - 1
    if stop >= last:
        first = min(stop, 2 * last - stop)
        return "REST" if stop == last else "OPEN_TOKEN", first, pieces.data[int(pieces.starts[first]) :]
    for first in (stop - 2, stop):
        match = _slips().match(pieces.data, int(pieces.starts[first])) if first >= piece else None
        if match and match.lastgroup in TERMINALS:
            return match.lastgroup, first, match[0]
    raise AssertionError("the grammar's PASSED_OVER matches any piece")


@cache
def _slips() -> re.Pattern[bytes]:
    """Compile the terminals for bytes, in the order in which lark's lexer tries them; a sound command is not a slip."""
    names = list(TERMINALS)
    names.insert(names.index("OPEN_TOKEN"), "COMMAND_BEFORE_ARGUMENT")
    patterns = (f"(?P<{name}>{terminal(name, language='lin')})" for name in names)
    return re.compile("|".join(patterns).encode())
