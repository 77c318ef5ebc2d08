"""SARIF of a session's problems."""

import json
from typing import Any

import pytest

from overtrick.core.frames import PROBLEMS, Session
from overtrick.core.problems import CODES
from overtrick.show.data.sarif import write_sarif
from tests.support.builders import Row, frame


def run(*rows: Row) -> Any:
    usual = {"severity": "error", "code": "file-unreadable", "source": "a.pbn", "message": "m", "hint": "h"}
    log = json.loads(write_sarif(Session(problems=frame(PROBLEMS, [{**usual, **row} for row in rows]))))
    assert "2.1.0" == log["version"]
    return log["runs"][0]


def test_a_problem_points_at_its_place_in_characters() -> None:
    found = run({"line": 3, "column": 7, "board": "12"})
    assert "unicodeCodePoints" == found["columnKind"]
    assert {
        "ruleId": "file-unreadable",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": "m"},
        "properties": {"board": "12"},
        "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": "a.pbn"}, "region": {"startLine": 3, "startColumn": 7}}}
        ],
    } == found["results"][0]


@pytest.mark.parametrize(("level", "severity"), [("error", "error"), ("warning", "warning"), ("note", "info")])
def test_severities_have_their_names_in_sarif(level: str, severity: str) -> None:
    assert level == run({"severity": severity})["results"][0]["level"]


def test_each_code_that_occurs_is_a_rule_once() -> None:
    found = run({"code": "file-no-games"}, {"code": "file-binary"}, {"code": "file-no-games"})
    assert ["file-binary", "file-no-games"] == [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert [1, 0, 1] == [result["ruleIndex"] for result in found["results"]]
    assert CODES["file-binary"].hint == found["tool"]["driver"]["rules"][0]["help"]["text"]


@pytest.mark.parametrize(
    ("uri", "source"),
    [
        ("club%20evening/m%C3%A5l%231.pbn", "club evening/mål#1.pbn"),
        ("a%3Ab.pbn", "a:b.pbn"),
        ("file:///x.pbn", "/x.pbn"),
    ],
)
def test_file_names_become_uris(uri: str, source: str) -> None:
    (place,) = run({"source": source})["results"][0]["locations"]
    assert {"artifactLocation": {"uri": uri}} == place["physicalLocation"]


def test_a_problem_of_no_file_has_no_place() -> None:
    assert "locations" not in run({"source": None})["results"][0]


def test_a_clean_session_is_a_run_without_results() -> None:
    found = run()
    assert ([], []) == (found["results"], found["tool"]["driver"]["rules"])
