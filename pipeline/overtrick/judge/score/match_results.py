"""Matches of teams, and of two pairs in a Swiss event: their boards added, and turned into victory points."""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any, Final, Literal

import polars as pl

from overtrick.core.bridge.methods import method_named
from overtrick.core.bridge.movements import numbers_repeat
from overtrick.core.bridge.victory_points import WHOLE_SHARE, Scale, ScaleName, scale_for
from overtrick.core.config import Scoring
from overtrick.core.frames import MATCHES, Lines, Matches, conform, empty, sides
from overtrick.judge.score.groups import Total, add_up, count_parts, list_outcomes

MATCH: Final = ["field", "round", "one_team", "other_team"]
"""The columns that identify a match; the two teams in the order of their names, null where a line states none."""

_BOARD: Final = [*MATCH, "group"]


def assign_matches(lines: Lines) -> Lines:
    """Assign each line to its match.

    The teams are those that the file names with home team, visiting team and room. Where no line of the session names
    any, contestants are teams.

    Args:
        lines: the frame of `groups.assign_groups`.

    Returns:
        The lines with `team_ns team_ew` filled, and `one_team other_team`: null unless there are two teams.
    """
    if lines["team_ns"].null_count() == lines["team_ew"].null_count() == lines.height:
        lines = lines.with_columns(team_ns="ns", team_ew="ew")
    ns, ew = pl.col("team_ns"), pl.col("team_ew")
    two = ns.is_not_null() & ew.is_not_null() & (ns != ew)
    return lines.with_columns(
        one_team=pl.when(two).then(pl.min_horizontal(ns, ew)), other_team=pl.when(two).then(pl.max_horizontal(ns, ew))
    )


def compare_tables(lines: Lines) -> pl.DataFrame:
    """Compare each score of a team that sat N-S with the team's scores E-W on the same board of the match.

    Teams of four have one such comparison a board for each team, teams of eight four. Tables that played other cards
    are not compared, nor are tables where the same team sat N-S. Weighted scores are compared outcome by outcome.

    Args:
        lines: the frame of `assign_matches`.

    Returns:
        One row for each team and comparison of two outcomes: the columns of `MATCH`, `group`, `team`, `difference` in
        points for the team, and `weight`; the weights of a comparison add up to `whole_weight`.
    """
    # Board 1 of Ash against Oak: 620 N-S where Ash sat N-S, 170 where Oak did.
    #
    #     team_ns  team_ew  score_ns        team  as N-S  as E-W  difference
    #     Ash      Oak      620             Ash   620     170     450
    #     Oak      Ash      170             Oak   170     620    -450
    named = lines.drop_nulls("one_team").with_row_index("place")
    whole = count_parts(named)
    scores = [list_outcomes(named, side, whole) for side in ("ns", "ew")]
    seats = [named.select("place", *MATCH, team=f"team_{side}") for side in ("ns", "ew")]
    north, east = (score.join(seat, on="place") for score, seat in zip(scores, seats, strict=True))
    met = north.join(east, on=[*_BOARD, "team"], nulls_equal=True, suffix="_other")
    return met.select(
        *_BOARD,
        "team",
        difference=pl.col("score_ns") - pl.col("score_ns_other"),
        weight=pl.col("weight") * pl.col("weight_other"),
    )


def whole_weight(lines: Lines) -> int:
    """Return what the weights of one comparison of two tables add up to; 1 when nothing is weighted."""
    return count_parts(lines.drop_nulls("one_team")) ** 2


def with_boards(lines: Lines, earned: pl.DataFrame) -> Lines:
    """Fill each line with what the two teams at the table earned on the board.

    Args:
        lines: the frame of `assign_matches`.
        earned: what each team earned, one row a board: the columns of `MATCH`, `group`, `team`, `numerator`,
            `denominator` (the same for all) and `top`.

    Returns:
        The lines with `numerator_ns numerator_ew denominator top` filled.
    """
    board = earned.select(*_BOARD, "team", "numerator", "denominator", "top")
    for side in ("ns", "ew"):
        named = board.rename({"team": f"team_{side}", "numerator": f"earned_{side}", "denominator": f"parts_{side}"})
        named = named if side == "ns" else named.drop("top")
        lines = lines.join(
            named, on=[*_BOARD, f"team_{side}"], how="left", nulls_equal=True, maintain_order="left", suffix="_"
        )
    shared = pl.coalesce("parts_ns", "parts_ew")
    filled = lines.with_columns(numerator_ns="earned_ns", numerator_ew="earned_ew", denominator=shared, top="top_")
    return filled.drop("earned_ns", "earned_ew", "parts_ns", "parts_ew", "top_")


def list_awards(lines: Lines, compared: pl.DataFrame) -> pl.DataFrame:
    """List the artificial scores of boards that could not be compared.

    Args:
        lines: the frame of `assign_matches`.
        compared: the frame of `compare_tables`.

    Returns:
        One row for each team and board: the columns of `MATCH`, `group`, `team` and `award`; the first where both
        tables of the team have one.
    """
    adjusted = lines.drop_nulls(["one_team", "group"]).filter(pl.col("status") == "adjusted")
    sides = [adjusted.select(*_BOARD, team=f"team_{side}", award=f"award_{side}") for side in ("ns", "ew")]
    listed = pl.concat(sides).drop_nulls("award").unique([*_BOARD, "team"], keep="first", maintain_order=True)
    return listed.join(compared.select(_BOARD).unique(), on=_BOARD, how="anti", nulls_equal=True, maintain_order="left")


def add_boards(lines: Lines) -> pl.DataFrame:
    """Add up the boards of each match.

    Args:
        lines: the frame of `with_boards`.

    Returns:
        One row a match in the order of the file: the columns of `MATCH`, `section`, `team`, `opponents`, `boards`,
        `numerator numerator_opponents denominator`, `top`.
    """
    counted = lines.drop_nulls(["one_team", "denominator"])
    first = counted.group_by(MATCH, maintain_order=True).agg(team=pl.first("team_ns"))
    boards = counted.unique(_BOARD, keep="first", maintain_order=True)
    boards = boards.join(first, on=MATCH, nulls_equal=True, maintain_order="left")
    sat_ns = pl.col("team") == pl.col("team_ns")
    ours = pl.when(sat_ns).then("numerator_ns").otherwise("numerator_ew")
    theirs = pl.when(sat_ns).then("numerator_ew").otherwise("numerator_ns")
    return boards.group_by(MATCH, maintain_order=True).agg(
        pl.first("field").alias("section"),
        pl.first("team"),
        pl.when(sat_ns).then("team_ew").otherwise("team_ns").first().alias("opponents"),
        pl.len().cast(pl.UInt32).alias("boards"),
        ours.sum().alias("numerator"),
        theirs.sum().alias("numerator_opponents"),
        pl.first("denominator"),
        top=pl.when(pl.col("top").is_not_null().any()).then(pl.col("top").sum()),
    )


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
        one_team=pl.min_horizontal("ns", "ew"), other_team=pl.max_horizontal("ns", "ew")
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
