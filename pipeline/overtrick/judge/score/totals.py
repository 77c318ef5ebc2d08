"""Adding up what contestants earned, exactly: whole columns of numerators first, then one fraction a contestant."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from overtrick.core.frames import Seats


@dataclass(frozen=True)
class Total:
    """What one contestant earned on the lines that it is scored on."""

    points: Fraction
    top: Fraction | int
    """The most that these lines could earn; 0 at IMPs."""
    boards: int
    correction: Fraction = Fraction(0)
    """The part of the points that was not earned on the lines: penalties, handicap, carry-over."""

    @property
    def share(self) -> Fraction:
        """The part of the top, from 0 to 1; one half where there was nothing to gain (a board with one result)."""
        return self.points / self.top if self.top else Fraction(1, 2)


Who = tuple[str | None, ...]
Totals = dict[Who, Total]
"""What contestants earned, by the values of the columns that identify them."""


def add_up(seats: Seats, by: Sequence[str]) -> Totals:
    """Add up the lines of each contestant.

    Args:
        seats: the frame of `frames.sides`; lines that earn nothing are left out.
        by: the columns that identify a contestant.

    Returns:
        The totals by the values of those columns, in no particular order.
    """
    # Pair 7 on four boards, two of them with another denominator than the others:
    #
    #     contestant  numerator  denominator  top       numerator  denominator  top  boards
    #     7           31         4            8         35         4            16   2
    #     7            4         4            8
    #     7            6         1            8         14         1            16   2
    #     7            8         1            8
    #
    # The columns are added by denominator; then 35 / 4 + 14 / 1 = 91 / 4, of a top of 32 on 4 boards.
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
