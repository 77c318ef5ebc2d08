"""Commands that write, on a full disk, in a read-only folder, and without their files: one message, nothing lost."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.commands import FIXTURES
from tests.support.inboxes import drop, evening
from tests.support.killing import MAIN
from tests.support.servers import small_disk

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")]

NOBODY = 65534

COMMANDS = {
    "bulletin": ("bulletin", "{files}/evening.pbn", "--out", "{place}/site", "--no-dd", "--no-pdf"),
    "season": ("season", "{files}", "--out", "{place}/season", "--no-pdf"),
    "convert": ("convert", "{files}/evening.pbn", "{place}/evening.json"),
    "score": ("score", "{files}/evening.pbn", "--out", "{place}/evening.csv"),
    "ingest": ("ingest", "{files}", "--archive", "{place}/archive", "--workers", "1"),
    "publish": ("publish", "{files}", "{place}/www", "--yes"),
}


def run(name: str, files: Path, place: Path, *before: str) -> tuple[int, str]:
    """Run a command inside the test, or as a process of an ordinary user."""
    words = [word.format(files=files, place=place) for word in COMMANDS[name]]
    nowhere = {"HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent"}
    if not before:
        ran = commands.run(*words, environment=nowhere)
        return ran.status, ran.err
    command = [*before, sys.executable, "-c", MAIN, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **nowhere})
    return done.returncode, done.stderr


def put_files(folder: Path) -> Path:
    folder.mkdir()
    (folder / "evening.pbn").write_bytes((FIXTURES / "club-evening.pbn").read_bytes())
    return folder


def listed(place: Path) -> list[str]:
    return sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.sweep(2)
def test_a_full_disk_is_one_message_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    files = put_files(tmp_path / "files")
    with small_disk(tmp_path / "disk") as disk:
        fill = disk / "fill"
        with suppress(OSError):
            fill.write_bytes(bytes(300_000))
        status, messages = run(name, files, disk)
        assert "Traceback" not in messages
        assert (True, True) == (status in {2, 3}, "No space left" in messages or "disk is full" in messages), messages
        assert [] == [path for path in listed(disk) if path != "fill" and not path.startswith("archive/")]


@pytest.mark.skipif(not shutil.which("setpriv"), reason="root needs it to have no more rights than others")
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.sweep(2)
def test_a_read_only_folder_is_one_message_for_an_ordinary_user(name: str, tmp_path: Path) -> None:
    files, place = put_files(tmp_path / "files"), tmp_path / "place"
    place.mkdir()
    ordinary: tuple[str, ...] = ()
    if os.getuid() == 0:
        os.chown(place, NOBODY, NOBODY)
        ordinary = ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", "--")
    place.chmod(0o555)
    status, messages = run(name, files, place, *ordinary)
    place.chmod(0o755)
    assert "Traceback" not in messages
    assert status in {2, 3}, messages
    assert "ermission denied" in messages or "you may not change this folder" in messages
    assert [] == listed(place)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "publish"])
@pytest.mark.sweep(2)
def test_files_that_vanish_are_named(name: str, tmp_path: Path) -> None:
    files = tmp_path / "files"
    drop(files, evening_pbn=evening())
    (files / "gone.pbn").symlink_to(tmp_path / "nowhere.pbn")
    if name in {"convert", "score", "bulletin"}:
        (files / "evening.pbn").unlink()
    status, messages = run(name, files, tmp_path)
    assert "Traceback" not in messages
    assert status in {0, 1, 2}, messages


@pytest.mark.parametrize(
    "words",
    [
        *("--help", "--version", "score --help", "formats", "config --help"),
        *(
            f"{verb} {FIXTURES}/exchange-evening.pbn"
            for verb in ("score", "check", "check --format json", "correct --list")
        ),
    ],
)
def test_standard_output_that_cannot_be_written_is_one_sentence_and_a_status_of_its_own(words: str) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-c", MAIN, *words.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert 4 == done.returncode, done.stderr
    assert "overtrick: cannot write to standard output: No space left on device\n" == done.stderr


def test_a_closed_pipe_ends_in_silence() -> None:
    command = [sys.executable, "-c", MAIN, "formats"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert (b"", 141) == (running.stderr.read() if running.stderr else None, running.wait())
