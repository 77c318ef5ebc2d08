"""Butler: IMPs against a datum."""

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.config import Scoring
from overtrick.judge.score import score
from tests.support.builders import Row, session, traveller


def butler(rows: Sequence[Row], **policies: Any) -> pl.DataFrame:
    return score(session(*rows), Scoring(method="butler", **policies)).results


@pytest.mark.parametrize(
    ("datum", "imps", "policy", "scores"),
    [
        (440, [5, 5, 5, 5, -7, -7, -7], "mean-2", [620] * 4 + [170] * 3),
        (190, [6, 6, 6, 6, 6, -6, -6, -6, -6, -7], "mean-2", [420, 420, 420, 430, 450, -50, -50, -50, -50, -100]),
        (510, [10] * 3 + [-1] * 11 + [-2] * 7 + [-11], "mean", [980] * 3 + [480] * 11 + [450] * 7 + [-50]),
        (-300, [-8, 4, -15, 9, 4, 3], "mean-2", [-650, -170, -1440, 100, -170, -200]),
        (160, [0, -1, 0, 0], "mean-2", [170, 140, 150, 170]),
        (-450, [11, 0, -1, 1], "mean-2", [50, -460, -490, -430]),
        (130, [-6, 0, 10], "median", [-100, 130, 620]),
        (280, [-9, -4, 4, 8], "median", [-100, 130, 420, 620]),
        (420, [12] + [0] * 18 + [-10], "mean-5%", [1100] + [420] * 18 + [-50]),
        (440, [12] + [0] * 17 + [-10], "mean-5%", [1100] + [430] * 17 + [-50]),
        (420, [12] * 2 + [0] * 7 + [-10] * 2, "mean-scaled", [1100] * 2 + [420] * 7 + [-50] * 2),
        (450, [12] * 2 + [-1] * 6 + [-11] * 2, "mean-scaled", [1100] * 2 + [420] * 6 + [-50] * 2),
    ],
)
def test_datums_as_clubs_publish_them(datum: int, imps: list[int], policy: str, scores: list[int]) -> None:
    lines = butler(traveller(1, scores), datum=policy)
    assert [datum] * len(scores) == lines["datum"].to_list()
    assert imps == lines["points_ns"].to_list()


def test_the_other_side_gets_the_negative_and_there_is_no_top() -> None:
    lines = butler(traveller(1, [620, 170]))
    assert [(6, -6), (-6, 6)] == lines.select("points_ns", "points_ew").rows()
    assert [(None, None)] * 2 == lines.select("top", "percentage_ns").rows()


@pytest.mark.parametrize(
    ("away", "even", "up", "scores"),
    [
        (-450, -440, -440, [-460, -430]),
        (40, 40, 40, [40, 30]),
        (430, 420, 430, [430, 420]),
        (-10, 0, 0, [-10, 0]),
        (440, 440, 440, [440, 430]),
        (-440, -440, -430, [-440, -430]),
    ],
)
def test_a_datum_half_way_goes_away_from_nought_to_the_even_ten_or_up(
    away: int, even: int, up: int, scores: list[int]
) -> None:
    lines = traveller(1, scores)
    assert [away, even, up] == [butler(lines, datum_ties=ties)["datum"][0] for ties in ("away", "even", "up")]


def test_a_datum_that_is_not_rounded_is_compared_exactly() -> None:
    """From 395 it is 25 points to 420 and to 370: the band from 20 is reached either way, the one from 50 is not."""
    lines = butler(traveller(1, [420, 420, 420, 320]), datum_rounding="none")
    assert [1, 1, 1, -2] == lines["points_ns"].to_list()
    assert [395] * 4 == lines["datum"].to_list()
    thirds = butler(traveller(1, [110, 100, 50]), datum_rounding="none")
    assert ([87] * 3, [1, 0, -1]) == (thirds["datum"].to_list(), thirds["points_ns"].to_list())


def test_a_datum_may_be_set_beforehand() -> None:
    rows = [{**row, "stated_datum": 300} for row in traveller(1, [420, 50])]
    lines = butler([*rows, *traveller(2, [620, 170])], datum="stated")
    assert [(300, 3), (300, -6), (None, None), (None, None)] == lines.select("datum", "points_ns").rows()


def test_a_board_without_the_datum_that_was_asked_for_is_named() -> None:
    problems = score(session(*traveller(2, [620, 170])), Scoring(method="butler", datum="stated")).problems
    assert [("datum-unstated", "2")] == problems.select("code", "board").rows()


def test_two_scores_have_no_best_and_worst_to_leave_out() -> None:
    assert [110, 110] == butler(traveller(1, [170, 50]), datum="mean-2")["datum"].to_list()


def test_the_only_score_of_a_board_is_its_own_datum() -> None:
    assert (420, 0) == butler(traveller(1, [420]), datum="mean-2").select("datum", "points_ns").row(0)


def test_average_plus_is_three_imps_and_not_in_the_datum() -> None:
    lines = butler(traveller(1, ["A+ A-", 620, 170, "A"]))
    assert [(3, -3, 400), (6, -6, 400), (-6, 6, 400), (0, 0, 400)] == lines.select(
        "points_ns", "points_ew", "datum"
    ).rows()


def test_awards_may_be_written_as_sixty_and_forty_per_cent() -> None:
    assert (3, -3) == butler(traveller(1, ["60% 40%", 50])).select("points_ns", "points_ew").row(0)


def test_another_percentage_means_nothing_at_imps() -> None:
    assert (None, None, None) == butler(traveller(1, ["70% 30%", 50])).select(
        "points_ns", "points_ew", "denominator"
    ).row(0)


def test_a_row_for_several_tables_counts_as_often() -> None:
    rows = [*traveller(1, [400], multiplicity=3), *traveller(1, [0])]
    assert [300, 300] == butler(rows)["datum"].to_list()
    assert [400, 400] == butler(rows, datum="median")["datum"].to_list()


def test_each_section_has_its_own_datum() -> None:
    rows = [*traveller(1, [420, 420], section="A"), *traveller(1, [-50, -50], section="B")]
    assert [420, 420, -50, -50] == butler(rows)["datum"].to_list()


def test_a_board_not_played_has_no_datum_of_its_own_to_beat() -> None:
    assert [None, 0, 0] == butler(traveller(1, ["not played", 420, 420]))["points_ns"].to_list()


@given(st.lists(st.integers(-760, 760), min_size=1, max_size=15))
def test_a_datum_is_the_ten_nearest_to_the_mean(tens: list[int]) -> None:
    scores = [10 * ten for ten in tens]
    datum = butler(traveller(1, scores))["datum"][0]
    assert abs(datum - sum(scores) / len(scores)) <= 5
    assert datum % 10 == 0
