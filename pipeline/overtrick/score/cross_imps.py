"""Cross-IMPs: each score against every other score of the board, in IMPs."""

from typing import Final

import polars as pl

from overtrick.bridge.imps import imps
from overtrick.config import Scoring
from overtrick.score.awards import IMPS_AVERAGE_PLUS, imps_sign
from overtrick.score.fields import tally
from overtrick.score.lines import lowest_terms

_DIVISORS: Final = {
    "comparisons": "number of comparisons",
    "scores": "number of scores",
    "none": "none; short boards brought to the full number of comparisons",
}


def cross_imps(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Compare each result with every other one of its group.

    Args:
        lines: the frame of `fields.in_fields`.
        scoring: `cross_divisor` is followed. Undivided sums of a short group are multiplied by (E - 1) / (A - 1), as
            many comparisons as a full board has, so that all boards weigh the same.

    Returns:
        The lines with `numerator_ns numerator_ew denominator` filled where they earn something. A score with nothing to
        compare with earns 0; average plus and minus are 3 IMPs a comparison, divided as the others are.
    """
    actual, expected = pl.col("actual"), pl.col("expected")
    one = pl.lit(1, dtype=pl.Int64)
    times, divisor, award_times, award_divisor = {
        "comparisons": (one, actual - 1, one, one),
        "scores": (one, actual, expected - 1, expected),
        "none": (expected - 1, actual - 1, expected - 1, one),
    }[scoring.cross_divisor or "comparisons"]
    placed = lines.join(_sums(lines), on=["group", "score_ns"], how="left", maintain_order="left")
    awarded = (pl.col("status") == "adjusted") & pl.col("sum").is_null() & pl.col("group").is_not_null()
    earned = {
        f"numerator_{side}": pl.when(awarded)
        .then(imps_sign(pl.col(f"award_{side}")) * IMPS_AVERAGE_PLUS * award_times)
        .otherwise(sign * pl.col("sum") * times)
        for side, sign in (("ns", 1), ("ew", -1))
    }
    scored = placed.with_columns(**earned)
    return lowest_terms(
        scored.with_columns(
            pl.when(pl.any_horizontal(pl.col(*earned).is_not_null()))
            .then(pl.when(awarded).then(award_divisor).otherwise(pl.max_horizontal(divisor, one)))
            .alias("denominator")
        )
    )


def cross_imp_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rules `cross_imps` followed."""
    return {
        "divided by": _DIVISORS[scoring.cross_divisor or "comparisons"],
        "average plus": "3 IMPs a comparison",
    }


def _sums(lines: pl.DataFrame) -> pl.DataFrame:
    """Add the IMPs of each different score against all scores of its group: `group score_ns sum`.

    Equal scores earn nothing from each other, so that only different ones meet: a large field has few of them.
    """
    scores = tally(lines).select("group", "score_ns", "equal")
    met = scores.join(scores, on="group", suffix="_other")
    earned = imps(pl.col("score_ns") - pl.col("score_ns_other")) * pl.col("equal_other")
    return met.with_columns(earned.alias("sum")).group_by("group", "score_ns").agg(pl.col("sum").sum())
