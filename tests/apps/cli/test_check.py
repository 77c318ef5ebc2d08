"""`overtrick check`."""

import json
import shlex
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


def test_an_error_has_its_place_its_line_and_a_hint(fouled: Path) -> None:
    ran = run("check", fouled)
    first, line, mark, *_ = ran.out.splitlines()
    assert 1 == ran.status
    assert first.startswith(f"{fouled}:4:")
    assert ": error deal-" in first
    assert "    " + TWO_ACES.decode().splitlines()[3] == line
    assert "^" == mark.strip()
    assert "    hint: " in ran.out
    assert " error" in ran.err


def test_repeats_are_counted_and_the_command_that_lists_them_is_ready_to_copy(tmp_path: Path) -> None:
    path, config = tmp_path / "Tom's evening.pbn", tmp_path / "club.toml"
    path.write_bytes(b"".join(TWO_ACES.replace(b'"1"', b'"%d"' % number) + b"\n" for number in range(1, 8)))
    config.touch()
    ran = run("check", path, "--config", config)
    assert "    and 2 more like this\n" in ran.out
    more = shlex.split(ran.err.splitlines()[-1].removeprefix("To see all repeats: "))
    assert ["overtrick", "check", "--format", "json", "--config", str(config), str(path)] == more
    assert 7 == sum(problem["severity"] == "error" for problem in json.loads(run(*more[1:]).out)["problems"])


def test_nothing_is_suggested_when_all_problems_are_listed(fouled: Path) -> None:
    assert 1 == len(run("check", fouled).err.splitlines())


def test_json_prints_nothing_else(fouled: Path) -> None:
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


def test_tolerated_breaches_pass_unless_checking_is_strict(tmp_path: Path) -> None:
    path = tmp_path / "unquoted.pbn"
    path.write_bytes(b'[Event Club night]\n[Board "1"]\n')
    assert 0 == run("check", path).status
    ran = run("check", path, "--strict", "--format", "json")
    assert 1 == ran.status
    assert "error" in {problem["severity"] for problem in json.loads(ran.out)["problems"]}


def test_an_odd_but_well_formed_file_passes_strict_checking(empty: Path) -> None:
    ran = run("check", empty, "--strict")
    assert 0 == ran.status
    assert "warning file-no-games" in ran.out


@pytest.mark.parametrize(
    "command",
    [
        *("check {}", "score {}", "bulletin {}", "season {}", "convert {} a.csv", "fix {}", "people {}"),
        *("correct {} --list", "watch {} --out o --once", "deliver {} --to mail", "publish {} site", "desk {}"),
        "ingest {} --archive a",
    ],
)
def test_a_missing_file_is_wrong_usage_in_every_command(command: str, tmp_path: Path) -> None:
    (tmp_path / "tuesday.pbn").touch()
    ran = run(*command.format(tmp_path / "tusday.pbn").split())
    missing, near = tmp_path / "tusday.pbn", tmp_path / "tuesday.pbn"
    assert (2, f"overtrick: {missing}: there is no such file or folder; did you mean {near}?\n") == (
        ran.status,
        ran.err,
    )


def test_a_folder_is_walked(fouled: Path, empty: Path) -> None:
    document = json.loads(run("check", fouled.parent, "--format", "json").out)
    assert {str(fouled), str(empty)} == {problem["source"] for problem in document["problems"]}


@pytest.mark.slow
def test_a_hyphen_means_standard_input() -> None:
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
def test_rubbish_is_reported_without_a_traceback(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "rubbish.pbn").write_bytes(data)
    ran = run("check", tmp_path / "rubbish.pbn", "--strict")
    assert ran.status in {0, 1}
    assert ran.err.startswith(("0 files", "1 file"))


@pytest.mark.slow
def test_all_fixtures_can_be_checked_together() -> None:
    assert run("check", FIXTURES).status in {0, 1}


@pytest.mark.parametrize(("typed", "said"), [(["", ""], "2 results missing"), (["3NT", ""], "1 result missing")])
def test_results_that_are_not_typed_yet_are_counted(tmp_path: Path, typed: list[str], said: str) -> None:
    path = tmp_path / "evening.csv"
    lines = [f"1,{n},{n + 5},4S,N,10" for n in (1, 2)]
    lines += [f"2,{n},{n + 5},{contract},{'N,9' if contract else ','}" for n, contract in enumerate(typed, start=1)]
    path.write_text("board,ns,ew,contract,declarer,tricks\n" + "\n".join(lines) + "\n")
    for command in ("check", "score"):
        assert f"2 boards, {said}:" in run(command, path).err
    assert 0 == run("bulletin", path, "--out", tmp_path / "site", "--no-pdf", "--no-dd").status
    assert f"Provisional: {said}" in (tmp_path / "site" / "index.html").read_text("utf-8")
    path.write_text("board,ns,ew,contract,declarer,tricks\n" + "\n".join(lines[:2]) + "\n")
    assert "missing" not in run("check", path).err
