"""Cross-IMPs: every score against every other."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.config import Scoring
from overtrick.judge.score import score
from tests.support.builders import Row, session, traveller

SCORES = st.lists(st.integers(-200, 200).map(lambda tens: 10 * tens), min_size=1, max_size=10)


def crossed(rows: Sequence[Row], **policies: Any) -> pl.DataFrame:
    return score(session(*rows), Scoring(method="cross-imps", **policies)).results


def exactly(lines: pl.DataFrame) -> list[Fraction]:
    return [Fraction(ns, denominator) for ns, denominator in lines.select("numerator_ns", "denominator").rows()]


@pytest.mark.parametrize(
    ("points", "scores"),
    [
        ([4.5, -5, 0.5], [420, 170, 300]),
        ([10.5, -0.25, -1.25, -1.25, -7.75], [620, 170, 140, 140, -100]),
        ([3.67, -6, 9, -6.67], [-140, -460, 50, -490]),
        ([-6, -2.67, 3.33, 5.33], [-200, -90, 90, 150]),
    ],
)
def test_imps_a_comparison_as_clubs_publish_them(points: list[float], scores: list[int]) -> None:
    assert points == crossed(traveller(1, scores))["points_ns"].round(2).to_list()


def test_a_good_game_among_four() -> None:
    """400 loses 1, 150 loses 7 and -50 loses 10 to 430: 18 over three comparisons."""
    assert Fraction(6) == exactly(crossed(traveller(1, [430, 400, 150, -50])))[0]


def test_a_game_made_at_one_table_of_five() -> None:
    assert exactly(crossed(traveller(1, [620, -100, -100, -300, 650])))[0] == Fraction(37, 4)


@pytest.mark.parametrize(("points", "divisor"), [(10, "comparisons"), (5, "scores"), (10, "none")])
def test_two_tables_by_each_divisor(points: int, divisor: str) -> None:
    lines = crossed(traveller(1, [400, -50]), cross_divisor=divisor)
    assert [(points, -points), (-points, points)] == lines.select("points_ns", "points_ew").rows()


def test_undivided_sums_of_a_short_board_weigh_as_much_as_a_full_one() -> None:
    rows = [*traveller(1, [420, 170, 300]), *traveller(2, [420, 170, "not played"])]
    assert [9, -10, 1, 12, -12, None] == crossed(rows, cross_divisor="none")["points_ns"].to_list()
    assert [4.5, -5, 0.5, 6, -6, None] == crossed(rows)["points_ns"].to_list()


@pytest.mark.parametrize(
    ("plus", "divisor"), [(Fraction(3), "comparisons"), (Fraction(9, 4), "scores"), (Fraction(9), "none")]
)
def test_average_plus_is_three_imps_a_comparison(plus: Fraction, divisor: str) -> None:
    """Four tables, one of them adjusted."""
    lines = crossed(traveller(1, ["A+ A-", 420, 400, 50]), cross_divisor=divisor)
    assert exactly(lines)[0] == plus
    assert lines["points_ew"][0] == -plus


def test_a_score_with_nothing_to_compare_with_gains_nothing() -> None:
    assert [0] == crossed(traveller(1, [420]))["points_ns"].to_list()


def test_a_row_for_several_tables_is_compared_as_often() -> None:
    rows = [*traveller(1, [420], multiplicity=3), *traveller(1, [170])]
    assert [Fraction(6, 3), Fraction(-18, 3)] == exactly(crossed(rows))


def test_another_percentage_means_nothing_at_imps() -> None:
    assert [None, 0] == crossed(traveller(1, ["70% 30%", 50]))["points_ns"].to_list()


@given(SCORES)
def test_gains_and_losses_add_up_to_nothing(scores: list[int]) -> None:
    assert sum(exactly(crossed(traveller(1, scores)))) == 0


@given(SCORES)
def test_the_order_of_tables_does_not_matter(scores: list[int]) -> None:
    forwards, backwards = exactly(crossed(traveller(1, scores))), exactly(crossed(traveller(1, scores[::-1])))
    assert forwards == backwards[::-1]
