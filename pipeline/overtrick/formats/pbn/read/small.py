"""Which PBN files can be read together: those of plain lines, in which nothing hangs on another game."""

import re
from collections.abc import Sequence
from typing import Final

from overtrick.formats.base import Reading
from overtrick.formats.pbn.read.entries import all_plain
from overtrick.formats.pbn.read.reader import read_pbn
from overtrick.formats.pbn.verify.characters import lines_and_characters
from overtrick.formats.pbn.verify.files import Files
from overtrick.formats.small import Small, joined, lines_before
from overtrick.formats.text import TextBlock
from overtrick.problems import Finding

_FIRST_GAME: Final = re.compile(r"^\[(?:[ \t\f\v]*+[^ \t\f\v\n][^\n]*+\n)++", re.MULTILINE)
_ITS_BOARD: Final = re.compile(r'^\[(?:Event|Board) "', re.MULTILINE)


def stands_alone(content: str) -> bool:
    """Say whether a text means the same whatever stands before and behind it, with an empty line between.

    It has no comment that could go on, inherits nothing (PBN 4.8), and its first game says which board it is, so that
    it is no second room of another file's. Who took part in a session with score tables is for that file to say.
    """
    if '"#' in content or 'ScoreTable "' in content or not all_plain(content):
        return False
    first = _FIRST_GAME.search(content)
    return first is not None and _ITS_BOARD.search(first[0]) is not None


def about_lines(block: TextBlock, encoding: str) -> list[Finding]:
    """Hold the lines and characters of a file against the standard, which hang on the file alone."""
    return lines_and_characters(block, encoding)


def read_games(files: Sequence[Small]) -> Reading:
    """Read files of games as one text."""
    held = Files((lines_before(files)[:-1] + 1).tolist(), [file.line_end for file in files])
    (reading,) = read_pbn([TextBlock(joined(files))], verified=files[0].verified, files=held)
    return reading
