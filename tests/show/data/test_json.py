"""JSON documents of a session."""

import json
from dataclasses import replace
from typing import Any

from overtrick.core.frames import PROBLEMS, STANDINGS, Facts, Session
from overtrick.show.data.downloads import write_check_json, write_score_json
from tests.support.builders import frame, session, traveller

PROBLEM_KEYS = ["severity", "code", "source", "line", "column", "record", "board", "table", "message", "hint"]


def _scored() -> Session:
    return replace(
        session(
            {
                **traveller(3, [-50])[0],
                "level": 3,
                "strain": "NT",
                "declarer": "S",
                "tricks": 8,
                "score_ns": -50,
                "points_ns": 1.5,
            }
        ),
        standings=frame(
            STANDINGS,
            [{"ranking": "NS", "rank": 1, "rank_last": 1, "contestant": "1", "direction": "NS", "total": 1.5}],
        ),
        problems=frame(PROBLEMS, [{"severity": "warning", "code": "file-no-games", "source": "a.pbn", "board": "3"}]),
        facts=Facts(event="Club “evening”", method="matchpoints", policies={"line_rounding": "exact"}),
    )


def _scored_document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(write_score_json(_scored()))
    return document


def test_a_check_counts_files_games_and_boards() -> None:
    document = json.loads(write_check_json(session(*traveller(1, [420]), records=[{"record": 0, "board": 1}])))
    assert {"files": 0, "records": 1, "boards": 1, "problems": []} == document


def test_a_problem_has_every_key_and_null_for_what_is_not_known() -> None:
    (problem,) = json.loads(write_check_json(_scored()))["problems"]
    assert PROBLEM_KEYS == list(problem)
    assert ("warning", "3", None) == (problem["severity"], problem["board"], problem["line"])


def test_a_scored_session_says_what_was_played_and_how_it_was_scored() -> None:
    assert {
        "event": "Club “evening”",
        "site": None,
        "date": None,
        "scoring": None,
        "method": "matchpoints",
        "boards": 0,
        "tables": 1,
        "policies": {"line rounding": "exact"},
    } == _scored_document()["session"]


def test_a_standing_has_numbers_for_numbers() -> None:
    assert [
        {
            "ranking": "NS",
            "rank": 1,
            "rank_last": 1,
            "contestant": "1",
            "direction": "NS",
            "section": None,
            "names": None,
            "total": 1.5,
            "percentage": None,
            "correction": None,
            "awards": None,
            "tie_break": None,
            "boards": None,
        }
    ] == _scored_document()["standings"]


def test_a_result_has_its_contract_as_one_text_and_its_board_as_a_number() -> None:
    (line,) = _scored_document()["results"]
    assert {
        "section": None,
        "round": None,
        "table": "1",
        "board": 3,
        "ns": "1",
        "ew": "101",
        "contract": "3NT",
        "declarer": "S",
        "tricks": 8,
        "lead": None,
        "score_ns": -50,
        "points_ns": 1.5,
        "points_ew": None,
        "percentage_ns": None,
        "award_ns": None,
        "award_ew": None,
    } == line


def test_each_row_has_a_line_of_its_own_whatever_the_names_hold() -> None:
    names = 'Ann\nBerg "x", {\\'
    text = write_score_json(
        Session(standings=frame(STANDINGS, [{"ranking": "all", "names": names}, {"ranking": "all", "names": names}]))
    )
    assert [names, names] == [row["names"] for row in json.loads(text)["standings"]]
    assert 2 == sum(line.startswith('{"ranking"') for line in text.splitlines())
