"""Teams: IMPs between the two tables of a match (Law 78B)."""

from typing import Final

import polars as pl

from overtrick.bridge.imps import imps
from overtrick.config import Scoring
from overtrick.score.awards import IMPS_AVERAGE_PLUS, average_sign
from overtrick.score.match_boards import MATCH, awards, comparisons, in_matches, whole_weight, with_boards

_BOARD: Final = [*MATCH, "group", "team"]


def teams(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Compare the two tables of each board of a match.

    Args:
        lines: the frame of `fields.in_fields`.
        scoring: `team_points` is followed.

    Returns:
        The lines with `team_ns team_ew` filled, and `numerator_ns numerator_ew denominator` where the board counts:
        what the team at the table won on it, by both tables. A board that could not be compared because of an
        adjusted score is 3, 0 or -3 IMPs to each side; at total points it earns nothing.
    """
    placed = in_matches(lines)
    met, whole = comparisons(placed), whole_weight(placed)
    by_imps = scoring.team_points == "imps"
    won = imps(pl.col("difference")) if by_imps else pl.col("difference").cast(pl.Int64)
    earned = [met.group_by(_BOARD).agg((pl.col("weight") * won).sum().alias("numerator"))]
    if by_imps:
        sign = average_sign(pl.col("award"))
        earned.append(awards(placed, met).select(*_BOARD, (sign * IMPS_AVERAGE_PLUS * whole).alias("numerator")))
    listed = pl.concat(earned).with_columns(
        pl.lit(whole, dtype=pl.Int64).alias("denominator"), pl.lit(None, dtype=pl.Int64).alias("top")
    )
    return with_boards(placed, listed)


def team_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rules `teams` followed."""
    by = "IMPs" if scoring.team_points == "imps" else "total points"
    return {"boards compared by": by, "average plus": "3 IMPs"}
