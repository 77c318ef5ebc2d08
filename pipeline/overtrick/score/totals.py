"""Adding up what contestants earned, exactly: whole columns of numerators first, then one fraction a contestant."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import polars as pl


@dataclass(frozen=True)
class Total:
    """What one contestant earned on the lines it is scored on."""

    points: Fraction
    top: Fraction | int
    """Most that these lines could earn; 0 at IMPs."""
    boards: int
    correction: Fraction = Fraction(0)
    """What of the points was not earned on the lines: penalties, handicap, carry-over."""

    @property
    def share(self) -> Fraction:
        """The part of the top, from 0 to 1; one half where there was nothing to gain (a board with one result)."""
        return self.points / self.top if self.top else Fraction(1, 2)


Who = tuple[str | None, ...]
Totals = dict[Who, Total]
"""What contestants earned, by the columns that tell them apart."""


def add_up(seats: pl.DataFrame, by: Sequence[str]) -> Totals:
    """Add the lines of each contestant.

    Args:
        seats: the frame of `frames.sides`; lines that earn nothing are left out.
        by: the columns that tell contestants apart.

    Returns:
        The totals by the values of those columns, in no particular order.
    """
    sums = (
        seats.drop_nulls("numerator")
        .group_by([*by, "denominator"])
        .agg(pl.col("numerator").sum(), pl.col("top").sum(), pl.len().alias("boards"))
    )
    totals: Totals = {}
    nothing = Total(Fraction(0), 0, 0)
    for *key, denominator, numerator, top, boards in sums.iter_rows():
        so_far = totals.get(tuple(key), nothing)
        totals[tuple(key)] = Total(
            so_far.points + Fraction(numerator, denominator), so_far.top + top, so_far.boards + boards
        )
    return totals
