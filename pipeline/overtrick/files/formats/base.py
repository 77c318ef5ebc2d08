"""The shared parts of all formats: the values of readers and writers, and how rows of a column are replaced."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import wraps

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
