"""`overtrick check`."""

import json
from pathlib import Path

import pytest

from tests.support.commands import EVENING, FIXTURES, run, start

TWO_ACES = b"""[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQJ.T98.765.432 A987.AKQ.JT9.876 654.765.AKQ.AKQJ T32.J432.8432.T95"]
"""


@pytest.fixture
def fouled(tmp_path: Path) -> Path:
    path = tmp_path / "fouled.pbn"
    path.write_bytes(TWO_ACES)
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    path = tmp_path / "empty.pbn"
    path.write_bytes(b"")
    return path


def test_a_clean_evening_is_counted_and_passes() -> None:
    ran = run("check", EVENING)
    assert 0 == ran.status
    assert ran.err.startswith("1 file, 24 games, 24 boards: ")


def test_an_error_is_told_with_its_place_its_line_and_a_hint(fouled: Path) -> None:
    ran = run("check", fouled)
    first, line, mark, *_ = ran.out.splitlines()
    assert 1 == ran.status
    assert first.startswith(f"{fouled}:4:")
    assert ": error deal-" in first
    assert "    " + TWO_ACES.decode().splitlines()[3] == line
    assert "^" == mark.strip()
    assert "    hint: " in ran.out
    assert " error" in ran.err


def test_the_json_document_is_all_that_is_printed(fouled: Path) -> None:
    ran = run("check", fouled, "--format", "json")
    document = json.loads(ran.out)
    assert 1 == ran.status
    assert ["files", "records", "boards", "problems"] == list(document)
    assert (1, 1, 1) == (document["files"], document["records"], document["boards"])
    assert ("error", str(fouled), 4) == tuple(document["problems"][0][key] for key in ("severity", "source", "line"))


def test_sarif_is_for_editors(fouled: Path) -> None:
    ran = run("check", fouled, "--format", "sarif")
    assert 1 == ran.status
    assert "error" == json.loads(ran.out)["runs"][0]["results"][0]["level"]


def test_what_is_only_tolerated_passes_unless_checking_is_strict(tmp_path: Path) -> None:
    path = tmp_path / "unquoted.pbn"
    path.write_bytes(b'[Event Club night]\n[Board "1"]\n')
    assert 0 == run("check", path).status
    ran = run("check", path, "--strict", "--format", "json")
    assert 1 == ran.status
    assert "error" in {problem["severity"] for problem in json.loads(ran.out)["problems"]}


def test_what_is_well_written_and_only_odd_passes_strict_checking(empty: Path) -> None:
    ran = run("check", empty, "--strict")
    assert 0 == ran.status
    assert "warning file-empty" in ran.out


def test_a_file_that_is_not_there_is_an_error_of_the_data(tmp_path: Path) -> None:
    ran = run("check", tmp_path / "nowhere.pbn", EVENING)
    assert 1 == ran.status
    assert "nowhere.pbn:1:1: error file-unreadable" in ran.out


def test_a_folder_is_walked(fouled: Path, empty: Path) -> None:
    document = json.loads(run("check", fouled.parent, "--format", "json").out)
    assert {str(fouled), str(empty)} == {problem["source"] for problem in document["problems"]}


def test_standard_input_is_named_by_a_hyphen() -> None:
    ran = start("check", "-", given=TWO_ACES)
    assert 1 == ran.status
    assert ran.out.startswith("-:4:")


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" * 99,
        b"[",
        b'[Deal "',
        b"\xff\xfe[",
        b"{" * 999,
        b'[Board "1"]\n[Play "N"]\n^^ xx ? Pass 3NT\n',
        b'[Board "1"]\n[Auction "N"]\n^^ SA {x} HK $ =99=\n',
        b'[Board "1"]\n[Deal "##N:AKQJ.. x"]\n\n[Board "2"]\n\n[Board "3"]\n[Deal "#"]\n',
        b'[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;ButlerDatum;Multiplicity"]\n1 2 10# -1\n3 4 1e9 99999999999\n',
        b'[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;ButlerDatum"]\n1 2 99999999999999999999\n',
        b'[Board "1"]\n[TotalScoreTable "Rank;PairId;TotalScoreIMP"]\n-1 1 1e400\n99999999999 2 nan\n',
    ],
)
def test_rubbish_is_told_without_a_traceback(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "rubbish.pbn").write_bytes(data)
    ran = run("check", tmp_path / "rubbish.pbn", "--strict")
    assert ran.status in {0, 1}
    assert ran.err.startswith(("0 files", "1 file"))


def test_all_fixtures_can_be_checked_together() -> None:
    assert run("check", FIXTURES).status in {0, 1}
