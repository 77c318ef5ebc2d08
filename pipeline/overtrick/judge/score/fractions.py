"""What a result has earned, as exact fractions: `numerator_ns / denominator` and `numerator_ew / denominator`."""

from fractions import Fraction
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.frames import Results

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
        pl.when(denominator.is_not_null()).then(pl.lit(per_point, dtype=pl.Int64)).alias("denominator"),
    )
