"""Methods for teams, which compare the two tables of a match: in IMPs (Law 78B), total points, or board-a-match."""

from typing import Final

import polars as pl

from overtrick.core.bridge.score import imps
from overtrick.core.config import Scoring
from overtrick.core.frames import Lines
from overtrick.judge.score.groups import IMPS_AVERAGE_PLUS, WHOLE, average_sign, share
from overtrick.judge.score.matchpoints import (
    MATCH,
    assign_matches,
    compare_tables,
    list_awards,
    whole_weight,
    with_boards,
)

_BOARD: Final = [*MATCH, "group", "team"]
_TOP: Final = 2
"""Points for a board won at board-a-match."""


def teams(lines: Lines, scoring: Scoring) -> Lines:
    """Score each board of a match by the difference of the two tables, in IMPs or total points.

    Args:
        lines: the frame of `groups.assign_groups`.
        scoring: `team_points` is followed.

    Returns:
        The lines with `team_ns team_ew` filled, and `numerator_ns numerator_ew denominator` where the board counts:
        what the team at the table won on it, by both tables. A board that was not compared because of an adjusted
        score is 3, 0 or -3 IMPs to each side; at total points it earns nothing.
    """
    # Board 1 of Ash against Oak, from the comparison that `compare_tables` shows: 450 points are 10 IMPs.
    #
    #     team_ns  team_ew  score_ns  numerator_ns  numerator_ew
    #     Ash      Oak      620        10           -10
    #     Oak      Ash      170       -10            10
    placed = assign_matches(lines)
    met, whole = compare_tables(placed), whole_weight(placed)
    by_imps = scoring.team_points == "imps"
    won = imps(pl.col("difference")) if by_imps else pl.col("difference").cast(pl.Int64)
    earned = [met.group_by(_BOARD).agg(numerator=(pl.col("weight") * won).sum())]
    if by_imps:
        sign = average_sign(pl.col("award"))
        earned.append(list_awards(placed, met).select(*_BOARD, numerator=sign * IMPS_AVERAGE_PLUS * whole))
    listed = pl.concat(earned).with_columns(denominator=pl.lit(whole, dtype=pl.Int64), top=pl.lit(None, dtype=pl.Int64))
    return with_boards(placed, listed)


def board_a_match(lines: Lines, scoring: Scoring) -> Lines:
    """Score each board of a match as won, tied or lost: 2 for the better score, 1 for the same, 0 for the worse.

    Args:
        lines: the frame of `groups.assign_groups`.
        scoring: not used.

    Returns:
        The lines with `team_ns team_ew` filled, and `numerator_ns numerator_ew denominator top` where the board counts.
        A board that was not compared because of an adjusted score is that share of the 2 to each side.
    """
    del scoring
    placed = assign_matches(lines)
    met, whole = compare_tables(placed), whole_weight(placed)
    won = WHOLE * pl.col("weight") * (pl.col("difference").sign().cast(pl.Int64) + 1)
    top = _TOP * (pl.col("weight").sum() // whole)
    earned = met.group_by(_BOARD).agg(numerator=won.sum(), top=top)
    shares = _TOP * whole * share(pl.col("award"))
    awarded = list_awards(placed, met).select(*_BOARD, numerator=shares, top=pl.lit(_TOP, pl.Int64))
    listed = pl.concat([earned, awarded]).with_columns(denominator=pl.lit(WHOLE * whole, dtype=pl.Int64))
    return with_boards(placed, listed)
