"""Matches of teams, and of two pairs in a Swiss event: their boards added, and turned into victory points."""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any, Literal

import polars as pl

from overtrick.core.bridge.methods import method_named
from overtrick.core.bridge.movements import numbers_repeat
from overtrick.core.bridge.victory_points import WHOLE_SHARE, Scale, ScaleName, scale_for
from overtrick.core.config import Scoring
from overtrick.core.frames import MATCHES, Lines, Matches, conform, empty, sides
from overtrick.judge.score.match_boards import MATCH, add_boards
from overtrick.judge.score.totals import Total, add_up


def add_team_matches(lines: Lines, scoring: Scoring) -> Matches:
    """Add up the boards of each match of teams."""
    return _in_victory_points(add_boards(lines).to_dicts(), scoring)


def add_pair_matches(lines: Lines, scoring: Scoring) -> Matches:
    """Add up the boards that two pairs played against each other in a round, where rounds are matches.

    Returns:
        The matches, `team` and `opponents` being pairs; none where rounds are not matches.
    """
    if scoring.pair_rounds == "added" or not pairs_have_numbers(lines):
        return empty(MATCHES)
    met = lines.drop_nulls(["ns", "ew", "denominator"]).with_columns(
        pl.min_horizontal("ns", "ew").alias("one_team"), pl.max_horizontal("ns", "ew").alias("other_team")
    )
    earned = add_up(sides(met), [*MATCH, "contestant"])
    first = met.group_by(MATCH, maintain_order=True).agg(pl.first("ns"), pl.first("ew"))
    return _in_victory_points([_match(row, earned) for row in first.iter_rows(named=True)], scoring)


def pairs_have_numbers(lines: Lines) -> bool:
    """Return whether contestants are pairs, each with a number of its own: the two of a match play each other."""
    seats = sides(lines)
    sections_apart = lines["field"].equals(lines["section"])
    repeat = numbers_repeat(seats, "direction") or (not sections_apart and numbers_repeat(seats, "section"))
    return not repeat and lines["player_n"].null_count() == lines.height


def match_scale(scoring: Scoring, longest: int) -> Scale | None:
    """Return the scale of the session's matches; None where none is set, or none fits them.

    Args:
        scoring: the method and the scale.
        longest: boards of the longest match, where `vp_boards` sets no other number.
    """
    name = scale_name(scoring)
    if name is None or not scale_fits(scoring):
        return None
    if name == "house":
        return scoring.house_scale.scale() if scoring.house_scale else None
    return scale_for(name, scoring.vp_boards or longest)


def scale_name(scoring: Scoring) -> ScaleName | Literal["house"] | None:
    """Return the scale that is set, else the usual one where rounds of pairs are matches; None where none counts."""
    method = method_named(scoring.method)
    if method.of_teams:
        return scoring.vp_scale
    if scoring.pair_rounds == "added":
        return None
    return scoring.vp_scale or ("percent" if method.has_top else "wbf")


def scale_fits(scoring: Scoring) -> bool:
    """Return whether the scale counts the margins that the method has: IMPs, or a share of the top."""
    return (scale_name(scoring) == "percent") == method_named(scoring.method).has_top


def _match(row: Mapping[str, Any], earned: Mapping[Any, Total]) -> dict[str, Any]:
    """Put what both pairs earned over one denominator: a row as `match_boards.add_boards` returns it."""
    place = tuple(row[name] for name in MATCH)
    both = [earned[*place, row[side]] for side in ("ns", "ew")]
    whole = lcm(*(total.points.denominator for total in both))
    ns, ew = (int(total.points * whole) for total in both)
    about = {"section": row["field"], "round": row["round"], "team": row["ns"], "opponents": row["ew"]}
    earned_by = {"numerator": ns, "numerator_opponents": ew, "denominator": whole}
    return {**about, **earned_by, "boards": both[0].boards, "top": both[0].top or None}


def _in_victory_points(totals: list[dict[str, Any]], scoring: Scoring) -> Matches:
    """Turn matches into victory points where a scale is set.

    All matches use the scale for the boards of a whole match, also one that lost a board. Adjusted scores may give both
    sides a gain; each side then has the victory points of its own margin.

    Args:
        totals: rows of `match_boards.add_boards`.
        scoring: `vp_scale` and `vp_boards` are followed.
    """
    scale = match_scale(scoring, max((row["boards"] for row in totals), default=0))
    for row in totals:
        for suffix in ("", "_opponents"):
            points = Fraction(row[f"numerator{suffix}"], row["denominator"])
            row[f"points{suffix}"] = float(points)
            row[f"victory_points{suffix}"] = None if scale is None else scale.points(_margin(points, row["top"]))
    schema = {name: column.dtype for name, column in MATCHES.items()}
    return conform(MATCHES, pl.DataFrame(totals, schema_overrides=schema)) if totals else empty(MATCHES)


def _margin(points: Fraction, top: int | None) -> Fraction:
    """Return the margin that a scale counts: IMPs as they are, matchpoints as `WHOLE_SHARE` of the top above a half."""
    return points if top is None else WHOLE_SHARE * (points / top - Fraction(1, 2))
