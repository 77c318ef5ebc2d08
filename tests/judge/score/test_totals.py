"""Adding up exactly."""

from fractions import Fraction

import polars as pl
import pytest

from overtrick.judge.score.groups import Total, add_up


def lines(*earned: tuple[str, int | None, int | None, int | None]) -> pl.DataFrame:
    schema = {"contestant": pl.String, "numerator": pl.Int64, "denominator": pl.Int64, "top": pl.Int64}
    return pl.DataFrame(earned, schema=schema, orient="row")


def test_thirds_and_tenths_add_up_without_a_trace_of_rounding() -> None:
    totals = add_up(lines(("7", 1, 3, 4), ("7", 7, 10, 4), ("7", 2, 3, 4)), ["contestant"])
    assert {("7",): Total(points=Fraction(17, 10), top=12, boards=3)} == totals


def test_a_line_that_earns_nothing_is_no_board() -> None:
    assert add_up(lines(("7", 1, 1, 4), ("7", None, None, None)), ["contestant"])[("7",)].boards == 1


def test_points_without_a_top_add_up_too() -> None:
    assert (
        Total(points=Fraction(-4), top=0, boards=2)
        == add_up(lines(("3", -7, 1, None), ("3", 3, 1, None)), ["contestant"])[("3",)]
    )


@pytest.mark.parametrize(
    ("share", "total"), [(Fraction(3, 5), Total(Fraction(6), 10, 2)), (Fraction(1, 2), Total(Fraction(0), 0, 1))]
)
def test_a_total_is_a_share_of_its_top_and_one_half_where_there_was_none(share: Fraction, total: Total) -> None:
    assert total.share == share
