"""Where the points of a contestant went: parts that add up, also as they are written."""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from overtrick.show.html.contestants import make_contract
from overtrick.show.html.splits import Story, count_tricks, make_splits, measure_tricks, round_together

BOARDS = {"1": SimpleNamespace(label="1", slug="board-1"), "2": SimpleNamespace(label="2", slug="board-2")}


def line(*parts: int, of: int = 1, key: str = "1", **columns: object) -> dict[str, Any]:
    return {
        "key": key, "round": None, "team_ns": None, "team_ew": None, "parts_ns": list(parts),
        "parts_ew": [-part for part in parts], "parts_of": of, "tricks": 9, "dd_tricks": 10, "lead_cost": None,
        "declarer": "N", **columns,
    }  # fmt: skip


@pytest.mark.parametrize("places", [0, 1, 2])
def test_parts_as_written_add_up_to_the_total_as_written(places: int) -> None:
    parts = [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3), Fraction(-5, 7)]
    assert round(sum(parts) * 10**places) == sum(round_together(parts, places))


def test_a_card_lists_the_parts_of_each_board_and_their_sum() -> None:
    found = make_splits([(line(3, 0, -1, 0, 0, 0), "NS"), (line(1, 0, 0, 0, 0, 0, of=2, key="2"), "EW")], BOARDS)
    assert found is not None
    assert ["+2.0", "−0.5", "+1.5"] == [one.total for one in (*found.rows, found.sum)]
    assert ("+3.0", "", "−1.0", "", "", "") == found.rows[0].parts
    assert Fraction(3, 2) == found.sum.points


def test_bars_reach_from_the_middle_to_both_sides() -> None:
    found = make_splits([(line(3, 0, -1, 0, 0, 0), "NS")], BOARDS)
    assert found is not None
    assert [("bidding", "50", "50"), ("declarer", "33.33", "16.67")] == [
        (bar.cause, bar.start, bar.width) for bar in found.rows[0].bars
    ]


def test_a_board_of_a_match_is_the_mean_of_both_tables() -> None:
    teams: dict[str, Any] = {"team_ns": "Ash", "team_ew": "Oak"}
    other: dict[str, Any] = {"team_ns": "Oak", "team_ew": "Ash"}
    tables = [(line(6, 0, 0, 0, 0, 4, **teams), "NS"), (line(-10, 0, 0, 0, 0, 0, **other), "EW")]
    found = make_splits(tables, BOARDS)
    assert found is not None
    assert [("+10", ("+8", "", "", "", "", "+2"))] == [(one.total, one.parts) for one in found.rows]


def test_nothing_analysed_makes_no_table() -> None:
    assert None is make_splits([(line(of=0), "NS")], BOARDS)


def test_the_cost_of_the_lead_is_neither_declarer_s_nor_the_other_defender_s() -> None:
    led = line(tricks=10, dd_tricks=9, lead_cost=2)
    assert {"Declaring": -1} == measure_tricks(led, "NS")
    assert {"Leads": -2, "Defending": 1} == measure_tricks(led, "EW")


def test_tricks_are_added_up_with_their_boards() -> None:
    played = [(line(), "NS"), (line(), "NS"), (line(), "EW")]
    assert [("Declaring", "−2", 2), ("Defending", "+1", 1)] == [
        (one.name, one.tricks, one.boards) for one in count_tricks(played)
    ]


def test_parts_have_one_decimal_at_most() -> None:
    found = make_splits([(line(1, -1, 0, 0, 0, 0, of=3), "NS")], BOARDS)
    assert found is not None
    assert ("+0.3", "−0.3", "", "", "", "") == found.rows[0].parts


def test_the_largest_loss_and_the_largest_gain_are_shown_together() -> None:
    contract = make_contract(4, "S", 0)
    told = tuple(
        Story(cause="lead", points=points, declared=False, contract=contract, board=board)
        for board, points in [("1", "−9"), ("2", "−8"), ("3", "+7"), ("4", "+6")]
    )
    whole = make_splits([(line(1, 0, 0, 0, 0, 0), "NS")], BOARDS)
    assert whole is not None
    assert () == whole.extremes
    assert ["1", "3"] == [one.board for one in replace(whole, stories=told).extremes]
    assert ["3"] == [one.board for one in replace(whole, stories=told[2:]).extremes]
