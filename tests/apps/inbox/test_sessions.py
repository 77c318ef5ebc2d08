"""Which files belong to one session."""

import errno
from pathlib import Path
from typing import NoReturn

import pytest

from overtrick.apps.inbox.folders import Look, date_of, group_sessions, has_results, is_whole, look_into, session_name
from overtrick.apps.inbox.looks import Looks
from tests.support.inboxes import DEALS, RESULTS, drop, evening


def held(name: str, *, deals: bool = False, results: bool = False, date: str | None = None) -> Look:
    return Look(Path(name), deals, results, date, "")


def test_a_file_of_deals_and_one_of_results_are_told_apart(tmp_path: Path) -> None:
    drop(tmp_path, deals_pbn=DEALS, results_csv=RESULTS, evening_pbn=evening())
    looks = [look_into(tmp_path / name) for name in ("deals.pbn", "results.csv", "evening.pbn")]
    assert [(True, False), (False, True), (True, True)] == [(found.deals, found.results) for found in looks]
    assert [None, None, "2026.03.03"] == [found.date for found in looks]


def test_a_file_with_neither_is_explained(tmp_path: Path) -> None:
    drop(tmp_path, letter_pbn="Dear club,")
    reason = look_into(tmp_path / "letter.pbn").reason
    assert "neither complete deals nor results" in reason
    assert "letter.pbn:1:1: error file-unknown" in reason


@pytest.mark.parametrize(
    ("session", "name"),
    [
        ("tuesday", "tuesday.pbn"),
        ("tuesday", "Tuesday.BWS"),
        ("tuesday", "tuesday-results.csv"),
        ("tuesday", "Tuesday_Deals.pbn"),
        ("tuesday", "tuesday hand results.csv"),
        ("2026-03-03-pairs", "2026-03-03 Pairs.pbn"),
        ("results", "results.csv"),
        ("a-b", "a.b.pbn"),
    ],
)
def test_a_session_is_named_after_its_files_without_words_for_their_content(session: str, name: str) -> None:
    assert session == session_name(Path(name))


def test_names_without_a_latin_letter_are_kept_apart() -> None:
    assert session_name(Path("日曜.pbn")) != session_name(Path("月曜.pbn"))


def test_files_with_one_name_are_one_session() -> None:
    looks = [held("b.pbn"), held("a-results.csv"), held("a.pbn")]
    assert [("a", [looks[1], looks[2]]), ("b", [looks[0]])] == group_sessions(looks)


def test_the_date_of_the_results_comes_before_that_of_the_deals() -> None:
    dealt = held("a.pbn", deals=True, date="2026.03.01")
    assert "2026.03.01" == date_of([dealt, held("a.csv", results=True)])
    assert "2026.03.03" == date_of([dealt, held("a.xml", results=True, date="2026.03.03")])
    assert None is date_of([held("a.csv", results=True)])


def test_a_session_is_whole_with_deals_and_results() -> None:
    dealt, played = held("a.pbn", deals=True), held("a.csv", results=True)
    assert (False, False, True) == (is_whole([dealt]), is_whole([played]), is_whole([dealt, played]))
    assert (False, True) == (has_results([dealt]), has_results([dealt, played]))


def refuse(_path: str) -> NoReturn:
    raise OSError(errno.ENOSPC, "no space")


def test_a_season_looks_again_at_what_could_not_be_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drop(tmp_path, evening_pbn=evening())
    refused = Looks()
    with monkeypatch.context() as patch:
        patch.setattr("overtrick.files.formats.read.opened", refuse)
        refused.group([tmp_path / "evening.pbn"])
    again = Looks(refused.known)
    again.group([tmp_path / "evening.pbn"])
    assert [False, True] == [look["results"] for looks in (refused, again) for look in looks.known.values()]
