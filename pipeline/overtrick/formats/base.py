"""What all formats share: what a reader returns, and what a writer returns."""

from collections.abc import Iterable
from dataclasses import field

from overtrick.frames import (
    ANNOTATIONS,
    CONTESTANTS,
    ITEMS,
    PROBLEMS,
    RECORDS,
    RESULTS,
    Annotations,
    Contestants,
    Items,
    Problems,
    Records,
    Results,
    empty,
)
from overtrick.light import dataclass
from overtrick.problems import Finding, report_findings


@dataclass(frozen=True)
class Reading:
    """What one file holds, in the schemas of `frames`; `record` counts from 0 and `source` is null."""

    items: Items = field(default_factory=lambda: empty(ITEMS))
    records: Records = field(default_factory=lambda: empty(RECORDS))
    annotations: Annotations = field(default_factory=lambda: empty(ANNOTATIONS))
    results: Results = field(default_factory=lambda: empty(RESULTS))
    contestants: Contestants = field(default_factory=lambda: empty(CONTESTANTS))
    problems: Problems = field(default_factory=lambda: empty(PROBLEMS))


def nothing_but(findings: Iterable[Finding]) -> Reading:
    """Return the reading of a file that cannot be read, for these reasons."""
    return Reading(problems=report_findings(findings, ""))


@dataclass(frozen=True)
class Written:
    """A session in another format.

    Attributes:
        content: the bytes of the file.
        problems: a frame of `frames.PROBLEMS`: what the format cannot hold.
    """

    content: bytes
    problems: Problems = field(default_factory=lambda: empty(PROBLEMS))
