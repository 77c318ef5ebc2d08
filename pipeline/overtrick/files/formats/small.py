"""Small files that are read together as one text, because most of the time that a small file takes is fixed.

5,000 mixed LIN files with 12,500 boards take 10 s of processor time together and 170 s one by one.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.late import get_frame
from overtrick.core.problems import Finding, report_findings
from overtrick.files.formats.base import Reading

MOST_TOGETHER: Final = 500
"""Number of files that are read at a time."""

LONGEST: Final = 65_536
"""Size in bytes of the largest file that is read together with others."""

Places = npt.NDArray[np.int64]


class Small(NamedTuple):
    """A file that can be read together with others."""

    about: dict[str, Any]
    """Its row of `frames.SOURCES`, without `records`."""
    content: str
    findings: tuple[Finding, ...]
    kind: str
    """Its kind (`formats.form.Together`), which it shares with the files that it can be read with."""
    read: "Callable[[Sequence[Small]], Reading]"
    """Reads files of its kind together, as one text."""
    verified: bool = False
    """Whether it is checked against the standard of its format."""
    line_end: int = 1
    """The number of characters that end a line."""


def joined(files: Sequence[Small]) -> str:
    """Return the texts of files as one text."""
    return "".join(file.content for file in files)


def lines_before(files: Sequence[Small]) -> Places:
    """Return the number of lines before each file in the joined text, and of all lines."""
    return np.cumsum([0, *(file.content.count("\n") for file in files)])


def read_small(files: Sequence[Small]) -> tuple[Reading, list[int]]:
    """Read small files.

    Args:
        files: of one kind, each of which means the same whatever text comes before and after it.

    Returns:
        The frames, with each row's own source and line; `record` counts on through the files. And the number of
        records of each file.
    """
    reading = files[0].read(files)
    starts = lines_before(files)
    names = pl.Series([file.about["source"] for file in files], dtype=pl.String)
    placed = {field.name: _placed(get_frame(getattr(reading, field.name)), starts, names) for field in fields(reading)}
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
