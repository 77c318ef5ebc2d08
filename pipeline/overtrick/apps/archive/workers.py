"""Worker processes on this machine, or a Dask cluster, with the interface of `concurrent.futures`."""

import logging
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Generic, TypeVar

from overtrick.apps.archive.store import ArchiveError
from overtrick.core.machine import follow_parent, spare_threads, starting_workers

STRIKES: Final = 2
"""How many workers may die on a single item before overtrick gives the item up."""

AHEAD: Final = 2
"""Tasks submitted for each worker at a time, so that no worker waits for its next one."""

Item = TypeVar("Item")
Done = TypeVar("Done")
Task = tuple[Item, ...]
"""The items that a worker gets at a time: files to read, or deals to solve."""


class LostWorkerError(Exception):
    """A worker died on a task."""


class Processes:
    """Worker processes on this machine.

    Attributes:
        count: how many tasks run at once.
        threads: how many threads a task may use.
    """

    def __init__(self, count: int) -> None:
        """Prepare `count` processes; each starts when it is needed."""
        spare_threads()
        self.count = count
        self.threads = 1
        self._pool = self._start_pool()

    def submit(self, work: Callable[[Task[Item]], Done], task: Task[Item]) -> "futures.Future[Done]":
        """Submit a task to a process."""
        with starting_workers():
            return self._pool.submit(work, task)

    def renew(self) -> None:
        """Start all processes again after one died, because that breaks the whole pool.

        Raises:
            ArchiveError: the processes die before they get a task.
        """
        for _ in range(STRIKES):
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = self._start_pool()
            try:
                with starting_workers():
                    first = self._pool.submit(os.getpid)
                first.result()
            except futures.BrokenExecutor:
                continue
            return
        raise ArchiveError("worker processes can't be started on this machine")

    def close(self) -> None:
        """End the processes after the tasks that they have begun."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _start_pool(self) -> futures.Executor:
        # A forked process would inherit the threads of polars in their current state, and hang.
        spawn = multiprocessing.get_context("spawn")
        return futures.ProcessPoolExecutor(self.count, mp_context=spawn, initializer=follow_parent)


class Cluster:
    """A Dask cluster. Its workers must reach the files and the archive by the same paths as this process.

    It has the attributes of `Processes`.
    """

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at an address such as `tcp://host:8786`.

        Raises:
            ArchiveError: no scheduler answers there.
        """
        # The import takes a second, so only users of a cluster pay for it. The package has no types.
        distributed: Any = import_module("distributed")
        # It warns about results lost with a worker, although it repeats that work.
        logging.getLogger("distributed.client").setLevel(logging.ERROR)
        try:
            self._client = distributed.Client(address, timeout="10s")
        except (OSError, ValueError) as error:
            raise ArchiveError(f"{address}: no scheduler answers there: {error}") from error
        threads = self._client.nthreads().values()
        self.count = max(sum(threads), 1)
        self.threads = max(threads, default=1)
        self._pool = self._client.get_executor(pure=False)

    def submit(self, work: Callable[[Task[Item]], Done], task: Task[Item]) -> "futures.Future[Done]":
        """Submit a task to the cluster, which tries it elsewhere if a worker dies."""
        future: futures.Future[Done] = self._pool.submit(work, task)
        return future

    def renew(self) -> None:
        """Do nothing: the cluster replaces its own workers."""

    def close(self) -> None:
        """Disconnect from the cluster."""
        self._pool.shutdown(wait=False)
        self._client.close()


Workers = Processes | Cluster


@contextmanager
def hire(count: int, scheduler: str | None) -> Iterator[Workers]:
    """Yield the workers for one run, and close them afterwards."""
    workers: Workers = Cluster(scheduler) if scheduler else Processes(count)
    try:
        yield workers
    finally:
        workers.close()


@dataclass(frozen=True)
class Suspect(Generic[Item]):
    """A task on which a worker died, and how often that happened while the task ran alone."""

    task: Task[Item]
    strikes: int = 0


def run_tasks(
    workers: Workers, work: Callable[[Task[Item]], Done], tasks: Iterable[Task[Item]], give_up: Callable[[Item], Done]
) -> Iterator[tuple[Task[Item], Done]]:
    """Run tasks in parallel, in any order.

    When a worker dies, the unfinished tasks run again one at a time, which shows the task that kills its worker. That
    task is split into its items, and an item that costs `STRIKES` workers is given up.

    Args:
        workers: who runs the tasks.
        work: runs one task. It and its return value travel between processes.
        tasks: the tasks, read when they are needed.
        give_up: returns the outcome of an item that was given up.

    Yields:
        Each task with its outcome.

    Raises:
        ArchiveError: a worker can't write to the archive.
    """
    coming = iter(tasks)
    under_way: dict[futures.Future[Done], Task[Item]] = {}
    suspects: deque[Suspect[Item]] = deque()
    while True:
        while len(under_way) < AHEAD * workers.count and (task := next(coming, None)):
            under_way[_submit(workers, work, task)] = task
        if not under_way:
            return
        finished, _ = futures.wait(under_way, return_when=futures.FIRST_COMPLETED)
        if any(_is_lost(future) for future in finished):
            # Wait for the others too: each is lost or done by now.
            finished = set(under_way)
        for future in finished:
            task = under_way.pop(future)
            if _is_lost(future):
                suspects.append(Suspect(task))
            else:
                yield task, future.result()
        if suspects:
            workers.renew()
            yield from _one_by_one(workers, work, suspects, give_up)


def _one_by_one(
    workers: Workers,
    work: Callable[[Task[Item]], Done],
    suspects: "deque[Suspect[Item]]",
    give_up: Callable[[Item], Done],
) -> Iterator[tuple[Task[Item], Done]]:
    while suspects:
        suspect = suspects.popleft()
        future = _submit(workers, work, suspect.task)
        if not _is_lost(future):
            yield suspect.task, future.result()
            continue
        workers.renew()
        if len(suspect.task) > 1:
            suspects.extend(Suspect((item,)) for item in suspect.task)
        elif suspect.strikes + 1 < STRIKES:
            suspects.append(Suspect(suspect.task, suspect.strikes + 1))
        else:
            yield suspect.task, give_up(suspect.task[0])


def _submit(workers: Workers, work: Callable[[Task[Item]], Done], task: Task[Item]) -> "futures.Future[Done]":
    try:
        return workers.submit(work, task)
    except RuntimeError as error:
        # The pool may have broken in the meantime; then this task is as lost as the running ones.
        lost: futures.Future[Any] = futures.Future()
        lost.set_exception(LostWorkerError(str(error)))
        return lost


def _is_lost(future: "futures.Future[Any]") -> bool:
    """Wait for a task, and return whether its worker died on it."""
    try:
        error = future.exception()
    except futures.CancelledError:
        return True
    return isinstance(error, LostWorkerError | futures.BrokenExecutor) or type(error).__name__ in _LOST_BY_DASK


_LOST_BY_DASK: Final = ("KilledWorker", "FutureCancelledError", "CommClosedError")
"""The names of Dask's exceptions for tasks of dead workers; only clusters need the import of Dask."""
