"""Folders of small LIN files, a board each: read as one text, for most of the time that a small file takes is fixed."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.parse.lin.reader import read_lin
from overtrick.parse.reading import Reading
from overtrick.problems import Finding, findings_frame

MOST_TOGETHER: Final = 500
"""Files that are read at a time."""

LONGEST: Final = 65_536
"""Bytes of a file that is read together with others."""

_OF_A_BOARD: Final = {"pn", "st", "md", "rh", "ah", "sv", "mb", "an", "nt", "pc", "mc", "pg"}
_ENDS_A_BOARD: Final = {"mb", "pc", "mc", "pg"}

Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Small:
    """A file that can be read together with others."""

    about: dict[str, Any]
    """Its row of `frames.SOURCES`, but for the records."""
    content: str
    findings: tuple[Finding, ...]


def stands_alone(content: str) -> bool:
    """Say whether a text means the same whatever stands before and behind it: one board in sound commands.

    Its names come first and its calls or cards last, and nothing in it counts for other boards.
    """
    *pieces, rest = content.split("|")
    names, values = [name.strip().lower() for name in pieces[::2]], pieces[1::2]
    if rest.strip() or len(names) != len(values) or not set(names) <= _OF_A_BOARD:
        return False
    once = names.count("pn") == names.count("md") == 1
    return once and names[0] == "pn" and names[-1] in _ENDS_A_BOARD and values[0].count(",") < 4


def read_small(files: Sequence[Small]) -> tuple[Reading, list[int]]:
    """Read small files.

    Returns:
        The frames, each row in its `source` and line; `record` counts on through the files. And the records of each.
    """
    reading = read_lin("".join(file.content for file in files))
    starts = np.cumsum([0, *(file.content.count("\n") for file in files)])
    names = pl.Series([file.about["source"] for file in files], dtype=pl.String)
    placed = {field.name: _placed(getattr(reading, field.name), starts, names) for field in fields(reading)}
    findings = [findings_frame(file.findings, file.about["source"]) for file in files if file.findings]
    counts = np.bincount(_file(reading.records, starts), minlength=len(files))
    problems = pl.concat([*findings, placed.pop("problems")])
    return replace(reading, **placed, problems=problems), counts.tolist()


def _file(frame: pl.DataFrame, starts: Places) -> Places:
    file: Places = np.searchsorted(starts[1:], frame["line"].fill_null(1).to_numpy(), side="left")
    return file


def _placed(frame: pl.DataFrame, starts: Places, names: pl.Series) -> pl.DataFrame:
    if "line" not in frame.columns or frame.is_empty():
        return frame
    file = _file(frame, starts)
    placed = frame.with_columns((pl.col("line") - pl.Series(starts[file])).cast(pl.UInt32))
    return placed.with_columns(names.gather(pl.Series(file)).alias("source")) if "source" in frame.columns else placed
