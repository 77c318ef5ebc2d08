"""Board-a-match, or point-a-board: each board of a match is won, tied or lost, whatever the margin."""

from typing import Final

import polars as pl

from overtrick.config import Scoring
from overtrick.score.awards import WHOLE, share
from overtrick.score.match_boards import MATCH, awards, comparisons, in_matches, whole_weight, with_boards

_BOARD: Final = [*MATCH, "group", "team"]
_TOP: Final = 2


def board_a_match(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Compare the two tables of each board of a match: 2 for the better score, 1 for the same, 0 for the worse.

    Args:
        lines: the frame of `fields.in_fields`.
        scoring: nothing of it matters here.

    Returns:
        The lines with `team_ns team_ew` filled, and `numerator_ns numerator_ew denominator top` where the board counts.
        A board that could not be compared because of an adjusted score is that share of the 2 to each side.
    """
    del scoring
    placed = in_matches(lines)
    met, whole = comparisons(placed), whole_weight(placed)
    won = WHOLE * pl.col("weight") * (pl.col("difference").sign().cast(pl.Int64) + 1)
    top = _TOP * (pl.col("weight").sum() // whole)
    earned = met.group_by(_BOARD).agg(won.sum().alias("numerator"), top.alias("top"))
    shares = _TOP * whole * share(pl.col("award"))
    awarded = awards(placed, met).select(*_BOARD, shares.alias("numerator"), pl.lit(_TOP, pl.Int64).alias("top"))
    listed = pl.concat([earned, awarded]).with_columns(pl.lit(WHOLE * whole, dtype=pl.Int64).alias("denominator"))
    return with_boards(placed, listed)


def board_a_match_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rules `board_a_match` followed."""
    board = "2 won, 1 tied, 0 lost" if scoring.matchpoint_unit == "2-1" else "1 won, a half tied, 0 lost"
    return {"a board": board, "average plus": "flat 60 %"}
