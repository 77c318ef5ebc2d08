"""What a result has earned, as exact fractions: `numerator_ns / denominator` and `numerator_ew / denominator`."""

from fractions import Fraction
from typing import Final

import numpy as np
import polars as pl

_NUMERATORS: Final = ["numerator_ns", "numerator_ew"]


def lowest_terms(lines: pl.DataFrame) -> pl.DataFrame:
    """Reduce the fractions of each line, both sides over one denominator."""
    parts = [lines[name].fill_null(0).to_numpy() for name in (*_NUMERATORS, "denominator")]
    common = pl.Series("common", np.maximum(np.gcd(np.gcd(parts[0], parts[1]), parts[2]), 1))
    return lines.with_columns(pl.col(*_NUMERATORS, "denominator") // common)


def round_lines(lines: pl.DataFrame, step: Fraction) -> pl.DataFrame:
    """Round each side's matchpoints to a step that divides 1.

    A line exactly between two steps goes towards the board's average, so that N-S and E-W still share the top.
    """
    per_point = step.denominator
    average = pl.col("top") // 2
    denominator = pl.col("denominator")

    def rounded(side: str) -> pl.Expr:
        away = pl.col(side) - average * denominator
        steps = (2 * away.abs() * per_point + denominator - 1) // (2 * denominator)
        return (average * per_point + away.sign() * steps).alias(side)

    return lines.with_columns(
        rounded("numerator_ns"),
        rounded("numerator_ew"),
        pl.when(denominator.is_not_null()).then(pl.lit(per_point, dtype=pl.Int64)).alias("denominator"),
    )
