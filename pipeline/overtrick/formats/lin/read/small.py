"""Which LIN files can be read together: those of one board each, as sites hand them out."""

from collections.abc import Sequence
from typing import Final

from overtrick.formats.base import Reading
from overtrick.formats.lin.read.reader import read_lin
from overtrick.formats.small import Small, joined

OF_A_BOARD: Final = {"pn", "st", "md", "rh", "ah", "sv", "mb", "an", "nt", "pc", "mc", "pg"}
"""Commands that say something about one board alone."""
_HEADING: Final = {"pn", "st", "rh", "ah", "sv"}
"""Those that come before the deal that they belong to; others belong to the board before."""
_ENDS_A_BOARD: Final = {"mb", "pc", "mc", "pg"}


def stands_alone(content: str) -> bool:
    """Return whether a text means the same whatever comes before and after it: one board in sound commands.

    Its names come first and its calls or cards last, and nothing in it counts for other boards.
    """
    *pieces, rest = content.split("|")
    names, values = [name.strip().lower() for name in pieces[::2]], pieces[1::2]
    if rest.strip() or len(names) != len(values) or not set(names) <= OF_A_BOARD:
        return False
    once = names.count("pn") == names.count("md") == 1 and set(names[: names.index("md")]) <= _HEADING
    return once and names[0] == "pn" and names[-1] in _ENDS_A_BOARD and values[0].count(",") < 4


def read_boards(files: Sequence[Small]) -> Reading:
    """Read files of boards as one text."""
    return read_lin(joined(files))
