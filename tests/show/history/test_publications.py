"""What changes between publications is found and kept, and what is undone leaves no trace."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import FIXTURES, run
from tests.support.pages import parse, text_of
from tests.support.sites import differing, read_folder

FOUND_LATE = ("--board", 1, "--pair", 2, "--tricks", 10, "--why", "entered wrongly")
SENTENCE = "Board 1, 4♠ by N: 10 tricks in place of 9"


class Club:
    """A club that publishes one evening again and again."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        """Begin with the evening as the file states it."""
        self.folder, self.patch = folder, patch
        self.evening, self.settings = folder / "tuesday.csv", folder / "club.toml"
        shutil.copy(FIXTURES / "spring-pairs.csv", self.evening)
        self.settings.write_text("", "utf-8")

    def publish(self, hour: int = 22) -> dict[str, bytes]:
        """Publish on the evening at that hour (UTC); return the files."""
        self.patch.setenv("SOURCE_DATE_EPOCH", str(1_772_841_600 + 3600 * hour))
        site = self.folder / "site"
        done = run("bulletin", self.evening, "--out", site, "--no-pdf", "--no-dd", "--config", self.settings)
        assert done.status in {0, 1}, done.err
        return read_folder(site)

    def correct(self, *options: object) -> None:
        assert 0 == run("correct", self.evening, *map(str, options)).status

    def edit(self, old: str, new: str) -> None:
        """Change the file of the evening, as a scoring program does."""
        text = self.evening.read_text("utf-8")
        assert old in text
        self.evening.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    return Club(tmp_path, monkeypatch)


def text(site: dict[str, bytes], page: str = "changes") -> str:
    return text_of(parse(site[f"{page}/index.html".removeprefix("/")]))


def session(site: dict[str, bytes]) -> dict[str, Any]:
    about: dict[str, Any] = json.loads(site["session.json"])["session"]
    return about


@pytest.mark.slow
def test_the_first_publication_has_no_list_and_no_time(club: Club) -> None:
    assert "changes/index.html" not in club.publish(21)
    assert [] == differing(club.publish(21), club.publish(22))


@pytest.mark.slow
def test_a_correction_is_on_the_pages_with_reason_and_time(club: Club) -> None:
    club.publish()
    club.correct(*FOUND_LATE)
    site = club.publish(23)
    for page in ("", "board-1", "changes"):
        assert "(entered wrongly) Law 79C" in text(site, page)
    assert SENTENCE in text(site)
    assert "not changed in the files" not in text(site)
    assert [] == differing(site, club.publish(24))


@pytest.mark.slow
def test_the_list_shows_what_a_correction_did_to_the_ranking(club: Club) -> None:
    club.publish()
    club.correct(*FOUND_LATE)
    assert "2 Fay Reed – Gus Lane23.5 → 5.543.75 → 68.75" in text(club.publish(23))


@pytest.mark.slow
def test_a_change_in_the_file_is_found_without_anybody_typing_it(club: Club) -> None:
    club.publish()
    club.edit("4S,N,-1", "4S,N,=")
    site = club.publish(23)
    day = session(site)["publications"][0]["time"].replace("T", " ")[:16]
    for page in ("", "changes"):
        assert f"{day} {SENTENCE} changed in the files" in text(site, page)
    assert "10 tricks in place of 9" in text(site, "board-1")
    assert [] == differing(site, club.publish(24))


@pytest.mark.slow
def test_what_is_undone_leaves_no_trace(club: Club) -> None:
    before = club.publish()
    club.correct(*FOUND_LATE)
    club.publish(23)
    club.correct("--undo")
    assert [] == differing(before, club.publish(24))


@pytest.mark.slow
def test_undoing_the_last_of_two_corrections_takes_back_one_publication(club: Club) -> None:
    club.publish()
    club.correct(*FOUND_LATE)
    between = club.publish(23)
    club.correct("--pair", 3, "--penalty", 1, "points", "--why", "late")
    assert 2 == len(session(club.publish(24))["publications"])
    club.correct("--undo")
    assert [] == differing(between, club.publish(25))


def test_what_was_corrected_before_the_first_publication_is_on_the_list_too(club: Club) -> None:
    club.correct(*FOUND_LATE)
    shown = text(club.publish())
    assert "Before the first publication" in shown
    assert SENTENCE in shown
    assert "→" not in shown


@pytest.mark.slow
def test_a_player_who_is_hidden_later_is_hidden_in_older_changes_too(club: Club) -> None:
    club.publish()
    club.edit("Gus Lane", "Gus Layne")
    assert "Names of pair 2: Fay Reed - Gus Layne in place of Fay Reed - Gus Lane" in text(club.publish(23))
    club.edit("4S,N,-1", "4S,N,=")
    club.publish(24)
    club.settings.write_text('[privacy.players]\n"Fay Reed" = "hidden"\n"Gus Layne" = "initials"\n', "utf-8")
    site = club.publish(25)
    assert "A name was corrected" in text(site)
    assert [] == [path for path, content in site.items() if b"Reed" in content or b"Layne" in content]
    assert 2 == len(session(site)["publications"])


def test_other_settings_that_change_the_ranking_are_told(club: Club) -> None:
    club.publish()
    club.settings.write_text('[scoring]\nshort_boards = "own-top"\n', "utf-8")
    assert "Scored by other rules (other settings, or another version of overtrick)" in text(club.publish(23))


@pytest.mark.slow
def test_results_that_come_after_deals_are_not_changes(club: Club) -> None:
    whole = club.evening.read_text("utf-8")
    club.evening.write_text(whole.splitlines()[0] + "\n", "utf-8")
    run("bulletin", club.evening, "--out", club.folder / "site", "--no-pdf", "--no-dd")
    club.evening.write_text(whole, "utf-8")
    assert "changes/index.html" not in club.publish()


@pytest.mark.slow
def test_a_damaged_document_of_an_older_site_is_no_obstacle(club: Club) -> None:
    club.publish()
    (club.folder / "site" / "session.json").write_text('{"session": {"publications": 7}, "results": [3]}', "utf-8")
    assert "changes/index.html" not in club.publish()


@pytest.mark.slow
def test_every_page_has_a_link_that_reports_an_error(club: Club) -> None:
    club.settings.write_text('[site]\ncontact = "results@club.example"\n', "utf-8")
    site = club.publish()
    for path, page in site.items():
        if path.endswith(".html"):
            assert b'href="mailto:results@club.example?subject=Spring%20Pairs%2C%207%20March%202026' in page, path
    assert b"Board%201" in site["board-1/index.html"]
    assert b"Pair%3A%202%20Fay%20Reed" in site["pair-2/index.html"]


@pytest.mark.slow
def test_provisional_results_say_until_when(club: Club) -> None:
    club.settings.write_text('[site]\nprovisional = "30 minutes"\n', "utf-8")
    site = club.publish(20)
    assert "Provisional until" in text(site, "")
    assert not session(site)["final"]
    assert [] == differing(site, club.publish(20))
    assert "Final" in text(club.publish(21), "")
