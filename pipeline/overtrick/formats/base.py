"""What all formats share: what a reader returns, and what a writer returns."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import polars as pl

from overtrick.frames import ANNOTATIONS, CONTESTANTS, ITEMS, PROBLEMS, RECORDS, RESULTS, empty
from overtrick.problems import Finding, report_findings


@dataclass(frozen=True)
class Reading:
    """What one file holds, in the schemas of `frames`; `record` counts from 0 and `source` is null."""

    items: pl.DataFrame = field(default_factory=lambda: empty(ITEMS))
    records: pl.DataFrame = field(default_factory=lambda: empty(RECORDS))
    annotations: pl.DataFrame = field(default_factory=lambda: empty(ANNOTATIONS))
    results: pl.DataFrame = field(default_factory=lambda: empty(RESULTS))
    contestants: pl.DataFrame = field(default_factory=lambda: empty(CONTESTANTS))
    problems: pl.DataFrame = field(default_factory=lambda: empty(PROBLEMS))


def nothing_but(findings: Iterable[Finding]) -> Reading:
    """Give the reading of a file that can't be read, for these reasons."""
    return Reading(problems=report_findings(findings, ""))


@dataclass(frozen=True)
class Written:
    """What one session becomes in another format.

    Attributes:
        content: the bytes of the file.
        problems: a frame of `frames.PROBLEMS`: what the format cannot hold.
    """

    content: bytes
    problems: pl.DataFrame = field(default_factory=lambda: empty(PROBLEMS))
