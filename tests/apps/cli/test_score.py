"""`overtrick score`."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.apps.cli.test_check import TWO_ACES
from tests.support.commands import EVENING, FIXTURES, run

BUTLER = str(FIXTURES / "butler-evening.pbn")


def document(*arguments: str | Path) -> dict[str, Any]:
    ran = run("score", *arguments, "--format", "json")
    parsed: dict[str, Any] = json.loads(ran.out)
    return parsed


def test_a_table_a_ranking_is_printed() -> None:
    ran = run("score", EVENING)
    assert 0 == ran.status
    assert ran.out.startswith(
        "Tuesday Pairs, Lantern Street Bridge Club, 2026.10.13, matchpoints\n\nNorth-South\nplace"
    )
    assert "\n\nEast-West\nplace" in ran.out


def test_json_holds_the_whole_session() -> None:
    session = document(EVENING)
    assert ["session", "standings", "results", "problems"] == list(session)
    about = session["session"]
    assert ("matchpoints", 24, 8) == (about["method"], about["boards"], about["tables"])
    assert {"NS", "EW"} == {row["ranking"] for row in session["standings"]}
    assert 24 * 8 == len(session["results"])


def test_the_file_says_how_it_is_scored() -> None:
    assert "butler" == document(BUTLER)["session"]["method"]


@pytest.mark.slow
def test_an_option_beats_the_settings_and_they_beat_the_file(tmp_path: Path) -> None:
    config = tmp_path / "club.toml"
    config.write_text('[scoring]\nmethod = "cross-imps"\n', "utf-8")
    assert "cross-imps" == document(EVENING, "--config", config)["session"]["method"]
    assert "butler" == document(EVENING, "--config", config, "--method", "butler")["session"]["method"]


def test_csv_lists_the_standings_or_the_results() -> None:
    standings = list(csv.DictReader(io.StringIO(run("score", EVENING, "--format", "csv").out)))
    results = list(csv.DictReader(io.StringIO(run("score", EVENING, "--format", "csv", "--rows", "results").out)))
    assert (16, 24 * 8) == (len(standings), len(results))
    assert "ranking" == next(iter(standings[0]))
    assert "contract" in results[0]


def test_results_can_be_read_on_the_terminal() -> None:
    header, first, *_ = run("score", EVENING, "--rows", "results").out.splitlines()
    assert header.split()[:3] == ["round", "table", "board"]
    assert "1NT" in first


@pytest.mark.parametrize("name", ["evening.csv", "evening.json", "EVENING.JSON"])
def test_a_file_holds_what_would_be_printed(tmp_path: Path, name: str) -> None:
    ran = run("score", EVENING, "--out", tmp_path / name)
    assert (0, "") == (ran.status, ran.out)
    printed = run("score", EVENING, "--format", name.lower().rpartition(".")[2]).out
    assert printed == (tmp_path / name).read_text("utf-8")


def test_parquet_holds_every_line_with_its_types(tmp_path: Path) -> None:
    run("score", EVENING, "--out", tmp_path / "evening.parquet")
    results = pl.read_parquet(tmp_path / "evening.parquet")
    assert (24 * 8, pl.Int32()) == (results.height, results.schema["score_ns"])


def test_parquet_can_hold_the_standings(tmp_path: Path) -> None:
    run("score", EVENING, "--rows", "standings", "--out", tmp_path / "evening.parquet")
    assert 16 == pl.read_parquet(tmp_path / "evening.parquet").height


def test_a_file_can_be_written_and_the_list_printed_at_once(tmp_path: Path) -> None:
    ran = run("score", EVENING, "--format", "csv", "--out", tmp_path / "evening.json")
    assert ran.out.startswith("ranking,")
    assert "session" in json.loads((tmp_path / "evening.json").read_text("utf-8"))


def test_errors_are_reported_beside_what_can_be_scored(tmp_path: Path) -> None:
    path = tmp_path / "fouled.pbn"
    path.write_bytes(TWO_ACES)
    ran = run("score", path, EVENING)
    assert 1 == ran.status
    assert f"{path}:4:" in ran.err
    assert "North-South" in ran.out


def test_the_command_that_shows_all_problems_is_ready_to_copy(tmp_path: Path) -> None:
    path = tmp_path / "club evening.pbn"
    path.write_bytes((FIXTURES / "line-rounding.pbn").read_bytes())
    ran = run("score", path)
    assert f"To see all problems: overtrick check '{path}'" == ran.err.splitlines()[-1]


@pytest.mark.slow
def test_an_audit_says_which_policy_would_explain_a_difference() -> None:
    done = run("score", "--audit", FIXTURES / "line-rounding.pbn")
    assert "line_rounding = 0.1 would explain 3 of 3." in done.out
    assert 0 == done.status


@pytest.mark.parametrize("form", ["json", "csv"])
@pytest.mark.slow
def test_an_audit_can_be_read_by_programs(form: str) -> None:
    done = run("score", "--audit", FIXTURES / "line-rounding.pbn", "--format", form)
    assert 3 == done.out.count("line_rounding = 0.1")


def test_an_audit_can_t_be_written_to_a_data_file() -> None:
    done = run("score", "--audit", FIXTURES / "line-rounding.pbn", "--out", "x.json")
    assert 2 == done.status
    assert "--audit" in done.err


def test_matches_of_teams_are_rows() -> None:
    done = run("score", FIXTURES / "team-match.csv", "--method", "teams", "--rows", "matches", "--format", "csv")
    assert ["section,round,team,opponents,boards,points,points_opponents,victory_points,victory_points_opponents"] == (
        done.out.splitlines()[:1]
    )
    assert ",1,Larks,Owls,6,14.0,-14.0,," == done.out.splitlines()[1]


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("There is nothing to rank.", ["rubber.csv", "--method", "matchpoints"]),
        ("There is nothing to list.", ["club-evening.pbn", "--rows", "matches"]),
    ],
)
def test_an_empty_list_says_so(message: str, arguments: list[str]) -> None:
    name, *options = arguments
    assert message == run("score", FIXTURES / name, *options).out.splitlines()[-1]


def test_score_sheets_are_rows_and_part_of_the_document() -> None:
    listed = run("score", FIXTURES / "rubber.csv", "--rows", "sheets").out.splitlines()
    assert "rubber" in listed[-1]
    sheets = json.loads(run("score", FIXTURES / "rubber.csv", "--format", "json").out)["sheets"]
    assert {"NS": 1530, "EW": 310} == {
        side: sum(entry["points"] for entry in sheets if entry["direction"] == side) for side in ("NS", "EW")
    }
