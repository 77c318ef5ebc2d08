"""Comparing what a file states with what is computed: files print rounded numbers, and matchpoints in two units."""

from collections.abc import Sequence
from typing import Final

import polars as pl

MATCHPOINT_UNITS: Final = (1.0, 0.5)
"""Files count 2 a pair beaten and 1 a tie as we do, or 1 and a half (Law 78A)."""

_MOST_DECIMALS: Final = 6
_SLACK: Final = 1e-9


def differs(stated: pl.Series, computed: pl.Series, units: Sequence[float] = (1.0,)) -> pl.Series:
    """Say where a stated number is not the computed one, rounded in any way to the decimals that the column shows.

    Args:
        stated: as the file prints them, Float64; null where it prints none.
        computed: ours, Float64, of the same length.
        units: what one of ours may count in the file; the one that fits most rows is taken for all.

    Returns:
        Booleans; false where either number is null.
    """
    if stated.null_count() == len(stated):
        return stated.is_not_null()
    gap = 10.0 ** -_decimals(stated) / 2 + _SLACK
    apart = [((computed * unit - stated).abs() > gap).fill_null(value=False) for unit in units]
    return min(apart, key=lambda different: int(different.sum()))


def _decimals(numbers: pl.Series) -> int:
    """Count the decimals that a column of numbers needs."""
    for decimals in range(_MOST_DECIMALS):
        if ((numbers - numbers.round(decimals)).abs() < _SLACK).all():
            return decimals
    return _MOST_DECIMALS
