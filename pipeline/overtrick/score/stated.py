"""Comparing what a file states with what is computed: files print rounded numbers, and matchpoints in two units."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from overtrick.bridge.methods import Method
from overtrick.frames import Results

MATCHPOINT_UNITS: Final = (1.0, 0.5)
"""Files count 2 for a pair beaten and 1 for a tie as overtrick does, or 1 and a half (Law 78A)."""

_MOST_DECIMALS: Final = 6
_SLACK: Final = 1e-9


def differs(stated: pl.Series, computed: pl.Series, units: Sequence[float] = (1.0,)) -> pl.Series:
    """Return where a stated number differs from the computed one, rounded in any way to the column's decimals.

    Args:
        stated: as the file prints them, Float64; null where it prints none.
        computed: ours, Float64, of the same length.
        units: what one of ours may count in the file; the unit that fits most rows is taken for all.

    Returns:
        Booleans; false where either number is null.
    """
    # The file shows one decimal and counts 1 for a pair beaten: in units of a half, no more than 0.05 away.
    #
    #     stated  computed  differs by units of 1  of 1/2
    #     3.9     7.75      true                   false   (3.875)
    #     2.0     4.0       true                   false
    #     1.9     4.0       true                   true
    #     0.1     0.25      true                   false   (0.125)
    #     null    4.0       false                  false
    if stated.null_count() == len(stated):
        return stated.is_not_null()
    gap = 10.0 ** -_decimals(stated) / 2 + _SLACK
    apart = [((computed * unit - stated).abs() > gap).fill_null(value=False) for unit in units]
    return min(apart, key=lambda different: int(different.sum()))


def lines_differ(lines: Results, method: Method) -> pl.Series:
    """Return which lines have other points than the file states, for one side or both."""
    units = MATCHPOINT_UNITS if method.unit == "matchpoints" else (1.0,)
    return differs(lines["stated_points_ns"], lines["points_ns"], units) | differs(
        lines["stated_points_ew"], lines["points_ew"], units
    )


def _decimals(numbers: pl.Series) -> int:
    """Count the decimals that a column of numbers needs."""
    for decimals in range(_MOST_DECIMALS):
        if ((numbers - numbers.round(decimals)).abs() < _SLACK).all():
            return decimals
    return _MOST_DECIMALS
