"""Where the work is done: processes on this machine or a Dask cluster, behind the one interface of executors."""

import logging
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Generic, TypeVar

from overtrick.archive.store import ArchiveError
from overtrick.machine import spare_threads

STRIKES: Final = 2
"""How often a worker may die over one item that it has for itself before the item is to blame."""

AHEAD: Final = 2
"""Tasks for each worker that are handed out at a time, so that none waits for the next."""

Item = TypeVar("Item")
Done = TypeVar("Done")
Task = tuple[Item, ...]
"""What a worker gets at a time: files to read, deals to solve."""


class LostWorkerError(Exception):
    """A worker died over a task."""


class Processes:
    """Worker processes on this machine.

    Attributes:
        count: tasks that are done at once.
        threads: those that a process may use for what it does at once.
    """

    def __init__(self, count: int) -> None:
        """Start `count` processes, each when it is needed."""
        spare_threads()
        self.count = count
        self.threads = 1
        self._pool = self._started()

    def submit(self, work: Callable[[Task[Item]], Done], task: Task[Item]) -> "Future[Done]":
        """Hand a task to a process."""
        return self._pool.submit(work, task)

    def renew(self) -> None:
        """Start again after a process died: a pool is broken as a whole.

        Raises:
            ArchiveError: processes die before they get anything to do.
        """
        for _ in range(STRIKES):
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = self._started()
            try:
                self._pool.submit(os.getpid).result()
            except BrokenExecutor:
                continue
            return
        raise ArchiveError("worker processes can't be started on this machine")

    def close(self) -> None:
        """End the processes; what they still do is waited for."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _started(self) -> Executor:
        # A forked process would inherit the threads of polars as they stand, and hang.
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.count, mp_context=spawn, initializer=_follow_parent)


def _follow_parent() -> None:
    """Let this process end with the one that started it, which alone is interrupted.

    When that one is killed, it would wait for tasks for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end() -> None:
        parent = multiprocessing.parent_process()
        if parent:
            parent.join()
            os._exit(1)

    threading.Thread(target=end, daemon=True).start()


class Cluster:
    """A Dask cluster, whose workers reach the files and the archive by the same names as this process.

    Attributes are those of `Processes`.
    """

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at an address such as `tcp://host:8786`.

        Raises:
            ArchiveError: nobody answers there.
        """
        # It takes a second to import, for those who have a cluster; its types are not described.
        distributed: Any = import_module("distributed")
        # It warns of results that were lost with a worker, and has them made again.
        logging.getLogger("distributed.client").setLevel(logging.ERROR)
        try:
            self._client = distributed.Client(address, timeout="10s")
        except (OSError, ValueError) as error:
            raise ArchiveError(f"{address}: no scheduler answers there: {error}") from error
        threads = self._client.nthreads().values()
        self.count = max(sum(threads), 1)
        self.threads = max(threads, default=1)
        self._pool = self._client.get_executor(pure=False)

    def submit(self, work: Callable[[Task[Item]], Done], task: Task[Item]) -> "Future[Done]":
        """Hand a task to the cluster, which tries it elsewhere when a worker dies."""
        future: Future[Done] = self._pool.submit(work, task)
        return future

    def renew(self) -> None:
        """Do nothing: the cluster replaces its workers."""

    def close(self) -> None:
        """Leave the cluster."""
        self._pool.shutdown(wait=False)
        self._client.close()


Workers = Processes | Cluster


@contextmanager
def hired(count: int, scheduler: str | None) -> Iterator[Workers]:
    """Give the workers for one run."""
    workers: Workers = Cluster(scheduler) if scheduler else Processes(count)
    try:
        yield workers
    finally:
        workers.close()


@dataclass(frozen=True)
class Suspect(Generic[Item]):
    """A task over which a worker died, or was told to."""

    task: Task[Item]
    strikes: int = 0


def all_done(
    workers: Workers,
    work: Callable[[Task[Item]], Done],
    tasks: Iterable[Task[Item]],
    given_up: Callable[[Item], Done],
) -> Iterator[tuple[Task[Item], Done]]:
    """Do tasks side by side, in any order.

    When a worker dies, the tasks under way are done again one by one: so it is known over which one it dies again. That
    one is parted into its items, and an item that costs `STRIKES` workers is given up.

    Args:
        workers: who does them.
        work: does one; both it and what it gives are sent to and from other processes.
        tasks: looked at as they are needed.
        given_up: says what has become of an item that was given up.

    Yields:
        Tasks that are dealt with, and what became of them.

    Raises:
        ArchiveError: a worker can't write to the archive.
    """
    coming = iter(tasks)
    under_way: dict[Future[Done], Task[Item]] = {}
    suspects: deque[Suspect[Item]] = deque()
    while True:
        while len(under_way) < AHEAD * workers.count and (task := next(coming, None)):
            under_way[_handed(workers, work, task)] = task
        if not under_way:
            return
        finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
        if any(_is_lost(future) for future in finished):
            # The others are waited for: whether they are lost too, or were done meanwhile.
            finished = set(under_way)
        for future in finished:
            task = under_way.pop(future)
            if _is_lost(future):
                suspects.append(Suspect(task))
            else:
                yield task, future.result()
        if suspects:
            workers.renew()
            yield from _one_by_one(workers, work, suspects, given_up)


def _one_by_one(
    workers: Workers,
    work: Callable[[Task[Item]], Done],
    suspects: "deque[Suspect[Item]]",
    given_up: Callable[[Item], Done],
) -> Iterator[tuple[Task[Item], Done]]:
    while suspects:
        suspect = suspects.popleft()
        future = _handed(workers, work, suspect.task)
        if not _is_lost(future):
            yield suspect.task, future.result()
            continue
        workers.renew()
        if len(suspect.task) > 1:
            suspects.extend(Suspect((item,)) for item in suspect.task)
        elif suspect.strikes + 1 < STRIKES:
            suspects.append(Suspect(suspect.task, suspect.strikes + 1))
        else:
            yield suspect.task, given_up(suspect.task[0])


def _handed(workers: Workers, work: Callable[[Task[Item]], Done], task: Task[Item]) -> "Future[Done]":
    try:
        return workers.submit(work, task)
    except RuntimeError as error:
        # The pool may have broken since; the task is then as lost as those under way.
        lost: Future[Any] = Future()
        lost.set_exception(LostWorkerError(str(error)))
        return lost


def _is_lost(future: "Future[Any]") -> bool:
    """Wait for a task, and say whether its worker died over it."""
    try:
        error = future.exception()
    except CancelledError:
        return True
    return isinstance(error, LostWorkerError | BrokenExecutor) or type(error).__name__ in _LOST_BY_DASK


_LOST_BY_DASK: Final = ("KilledWorker", "FutureCancelledError", "CommClosedError")
"""What a cluster raises for the tasks of workers that died; it is not imported for it."""
