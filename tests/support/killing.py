"""The command line, killed at random moments or hindered, and what it must have left when it is run again."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from tests.support.commands import FIXTURES, Ran, run
from tests.support.inboxes import drop, evening

KILLS: Final = int(os.environ.get("OVERTRICK_KILLS", "1"))
"""How often each command is killed."""

MAIN: Final = "from overtrick.apps.cli import main; main()"
EVENINGS: Final = 3
START: Final = 1.0
"""Seconds until a process has loaded what a command needs."""


@dataclass(frozen=True)
class Job:
    """A command with its files.

    Attributes:
        arguments: of the command line, in a folder of its own.
        prepare: puts the files there.
        outputs: what the command writes, relative to the folder.
        whole: returns what is wrong with the outputs after a kill; they may be missing.
        again: the statuses of a run that goes to its end.
        call: does the work inside this process if that is not a command alone.
    """

    arguments: tuple[str, ...]
    prepare: Callable[[Path], None]
    outputs: tuple[str, ...]
    whole: Callable[[Path], list[str]] = field(default=lambda _: [])
    again: frozenset[int] = frozenset({0, 1})
    call: Callable[[Path], Ran] | None = None


def places(folder: Path) -> dict[str, str]:
    """Return the environment variables that keep a command in its folder."""
    return {"HOME": str(folder / "home"), "XDG_CACHE_HOME": str(folder / "home" / "cache")}


def start(job: Job, folder: Path, **options: object) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", MAIN, *job.arguments]
    return subprocess.Popen(  # type: ignore[call-overload,no-any-return]  # options of any kind
        command,
        cwd=folder,
        env={**os.environ, **places(folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        **options,
    )


def run_to_end(job: Job, folder: Path) -> float:
    """Run a command to its end, inside the test, and return about how many seconds a process takes for it."""
    began = time.monotonic()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, place in places(folder).items():
            patch.setenv(name, place)
        ran = run(*job.arguments)
    assert ran.status in job.again, ran.err
    return START + time.monotonic() - began


def kill(job: Job, folder: Path, seconds: float, *, group: bool) -> None:
    """Run a command and kill it at a random moment; its workers too, or they have to notice."""
    process = start(job, folder)
    time.sleep(random.uniform(0.1, 1) * seconds)
    if group:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate(timeout=60)


def hidden(folder: Path, outputs: Sequence[str]) -> list[str]:
    """List what killed runs left: hidden files beside and in the outputs, part files and locks."""
    tops = [folder, *(folder / name for name in outputs if (folder / name).is_dir())]
    found = {path for top in tops for path in top.rglob("*") if ".overtrick" not in path.parts and _is_leftover(path)}
    return sorted(str(path.relative_to(folder)) for path in found)


def _is_leftover(path: Path) -> bool:
    kinds = (".new-", ".old-", ".part", ".tmp", "#")
    return path.is_file() and (any(kind in path.name for kind in kinds) or path.name.endswith("site.lock"))


def put_evenings(folder: Path) -> None:
    """Put evenings into the folder `files`, all of the same time: the record of a season holds it."""
    drop(folder / "files", **{f"evening{number}_pbn": evening(tricks=9 + number % 3) for number in range(EVENINGS)})
    for path in (folder / "files").iterdir():
        os.utime(path, (1_700_000_000, 1_700_000_000))


def put_club_evening(folder: Path) -> None:
    """Put one evening with deals and auctions there."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "evening.pbn").write_bytes((FIXTURES / "club-evening.pbn").read_bytes())
