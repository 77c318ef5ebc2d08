"""Where a file's points and totals differ from the computed ones, and the policies that would explain it.

The session is scored again under each other policy, then under two at a time. A policy explains a difference if the
difference is gone under it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import polars as pl

from overtrick.core.bridge.methods import Settings, method_named
from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.judge.rank import rank, totals_differ, word_totals
from overtrick.judge.score import score
from overtrick.judge.score.stated_matches import lines_differ

AUDIT: Final = {
    **dict.fromkeys(("what", "source"), pl.String),
    "line": pl.UInt32,
    "board": pl.Int32,
    **dict.fromkeys(("ns", "ew", "contestant", "ranking", "stated", "computed", "explained_by"), pl.String),
}
"""One row a difference: of a line (`source line board ns ew`), or of a total or percentage (`contestant ranking`)."""

_COMMON: Final[tuple[Settings, ...]] = ({"field": "all"}, {"field": "section"}, {"sit_outs": "prorate"})
"""Settings that are tried beside those of the method, where boards are compared."""


@dataclass(frozen=True)
class Explanation:
    """The changes that another policy would make.

    Attributes:
        policy: its name and value.
        explains: the differences that would be gone.
        breaks: what agrees now and would differ.
    """

    policy: str
    explains: frozenset[object]
    breaks: frozenset[object]


@dataclass(frozen=True)
class Audit:
    """The differences between a file and overtrick, and policies that explain them.

    Attributes:
        differences: a frame of `AUDIT`, lines before totals.
        lines: how many lines state points.
        totals: how many totals and percentages are stated.
        explanations: each policy that would explain a difference by itself, the best first.
    """

    differences: pl.DataFrame
    lines: int
    totals: int
    explanations: list[Explanation]


def audit(read: Session, scoring: Scoring) -> Audit:
    """Compare what files state with what is computed, and look for policies that explain the differences.

    Args:
        read: a session as read and checked, not yet scored.
        scoring: the club's settings, which decide what is computed.
    """
    ours = _scored(read, scoring)
    lines, totals = _lines(ours), _totals(ours)
    keys = {*lines.filter("wrong")["key"], *totals.filter("wrong")["key"]}
    explained: dict[object, str] = {}
    alone: list[Explanation] = []
    for number in (1, 2):
        unexplained = keys - explained.keys()
        changes = _changes(ours.facts.method, scoring, number) if unexplained else ()
        tried = [_try(read, scoring, change, keys) for change in changes]
        best_first = sorted(
            (explanation for explanation in tried if explanation.explains),
            key=lambda explanation: len(explanation.breaks) - len(explanation.explains),
        )
        alone = alone if number > 1 else best_first
        for explanation in best_first:
            explained |= {key: explanation.policy for key in explanation.explains & unexplained if key not in explained}
    differences = [_worded(frame.filter("wrong"), explained) for frame in (lines, totals)]
    counted = totals.filter(pl.col("stated").is_not_null()).height
    return Audit(pl.concat(differences), lines.filter(pl.col("stated").is_not_null()).height, counted, alone)


def _scored(read: Session, scoring: Scoring) -> Session:
    return rank(score(read, scoring), scoring)


def _changes(name: str | None, scoring: Scoring, number: int) -> Iterator[Settings]:
    """Combine that number of policies that differ from those of the run, no two for the same setting."""
    method = method_named(name)
    candidates = (*method.audit, *(() if method.sheet else _COMMON))
    if method.of_teams:
        candidates = tuple(change for change in candidates if "sit_outs" not in change)
    new = [change for change in candidates if not change.items() <= dict(scoring).items()]
    for several in combinations(new, number):
        merged = {name: value for change in several for name, value in change.items()}
        if len(merged) == sum(map(len, several)):
            yield merged


def _try(read: Session, scoring: Scoring, change: Settings, keys: set[object]) -> Explanation:
    """Find the differences that a session scored otherwise does not have, and those that it has instead."""
    session = _scored(read, Scoring.model_validate({**dict(scoring), **change}))
    policy = ", ".join(f"{name} = {value}" for name, value in change.items())
    frames = [_lines(session), _totals(session)]
    agrees = pl.col("stated").is_not_null() & pl.col("computed").is_not_null() & ~pl.col("wrong")
    right = {key for frame in frames for key in frame.filter(agrees)["key"]}
    wrong = {key for frame in frames for key in frame.filter("wrong")["key"]}
    return Explanation(policy, frozenset(keys & right), frozenset(wrong - keys))


def _lines(session: Session) -> pl.DataFrame:
    """List all lines: `key`, both sides' points as `stated` and `computed`, and whether they differ: `wrong`."""
    both = {
        name: pl.concat_str(
            [pl.col(f"{prefix}points_{side}").round(2).cast(pl.String) for side in ("ns", "ew")], separator=" / "
        )
        for name, prefix in (("stated", "stated_"), ("computed", ""))
    }
    wrong = lines_differ(session.results, method_named(session.facts.method))
    numbered = session.results.with_columns(wrong.alias("wrong"), pl.lit("line").alias("what"), **both)
    return numbered.with_row_index("key")


def _totals(session: Session) -> pl.DataFrame:
    """List all totals and all percentages in the same columns."""
    who = pl.col("section", "direction", "contestant").cast(pl.String).fill_null("")
    listed = [
        word_totals(session.standings, what).with_columns(wrong=wrong, key=pl.concat_str("what", who, separator="\t"))
        for what, wrong in zip(("total", "percentage"), totals_differ(session), strict=True)
    ]
    return pl.concat(listed)


def _worded(wrong: pl.DataFrame, explained: Mapping[object, str]) -> pl.DataFrame:
    """List differences, each with what explains it: a frame of `AUDIT`."""
    words = pl.Series("explained_by", [explained.get(key) for key in wrong["key"]], dtype=pl.String)
    named = wrong.with_columns(words)
    return named.select(
        (pl.col(name) if name in named.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in AUDIT.items()
    )
