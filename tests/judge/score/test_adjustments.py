"""Scores that the Director gives: assigned, artificial, split and weighted (Law 12C)."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.judge.score import score
from tests.judge.score.test_teams import boards
from tests.support.builders import Row, session, traveller

SIXTY_FORTY = [{"weight": 60, "score": 620}, {"weight": 40, "score": -100}]


def scored(rows: Sequence[Row], *adjustments: dict[str, Any], **policies: Any) -> Session:
    settings = {"method": "matchpoints", "adjustments": list(adjustments), **policies}
    return score(session(*rows), Scoring.model_validate(settings))


def points(result: Session, side: str) -> list[float]:
    return [round(value, 4) for value in result.results[f"points_{side}"].to_list()]


def test_a_split_score_is_compared_with_each_field_by_itself() -> None:
    """N-S get -100, E-W as if N-S had 650: neither field notices the other's score, and the line shares no top."""
    rows = traveller(1, [650, -100, -100, -200, -790, 0])
    result = scored(rows, {"board": 1, "table": "6", "split": {"ns": -100, "ew": -650}})
    assert [10, 6, 6, 2, 0, 6] == points(result, "ns")
    assert [1, 5, 5, 8, 10, 1] == points(result, "ew")


def test_a_weighted_score_weighs_matchpoints() -> None:
    rows = traveller(1, [650, 620, 620, -100, 0])
    result = scored(rows, {"board": 1, "table": "5", "weighted": SIXTY_FORTY})
    assert [8, 4.4, 4.4, 0.4, 2.8] == points(result, "ns")
    assert [0, 3.6, 3.6, 7.6, 5.2] == points(result, "ew")
    assert [None] == result.results["score_ns"].to_list()[4:]


def test_weighted_scores_come_to_the_common_top_like_any_other() -> None:
    """Two of three tables: the weighted pair wins 60 % of the board: raw 1.2 of 2, by Neuberg 2.3 of 4."""
    rows = [*traveller(1, [0, 170]), *traveller(2, [0, 0, 0])]
    result = scored(rows, {"board": 1, "table": "1", "weighted": SIXTY_FORTY})
    assert [2.3, 1.7] == points(result, "ns")[:2]


def test_at_teams_imps_are_weighted_and_not_points() -> None:
    """Against 620 in the other room: 60 % of nothing and 40 % of -12; 332 points would wrongly lose 7."""
    rows = [{**row, "table": table} for row, table in zip(boards((0, 620)), "12", strict=True)]
    result = scored(rows, {"board": 1, "table": "1", "weighted": SIXTY_FORTY}, method="teams")
    assert [-4.8, 4.8] == points(result, "ns")


def test_at_cross_imps_every_comparison_is_weighted() -> None:
    """620 meets 620, nothing; -100 meets it and loses 12: 40 % of that on either side."""
    result = scored(traveller(1, [0, 620]), {"board": 1, "table": "1", "weighted": SIXTY_FORTY}, method="cross-imps")
    assert [-4.8, 4.8] == points(result, "ns")


def test_at_butler_a_weighted_score_is_not_in_the_datum() -> None:
    rows = traveller(1, [0, 620, 620])
    result = scored(rows, {"board": 1, "table": "1", "weighted": SIXTY_FORTY}, method="butler")
    assert [-4.8, 0, 0] == points(result, "ns")
    assert [620] * 3 == result.results["datum"].to_list()


def test_at_total_points_nothing_else_is_left_than_to_weigh_points() -> None:
    result = scored(traveller(1, [0, 620]), {"board": 1, "table": "1", "weighted": SIXTY_FORTY}, method="aggregate")
    assert [332, 620] == points(result, "ns")


@pytest.mark.parametrize(
    ("ns", "given"), [(4, {"assigned": 650}), (2.4, {"award": ["A+", "A-"]}), (1.4, {"award": ["35%", "65%"]})]
)
def test_an_assigned_score_is_compared_and_an_artificial_one_is_not(ns: float, given: dict[str, Any]) -> None:
    result = scored(traveller(1, [0, 620, 170]), {"board": 1, "table": "1", **given})
    assert ns == points(result, "ns")[0]
    assert "adjusted" == result.results["status"][0]


def test_an_adjustment_that_fits_no_result_or_several_is_not_entered() -> None:
    result = scored(traveller(1, [0, 620]), {"board": 7, "assigned": 50}, {"board": 1, "assigned": 50})
    assert [
        "the adjusted score for board 7 matches 0 results instead of one; overtrick does not use it",
        "the adjusted score for board 1 matches 2 results instead of one; overtrick does not use it",
    ] == result.problems["message"].to_list()
    assert [0, 620] == result.results["score_ns"].to_list()


SCORES = st.lists(st.sampled_from([-620, -100, 0, 50, 140, 420, 620]), min_size=2, max_size=6)
METHODS = st.sampled_from(["matchpoints", "cross-imps"])


@given(SCORES, METHODS, st.integers(1, 99))
def test_outcomes_that_are_the_same_are_one_assigned_score(scores: list[int], method: str, weight: int) -> None:
    weighted = [{"weight": weight, "score": 140}, {"weight": 100 - weight, "score": 140}]
    rows = traveller(1, scores)
    one = scored(rows, {"board": 1, "table": "1", "assigned": 140}, method=method)
    several = scored(rows, {"board": 1, "table": "1", "weighted": weighted}, method=method)
    assert points(one, "ns") == points(several, "ns")
    assert points(one, "ew") == points(several, "ew")


@given(SCORES, st.integers(1, 99))
def test_a_board_with_a_weighted_score_still_shares_all_matchpoints(scores: list[int], weight: int) -> None:
    weighted = [{"weight": weight, "score": 620}, {"weight": 100 - weight, "score": -100}]
    result = scored(traveller(1, scores), {"board": 1, "table": "1", "weighted": weighted}).results
    assert len(scores) * (len(scores) - 1) == round(result["points_ns"].sum(), 6)
    top = 2 * (len(scores) - 1)
    assert {top} == set((result["points_ns"] + result["points_ew"]).round(6))
