"""The shared parts of all formats: the values of readers and writers, small files read together, what a file may cost.

Most of the time that a small file takes is fixed: 5,000 mixed LIN files with 12,500 boards take 10 s of processor time
as one text and 170 s one by one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from functools import wraps
from time import thread_time
from typing import Any, Final, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core import frames
from overtrick.core.late import Late, get_frame
from overtrick.core.problems import Finding, report_findings
from overtrick.files.formats.text import Text, decode


@dataclass(frozen=True, eq=False)
class Reading:
    """The content of one file, in the schemas of `frames`; `record` counts from 0 and `source` is null."""

    listed: pl.DataFrame | Late = field(default_factory=lambda: frames.empty(frames.ITEMS))
    records: frames.Records = field(default_factory=lambda: frames.empty(frames.RECORDS))
    annotations: frames.Annotations = field(default_factory=lambda: frames.empty(frames.ANNOTATIONS))
    results: frames.Results = field(default_factory=lambda: frames.empty(frames.RESULTS))
    contestants: frames.Contestants = field(default_factory=lambda: frames.empty(frames.CONTESTANTS))
    problems: frames.Problems = field(default_factory=lambda: frames.empty(frames.PROBLEMS))

    @property
    def items(self) -> frames.Items:
        """The items, as `Session.items` has them."""
        return get_frame(self.listed)


def nothing_but(findings: Iterable[Finding]) -> Reading:
    """Return the reading of a file that cannot be read, for these reasons."""
    return Reading(problems=report_findings(findings, ""))


def reads_text(read: Callable[[Text], Reading]) -> Callable[[bytes], Reading]:
    """Let a reader of a text take the bytes of a file; bytes that are not text are reported."""

    @wraps(read)
    def read_bytes(data: bytes) -> Reading:
        text = decode(data)
        return nothing_but([text]) if isinstance(text, Finding) else read(text)

    return read_bytes


@dataclass(frozen=True)
class Written:
    """A session in another format.

    Attributes:
        content: the bytes of the file.
        problems: a frame of `frames.PROBLEMS`: what the format cannot hold.
    """

    content: bytes
    problems: frames.Problems = field(default_factory=lambda: frames.empty(frames.PROBLEMS))


def put_in(
    column: pl.Series, at: pl.Series | npt.NDArray[np.integer], values: pl.Series | Sequence[object]
) -> pl.Series:
    """Return a column with other values in some rows.

    `Series.scatter` would make a text column in which equal texts longer than 12 bytes count as different when they are
    counted within groups, as polars 2.1 does.

    Args:
        column: values of one type.
        at: the rows, from 0.
        values: one a row of `at`, of the column's type.
    """
    if not len(values):
        return column
    place = np.arange(len(column))
    place[np.asarray(at)] = len(column) + np.arange(len(values))
    return pl.concat([column, pl.Series(column.name, values, column.dtype)]).gather(place)


LIN_HELD: Final = (
    *("vg", "rs", "pn", "pw", "bn", "qx", "ah", "md", "sv", "mb", "an", "pc", "mc", "nt", "at", "zz", "ot"),
    *("pg", "st", "rh", "ha", "sk", "dt", "mn", "sa", "bt"),
)
"""Commands of LIN whose values other frames than items hold, or that only set the look of a page."""

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


_Part = TypeVar("_Part", bound=Reading | None)

Kind = Literal["bytes", "documents", "elements", "depth", "cells", "characters", "seconds"]

MOST_PER_FILE: Final[dict[Kind, tuple[int, str]]] = {
    "bytes": (64 * 1024 * 1024, "it holds more than {most} bytes"),
    "documents": (1000, "it holds more than {most} documents"),
    "elements": (1_000_000, "it has more than {most} elements"),
    "depth": (40, "its elements are more than {most} deep"),
    "cells": (10_000_000, "a sheet spans more than {most} cells"),
    "characters": (32 * 1024 * 1024, "its cells hold more than {most} characters"),
    "seconds": (120, "reading it takes more than {most} seconds"),
}
"""How much of each kind a file may cost, and the words for more. A congress takes a tenth of it, and two seconds.

A few bytes can stand for gigabytes. So every file has a budget, and of a text of games, which may have any length,
every part that its reader yields; the size of small texts that are read together (`LONGEST`) bounds what they cost. A
reader asks before it builds: `spend("elements")` for one more element of XML, `spend("characters", 40)` for a text of
40 letters that a cell refers to. What the file may not cost ends its reading, in `formats.read`, with one problem.
"""


class OverBudgetError(Exception):
    """A file costs more than a reader can pay; the message says of what."""


class Budget:
    """What is left for one file: bytes unpacked, rows and cells built, elements of XML, seconds of the processor."""

    def __init__(self) -> None:
        self._spent: Counter[Kind] = Counter()
        self._began = thread_time()

    def spend(self, kind: Kind, amount: int = 1) -> None:
        """Take something from what is left.

        Raises:
            OverBudgetError: there is not so much left.
        """
        self._spent[kind] += amount
        self.need(kind, self._spent[kind])
        self.need("seconds", int(thread_time() - self._began))

    def need(self, kind: Kind, amount: int) -> None:
        """Ask for something that is given back, such as the depth of an element or the memory of a sheet.

        Raises:
            OverBudgetError: the budget has less.
        """
        most, words = MOST_PER_FILE[kind]
        if amount > most:
            raise OverBudgetError(words.format(most=f"{most:,}"))


_BUDGET: ContextVar[Budget | None] = ContextVar("budget", default=None)


def current_budget() -> Budget:
    """Return the budget of the file that is being read."""
    return _BUDGET.get() or Budget()


def work_within(work: Callable[[], _Part]) -> _Part | Reading:
    """Read something with a budget of its own, a file or the next part of a text; report it if it costs too much."""
    budget = Budget()
    token = _BUDGET.set(budget)
    try:
        part = work()
        if part is not None:
            budget.spend("seconds", 0)
    except OverBudgetError as error:
        return nothing_but([Finding("file-refused/bounds", 1, 1, values={"reason": str(error)})])
    finally:
        _BUDGET.reset(token)
    return part
