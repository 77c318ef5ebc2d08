"""Exact points of a line, and their rounding."""

from fractions import Fraction

import polars as pl
import pytest

from overtrick.judge.score.matchpoints import reduce_fractions, round_fractions


def lines(ns: int | None, ew: int | None, denominator: int | None, top: int | None = None) -> pl.DataFrame:
    names = ("numerator_ns", "numerator_ew", "denominator", "top")
    return pl.DataFrame([(ns, ew, denominator, top)], schema=dict.fromkeys(names, pl.Int64), orient="row")


def row(frame: pl.DataFrame) -> tuple[int | None, ...]:
    return frame.select("numerator_ns", "numerator_ew", "denominator").row(0)


def test_both_sides_share_the_smallest_denominator() -> None:
    assert (126, 84, 5) == row(reduce_fractions(lines(2520, 1680, 100)))


def test_a_line_that_earns_nothing_stays_empty() -> None:
    assert (None, None, None) == row(reduce_fractions(lines(None, None, None)))
    assert (None, None, None) == row(round_fractions(lines(None, None, None), Fraction(1, 10)))


def test_a_side_that_earns_nothing_stays_empty_beside_one_that_does() -> None:
    assert (3, None, 2) == row(reduce_fractions(lines(6, None, 4)))


@pytest.mark.parametrize(
    ("tenths", "ns", "ew", "denominator"), [((283, 137), 85, 41, 3), ((3, 57), 1, 17, 3), ((60, 60), 6, 6, 1)]
)
def test_lines_are_rounded_to_the_step(tenths: tuple[int, int], ns: int, ew: int, denominator: int) -> None:
    top = (ns + ew) // denominator
    assert (*tenths, 10) == row(round_fractions(lines(ns, ew, denominator, top), Fraction(1, 10)))


@pytest.mark.parametrize(("ns", "ew", "rounded"), [(25, 95, (3, 9)), (95, 25, (9, 3)), (55, 65, (6, 6))])
def test_half_a_step_goes_towards_average_so_that_both_sides_keep_the_top(
    ns: int, ew: int, rounded: tuple[int, int]
) -> None:
    """Of a top of 12, in whole points: 2.5 becomes 3 and 9.5 becomes 9, as 6 is average."""
    assert (*rounded, 1) == row(round_fractions(lines(ns, ew, 10, 12), Fraction(1)))
