"""Files that crash whoever reads them, that can't be moved, or that never stop growing: the others are handled."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from overtrick.apps.inbox.worker import LostError, run_here
from tests.apps.inbox.test_watcher import Club
from tests.support.inboxes import drop, evening

pytestmark = pytest.mark.usefixtures("watched_here")


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path)


def lose(name: str, at: str, club: Club) -> list[str]:
    """Make the work on a session's files crash, and return a list that gets an entry at each try."""
    tries = []

    def run(work: Callable[..., Any], arguments: Sequence[Any], counted: Path | None) -> Any:
        if work.__name__ == at and name in str(arguments[0]):
            tries.append(at)
            raise LostError("the process that read it ended (SIGKILL)")
        return run_here(work, arguments, counted)

    club.watcher.run = run
    return tries


@pytest.mark.parametrize("at", ["look_into", "make_bulletin"])
@pytest.mark.slow
def test_a_file_that_kills_its_reader_twice_is_rejected_and_the_others_are_made(club: Club, at: str) -> None:
    drop(club.base / "in", monday_pbn=evening(), poison_pbn=evening(), tuesday_pbn=evening())
    tries = lose("poison", at, club)
    outcome = club.settled()
    assert ["monday", "tuesday"] == [page.parent.name for page in outcome.made]
    assert (2, True) == (len(tries), outcome.faulty)
    reason = (club.base / "in" / "rejected" / "poison.pbn.reason.txt").read_text("utf-8")
    assert 2 == reason.count("- the process that read it ended (SIGKILL)\n")
    assert [] == [*(club.base / "in" / ".overtrick" / "attempts").iterdir()]


def test_tries_of_earlier_runs_count(club: Club) -> None:
    drop(club.base / "in", poison_pbn=evening())
    for _ in range(2):
        attempts = club.watcher.inbox.attempts
        attempts.begin("make-poison")
        attempts.lose("make-poison", "it crashed")
    tries = lose("poison", "make_bulletin", club)
    club.settled()
    assert [] == tries
    assert ["rejected/poison.pbn", "rejected/poison.pbn.reason.txt"] == club.lying


@pytest.mark.slow
def test_a_file_that_cannot_be_moved_is_left_and_reported_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows another program that has a file open keeps it in its place."""
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name in {"held.pbn", "held.txt"}:
            raise PermissionError(13, "The process cannot access the file")
        return rename(self, target)

    drop(club.base / "in", held_pbn=evening(), held_txt="Dear club,", tuesday_pbn=evening())
    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", refuse)
        outcome = club.settled()
        assert (["tuesday"], True) == ([page.parent.name for page in outcome.made], outcome.unwritten)
        club.after(60)
        assert ["done/tuesday/tuesday.pbn", "held.pbn", "held.txt"] == club.lying
        told = [message for message in club.messages if message.startswith("held")]
        assert 2 == len(told)
        assert "The process cannot access the file; overtrick leaves it and tries again" in told[0]
    assert ["held"] == [page.parent.name for page in club.after(60).made]


@pytest.mark.slow
def test_a_file_that_cannot_be_opened_is_left_until_it_can(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *arguments: Any, **options: Any) -> Any:
        if self.name == "held.pbn":
            raise PermissionError(13, "Permission denied")
        return opened(self, *arguments, **options)

    opened = Path.open
    drop(club.base / "in", held_pbn=evening(), tuesday_pbn=evening())
    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", refuse)
        assert ["tuesday"] == [page.parent.name for page in club.settled().made]
        club.after(60)
        assert 1 == len([message for message in club.messages if message.startswith("held.pbn: can't be read")])
    assert ["held"] == [page.parent.name for page in club.after(60).made]


@pytest.mark.slow
def test_a_file_that_grows_for_hours_is_left_and_reported_once(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening())
    for minute in range(130):
        (club.base / "in" / "log.pbn").write_text("x" * minute, "utf-8")
        club.after(60)
    assert ["done/tuesday/tuesday.pbn", "log.pbn"] == club.lying
    assert ["log.pbn: has been changing for an hour; overtrick waits until it is complete"] == [
        message for message in club.messages if message.startswith("log")
    ]
