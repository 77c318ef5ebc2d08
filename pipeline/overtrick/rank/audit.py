"""Whose numbers are right: where a file's points and totals are not ours, and the policy that would explain it.

The session is scored again under each other policy, then under two at a time. A difference is explained by a policy
under which it is gone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import polars as pl

from overtrick.bridge.methods import SHEET_METHODS, TEAM_METHODS
from overtrick.config import Scoring
from overtrick.frames import Session
from overtrick.rank import rank
from overtrick.rank.checks import which_differ as totals_differ
from overtrick.score import score
from overtrick.score.checks import which_differ as lines_differ

AUDIT: Final = {
    "what": pl.String,
    "source": pl.String,
    "line": pl.UInt32,
    "board": pl.Int32,
    "ns": pl.String,
    "ew": pl.String,
    "contestant": pl.String,
    "ranking": pl.String,
    "stated": pl.String,
    "computed": pl.String,
    "explained_by": pl.String,
}
"""A row a difference: of a line (`source line board ns ew`), or of a total or percentage (`contestant ranking`)."""

Policies = Mapping[str, object]

_COMMON: Final[tuple[Policies, ...]] = ({"field": "all"}, {"field": "section"}, {"sit_outs": "prorate"})
_BY_METHOD: Final[Mapping[str, tuple[Policies, ...]]] = {
    "matchpoints": (
        {"short_boards": "own-top"},
        {"short_boards": "neuberg"},
        {"line_rounding": 0.1},
        {"line_rounding": 0.01},
        {"line_rounding": "exact"},
        {"average_plus": "session"},
        {"average_plus": "flat"},
        {"fouled_groups": "white-book"},
        {"fouled_groups": "acbl"},
    ),
    "butler": (
        {"datum": "mean"},
        {"datum": "mean-2"},
        {"datum": "mean-5%"},
        {"datum": "mean-scaled"},
        {"datum": "median"},
        {"datum": "stated"},
        {"datum_ties": "away"},
        {"datum_ties": "even"},
        {"datum_ties": "up"},
        {"datum_rounding": "ten"},
        {"datum_rounding": "none"},
        {"method": "cross-imps"},
    ),
    "cross-imps": (
        {"cross_divisor": "comparisons"},
        {"cross_divisor": "scores"},
        {"cross_divisor": "none"},
        {"sit_outs": "mean"},
        {"method": "butler"},
        {"method": "butler", "datum": "mean-2"},
    ),
    "teams": (
        {"team_points": "total-points"},
        {"vp_scale": "wbf"},
        {"vp_scale": "wbf-discrete"},
        {"vp_scale": "acbl-20"},
        {"vp_scale": "acbl-30"},
        {"vp_scale": None},
        {"method": "bam"},
    ),
    "bam": ({"method": "teams"},),
    "aggregate": ({"sit_outs": "mean"},),
}
_SHEETS: Final[tuple[Policies, ...]] = (
    {"honours": "held"},
    {"honours": "claimed"},
    {"honours": "none"},
    {"chicago_vulnerable": "opponents"},
    {"chicago_vulnerable": "dealer"},
    {"passed_out": "counts"},
    {"passed_out": "redealt"},
)


@dataclass(frozen=True)
class Explanation:
    """What another policy would change.

    Attributes:
        policy: its name and value.
        explains: the differences that would be gone.
        breaks: what agrees now and would no longer.
    """

    policy: str
    explains: frozenset[object]
    breaks: frozenset[object]


@dataclass(frozen=True)
class Audit:
    """What was compared.

    Attributes:
        differences: a frame of `AUDIT`, lines before totals.
        lines: how many lines state points.
        totals: how many totals and percentages are stated.
        explanations: each policy that alone would explain any difference, the best first.
    """

    differences: pl.DataFrame
    lines: int
    totals: int
    explanations: list[Explanation]


def audit(read: Session, scoring: Scoring) -> Audit:
    """Compare what files state with what we compute, and look for the policies behind the differences.

    Args:
        read: a session as read and checked, not yet scored.
        scoring: the club's settings: what "we compute" means.
    """
    ours = _scored(read, scoring)
    lines, totals = _lines(ours), _totals(ours)
    keys = {*lines.filter("wrong")["key"], *totals.filter("wrong")["key"]}
    explained: dict[object, str] = {}
    alone: list[Explanation] = []
    for number in (1, 2):
        unexplained = keys - explained.keys()
        changes = _changes(ours.facts.method, scoring, number) if unexplained else ()
        tried = [_tried(_scored(read, _changed(scoring, change)), _words(change), keys) for change in changes]
        best_first = sorted((one for one in tried if one.explains), key=lambda one: len(one.breaks) - len(one.explains))
        alone = alone if number > 1 else best_first
        for one in best_first:
            explained |= {key: one.policy for key in one.explains & unexplained if key not in explained}
    differences = [_worded(frame.filter("wrong"), explained) for frame in (lines, totals)]
    counted = totals.filter(pl.col("stated").is_not_null()).height
    return Audit(pl.concat(differences), lines.filter(pl.col("stated").is_not_null()).height, counted, alone)


def _scored(read: Session, scoring: Scoring) -> Session:
    return rank(score(read, scoring), scoring)


def _changes(method: str | None, scoring: Scoring, number: int) -> Iterator[Policies]:
    """Combine so many policies that are not those of the run, no two of the same name."""
    candidates = _SHEETS if method in SHEET_METHODS else (*_BY_METHOD.get(method or "", ()), *_COMMON)
    if method in TEAM_METHODS or method in SHEET_METHODS:
        candidates = tuple(change for change in candidates if "sit_outs" not in change)
    new = [change for change in candidates if any(getattr(scoring, name) != value for name, value in change.items())]
    for several in combinations(new, number):
        merged = {name: value for change in several for name, value in change.items()}
        if len(merged) == sum(map(len, several)):
            yield merged


def _changed(scoring: Scoring, change: Policies) -> Scoring:
    return Scoring.model_validate({**dict(scoring), **change})


def _words(change: Policies) -> str:
    return ", ".join(f"{name} = {value}" for name, value in change.items())


def _tried(session: Session, policy: str, keys: set[object]) -> Explanation:
    """See which of the differences a session scored otherwise does not have, and which it has instead."""
    frames = [_lines(session), _totals(session)]
    agrees = pl.col("stated").is_not_null() & pl.col("computed").is_not_null() & ~pl.col("wrong")
    right = {key for frame in frames for key in frame.filter(agrees)["key"]}
    wrong = {key for frame in frames for key in frame.filter("wrong")["key"]}
    return Explanation(policy, frozenset(keys & right), frozenset(wrong - keys))


def _lines(session: Session) -> pl.DataFrame:
    """List all lines: `key`, both sides' points as `stated` and `computed`, and whether they are `wrong`."""
    both = {
        name: pl.concat_str(
            [pl.col(f"{prefix}points_{side}").round(2).cast(pl.String) for side in ("ns", "ew")], separator=" / "
        )
        for name, prefix in (("stated", "stated_"), ("computed", ""))
    }
    wrong = lines_differ(session.results, session.facts.method or "")
    numbered = session.results.with_columns(wrong.alias("wrong"), pl.lit("line").alias("what"), **both)
    return numbered.with_row_index("key")


def _totals(session: Session) -> pl.DataFrame:
    """List all totals, and all percentages: the same columns."""
    who = pl.col("section", "direction", "contestant").cast(pl.String).fill_null("")
    listed = [
        session.standings.with_columns(
            wrong.alias("wrong"),
            pl.lit(what).alias("what"),
            pl.concat_str(pl.lit(what), who, separator="\t").alias("key"),
            pl.col(f"stated_{what}").cast(pl.String).alias("stated"),
            pl.col(what).round(2).cast(pl.String).alias("computed"),
        )
        for what, wrong in zip(("total", "percentage"), totals_differ(session.standings), strict=True)
    ]
    return pl.concat(listed)


def _worded(wrong: pl.DataFrame, explained: Mapping[object, str]) -> pl.DataFrame:
    """Write differences down, each with what explains it: a frame of `AUDIT`."""
    words = pl.Series("explained_by", [explained.get(key) for key in wrong["key"]], dtype=pl.String)
    named = wrong.with_columns(words)
    return named.select(
        (pl.col(name) if name in named.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in AUDIT.items()
    )
