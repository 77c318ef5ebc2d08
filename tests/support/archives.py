"""Archives for tests: files to ingest, and the rows of an archive in an order that can be compared."""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Final

import polars as pl
from polars.testing import assert_frame_equal

from overtrick.apps.archive.ingest import Outcome, ingest
from overtrick.apps.archive.store import Store
from overtrick.apps.archive.workers import Done, Item, Processes, Task
from tests.support.commands import ROOT
from tests.support.deals import pbn, random_boards

FAULTS: Final = int(os.environ.get("OVERTRICK_FAULTS", "1"))
"""How many random moments are tried for each fault; 20 for a release."""

_ORDER: Final = ("source", "sha256", "record", "line", "column", "part", "index", "code", "message", "deal")


def write_files(folder: Path, files: int, boards: int) -> list[Path]:
    """Write files of random boards with auction and play."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"evening-{number:02}.pbn" for number in range(files)]
    for number, path in enumerate(paths):
        path.write_text(pbn(random_boards(boards, seed=number)), "utf-8")
    return paths


def ingested(archive: Path, *paths: Path, workers: int = 1) -> Outcome:
    """Ingest files with worker processes."""
    processes = Processes(workers)
    try:
        return ingest(Store(str(archive)), [str(path) for path in paths], processes)
    finally:
        processes.close()


class AtOnce(Processes):
    """Runs each task in this process when it is submitted."""

    def __init__(self) -> None:
        """Start nothing."""
        super().__init__(1)

    def submit(self, work: Callable[[Task[Item]], Done], task: Task[Item]) -> "Future[Done]":
        """Run a task."""
        future: Future[Done] = Future()
        future.set_result(work(task))
        return future


def take_in(archive: Path, *paths: Path) -> Outcome:
    """Ingest files in this process."""
    return ingest(Store(str(archive)), [str(path) for path in paths], AtOnce())


def start_taking_in(archive: Path | str, *paths: Path) -> "subprocess.Popen[bytes]":
    """Start a process that ingests files one by one, with a commit for each."""
    code = f"""
import sys
import overtrick.apps.archive.ingest
from tests.support.archives import take_in
overtrick.apps.archive.ingest.TASK = overtrick.apps.archive.ingest.COMMIT_SECONDS = 0
take_in({str(archive)!r}, *sys.argv[1:])"""
    return subprocess.Popen([sys.executable, "-c", code, *map(str, paths)], stderr=subprocess.PIPE, cwd=ROOT)


def rows(archive: Path | str) -> dict[str, pl.DataFrame]:
    """Return the rows of each table in a fixed order."""
    store = Store(str(archive))
    frames = {name: rows.collect() for name, rows in store.scan().items()}
    return {
        name: frame.sort([column for column in _ORDER if column in frame.columns], nulls_last=True)
        for name, frame in frames.items()
    }


def assert_same_archive(expected: Path, archive: Path | str) -> None:
    """Compare two archives row for row."""
    theirs = rows(archive)
    for name, frame in rows(expected).items():
        assert_frame_equal(frame, theirs[name])
