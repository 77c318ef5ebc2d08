"""What comes out of an inbox."""

import os
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from overtrick.apps.inbox.folders import Arrivals, Inbox
from overtrick.apps.inbox.watcher import Outcome, Watcher, run_once
from overtrick.core.atomic_write import RECORD, replace_file
from overtrick.core.config import Config
from overtrick.show.publish.targets.local import LocalTarget
from tests.support.clocks import set_clock
from tests.support.inboxes import DEALS, OTHER_RESULTS, RESULTS, drop, evening, lying

pytestmark = pytest.mark.usefixtures("watched_here")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Club:
    """A club with an inbox, a folder for bulletins and a website."""

    base: Path
    clock: Clock = field(default_factory=Clock)
    messages: list[str] = field(default_factory=list)
    published: bool = True

    def __post_init__(self) -> None:
        """Open the inbox."""
        (self.base / "in").mkdir(exist_ok=True)
        self.watcher = self.restarted()

    def restarted(self) -> Watcher:
        config = Config.model_validate({"inbox": {"settle": 3, "patience": 60}})
        target = LocalTarget(str(self.base / "www")) if self.published else None
        inbox = Inbox(self.base / "in")
        return Watcher(inbox, self.base / "out", config, self.messages.append, target, clock=self.clock)

    def after(self, seconds: float) -> Outcome:
        """Do a round some seconds later."""
        self.clock.now += seconds
        return self.watcher.run_round()

    def settled(self) -> Outcome:
        """Do a round that sees the new files, and one when they are complete."""
        self.after(1)
        return self.after(3)

    def page(self, session: str, folder: str = "www") -> str:
        return (self.base / folder / session / "index.html").read_text("utf-8")

    @property
    def lying(self) -> list[str]:
        return lying(self.base / "in")


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path)


@pytest.mark.slow
def test_a_new_session_is_made_and_published_and_moves_to_done(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening())
    assert [] == club.after(1).made
    assert [club.base / "out" / "tuesday" / "index.html"] == club.after(3).made
    assert ["done/tuesday/tuesday.pbn"] == club.lying
    assert club.page("tuesday", "out") == club.page("tuesday")
    assert ["tuesday: done"] == club.messages


@pytest.mark.slow
def test_results_wait_for_their_deals(club: Club) -> None:
    drop(club.base / "in", tuesday_csv=RESULTS)
    assert [] == club.settled().made
    drop(club.base / "in", tuesday_pbn=DEALS)
    assert 1 == len(club.settled().made)
    assert ["done/tuesday/tuesday.csv", "done/tuesday/tuesday.pbn"] == club.lying


@pytest.mark.slow
def test_results_that_have_waited_long_enough_are_made_without_deals(club: Club) -> None:
    drop(club.base / "in", tuesday_csv=RESULTS)
    club.settled()
    assert [] == club.after(50).made
    assert 1 == len(club.after(10).made)


@pytest.mark.slow
def test_late_deals_are_added(club: Club) -> None:
    drop(club.base / "in", tuesday_csv=RESULTS)
    club.settled()
    club.after(60)
    bare = club.page("tuesday")
    drop(club.base / "in", tuesday_pbn=DEALS)
    assert 1 == len(club.settled().made)
    assert bare != club.page("tuesday")
    assert ["done/tuesday/tuesday.csv", "done/tuesday/tuesday.pbn"] == club.lying


def test_deals_wait_for_their_results_as_long_as_it_takes(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=DEALS)
    club.settled()
    assert [] == club.after(100_000).made
    assert ["tuesday.pbn"] == club.lying
    assert ["tuesday.pbn: deals without results; waiting for the results"] == club.messages


@pytest.mark.slow
def test_a_correction_replaces_what_it_corrects(club: Club) -> None:
    drop(club.base / "in", tuesday_csv=RESULTS, tuesday_pbn=DEALS)
    club.settled()
    first = club.page("tuesday")
    drop(club.base / "in", tuesday_csv=OTHER_RESULTS)
    assert 1 == len(club.settled().made)
    assert first != club.page("tuesday")
    assert ["done/tuesday/earlier/tuesday.csv", "done/tuesday/tuesday.csv", "done/tuesday/tuesday.pbn"] == club.lying


@pytest.mark.slow
def test_the_same_name_with_another_date_is_another_session(club: Club) -> None:
    drop(club.base / "in", evening_pbn=evening("2026.03.03"))
    club.settled()
    first = club.page("evening")
    drop(club.base / "in", evening_pbn=evening("2026.03.10", tricks=10))
    assert [club.base / "out" / "evening-2026-03-10" / "index.html"] == club.settled().made
    assert first == club.page("evening")
    assert ["done/evening-2026-03-10/evening.pbn", "done/evening/evening.pbn"] == club.lying


@pytest.mark.slow
def test_a_file_of_no_session_is_rejected_with_the_reason_beside_it(club: Club) -> None:
    drop(club.base / "in", letter_pbn="Dear club,", tuesday_pbn=evening())
    outcome = club.settled()
    assert (True, 1) == (outcome.faulty, len(outcome.made))
    assert ["done/tuesday/tuesday.pbn", "rejected/letter.pbn", "rejected/letter.pbn.reason.txt"] == club.lying
    assert "letter.pbn: rejected; letter.pbn.reason.txt beside it says why" in club.messages


WEEK = {"mon/results.pbn": RESULTS, "wed/results.pbn": OTHER_RESULTS}


def put_zip(club: Club, files: dict[str, str]) -> Path:
    path = club.base / "in" / "week.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return path


@pytest.mark.slow
def test_a_zip_is_unpacked_and_two_files_of_one_name_are_two_sessions(club: Club) -> None:
    put_zip(club, WEEK)
    club.settled()
    club.settled()
    club.after(61)
    assert {"mon", "wed"} <= {path.name for path in (club.base / "www").iterdir()}
    assert ["week.zip"] == [path.name for path in (club.base / "in" / "unpacked").iterdir()]
    assert [] == list((club.base / "in" / "rejected").iterdir())


@pytest.mark.slow
def test_a_folder_is_taken_when_all_its_files_are_complete(club: Club) -> None:
    inbox = club.base / "in"
    for name, text in WEEK.items():
        (inbox / "week" / name).parent.mkdir(parents=True, exist_ok=True)
        (inbox / "week" / name).write_text(text, "utf-8")
    (inbox / "week" / "wed" / "more.csv.part").write_text("board")
    club.settled()
    club.settled()
    club.after(61)
    assert {"week-mon", "week-wed"} <= {path.name for path in (club.base / "www").iterdir()}
    assert [] == list((inbox / "rejected").iterdir())
    assert ["week/wed/more.csv.part"] == [path.relative_to(inbox).as_posix() for path in (inbox / "week").rglob("*.*")]


def test_a_site_and_a_link_in_the_inbox_are_no_folders_of_results(club: Club) -> None:
    inbox, away = club.base / "in", club.base / "away"
    for folder in (inbox / "site", away):
        folder.mkdir()
        (folder / "results.pbn").write_text(RESULTS, "utf-8")
    (inbox / "site" / RECORD).write_text("{}")
    (inbox / "link").symlink_to(away, target_is_directory=True)
    club.settled()
    club.after(61)
    assert (inbox / "site" / "results.pbn").exists()
    assert (away / "results.pbn").exists()


def test_a_run_that_dies_while_it_unpacks_is_taken_up(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put_zip(club, WEEK)
    written: list[str] = []

    def write(place: Path, content: bytes, *, durable: bool) -> None:
        if written:
            raise KeyboardInterrupt
        written.append(place.name)
        replace_file(place, content, durable=durable)

    monkeypatch.setattr("overtrick.apps.inbox.arriving.replace_file", write)
    with pytest.raises(KeyboardInterrupt):
        club.watcher.inbox.unpack(path)
    monkeypatch.undo()
    places = club.watcher.inbox.unpack(path)
    assert {"mon-results.pbn": RESULTS, "wed-results.pbn": OTHER_RESULTS} == {
        place.name: place.read_text("utf-8") for place in places
    }
    assert 2 == len(list((club.base / "in").glob("*.pbn")))


def test_a_zip_that_leaves_its_folder_is_rejected(club: Club) -> None:
    put_zip(club, {"../results.pbn": RESULTS})
    club.settled()
    assert "is not the name of a file" in (club.base / "in" / "rejected" / "week.zip.reason.txt").read_text("utf-8")
    assert not (club.base / "results.pbn").exists()


@pytest.mark.slow
def test_a_session_with_errors_is_made_and_counts_as_faulty(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening() + evening().replace("N:AKQJT98765432...", "N:AKQJT9876543..."))
    outcome = club.settled()
    assert (True, 1) == (outcome.faulty, len(outcome.made))
    assert ["done/tuesday/tuesday.pbn"] == club.lying


@pytest.mark.slow
def test_a_bug_stops_only_one_session(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("an internal detail")

    drop(club.base / "in", tuesday_pbn=evening())
    with monkeypatch.context() as patched:
        patched.setattr("overtrick.apps.inbox.worker.publish", fail)
        assert club.settled().faulty
    reason = (club.base / "in" / "rejected" / "tuesday.pbn.reason.txt").read_text("utf-8")
    assert "because of a bug; please report it: ZeroDivisionError" in reason
    drop(club.base / "in", wednesday_pbn=evening())
    assert 1 == len(club.settled().made)


@pytest.mark.slow
def test_a_bulletin_that_can_t_be_written_is_tried_again_later(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening())
    drop(club.base / "out" / "tuesday", accounts_xls="1")
    assert club.settled().unwritten
    assert "holds files that overtrick did not write" in club.messages[-1]
    assert not club.after(30).unwritten
    (club.base / "out" / "tuesday" / "accounts.xls").unlink()
    assert 1 == len(club.after(30).made)
    assert ["done/tuesday/tuesday.pbn"] == club.lying


@pytest.mark.slow
def test_a_session_that_can_t_be_published_is_tried_again_later_and_not_made_again(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening())
    drop(club.base / "www" / "tuesday", index_html="welcome")
    outcome = club.settled()
    assert (True, 1) == (outcome.unpublished, len(outcome.made))
    assert [] == club.lying
    (club.base / "www" / "tuesday" / "index.html").unlink()
    assert [] == club.after(60).made
    assert club.page("tuesday", "out") == club.page("tuesday")
    assert ["done/tuesday/tuesday.pbn"] == club.lying


@pytest.mark.parametrize(("step", "made"), [("worker.publish", 1), ("watcher.publish", 0)])
@pytest.mark.slow
def test_a_run_that_dies_at_a_step_is_resumed_at_that_step(
    club: Club, monkeypatch: pytest.MonkeyPatch, step: str, made: int
) -> None:
    def die(*_: object, **__: object) -> None:
        raise SystemExit

    drop(club.base / "in", tuesday_pbn=evening())
    with monkeypatch.context() as patched:
        patched.setattr(f"overtrick.apps.inbox.{step}", die)
        with pytest.raises(SystemExit):
            club.settled()
    club.watcher = club.restarted()
    assert made == len(club.after(0).made)
    assert club.page("tuesday", "out") == club.page("tuesday")
    assert ["done/tuesday/tuesday.pbn"] == club.lying


def test_a_club_without_a_website_only_makes_bulletins(tmp_path: Path) -> None:
    club = Club(tmp_path, published=False)
    drop(club.base / "in", tuesday_pbn=evening())
    assert 1 == len(club.settled().made)
    assert not (tmp_path / "www").exists()


@pytest.mark.slow
def test_run_once_results_don_t_wait_and_unfinished_files_are_left(club: Club) -> None:
    def write_on(seconds: float) -> None:
        club.clock.now += seconds
        drop(club.base / "in", wednesday_pbn=evening() + "[Bo")

    drop(club.base / "in", tuesday_csv=RESULTS, wednesday_pbn=evening())
    assert 1 == len(run_once(club.watcher, write_on).made)
    assert ["done/tuesday/tuesday.csv", "wednesday.pbn"] == club.lying


def test_a_file_is_complete_when_it_has_not_changed_for_a_while(tmp_path: Path) -> None:
    clock = Clock()
    arrivals = Arrivals(3, clock)
    path = tmp_path / "a.pbn"
    path.write_text("half", "utf-8")
    assert [] == arrivals.list_complete([path])
    clock.now = 2
    path.write_text("half and more", "utf-8")
    assert [] == arrivals.list_complete([path])
    clock.now = 4.9
    assert [] == arrivals.list_complete([path])
    clock.now = 5
    assert [path] == arrivals.list_complete([path])
    assert 3 == arrivals.age(path)


def test_a_file_that_was_rewritten_with_the_same_size_is_not_complete(tmp_path: Path) -> None:
    clock = Clock()
    arrivals = Arrivals(3, clock)
    path = tmp_path / "a.pbn"
    path.write_text("old", "utf-8")
    arrivals.list_complete([path])
    clock.now = 3
    path.write_text("new", "utf-8")
    os.utime(path, (1, 1))
    assert [] == arrivals.list_complete([path])


def test_a_file_that_is_copied_with_its_old_time_is_not_complete_at_the_first_look(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text("half", "utf-8")
    os.utime(path, (1, 1))
    assert [] == Arrivals(3, Clock()).list_complete([path])


def test_a_file_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    clock = Clock()
    arrivals = Arrivals(3, clock)
    path = tmp_path / "a.pbn"
    path.write_text("1", "utf-8")
    arrivals.list_complete([path])
    path.unlink()
    clock.now = 3
    assert [] == arrivals.list_complete([path])
    path.write_text("1", "utf-8")
    assert [] == arrivals.list_complete([path])


def test_file_times_may_be_far_from_the_clock(tmp_path: Path) -> None:
    clock = Clock()
    arrivals = Arrivals(3, clock)
    early, late = tmp_path / "early.pbn", tmp_path / "late.pbn"
    for path, seconds in ((early, 0), (late, 4_000_000_000)):
        path.write_text("1", "utf-8")
        os.utime(path, (seconds, seconds))
    arrivals.list_complete([early, late])
    clock.now = 3
    assert [early, late] == arrivals.list_complete([early, late])


PENALTY = '[[corrections]]\npair = 1\npenalty = { amount = 1 }\nwhy = "a marker"\n'


def correct(club: Club, text: str, session: str = "tuesday") -> Path:
    """Write the corrections of a finished session."""
    path = club.base / "in" / "done" / session / f"{session}.corrections.toml"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.slow
def test_corrections_beside_a_finished_session_remake_and_publish_it(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening(), monday_pbn=evening())
    club.settled()
    correct(club, PENALTY)
    assert [] == club.after(1).made
    assert [club.base / "out" / "tuesday" / "index.html"] == club.after(3).made
    assert ("a marker" in club.page("tuesday"), "a marker" in club.page("monday")) == (True, False)
    assert [] == club.settled().made


@pytest.mark.slow
def test_corrections_that_are_removed_are_taken_back(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening())
    club.settled()
    before = club.page("tuesday")
    path = correct(club, PENALTY)
    club.settled()
    path.unlink()
    assert 1 == len(club.settled().made)
    assert before == club.page("tuesday")


@pytest.mark.slow
def test_a_restart_notices_corrections_and_makes_nothing_twice(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening())
    club.settled()
    correct(club, PENALTY)
    club.watcher = club.restarted()
    assert 1 == len(club.settled().made)
    club.watcher = club.restarted()
    assert [] == club.settled().made


@pytest.mark.slow
def test_corrections_put_into_the_inbox_go_to_their_session(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening())
    club.settled()
    (club.base / "in" / "tuesday.corrections.toml").write_text(PENALTY, "utf-8")
    assert 1 == len(club.settled().made)
    assert ["done/tuesday/tuesday.corrections.toml", "done/tuesday/tuesday.pbn"] == club.lying
    assert "a marker" in club.page("tuesday")
    assert [] == club.settled().made


@pytest.mark.slow
def test_corrections_wait_in_the_inbox_for_their_results(club: Club) -> None:
    (club.base / "in").mkdir(exist_ok=True)
    (club.base / "in" / "tuesday.corrections.toml").write_text(PENALTY, "utf-8")
    assert [] == club.settled().made
    assert ["tuesday.corrections.toml"] == club.lying
    assert [
        "tuesday.corrections.toml: corrections without results; waiting for the results of tuesday"
    ] == club.messages
    drop(club.base / "in", tuesday_pbn=evening())
    assert 1 == len(club.settled().made)
    assert "a marker" in club.page("tuesday")


@pytest.mark.slow
def test_newer_corrections_put_the_old_ones_away(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening())
    club.settled()
    correct(club, PENALTY)
    club.settled()
    (club.base / "in" / "tuesday.corrections.toml").write_text(PENALTY.replace("a marker", "another"), "utf-8")
    club.settled()
    assert "done/tuesday/earlier/tuesday.corrections.toml" in club.lying
    assert ("another" in club.page("tuesday"), "a marker" in club.page("tuesday")) == (True, False)


@pytest.mark.slow
def test_wrong_corrections_leave_the_session_and_count_as_faulty(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening())
    club.settled()
    correct(club, "board = x\n")
    assert club.settled().faulty
    assert "not a TOML file" in club.page("tuesday/problems")


@pytest.mark.slow
def test_one_look_is_enough_for_corrections(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening())
    club.settled()
    correct(club, PENALTY)

    def wait(seconds: float) -> None:
        club.clock.now += seconds

    assert 1 == len(run_once(club.watcher, wait).made)


@pytest.mark.slow
def test_a_session_that_becomes_final_is_made_again_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock(monkeypatch, "2026-03-03T22:00:00")
    club = Club(tmp_path)
    club.watcher.config = Config.model_validate({"site": {"provisional": "1 day"}})
    drop(club.base / "in", tuesday_pbn=evening())
    assert 1 == len(club.settled().made)
    assert "Provisional until 4 March 2026" in club.page("tuesday")
    assert [] == club.settled().made
    set_clock(monkeypatch, "2026-03-05T00:00:00")
    assert 1 == len(club.after(1).made)
    assert "Provisional" not in club.page("tuesday")
    assert [] == club.settled().made


@pytest.mark.slow
def test_corrections_that_are_edited_again_at_once_are_made_once(club: Club) -> None:
    drop(club.base / "in", tuesday_pbn=evening())
    club.settled()
    correct(club, PENALTY)
    assert not club.after(1).made
    assert not club.watcher.edits.are_settled
    correct(club, PENALTY.replace("a marker", "another"))
    assert not club.after(0.1).made
    assert 1 == len(club.after(0.3).made)
    assert "another" in club.page("tuesday")


@pytest.mark.slow
def test_the_index_of_all_sessions_is_kept_and_published(tmp_path: Path) -> None:
    club = Club(tmp_path)
    drop(tmp_path / "in", tuesday_pbn=evening())
    club.settled()
    drop(tmp_path / "in", friday_pbn=evening("2026.03.06"))
    club.settled()
    for folder in ("out", "www"):
        page = (tmp_path / folder / "index.html").read_text("utf-8")
        assert page.index('href="friday/index.html"') < page.index('href="tuesday/index.html"')
    assert 'href="../index.html"' in club.page("tuesday")


@pytest.mark.slow
def test_a_correction_reaches_the_index(tmp_path: Path) -> None:
    club = Club(tmp_path)
    drop(tmp_path / "in", tuesday_pbn=evening())
    club.settled()
    drop(tmp_path / "in", **{"tuesday.corrections_toml": '[[corrections]]\ntitle = "The Final"\nwhy = "wrong title"\n'})
    club.settled()
    assert "The Final" in (tmp_path / "www" / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_sessions_of_before_are_in_the_index_too(tmp_path: Path) -> None:
    club = Club(tmp_path)
    drop(tmp_path / "in", tuesday_pbn=evening())
    club.settled()
    for page in [path for path in (tmp_path / "out").iterdir() if path.is_file()]:
        page.unlink()
    drop(tmp_path / "in", friday_pbn=evening("2026.03.06"))
    club.settled()
    assert 'href="tuesday/index.html"' in (tmp_path / "out" / "index.html").read_text("utf-8")


def test_a_folder_with_other_files_gets_its_bulletins_without_an_index(tmp_path: Path) -> None:
    club = Club(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "index.html").write_text("mine")
    drop(tmp_path / "in", tuesday_pbn=evening())
    assert club.settled().made
    assert "mine" == (tmp_path / "out" / "index.html").read_text()
    assert any("no index of sessions" in message for message in club.messages)
