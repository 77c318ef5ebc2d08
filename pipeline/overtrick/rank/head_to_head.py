"""Who beat whom: the results of tied contestants against each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import polars as pl

from overtrick.bridge.victory_points import UNIT
from overtrick.rank.fields import IDENTITY
from overtrick.score.totals import Who

_WON, _HALF, _NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)


def meeting_marks(lines: pl.DataFrame, tied: Sequence[Who]) -> dict[Who, Fraction] | None:
    """Give 1 for each of the others beaten on the boards played against each other, and a half for a tie.

    What counts is what was earned on those boards in the whole field: matchpoints, IMPs or points.

    Args:
        lines: the frame of `rank.fields.rankings`; both sides have the same `result`.
        tied: at least two.

    Returns:
        The marks; None unless every two of them have met.
    """
    played = {who: _earned(lines, who) for who in tied}
    marks = dict.fromkeys(tied, Fraction(0))
    for one, other in combinations(tied, 2):
        # Partners in an individual share a result and sat the same way: they did not play against each other.
        shared = played[one].keys() & played[other].keys()
        met = [(played[one][n], played[other][n]) for n in shared if played[one][n].sat != played[other][n].sat]
        if not met:
            return None
        _decide(marks, one, other, sum((mine.points - theirs.points for mine, theirs in met), _NOTHING))
    return marks


def match_marks(matches: pl.DataFrame, tied: Sequence[Who]) -> dict[Who, Fraction] | None:
    """Give 1 for each of the other teams beaten in the matches against each other, and a half for a tie.

    Victory points decide where there are any, then IMPs.

    Returns:
        The marks; None unless every two of them have met.
    """
    marks = dict.fromkeys(tied, Fraction(0))
    for one, other in combinations(tied, 2):
        names = [one[-1], other[-1]]
        met = matches.filter(pl.col("team").is_in(names) & pl.col("opponents").is_in(names))
        if met.is_empty():
            return None
        margins = [_margins(match, str(one[-1])) for match in met.iter_rows(named=True)]
        by_points = sum((points for points, _ in margins), _NOTHING)
        by_imps = sum((imps for _, imps in margins), _NOTHING)
        _decide(marks, one, other, by_points or by_imps)
    return marks


def _margins(match: Mapping[str, Any], team: str) -> tuple[Fraction, Fraction]:
    """Give what the team is ahead by in one match: victory points, and IMPs (or matchpoints)."""
    sign = 1 if match["team"] == team else -1
    points = (match["victory_points"] or 0) - (match["victory_points_opponents"] or 0)
    earned = match["numerator"] - match["numerator_opponents"]
    return Fraction(sign * points, UNIT), Fraction(sign * earned, match["denominator"])


def _decide(marks: dict[Who, Fraction], one: Who, other: Who, margin: Fraction) -> None:
    if margin == 0:
        marks[one] += _HALF
        marks[other] += _HALF
    else:
        marks[one if margin > 0 else other] += _WON


@dataclass(frozen=True)
class _Line:
    sat: str
    points: Fraction


def _earned(lines: pl.DataFrame, who: Who) -> dict[int, _Line]:
    """Look up what a contestant earned, by result."""
    same = [pl.col(name).cast(pl.String).eq_missing(pl.lit(value)) for name, value in zip(IDENTITY, who, strict=True)]
    own = lines.filter(*same).drop_nulls("numerator").select("result", "sat", "numerator", "denominator")
    return {result: _Line(sat, Fraction(earned, whole)) for result, sat, earned, whole in own.iter_rows()}
