"""Butler: IMPs of each score against a datum, the mean or the median of the board's scores rounded to a ten."""

from typing import Final, Literal

import polars as pl

from overtrick.bridge.imps import imps
from overtrick.config import Scoring
from overtrick.score.awards import IMPS_AVERAGE_PLUS, average_sign
from overtrick.score.fields import tally
from overtrick.score.lines import lowest_terms
from overtrick.score.outcomes import earned_by_outcome, parts

_DATUMS: Final = {
    "mean": "mean of all scores",
    "mean-2": "mean without the best and the worst score",
    "median": "median",
}


def butler(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Compare each result with the datum of its group.

    Args:
        lines: the frame of `fields.in_fields`.
        scoring: `datum` and `datum_ties` are followed.

    Returns:
        The lines with `datum`, and `numerator_ns numerator_ew denominator` filled where they earn something. Neither
        artificial nor weighted scores are in the datum; average plus and minus are 3 IMPs.
    """
    whole, against = parts(lines), datums(lines, scoring)

    def compared(listed: pl.DataFrame) -> pl.DataFrame:
        met = listed.join(against, on="group")
        return met.with_columns(imps(pl.col("score_ns") - pl.col("datum")).alias("value"))

    placed = lines.drop("datum").join(against, on="group", how="left", maintain_order="left")
    adjusted = (pl.col("status") == "adjusted") & pl.col("group").is_not_null()
    earned = {
        f"numerator_{side}": pl.coalesce(
            sign * pl.col(f"earned_{side}"),
            pl.when(adjusted).then(average_sign(pl.col(f"award_{side}")) * IMPS_AVERAGE_PLUS * whole),
        )
        for side, sign in (("ns", 1), ("ew", -1))
    }
    scored = earned_by_outcome(placed, whole, compared).with_columns(**earned)
    counts = pl.any_horizontal(pl.col(*earned).is_not_null())
    return lowest_terms(scored.with_columns(pl.when(counts).then(pl.lit(whole, pl.Int64)).alias("denominator")))


def butler_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rules `butler` followed."""
    return {
        "datum": f"{_DATUMS[scoring.datum or 'mean']}, to the nearest ten",
        "datum half-way": "away from zero" if scoring.datum_ties == "away" else "to the even ten",
        "average plus": "3 IMPs",
    }


def datums(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Compute the datum of each group: `group`, `datum` in points for N-S, Int32.

    With fewer than three scores there is no best and worst to leave out: `mean-2` is then the mean of all.
    """
    score, equal = pl.col("score_ns").cast(pl.Int64), pl.col("equal")
    reached = 2 * (pl.col("below") + equal)
    groups = (
        tally(lines)
        .group_by("group")
        .agg(
            (score * equal).sum().alias("total"),
            equal.sum().alias("count"),
            (score.min() + score.max()).alias("extremes"),
            (score.filter(reached >= equal.sum()).min() + score.filter(reached > equal.sum()).min()).alias("middle"),
        )
    )
    total, count = pl.col("total"), pl.col("count")
    if scoring.datum == "median":
        total, count = pl.col("middle"), pl.lit(2, dtype=pl.Int64)
    elif scoring.datum == "mean-2":
        enough = count >= 3
        total, count = total - pl.when(enough).then("extremes").otherwise(0), count - 2 * enough.cast(pl.Int64)
    return groups.select("group", _nearest_ten(total, count, scoring.datum_ties).cast(pl.Int32).alias("datum"))


def _nearest_ten(total: pl.Expr, count: pl.Expr, ties: Literal["away", "even"]) -> pl.Expr:
    """Round total / count to a multiple of ten without leaving whole numbers."""
    tens, left = total.abs() // (10 * count), total.abs() % (10 * count)
    tie_goes_up = tens % 2 == 1 if ties == "even" else pl.lit(value=True)
    up = (left > 5 * count) | ((left == 5 * count) & tie_goes_up)
    return 10 * (tens + up.cast(pl.Int64)) * total.sign()
