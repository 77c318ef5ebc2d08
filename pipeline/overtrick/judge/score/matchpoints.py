"""Matchpoints (Law 78A): 2 for a table beaten and 1 for a tie, short boards by Neuberg's formula, all exact."""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any, Final, Literal

import numpy as np
import polars as pl

from overtrick.core.bridge.methods import method_named
from overtrick.core.bridge.movements import numbers_repeat
from overtrick.core.bridge.victory_points import WHOLE_SHARE, Scale, ScaleName, scale_for
from overtrick.core.config import Scoring
from overtrick.core.frames import MATCHES, Lines, Matches, Results, conform, empty, sides
from overtrick.judge.score import groups

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
    whole = groups.count_parts(named)
    scores = [groups.list_outcomes(named, side, whole) for side in ("ns", "ew")]
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
    return groups.count_parts(lines.drop_nulls("one_team")) ** 2


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
    earned = groups.add_up(sides(met), [*MATCH, "contestant"])
    first = met.group_by(MATCH, maintain_order=True).agg(pl.first("ns"), pl.first("ew")).iter_rows(named=True)
    # A pair without points on any board has played no match.
    played = [row for row in first if all((*_place(row), row[side]) in earned for side in ("ns", "ew"))]
    return _in_victory_points([_match(row, earned) for row in played], scoring)


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


def _place(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in MATCH)


def _match(row: Mapping[str, Any], earned: Mapping[Any, groups.Total]) -> dict[str, Any]:
    """Put what both pairs earned over one denominator: a row as `match_boards.add_boards` returns it."""
    both = [earned[*_place(row), row[side]] for side in ("ns", "ew")]
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
    return conform(MATCHES, pl.DataFrame(totals, schema_overrides=schema))


def _margin(points: Fraction, top: int | None) -> Fraction:
    """Return the margin that a scale counts: IMPs as they are, matchpoints as `WHOLE_SHARE` of the top above a half."""
    return points if top is None else WHOLE_SHARE * (points / top - Fraction(1, 2))


_NUMERATORS: Final = ["numerator_ns", "numerator_ew"]


def reduce_fractions(lines: Results) -> Results:
    """Reduce the fractions of each line to lowest terms, both sides over one denominator."""
    parts = [lines[name].fill_null(0).to_numpy() for name in (*_NUMERATORS, "denominator")]
    common = pl.Series("common", np.maximum(np.gcd(np.gcd(parts[0], parts[1]), parts[2]), 1))
    return lines.with_columns(pl.col(*_NUMERATORS, "denominator") // common)


def round_fractions(lines: Results, step: Fraction, *, up: bool = False) -> Results:
    """Round each side's matchpoints to a step that divides 1.

    A number exactly between two steps is rounded towards the board's average, so that N-S and E-W still share the top;
    or `up`, for each side by itself, so that together they may have a step more.
    """
    per_point = step.denominator
    average = pl.col("top") // 2
    denominator = pl.col("denominator")

    def rounded(side: str) -> pl.Expr:
        if up:
            return ((2 * pl.col(side) * per_point + denominator) // (2 * denominator)).alias(side)
        away = pl.col(side) - average * denominator
        steps = (2 * away.abs() * per_point + denominator - 1) // (2 * denominator)
        return (average * per_point + away.sign() * steps).alias(side)

    return lines.with_columns(
        rounded("numerator_ns"),
        rounded("numerator_ew"),
        denominator=pl.when(denominator.is_not_null()).then(pl.lit(per_point, dtype=pl.Int64)),
    )


_SMALL: Final = 3
"""The most tables at which a form of a fouled board can be too small to be compared."""


def matchpoints(lines: Lines, scoring: Scoring) -> Lines:
    """Matchpoint each result within its group.

    With A scores compared and E expected, M raw matchpoints become (M + 1) * E / A - 1 (Neuberg), out of a top of
    2 * (E - 1). An adjusted score is a share of that top: it is neither compared nor brought to another field size.

    Args:
        lines: the frame of `groups.assign_groups`.
        scoring: `short_boards`, `fouled_groups`, `average_plus`, `line_rounding` and `line_ties` are
            followed.

    Returns:
        The lines with `numerator_ns numerator_ew denominator top` filled where they earn something.
    """
    # A board at five tables, one of them adjusted: actual is 4, expected 5 and the top 8.
    #
    #     score_ns      below  equal  raw_ns            numerator_ns / denominator         points_ns
    #     430           3      1      2*3 + 1 - 1 = 6   ((6 + 1) * 5 - 4) / 4 = 31 / 4     7.75
    #     420           1      2      2*1 + 2 - 1 = 3   ((3 + 1) * 5 - 4) / 4 = 16 / 4     4
    #     420           1      2      3                 16 / 4                             4
    #     -50           0      1      0                 ((0 + 1) * 5 - 4) / 4 =  1 / 4     0.25
    #     null, A+ A-                 null              60 % of 8                          4.8
    #
    # E-W have 2 * (4 - 1) - raw_ns, brought to the same field: 0.25, 4, 4, 7.75; and 40 % of 8 for A-.
    scored = _with_awards(_compared(lines, scoring))
    if scoring.average_plus == "session":
        scored = groups.apply_session_averages(scored)
    if scoring.rounding_step is not None:
        scored = round_fractions(scored, scoring.rounding_step, up=scoring.line_ties == "up")
    return reduce_fractions(scored)


def _compared(lines: Lines, scoring: Scoring) -> Lines:
    """Fill what the lines with a score earn, and the top of all lines."""
    actual, expected, whole = pl.col("actual"), pl.col("expected"), pl.col("parts")
    scored = _weighed(lines) if groups.has_outcomes(lines) else _beaten(lines)
    raw = [pl.col("raw_ns"), pl.col("raw_ew")]
    if scoring.short_boards == "own-top":
        top, earned, denominator = 2 * (actual.fill_null(expected) - 1), raw, whole
    else:
        top, denominator = 2 * (expected - 1), actual * whole
        earned = [(side + whole) * expected - actual * whole for side in raw]
    if scoring.fouled_groups != "neuberg":
        small = _too_small(scoring)
        fixed = [top * (60 * whole + 5 * (side - (actual - 1) * whole)) for side in raw]
        earned = [pl.when(small).then(now).otherwise(usual) for now, usual in zip(fixed, earned, strict=True)]
        denominator = pl.when(small).then(100 * whole).otherwise(denominator)
    return scored.with_columns(
        numerator_ns=earned[0],
        numerator_ew=earned[1],
        denominator=pl.when(raw[0].is_not_null()).then(denominator),
        top=pl.when(pl.col("group").is_not_null()).then(top),
    )


def _beaten(lines: Lines) -> Lines:
    """Count 2 for each table beaten and 1 for each tie: `raw_ns raw_ew`, whole numbers (`parts` is 1)."""
    raw = 2 * pl.col("below") + pl.col("equal") - 1
    counted = lines.join(groups.tally(lines), on=["group", "score_ns"], how="left", maintain_order="left")
    return counted.with_columns(raw_ns=raw, raw_ew=2 * (pl.col("actual") - 1) - raw, parts=pl.lit(1, pl.Int64))


def _weighed(lines: Lines) -> Lines:
    """Count the same where lines have several outcomes: `raw_ns raw_ew` in `parts`.

    A line with weights w ties with itself, and its products w * w add up to 1 as for a line with one score. That 1 is
    taken off.
    """
    whole = groups.count_parts(lines)

    def beaten(listed: pl.DataFrame) -> pl.DataFrame:
        met = listed.join(groups.tally_outcomes(listed), on=["group", "score_ns"])
        return met.with_columns(value=2 * pl.col("below") + pl.col("equal"))

    everyone = 2 * pl.col("actual") * whole**2
    return groups.add_outcomes(lines, whole, beaten).with_columns(
        raw_ns=pl.col("earned_ns") - whole**2,
        raw_ew=everyone - pl.col("earned_ew") - whole**2,
        parts=pl.lit(whole**2, dtype=pl.Int64),
    )


def _too_small(scoring: Scoring) -> pl.Expr:
    """Return which groups of a fouled board are too small to be compared, and get percentages around 60."""
    actual = pl.col("actual")
    few = (pl.col("forms") > 1) & (actual <= _SMALL)
    if scoring.fouled_groups == "white-book":
        return few & (_SMALL * actual <= pl.col("expected"))
    return few & ((actual < _SMALL) | (actual < actual.max().over("field", "board")))


def _with_awards(scored: Lines) -> Lines:
    """Fill the lines with an artificial score; a side stays null if its award is not one for matchpoints."""
    top = pl.when(pl.col("denominator").is_not_null()).then("top").alias("top")
    if not (scored["status"] == "adjusted").any():
        return scored.with_columns(top)
    shares = {side: groups.share(pl.col(f"award_{side}")) for side in ("ns", "ew")}
    awarded = (pl.col("status") == "adjusted") & pl.any_horizontal(s.is_not_null() for s in shares.values())
    earned = {f"numerator_{side}": pl.col("top") * part for side, part in shares.items()}
    filled = scored.with_columns(
        *(pl.when(awarded).then(points).otherwise(name).alias(name) for name, points in earned.items()),
        denominator=pl.when(awarded & pl.col("top").is_not_null()).then(groups.WHOLE).otherwise("denominator"),
    )
    return filled.with_columns(top)
