"""`overtrick terminals`, against a data connector on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.commands import FIXTURES, Ran, run
from tests.support.connector import CLUB, LICENCE, FakeConnector, call, result, serve
from tests.support.desk import visit

KEYS = {"OVERTRICK_BRIDGEMATE_CLUB": CLUB, "OVERTRICK_BRIDGEMATE_LICENCE": LICENCE}


@pytest.fixture
def fake() -> FakeConnector:
    pytest.importorskip("bridgemate_dataconnector")
    return FakeConnector()


@pytest.fixture
def address(fake: FakeConnector) -> Iterator[str]:
    with serve(fake) as place:
        yield place


@pytest.fixture
def club(tmp_path: Path) -> Path:
    (tmp_path / "club.toml").write_text('[movement]\nkind = "mitchell"\ntables = 3\nboards = 2\n', "utf-8")
    (tmp_path / "pairs.csv").write_text("pair,names\n1,Ada Quill - Ben Moss\n", "utf-8")
    return tmp_path


def begin(club: Path, address: str, *options: str) -> Ran:
    given = ("--config", club / "club.toml", "--pairs", club / "pairs.csv", "--address", address, "--title", "Tuesday")
    return run("terminals", "start", club / "tuesday.json", *given, *options, environment=KEYS)


def take(club: Path) -> Ran:
    return run("terminals", "poll", club / "tuesday.json", "--once", environment=KEYS)


def test_an_evening_is_started_played_and_scored(club: Path, address: str, fake: FakeConnector) -> None:
    started = begin(club, address, "--deals", str(FIXTURES / "spring-pairs.dup"))
    assert (0, ["Tuesday"]) == (started.status, [event["Sessions"][0]["Name"] for event in fake.events])
    assert "3 tables; next: overtrick terminals poll" in started.err
    fake.put("Results", **result(1, PairEastWest=4))
    fake.put("TdCalls", **call(1))
    polled = take(club)
    assert 0 == polled.status
    assert ["1 results (new or changed: 1)", "director call at 19:42, table A3, round 2: called"] == [
        line.partition(" ")[2] for line in polled.err.splitlines()
    ]
    scored = json.loads(run("score", club / "tuesday.json", "--format", "json").out)
    assert ("Tuesday", [("1", "4", "4S", "S", 10)]) == (
        scored["session"]["event"],
        [tuple(one[name] for name in ("ns", "ew", "contract", "declarer", "tricks")) for one in scored["results"]],
    )
    live = visit(club).get("/evening/tuesday/live").words
    assert "Director, please 19:42 · Table A 3 · Round 2 · called" in live


def test_a_second_start_is_refused_unless_wanted(club: Path, address: str, fake: FakeConnector) -> None:
    assert [0, 2, 0] == [begin(club, address, *options).status for options in ((), (), ("--again",))]
    assert 2 == len(fake.events)


def test_failures_are_one_sentence_without_secrets(club: Path, address: str, fake: FakeConnector) -> None:
    begin(club, address)
    fake.refuses = f"no session for {LICENCE}"
    refused = take(club)
    assert (2, "overtrick: Bridgemate's data connector refuses: no session for ***\n") == (refused.status, refused.err)
    assert "\n" == begin(club, "localhost").err[-1]
    bad = run(
        "terminals", "start", club / "w.json", "--config", club / "club.toml", "--address", "x", "-q", environment=KEYS
    )
    assert (2, "overtrick: x: expected an address such as http://localhost:5079\n") == (bad.status, bad.err)


@pytest.mark.slow
def test_a_connector_that_is_away_ends_one_poll_with_status_3(club: Path, address: str, fake: FakeConnector) -> None:
    begin(club, address)
    fake.away = True
    gone = take(club)
    assert (3, 1) == (gone.status, gone.err.count("\n"))


def test_a_dry_run_lists_the_rounds_and_needs_no_keys(club: Path) -> None:
    ran = run("terminals", "start", club / "tuesday.json", "--config", club / "club.toml", "--dry-run")
    assert (0, "section A, round 1, table 1: 1 - 4, boards 1-2") == (ran.status, ran.out.splitlines()[0])


def test_without_the_client_or_the_keys_a_sentence_says_what_to_do(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = ("terminals", "start", club / "tuesday.json", "--config", club / "club.toml")
    monkeypatch.setattr("overtrick.apps.evening.terminals.connector.find_spec", lambda name: None)
    assert "pip install 'overtrick[bridgemate]'" in run(*start).err
    monkeypatch.setattr("overtrick.apps.evening.terminals.connector.find_spec", lambda name: object())
    monkeypatch.setattr("overtrick.apps.evening.terminals.connector.ask_keyring", lambda user, host: None)
    keyless = run(*start)
    assert (2, True) == (keyless.status, "keyring set overtrick club@bridgemate" in keyless.err)
    assert "not started; start it with" in run("terminals", "poll", club / "tuesday.json").err
