"""The watcher is killed at random moments, and two of them share an inbox: nothing is lost and nothing done twice.

`OVERTRICK_KILLS` sets the number of kills.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

import pytest

from tests.support.inboxes import drop, evening, lying
from tests.support.sites import differing, read_folder

pytestmark = pytest.mark.slow

KILLS: Final = int(os.environ.get("OVERTRICK_KILLS", "1"))
SESSIONS: Final = 3


def watcher(base: Path, *options: str, printed: IO[bytes] | int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    (base / "club.toml").write_text("[inbox]\nsettle = 0.2\n", "utf-8")
    command = [sys.executable, "-c", "from overtrick.apps.cli import main; main()", "watch", str(base / "in")]
    command += ["--out", str(base / "out"), "--publish", str(base / "www"), "--config", str(base / "club.toml")]
    return subprocess.Popen([*command, *options], stdout=printed, stderr=subprocess.PIPE)


def pages_of(base: Path) -> set[str]:
    return {path.parent.name for path in (base / "www").glob("*/index.html")}


def finished(processes: Sequence[subprocess.Popen[bytes]]) -> list[tuple[int, list[str], str]]:
    ended = [process.communicate(timeout=120) for process in processes]
    return [
        (process.returncode, (out or b"").decode().splitlines(), err.decode())
        for process, (out, err) in zip(processes, ended, strict=True)
    ]


def test_killed_at_random_moments_it_loses_no_file_and_finishes_each_once(tmp_path: Path) -> None:
    names = [f"evening{number}" for number in range(SESSIONS)]
    killed, undisturbed = tmp_path / "killed", tmp_path / "undisturbed"
    for base in (killed, undisturbed):
        drop(base / "in", **{f"{name}_pbn": evening() for name in names}, letter_pbn="Dear club,")
    began = time.monotonic()
    finished([watcher(undisturbed, "--once")])
    seconds = time.monotonic() - began
    for _ in range(KILLS):
        process = watcher(killed)
        time.sleep(random.uniform(0, seconds))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    (ended,) = finished([watcher(killed, "--once")])
    assert ended[0] in {0, 1}, ended
    done = [f"done/{name}/{name}.pbn" for name in names]
    assert [*done, "rejected/letter.pbn", "rejected/letter.pbn.reason.txt"] == lying(killed / "in")
    assert [] == differing(read_folder(undisturbed / "www"), read_folder(killed / "www"))
    again = finished([watcher(killed, "--once")])
    assert [(0, [], f"Settings: {killed / 'club.toml'}\n")] == again


def test_of_two_that_begin_together_one_has_the_inbox(tmp_path: Path) -> None:
    drop(tmp_path / "in", **{f"evening{number}_pbn": evening() for number in range(SESSIONS)})
    both = finished([watcher(tmp_path, "--once"), watcher(tmp_path, "--once")])
    made = [page for _, pages, _ in both for page in pages]
    assert SESSIONS == len(made) == len(set(made))
    assert all(status == 0 or "another overtrick is watching this inbox" in messages for status, _, messages in both)


def test_it_works_while_files_arrive_and_ends_when_it_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    # A shell's background jobs ignore the signal, and so would this child.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    printed = tmp_path / "printed.txt"
    with printed.open("wb") as file:
        process = watcher(tmp_path, printed=file)
    try:
        for number in range(3):
            drop(tmp_path / "in", **{f"evening{number}_pbn": evening()})
            for _ in range(300):
                # An evening is printed after all else.
                if len(printed.read_text().splitlines()) > number:
                    break
                time.sleep(0.1)
            assert number + 1 == len(pages_of(tmp_path))
            assert f"done/evening{number}/" in str(lying(tmp_path / "in"))
    finally:
        process.send_signal(signal.SIGINT)
        ((status, _, messages),) = finished([process])
    assert (130, 3) == (status, len(printed.read_text().splitlines()))
    # Each line but that of the settings begins with the time.
    assert ["evening0: done", "evening1: done", "evening2: done"] == [line[9:] for line in messages.split("\n")[1:4]]
