"""Boards of a match between two teams: which tables are compared, and what a team earned on each board."""

from typing import Final

import polars as pl

from overtrick.core.frames import Lines
from overtrick.judge.score.outcomes import count_parts, list_outcomes

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
        lines = lines.with_columns(pl.col("ns").alias("team_ns"), pl.col("ew").alias("team_ew"))
    ns, ew = pl.col("team_ns"), pl.col("team_ew")
    two = ns.is_not_null() & ew.is_not_null() & (ns != ew)
    return lines.with_columns(
        pl.when(two).then(pl.min_horizontal(ns, ew)).alias("one_team"),
        pl.when(two).then(pl.max_horizontal(ns, ew)).alias("other_team"),
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
    seats = [named.select("place", *MATCH, pl.col(f"team_{side}").alias("team")) for side in ("ns", "ew")]
    north, east = (score.join(seat, on="place") for score, seat in zip(scores, seats, strict=True))
    met = north.join(east, on=[*_BOARD, "team"], nulls_equal=True, suffix="_other")
    return met.select(
        *_BOARD,
        "team",
        (pl.col("score_ns") - pl.col("score_ns_other")).alias("difference"),
        (pl.col("weight") * pl.col("weight_other")).alias("weight"),
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
    filled = lines.with_columns(
        pl.col("earned_ns").alias("numerator_ns"),
        pl.col("earned_ew").alias("numerator_ew"),
        shared.alias("denominator"),
        pl.col("top_").alias("top"),
    )
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
    sides = [
        adjusted.select(*_BOARD, pl.col(f"team_{side}").alias("team"), pl.col(f"award_{side}").alias("award"))
        for side in ("ns", "ew")
    ]
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
    first = counted.group_by(MATCH, maintain_order=True).agg(pl.first("team_ns").alias("team"))
    boards = counted.unique(_BOARD, keep="first", maintain_order=True)
    boards = boards.join(first, on=MATCH, nulls_equal=True, maintain_order="left")
    sat_ns = pl.col("team") == pl.col("team_ns")
    own = pl.when(sat_ns).then("numerator_ns").otherwise("numerator_ew")
    theirs = pl.when(sat_ns).then("numerator_ew").otherwise("numerator_ns")
    return boards.group_by(MATCH, maintain_order=True).agg(
        pl.first("field").alias("section"),
        pl.first("team"),
        pl.when(sat_ns).then("team_ew").otherwise("team_ns").first().alias("opponents"),
        pl.len().cast(pl.UInt32).alias("boards"),
        own.sum().alias("numerator"),
        theirs.sum().alias("numerator_opponents"),
        pl.first("denominator"),
        pl.when(pl.col("top").is_not_null().any()).then(pl.col("top").sum()).alias("top"),
    )
