"""Means with 95 % intervals by Student's t: few boards make a wide interval, so that three do not look like a truth."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

_QUANTILES: Final = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""The 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom."""

_NORMAL: Final = 1.959964


@dataclass(frozen=True)
class Interval:
    """A mean and where it may lie.

    Attributes:
        count: how many values.
        mean: their mean.
        margin: half the width of the 95 % interval about the mean; None for a single value.
    """

    count: int
    mean: float
    margin: float | None


def find_interval(count: int, mean: float, deviation: float | None) -> Interval:
    """Return the 95 % interval of a mean: the mean, more or less t standard errors.

    Args:
        count: how many values, at least one.
        mean: their mean.
        deviation: their standard deviation, with `count - 1` below the fraction; None for a single value.
    """
    if deviation is None or count < 2:
        return Interval(count, mean, None)
    return Interval(count, mean, quantile(count - 1) * deviation / sqrt(count))


def quantile(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t: from a table up to 30 degrees of freedom, else by Fisher's series."""
    if freedom <= len(_QUANTILES):
        return _QUANTILES[freedom - 1]
    z = _NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
