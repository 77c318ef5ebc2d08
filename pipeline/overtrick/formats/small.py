"""Small files that are read together as one text, for most of the time that a small file takes is fixed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.formats.base import Reading
from overtrick.problems import Finding, report_findings

MOST_TOGETHER: Final = 500
"""Files that are read at a time."""

LONGEST: Final = 65_536
"""Bytes of a file that is read together with others."""

Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Small:
    """A file that can be read together with others."""

    about: dict[str, Any]
    """Its row of `frames.SOURCES`, but for the records."""
    content: str
    findings: tuple[Finding, ...]
    verified: bool = False
    """Whether it is held against the standard of its format."""
    line_end: int = 1
    """Characters of a line's end in it."""

    @property
    def form(self) -> str:
        """Its format."""
        return str(self.about["format"])


def joined(files: Sequence[Small]) -> str:
    """Put the texts of files together."""
    return "".join(file.content for file in files)


def lines_before(files: Sequence[Small]) -> Places:
    """Count the lines of the joined text before each file, and all of them."""
    return np.cumsum([0, *(file.content.count("\n") for file in files)])


def read_small(files: Sequence[Small], read: Callable[[Sequence[Small]], Reading]) -> tuple[Reading, list[int]]:
    """Read small files.

    Args:
        files: of one format, each of which means the same whatever stands before and behind it.
        read: reads their `joined` text; all rows that it gives say their line.

    Returns:
        The frames, each row in its `source` and line; `record` counts on through the files. And the records of each.
    """
    reading = read(files)
    starts = lines_before(files)
    names = pl.Series([file.about["source"] for file in files], dtype=pl.String)
    placed = {field.name: _placed(getattr(reading, field.name), starts, names) for field in fields(reading)}
    findings = [report_findings(file.findings, file.about["source"]) for file in files if file.findings]
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
