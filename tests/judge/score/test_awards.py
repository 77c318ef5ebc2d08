"""Artificial adjusted scores."""

import polars as pl
import pytest

from overtrick.judge.score.groups import WHOLE, average_sign, share


def worth(award: str | None) -> object:
    awards = pl.DataFrame({"award": [award]}, schema={"award": pl.String})
    return awards.select(share(pl.col("award")).alias("share")).item()


@pytest.mark.parametrize(
    ("thousandths", "award"),
    [(600, "A+"), (500, "A"), (400, "A-"), (600, "60%"), (382, "38.2%"), (382, "38.200%"), (1000, "100%"), (0, "0%")],
)
def test_an_award_is_a_share_of_the_top(thousandths: int, award: str) -> None:
    assert worth(award) == thousandths * WHOLE // 1000


def test_six_decimals_of_a_percentage_are_exact() -> None:
    assert worth("33.333333%") == 33_333_333


@pytest.mark.parametrize("award", [None, "", "A++", "60", "101%", "100.000001%", "-5%", "60.1234567%"])
def test_anything_else_is_no_award(award: str | None) -> None:
    assert worth(award) is None


def test_at_imps_average_plus_is_a_gain_by_letter_or_percentage() -> None:
    awards = pl.DataFrame({"award": ["A+", "A", "A-", "60%", "50%", "40%", "70%", None]})
    assert [1, 0, -1, 1, 0, -1, None, None] == awards.select(average_sign(pl.col("award")))["award"].to_list()
