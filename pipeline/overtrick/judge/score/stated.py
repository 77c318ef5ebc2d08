"""Comparing what a file states with what is computed: files print rounded numbers, and matchpoints in two units."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from overtrick.core.bridge.methods import Method
from overtrick.core.frames import Results

MATCHPOINT_UNITS: Final = (1.0, 0.5)
"""Files count 2 for a pair beaten and 1 for a tie as overtrick does, or 1 and a half (Law 78A)."""

_MOST_DECIMALS: Final = 2
"""Further decimals that a program writes, as in 62.01923, come from its own arithmetic."""
_SLACK: Final = 1e-9


def differs(
    stated: pl.Series, computed: pl.Series, units: Sequence[float] = (1.0,), *, in_hundredths: bool = False
) -> pl.Series:
    """Return where a stated number differs from the computed one, rounded in any way to the column's decimals.

    Args:
        stated: as the file prints them, Float64; null where it prints none.
        computed: ours, Float64, of the same length.
        units: what one of ours may count in the file; the unit that fits most rows is taken for all. Nobody rounds by
            more than half a unit.
        in_hundredths: whether the numbers are counted in hundredths, as victory points: a whole number is then exact.

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
    decimals = _MOST_DECIMALS if in_hundredths else _decimals(stated)
    gaps = [min(10.0**-decimals, unit) / 2 + _SLACK for unit in units]
    apart = [
        ((computed * unit - stated).abs() > gap).fill_null(value=False) for unit, gap in zip(units, gaps, strict=True)
    ]
    return min(apart, key=lambda different: int(different.sum()))


def lines_differ(lines: Results, method: Method) -> pl.Series:
    """Return which lines have other points than the file states, for one side or both."""
    units = MATCHPOINT_UNITS if method.unit == "matchpoints" else (1.0,)
    apart = differs(lines["stated_points_ns"], lines["points_ns"], units) | differs(
        lines["stated_points_ew"], lines["points_ew"], units
    )
    return apart & ~stand_alone(lines, method)


def stand_alone(lines: Results, method: Method) -> pl.Series:
    """Return which lines have nothing to compare: the only result of their board, where results are compared.

    Args:
        lines: results; `actual` counts those that are compared, where `score.groups` has added it.
        method: what results are compared with.
    """
    if method.compared not in {"results", "datum"}:
        return pl.repeat(False, lines.height, dtype=pl.Boolean, eager=True)
    scored = pl.col("score_ns").is_not_null() | pl.col("weights").is_not_null()
    tables = pl.col("actual") if "actual" in lines.columns else scored.sum().over("board")
    return lines.select(((pl.col("status") != "adjusted") & (tables.fill_null(0) <= 1)).alias("alone"))["alone"]


def states_imps(results: Results) -> bool:
    """Return whether the points that a file states can only be IMPs: some are negative, which no matchpoints are."""
    points = pl.concat([results["stated_points_ns"], results["stated_points_ew"]])
    return bool((points < 0).any())


def _decimals(numbers: pl.Series) -> int:
    """Count the decimals that a column of numbers needs."""
    for decimals in range(_MOST_DECIMALS):
        if ((numbers - numbers.round(decimals)).abs() < _SLACK).all():
            return decimals
    return _MOST_DECIMALS
