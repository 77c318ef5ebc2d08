"""Victory points: the published scales, and what any scale must be."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.victory_points import ScaleName, from_bounds, scale_for, wbf_continuous, wbf_discrete

CONTINUOUS = pl.read_csv(Path(__file__).parents[2] / "data" / "vp-wbf-continuous.tsv", separator="\t")
LENGTHS = [int(name.removeprefix("N=")) for name in CONTINUOUS.columns[1:]]


def bands(name: ScaleName, boards: int) -> str:
    """Write a scale as it is printed: the smallest margin of each band that is not the first."""
    scale = scale_for(name, boards)
    assert scale is not None
    earned = scale.earned
    return " ".join(str(m) for m in range(1, len(earned)) if earned[m] != earned[m - 1])


@pytest.mark.parametrize("boards", LENGTHS)
def test_the_continuous_scale_is_the_published_one(boards: int) -> None:
    published = (CONTINUOUS[f"N={boards}"] * 100).round(0).cast(pl.Int64)
    assert published.to_list() == [wbf_continuous(boards).points(margin) for margin in CONTINUOUS["margin"]]


@pytest.mark.parametrize(("hundredths", "boards", "margin"), [(1244, 14, 8), (1320, 20, 13), (1734, 10, 27)])
def test_a_cell_that_plain_rounding_gets_wrong_keeps_the_scale_concave(
    hundredths: int, boards: int, margin: int
) -> None:
    assert hundredths == wbf_continuous(boards).points(margin)


def test_a_margin_between_whole_imps_takes_the_formula() -> None:
    assert 1000 < wbf_continuous(16).points(Fraction(1, 2)) < wbf_continuous(16).points(1)
    assert 2000 == wbf_continuous(16).points(Fraction(1201, 20))


@pytest.mark.parametrize(
    ("margins", "boards"),
    [
        ("1 3 5 8 11 14 18 22 27 33", 6),
        ("1 3 6 9 12 15 19 24 29 36", 7),
        ("1 4 7 10 13 17 21 26 31 39", 8),
        ("1 4 7 10 14 18 23 28 35 43", 10),
        ("2 5 9 13 18 23 29 36 44 54", 16),
        ("3 8 13 19 25 33 41 51 62 77", 32),
    ],
)
def test_the_discrete_scale_has_bands_that_never_shrink(margins: str, boards: int) -> None:
    assert margins == bands("wbf-discrete", boards)


@pytest.mark.parametrize(
    ("margins", "name", "boards"),
    [
        ("1 3 5 8 11 14 17 20 24 28", "acbl-20", 7),
        ("1 3 6 10 14 18 22 26 31 36", "acbl-20", 9),
        ("1 4 7 11 15 20 25 30 36 42", "acbl-20", 15),
        ("2 5 9 14 19 25 32 39 47 56", "acbl-20", 16),
        ("3 7 12 18 25 33 42 51 61 72", "acbl-20", 24),
        ("4 9 15 22 30 39 49 60 72 85", "acbl-20", 36),
        ("1 2 3 4 5 7 9 11 14 17 20 24 28", "acbl-30", 8),
        ("1 2 3 5 7 9 12 15 18 22 26 31 36", "acbl-30", 11),
    ],
)
def test_the_acbl_scales_are_those_of_the_length_of_the_match(margins: str, name: ScaleName, boards: int) -> None:
    assert margins == bands(name, boards)


def test_thirty_points_begin_at_fifteen_and_leave_out_sixteen_and_seventeen() -> None:
    scale = scale_for("acbl-30", 7)
    assert scale is not None
    assert [1500, 1800, 1900, 1200] == [scale.points(margin) for margin in (0, 1, 2, -1)]


@pytest.mark.parametrize(("name", "boards"), [("acbl-20", 5), ("acbl-20", 37), ("acbl-30", 12), ("wbf", 0)])
def test_a_scale_that_was_not_published_for_the_length_is_not_made_up(name: ScaleName, boards: int) -> None:
    assert scale_for(name, boards) is None


def test_a_club_has_its_own_scale() -> None:
    """Three boards: 2 IMPs are 12-8, 4 IMPs are 13-7, 21 and more are 20-0."""
    home = from_bounds("home", 20, [0, 1, 2, 3, 5, 7, 9, 11, 14, 19, 21], list(range(10, 21)))
    assert [1200, 800, 1300, 2000, 0] == [home.points(margin) for margin in (2, -2, 4, 40, -21)]


@pytest.mark.parametrize(
    ("why", "total", "bounds", "winner"),
    [
        ("as many margins", 20, [0, 1], [10]),
        ("begin at 0", 20, [1, 2], [10, 11]),
        ("ascend", 20, [0, 2, 2], [10, 11, 12]),
        ("never fall", 20, [0, 1], [10, 9]),
        ("half of the total", 20, [0, 1], [11, 12]),
        ("up to the total", 20, [0, 1], [10, 21]),
        ("two decimals", 20, [0, 1], [10, Fraction(21, 2) + Fraction(1, 1000)]),
    ],
)
def test_bands_that_are_no_scale_are_refused(
    why: str, total: int, bounds: list[int], winner: list[int | Fraction]
) -> None:
    with pytest.raises(ValueError, match=why):
        from_bounds("odd", total, bounds, winner)


@given(st.integers(1, 64), st.integers(0, 150))
def test_winner_and_loser_share_all_points_and_no_imp_is_worth_more_than_the_one_before(
    boards: int, margin: int
) -> None:
    scale = wbf_continuous(boards)
    assert 2000 == scale.points(margin) + scale.points(-margin)
    steps = [scale.points(m + 1) - scale.points(m) for m in (margin, margin + 1)]
    assert steps[0] >= steps[1] >= 0


@given(st.integers(1, 64))
def test_discrete_bands_widen(boards: int) -> None:
    earned = wbf_discrete(boards).earned
    starts = [0, *(m for m in range(1, len(earned)) if earned[m] != earned[m - 1])]
    widths = [high - low for low, high in pairwise(starts[1:])]
    assert sorted(widths) == widths
