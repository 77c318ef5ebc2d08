"""Which LIN files can be read together: boards, as sites hand them out, and whole vugraph sessions."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.late import get_frame
from overtrick.files.formats.base import Reading, Small, joined, lines_before
from overtrick.files.formats.lin.read.reader import read_lin, read_lin_together
from overtrick.files.formats.lin.spelling import list_commands

OF_A_BOARD: Final = {"pn", "st", "md", "rh", "ah", "sv", "mb", "an", "nt", "pc", "mc", "pg"}
"""Commands that say something about one board alone."""
_HEADING: Final = {"pn", "st", "rh", "ah", "sv"}
"""Those that come before the deal that they belong to; others belong to the board before."""
_ENDS_A_BOARD: Final = {"mb", "pc", "mc", "pg"}
_OPENS_A_BOARD: Final = ("qx", "md")
_ONE_TABLE: Final = 4


def stands_alone(content: str) -> bool:
    """Return whether a text is one board in sound commands, which counts for no other board."""
    names, values = _cut(content)
    return _is_board(names, values)


def are_boards(content: str) -> bool:
    """Return whether a text is boards in sound commands, which say something about one board alone.

    Links in chat are commands too: where they end depends on the rest of the text.
    """
    if _first_command(content) not in OF_A_BOARD or "lin=" in content:
        return False
    names, _ = _cut(content)
    return set(names) <= OF_A_BOARD and "md" in names


def _is_board(names: list[str], values: list[str]) -> bool:
    """Return whether commands are one board: its names come first and its calls or cards last."""
    if not names or not set(names) <= OF_A_BOARD:
        return False
    once = names.count("pn") == names.count("md") == 1 and set(names[: names.index("md")]) <= _HEADING
    return once and names[0] == "pn" and names[-1] in _ENDS_A_BOARD and values[0].count(",") < _ONE_TABLE


def is_session(content: str) -> bool:
    """Return whether a text is whole sessions in sound commands, so that the next header ends it.

    The header comes first, and before the first board the players of both rooms, so that it takes no names from a
    session before. Links in chat are commands too: where they end depends on the rest of the text.
    """
    if _first_command(content) != "vg" or "lin=" in content:
        return False
    names, values = _cut(content)
    if not names or not set(names) <= set(list_commands()[1:]):
        return False
    first = min((names.index(name) for name in _OPENS_A_BOARD if name in names), default=0)
    rooms = (value.count(",") >= _ONE_TABLE for name, value in zip(names[:first], values, strict=False) if name == "pn")
    return any(rooms)


def _first_command(content: str) -> str:
    return content.partition("|")[0].strip().lower()


def _cut(content: str) -> tuple[list[str], list[str]]:
    """Cut a text at its pipes into the names of commands and their values; nothing if one lacks the other."""
    *pieces, rest = content.split("|")
    known = {name: name.strip().lower() for name in set(pieces[::2])}
    names, values = [known[name] for name in pieces[::2]], pieces[1::2]
    return ([], []) if rest.strip() or len(names) != len(values) else (names, values)


def read_boards(files: Sequence[Small]) -> Reading:
    """Read files of boards as one text."""
    return read_lin_together([file.content for file in files])


def read_sessions(files: Sequence[Small]) -> Reading:
    """Read files of sessions as one text.

    Results that only a header lists are the last records of a reading. Here they go back to their files. Worked
    example, where record 2 is the header's result in the first of two files with a board each:

        record  0  1  2
        file    0  1  0
        order   0  2  1     the records file by file
        number  0  2  1     by old number, the new one
    """
    reading = read_lin(joined(files))
    file = np.searchsorted(lines_before(files)[1:], reading.records["line"].to_numpy(), side="left")
    order = np.argsort(file, kind="stable")
    if (order[1:] > order[:-1]).all():
        return reading
    number = pl.Series(np.argsort(order)).cast(pl.UInt32)
    frames = {part.name: get_frame(getattr(reading, part.name)) for part in fields(reading)}
    moved = {
        name: frame.with_columns(number.gather(frame["record"]).alias("record"))
        for name, frame in frames.items()
        if "record" in frame.columns
    }
    return replace(reading, **{**moved, "records": moved["records"].sort("record")})
