"""How far workers go: a simulation of an ingest with more cores than this machine has.

`python -m tests.benchmarks.scheduling BOARDS` ingests once, measures the processor time of each task and of all that
the main process does beside them, and simulates the same run with 1, 2, 4 and 8 workers on a core each. It prints a
table for docs/archive.md. Nothing else is modelled: a task takes as long as alone, and disk and network cost nothing.
"""

import heapq
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from overtrick.apps.archive.ingest import ingest
from overtrick.apps.archive.store import Store
from overtrick.apps.archive.workers import Done, Item, Processes, Task
from overtrick.core.machine import spare_threads
from tests.benchmarks.boards import texts

WORKERS: Final = (1, 2, 4, 8)


@dataclass(frozen=True)
class Measured:
    """Seconds of processor time of one ingest.

    Attributes:
        before: of the main process before the first task.
        each: of the main process for each task.
        start: of a process until it has taken in a board, which each worker needs at most.
        phases: of a worker for each task; the tasks that find evenings end before those that score them begin.
    """

    before: float
    each: float
    start: float
    phases: Sequence[Sequence[float]]


def simulate(measured: Measured, workers: int) -> float:
    """Return the seconds of a run with this many workers, each with a core of its own, as the main process has.

    The main process hands out the tasks in their order and takes their outcomes, one at a time; a worker gets the next
    task when it has done one. Worked example, three tasks of 4, 4 and 2 seconds, and one second of the main process for
    each, for two workers that start at once:

        worker 1   0 to 4, 4 to 6
        worker 2   0 to 4
        outcomes   4 to 5, 5 to 6, 6 to 7
    """
    taken, ready = measured.before, measured.before + measured.start
    for tasks in measured.phases:
        free = [max(taken, ready)] * workers
        ended = []
        for seconds in tasks:
            end = heapq.heappop(free) + seconds
            ended.append(end)
            heapq.heappush(free, end)
        for end in sorted(ended):
            taken = max(taken, end) + measured.each
    return taken


def table(boards: int, measured: Measured) -> Iterator[str]:
    """Write the table of the simulated runs."""
    alone = simulate(measured, 1)
    yield "| workers | seconds | boards/s | compared with one worker |"
    yield "|--:|--:|--:|--:|"
    for workers in WORKERS:
        seconds = simulate(measured, workers)
        yield f"| {workers} | {seconds:,.1f} | {boards / seconds:,.0f} | {alone / seconds:.1f} times as fast |"


class Timed(Processes):
    """A worker that does each task at once in this process, and notes the processor time that it takes."""

    def __init__(self) -> None:
        """Begin without tasks, which are cut as for the most workers."""
        self.count, self.threads = max(WORKERS), 1
        self.before = 0.0
        self.phases: dict[str, list[float]] = {}

    def submit(self, work: Callable[[Task[Item]], Done], task: Task[Item]) -> "Future[Done]":
        """Do a task."""
        begun = time.process_time()
        self.before = self.before or begun
        done: Future[Done] = Future()
        done.set_result(work(task))
        phase = work.func.__name__ if isinstance(work, partial) else work.__name__
        self.phases.setdefault(phase, []).append(time.process_time() - begun)
        return done

    def close(self) -> None:
        """Do nothing, because no process was started."""


def measure(boards: int) -> Measured:
    """Ingest files of 10,000 boards in this process, after one board so that everything is loaded."""
    spare_threads()
    with tempfile.TemporaryDirectory() as folder:
        ingest(Store(f"{folder}/first"), [_write(1, Path(folder) / "board")], Timed())
        start = time.process_time()
        files, worker = _write(boards, Path(folder) / "boards"), Timed()
        begun = time.process_time()
        ingest(Store(f"{folder}/all"), [files], worker)
        used = time.process_time() - begun
    phases = list(worker.phases.values())
    before, tasks = worker.before - begun, [seconds for phase in phases for seconds in phase]
    return Measured(before, (used - sum(tasks) - before) / len(tasks), start, phases)


def _write(boards: int, folder: Path) -> str:
    folder.mkdir()
    for number, text in enumerate(texts("pbn", boards)):
        (folder / f"{number:05}.pbn").write_text(text, "utf-8")
    return str(folder)


def main() -> None:
    """Measure and print the table."""
    boards = int(sys.argv[1])
    print("\n".join(table(boards, measure(boards))))


if __name__ == "__main__":
    main()
