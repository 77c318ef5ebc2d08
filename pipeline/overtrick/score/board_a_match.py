"""Board-a-match, or point-a-board: each board of a match is won, tied or lost, whatever the margin."""

from typing import Final

import polars as pl

from overtrick.config import Scoring
from overtrick.score.awards import WHOLE, share
from overtrick.score.match_boards import MATCH, awards, comparisons, in_matches, with_boards

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
    met = comparisons(placed)
    won = WHOLE * (pl.col("difference").sign() + 1)
    earned = met.group_by(_BOARD).agg(won.cast(pl.Int64).sum().alias("numerator"), (_TOP * pl.len()).alias("top"))
    awarded = awards(placed, met).select(*_BOARD, (_TOP * share(pl.col("award"))).alias("numerator"), top=_TOP)
    whole = pl.concat([earned, awarded], how="vertical_relaxed").with_columns(
        pl.lit(WHOLE, dtype=pl.Int64).alias("denominator"), pl.col("top").cast(pl.Int64)
    )
    return with_boards(placed, whole)


def board_a_match_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rules `board_a_match` followed."""
    del scoring
    return {"a board": "2 won, 1 tied, 0 lost", "average plus": "flat 60 %"}
