"""The IMP scale (Law 78B)."""

from typing import Final

import polars as pl

LOWER_BOUNDS: Final = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""The smallest differences in points that earn 1, 2, ... 24 IMPs."""


def imps(difference: pl.Expr) -> pl.Expr:
    """Convert a difference in points to IMPs of the same sign, Int64; null for null.

    The scale is printed for multiples of ten. A difference between two of them earns the IMPs of the last lower bound
    that it reaches: 45 points are 1 IMP, as 40 are.
    """
    size = difference.abs()
    earned = pl.lit(pl.Series(LOWER_BOUNDS, dtype=pl.Float64)).search_sorted(size.cast(pl.Float64), side="right")
    return pl.when(difference.is_not_null()).then(difference.sign().cast(pl.Int64) * earned.cast(pl.Int64))
