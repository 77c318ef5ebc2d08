"""Publishing to a folder: what is sent, what is deleted, and what is left alone."""

import platform
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from overtrick.show.publish.address import NeedsConsentError, PublishError
from overtrick.show.publish.manifest import JOURNAL, MANIFEST, Run, digest, read_files, write_files
from overtrick.show.publish.run import Plan, plan, publish
from overtrick.show.publish.targets.local import LocalTarget
from tests.support.sites import held, lay, pages


class InterruptedHereError(Exception):
    """The run is interrupted here."""


class Watched(LocalTarget):
    """A folder that records what is done to it and can interrupt a run after some steps."""

    def __init__(self, folder: Path, steps: int = 1000) -> None:
        super().__init__(str(folder))
        self.done: list[tuple[str, str]] = []
        self.steps = steps

    def write(self, path: str, content: bytes) -> None:
        self._step("write", path)
        super().write(path, content)

    def delete(self, path: str) -> None:
        self._step("delete", path)
        super().delete(path)

    def _step(self, what: str, path: str) -> None:
        if len(self.done) == self.steps:
            raise InterruptedHereError
        self.done.append((what, path))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return lay(tmp_path / "site", pages(3))


@pytest.fixture
def www(tmp_path: Path) -> Path:
    return tmp_path / "www"


def put(site: Path, www: Path, *, consent: bool = False) -> Plan:
    return publish(site, LocalTarget(str(www)), consent=consent)


def test_every_file_of_the_site_is_published_and_recorded(site: Path, www: Path) -> None:
    put(site, www)
    assert pages(3) == held(www)
    assert pages(3).keys() == read_files((www / MANIFEST).read_bytes(), MANIFEST).keys()
    assert not (www / JOURNAL).exists()


def test_the_same_site_again_changes_nothing(site: Path, www: Path) -> None:
    put(site, www)
    again = Watched(www)
    assert publish(site, again).is_empty
    assert [] == again.done


def test_new_files_come_first_then_changed_ones_leaves_before_indexes_and_deletions_last(site: Path, www: Path) -> None:
    put(site, www)
    lay(site, pages(3, 2, first=2))
    target = Watched(www)
    publish(site, target)
    assert [
        ("write", JOURNAL),
        ("write", "style.2.css"),
        ("write", "board-4/index.html"),
        ("write", "board-2/index.html"),
        ("write", "board-3/index.html"),
        ("write", "index.html"),
        ("write", JOURNAL),
        ("write", MANIFEST),
        ("delete", "board-1/index.html"),
        ("delete", "style.1.css"),
        ("delete", JOURNAL),
    ] == target.done
    assert pages(3, 2, first=2) == held(www)


def test_a_folder_that_is_empty_after_a_deletion_is_deleted(site: Path, www: Path) -> None:
    put(site, www)
    lay(site, pages(2))
    put(site, www)
    assert not (www / "board-3").exists()


def test_a_plan_lists_what_would_be_done_and_changes_nothing(site: Path, www: Path) -> None:
    put(site, www)
    lay(site, pages(3, 2, first=2))
    planned = plan(site, LocalTarget(str(www)))
    assert ["style.2.css", "board-4/index.html"] == planned.add
    assert ["board-2/index.html", "board-3/index.html", "index.html"] == planned.change
    assert ["board-1/index.html", "style.1.css"] == planned.delete
    assert pages(3) == held(www)


def test_files_of_the_club_stay(site: Path, www: Path) -> None:
    lay(www, {"photo.jpg": "smile", "board-3/notes.txt": "a lucky slam"})
    put(site, www)
    lay(site, pages(2))
    put(site, www)
    assert pages(2) | {"photo.jpg": "smile", "board-3/notes.txt": "a lucky slam"} == held(www)


def test_a_page_of_the_club_is_not_written_over_without_consent(site: Path, www: Path) -> None:
    lay(www, {"index.html": "welcome"})
    with pytest.raises(NeedsConsentError, match=r"^index\.html on the target did not come from overtrick"):
        put(site, www)
    assert {"index.html": "welcome"} == held(www)
    put(site, www, consent=True)
    assert pages(3) == held(www)


def test_a_site_copied_by_hand_becomes_ours(site: Path, www: Path) -> None:
    lay(www, pages(3))
    assert put(site, www).is_empty
    lay(site, pages(2))
    assert ["board-3/index.html"] == put(site, www).delete


def test_a_page_of_ours_that_somebody_rewrote_is_not_deleted(site: Path, www: Path) -> None:
    put(site, www)
    (www / "board-3" / "index.html").write_text("my finest hour", "utf-8")
    lay(site, pages(2))
    put(site, www)
    assert "my finest hour" == held(www)["board-3/index.html"]


def test_more_than_ten_files_are_not_deleted_without_consent(site: Path, www: Path) -> None:
    lay(site, pages(20))
    put(site, www)
    lay(site, pages(9))
    with pytest.raises(NeedsConsentError, match=r"this would delete 11 files, .* more than 10 files"):
        put(site, www)
    assert pages(20) == held(www)
    put(site, www, consent=True)
    assert pages(9) == held(www)


def test_ten_files_are_deleted_unasked(site: Path, www: Path) -> None:
    lay(site, pages(20))
    put(site, www)
    lay(site, pages(10))
    assert 10 == len(put(site, www).delete)


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_text("half", "utf-8")])
def test_a_page_that_was_lost_or_cut_short_at_the_target_is_sent_again(
    site: Path, www: Path, damage: Callable[[Path], object]
) -> None:
    put(site, www)
    damage(www / "board-2" / "index.html")
    put(site, www)
    assert pages(3) == held(www)


@pytest.mark.parametrize("steps", range(11))
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_a_run_interrupted_at_any_step_is_completed_by_the_next(site: Path, www: Path, steps: int) -> None:
    put(site, www)
    lay(site, pages(3, 2, first=2))
    with pytest.raises(InterruptedHereError):
        publish(site, Watched(www, steps))
    put(site, www)
    assert pages(3, 2, first=2) == held(www)


@pytest.mark.parametrize("steps", range(11))
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_after_an_interruption_at_any_step_the_old_site_can_be_restored(site: Path, www: Path, steps: int) -> None:
    put(site, www)
    lay(site, pages(3, 2, first=2))
    with pytest.raises(InterruptedHereError):
        publish(site, Watched(www, steps))
    lay(site, pages(3))
    put(site, www)
    assert pages(3) == held(www)


def test_after_an_interruption_only_missing_files_are_sent(site: Path, www: Path) -> None:
    lay(site, pages(50))
    with pytest.raises(InterruptedHereError):
        publish(site, Watched(www, 45))
    resumed = Watched(www)
    publish(site, resumed)
    assert 12 == len([path for what, path in resumed.done if what == "write" and path not in {JOURNAL, MANIFEST}])


def test_half_written_files_of_an_earlier_run_are_deleted(site: Path, www: Path) -> None:
    lay(www, {"index.html.0123abcd.part": "<!doc", f"{JOURNAL}.0123abcd.part": "{", "thesis.0123abcd.part": "mine"})
    put(site, www)
    assert pages(3) | {"thesis.0123abcd.part": "mine"} == held(www)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 2, "files": {}}',
        '{"version": 1, "files": {"../index.html": null}}',
        '{"version": 1, "files": {"/etc/passwd": null}}',
        '{"version": 1, "files": {"C:/index.html": null}}',
        '{"version": 1, "files": {"a\\\\b": null}}',
        '{"version": 1, "files": {"a": 3}}',
    ],
)
def test_a_manifest_that_is_damaged_or_leads_outside_is_refused(site: Path, www: Path, text: str) -> None:
    lay(www, {MANIFEST: text, "index.html": "welcome"})
    with pytest.raises(PublishError, match=f"{MANIFEST} on the target is damaged"):
        put(site, www, consent=True)
    assert {"index.html": "welcome"} == held(www)


def test_an_empty_folder_is_not_published(tmp_path: Path, www: Path) -> None:
    with pytest.raises(PublishError, match="this folder holds no files to publish"):
        put(lay(tmp_path, {}), www)
    assert not www.exists()


def test_a_site_that_changes_while_it_is_published_is_not_mixed(site: Path, www: Path) -> None:
    def change(step: int, _steps: int, _path: str) -> None:
        if step == 2:
            (site / "index.html").write_text("newer", "utf-8")

    with pytest.raises(PublishError, match="changed while the site was being published"):
        publish(site, LocalTarget(str(www)), on_step=change)
    assert "index.html" not in held(www)


def ended_process() -> int:
    """Return the number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def journal(run: Run) -> dict[str, str]:
    return {JOURNAL: write_files({}, run).decode()}


def test_while_another_machine_publishes_there_nothing_is_sent(site: Path, www: Path) -> None:
    lay(www, journal(Run("desk", 17)))
    with pytest.raises(PublishError, match=r"another run is publishing there \(on desk, last active at \d\d:\d\d\)"):
        put(site, www, consent=True)
    assert {} == held(www)


def test_while_another_process_publishes_there_nothing_is_sent(site: Path, www: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        lay(www, journal(Run(process=process.pid)))
        with pytest.raises(PublishError, match=f"another run is publishing there .on {platform.node()}"):
            put(site, www)
        process.communicate(b"\n")
    put(site, www)
    assert pages(3) == held(www)


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(Run("desk", heard=time.time() - 601), id="silent for ten minutes"),
        pytest.param(Run("desk", heard=time.time() + 86_400), id="of tomorrow, by a wrong clock"),
        pytest.param(Run(process=ended_process()), id="of a process that has ended"),
        pytest.param(Run(), id="of this process, which gave up"),
    ],
)
def test_an_interrupted_run_is_resumed(site: Path, www: Path, run: Run) -> None:
    lay(www, journal(run))
    put(site, www)
    assert pages(3) == held(www)
    assert not (www / JOURNAL).exists()


class Shared(Watched):
    """A folder where another run starts after the journal was written `time` times; 0 for before."""

    def __init__(self, folder: Path, other: dict[str, str], time: int) -> None:
        super().__init__(folder)
        self.other, self.notes, self.time = other, 0, time

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        found = super().listing(paths)
        if self.time == 0:
            for name, text in self.other.items():
                super().write(name, text.encode())
        return found

    def write(self, path: str, content: bytes) -> None:
        super().write(path, content)
        self.notes += path == JOURNAL
        if (path, self.notes) == (JOURNAL, self.time):
            for name, text in self.other.items():
                LocalTarget.write(self, name, text.encode())


def test_of_two_runs_that_begin_together_one_sends_nothing(site: Path, www: Path) -> None:
    target = Shared(www, journal(Run("desk")), 1)
    with pytest.raises(PublishError, match="another run has begun to publish there"):
        publish(site, target)
    assert [("write", JOURNAL)] == target.done


def test_a_site_is_not_mixed_with_one_published_since_the_plan_was_made(site: Path, www: Path) -> None:
    others = {"index.html": "theirs", MANIFEST: write_files({"index.html": digest(b"theirs")}).decode()}
    with pytest.raises(PublishError, match="another run published there in the meantime"):
        publish(site, Shared(www, others, 0))
    assert {"index.html": "theirs"} == held(www)
    publish(site, LocalTarget(str(www)))
    assert pages(3) == held(www)


def test_a_run_gives_way_to_one_that_began_in_the_meantime(tmp_path: Path, www: Path) -> None:
    target = Shared(www, journal(Run("desk")), 2)
    with pytest.raises(PublishError, match="another run has begun to publish there"):
        publish(lay(tmp_path / "site", pages(50)), target)
    assert 40 == len([path for _, path in target.done if path != JOURNAL])
    assert not (www / MANIFEST).exists()


@pytest.mark.parametrize("name", [MANIFEST, JOURNAL])
@pytest.mark.parametrize("known", [None, "0" * 64])
def test_a_forged_list_deletes_nothing(site: Path, www: Path, name: str, known: str | None) -> None:
    lay(www, {"photo.jpg": "smile"})
    (www / name).write_bytes(write_files({"photo.jpg": known}))
    put(site, www)
    assert pages(3) | {"photo.jpg": "smile"} == held(www)
