"""Evenings of Bridgemate's data connector: what `overtrick terminals` writes, and damaged copies of it."""

import json
from typing import Any

import pytest

from overtrick.files.formats.base import Reading
from overtrick.files.formats.bridgemate.connector import read_connector
from overtrick.files.formats.looks import get_format
from tests.support.connector import result
from tests.support.reading import codes


def reading(**lists: Any) -> Reading:
    document = {"bridgemate": 1, "Session": {"Name": "Tuesday", "Date": "2026-03-10"}, **lists}
    content = json.dumps(document).encode()
    assert get_format("connector").recognises(content)
    return read_connector(content)


RESULTS = {
    "4SXX by E, lead HA": (
        {"Stake": 2, "DeclarerDirection": 2, "DeclaringPair": 2, "LeadCardRank": 14, "LeadCardSuit": 3},
        (4, "S", 2, "E", 10, "HA", None, None, "played"),
    ),
    "3NT by W, two down": (
        {"Level": 3, "Denomination": 5, "DeclarerDirection": 4, "DeclaringPair": 2, "TotalTricks": 7},
        (3, "NT", 0, "W", 7, None, None, None, "played"),
    ),
    "passed out": (
        {"Level": 0, "Denomination": 0, "TotalTricks": 0},
        (0, None, 0, None, None, None, None, None, "passed"),
    ),
    "average plus, average minus": ({"Level": -7}, (None, None, None, None, None, None, "60%", "40%", "adjusted")),
    "average minus, average": ({"Level": -2}, (None, None, None, None, None, None, "40%", "50%", "adjusted")),
    "not played": ({"Level": -10}, (None, None, None, None, None, None, None, None, "not played")),
}
COLUMNS = ("level", "strain", "doubled", "declarer", "tricks", "lead", "award_ns", "award_ew", "status")


@pytest.mark.parametrize("name", RESULTS)
def test_results_say_what_was_entered(name: str) -> None:
    changes, expected = RESULTS[name]
    read = reading(Results=[result(5, **changes)])
    one = read.results.select(*COLUMNS).row(0)
    assert (expected[0], expected[3:]) == (one[0], tuple(None if value == "" else value for value in one[3:]))
    if expected[0]:
        assert expected[1:3] == one[1:3]
    assert ([], "Tuesday", "2026.03.10") == (codes(read.problems), *read.records.select("event", "date").row(0))


def test_an_erased_result_is_left_out_and_named() -> None:
    read = reading(Results=[result(1), result(2, IsDeleted=True)])
    assert ([1], ["bws-entered-again"]) == (read.results["board"].to_list(), codes(read.problems))


def test_of_two_results_for_the_two_sides_that_of_north_south_counts_as_in_the_control_software() -> None:
    read = reading(Results=[result(1, ScoringDirection=1), result(1, ScoringDirection=2, Level=-3)])
    assert ([4], ["bws-entered-again"]) == (read.results["level"].to_list(), codes(read.problems))


def test_pairs_have_the_names_and_numbers_of_round_1() -> None:
    at = {"SectionLetters": "A", "TableNumber": 1}
    read = reading(
        Rounds=[{**at, "RoundNumber": 1, "LowBoardNumber": 1, "HighBoardNumber": 2, "PairNS": 1, "PairEW": 2}],
        PlayerData=[{"PlayerNumber": "17", "FirstName": "Ada", "LastName": "Quill"}],
        Participations=[
            {**at, "Direction": 1, "RoundNumber": 1, "PlayerNumber": "17"},
            {**at, "Direction": 3, "RoundNumber": 0, "FirstName": "Ben", "LastName": "Moss"},
            {**at, "Direction": 2, "RoundNumber": 1, "IsRemoval": True},
        ],
        Results=[result(1)],
    )
    assert ("1", "Ada Quill - Ben Moss") == read.contestants.select("contestant", "names").row(0)
    assert ["bws-missing"] == codes(read.problems)


@pytest.mark.parametrize(
    "lists",
    [
        {"Results": {}},
        {"Results": [7, None, [], result(1, BoardNumber="1"), result(1, Level=True), result(1, Stake=9)]},
        {"Results": [result(1, Denomination=99, LeadCardRank=77, DeclarerDirection=-4, TotalTricks=-20, Level=9)]},
        {"Results": [result(10**30, SectionLetters=None, TableNumber=-1)]},
        {"Results": [result(1, Level=-99)], "Participations": [{"Direction": 9}], "Rounds": [{}], "Sections": [{}]},
        {"Handrecords": [{"BoardNumber": 1, "NorthSpades": "AKQX"}], "Session": [], "PlayerData": [{"LastName": 4}]},
    ],
    ids=str,
)
def test_what_is_not_right_is_a_problem(lists: dict[str, Any]) -> None:
    assert codes(reading(**lists).problems)


def test_a_file_cut_off_anywhere_is_a_problem() -> None:
    whole = json.dumps({"bridgemate": 1, "Results": [result(1)]}).encode()
    for end in range(16, len(whole), 23):
        assert codes(read_connector(whole[:end]).problems)


@pytest.mark.parametrize("value", [r'"\ud800"', "9" * 5000], ids=["half a character", "a number of 5,000 digits"])
def test_values_that_no_table_can_hold_do_not_keep_the_results_from_being_read(value: str) -> None:
    whole = json.dumps({"bridgemate": 1, "Results": [result(1)], "PlayerData": [{"PlayerNumber": "?"}]})
    read = read_connector(whole.replace('"?"', value).encode())
    assert 1 == len(read.results)
