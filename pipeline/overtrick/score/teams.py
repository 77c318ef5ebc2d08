"""Teams: IMPs between the two tables of a match, and matches in victory points (Law 78B)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import polars as pl

from overtrick.bridge.imps import imps
from overtrick.bridge.victory_points import Scale, scale_for
from overtrick.config import Scoring
from overtrick.frames import MATCHES, conform
from overtrick.score.awards import IMPS_AVERAGE_PLUS, average_sign
from overtrick.score.match_boards import MATCH, awards, comparisons, in_matches, match_totals, whole_weight, with_boards

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
    said = {
        "boards compared by": "IMPs" if scoring.team_points == "imps" else "total points",
        "average plus": "3 IMPs",
    }
    if scoring.vp_scale is not None:
        length = f"{scoring.vp_boards} boards" if scoring.vp_boards else "the longest match"
        said["victory points"] = f"{scoring.vp_scale}, for {length}"
    return said


def team_matches(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Add the boards of each match, and turn it into victory points where a scale is set.

    Every match takes the scale for the boards of a whole match: one that lost a board is no shorter for it. Adjusted
    scores may give both sides a gain; each side then has the victory points of its own IMPs.

    Returns:
        A frame of `frames.MATCHES`.
    """
    totals = match_totals(lines)
    scale = match_scale(scoring, max(totals["boards"], default=0))
    for suffix in ("", "_opponents"):
        margin = (pl.col(f"numerator{suffix}") / pl.col("denominator")).alias(f"points{suffix}")
        points = [None if scale is None else scale.points(m) for m in _margins(totals, f"numerator{suffix}")]
        totals = totals.with_columns(margin, pl.Series(f"victory_points{suffix}", points, dtype=pl.Int64))
    return conform(MATCHES, totals)


def _margins(totals: pl.DataFrame, numerator: str) -> Iterator[Fraction]:
    """Give the margins of matches exactly: those with a weighted score need not be whole."""
    return (Fraction(margin, whole) for margin, whole in totals.select(numerator, "denominator").iter_rows())


def match_scale(scoring: Scoring, longest: int) -> Scale | None:
    """Give the scale of the session's matches; None where none is set, or there is none for their length."""
    if scoring.vp_scale is None:
        return None
    if scoring.vp_scale == "house":
        return scoring.house_scale.scale() if scoring.house_scale else None
    return scale_for(scoring.vp_scale, scoring.vp_boards or longest)
