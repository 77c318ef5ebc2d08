"""The IMP scale."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.score import imps


def in_imps(*differences: float | None) -> list[int | None]:
    return pl.select(imps(pl.lit(pl.Series(differences, dtype=pl.Float64))).alias("imps"))["imps"].to_list()


@pytest.mark.parametrize(
    ("earned", "lowest", "highest"),
    [
        *((0, 0, 10), (1, 20, 40), (2, 50, 80), (3, 90, 120), (4, 130, 160), (5, 170, 210), (6, 220, 260)),
        *((7, 270, 310), (8, 320, 360), (9, 370, 420), (10, 430, 490), (11, 500, 590), (12, 600, 740)),
        *((13, 750, 890), (14, 900, 1090), (15, 1100, 1290), (16, 1300, 1490), (17, 1500, 1740), (18, 1750, 1990)),
        *((19, 2000, 2240), (20, 2250, 2490), (21, 2500, 2990), (22, 3000, 3490), (23, 3500, 3990), (24, 4000, 15200)),
    ],
)
def test_the_scale_as_the_law_prints_it(earned: int, lowest: int, highest: int) -> None:
    assert [earned, earned, -earned, -earned] == in_imps(lowest, highest, -lowest, -highest)


def test_between_two_bands_the_lower_bound_that_is_reached_counts() -> None:
    assert [0, 1, 1, 2] == in_imps(15, 20, 45, 50)


def test_an_unknown_difference_is_no_nought() -> None:
    assert [None, 0] == in_imps(None, 0)


def test_whole_columns_of_integers_are_converted() -> None:
    assert [-10, 1, None] == pl.DataFrame({"by": [-490, 20, None]}).select(imps(pl.col("by")))["by"].to_list()


@given(st.lists(st.integers(-8000, 8000), min_size=2))
def test_a_larger_difference_never_earns_less(differences: list[int]) -> None:
    earned = in_imps(*sorted(differences))
    assert earned == sorted(earned, key=lambda value: value or 0)
