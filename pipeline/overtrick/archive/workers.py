"""Where the work is done: processes on this machine or a Dask cluster, behind the one interface of executors."""

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
from typing import Any, Final

from overtrick.archive.inputs import Piece
from overtrick.archive.store import ArchiveError
from overtrick.archive.work import Done, Failure

STRIKES: Final = 2
"""How often a worker may die over one file that it has for itself before the file is to blame."""

AHEAD: Final = 2
"""Tasks for each worker that are handed out at a time, so that none waits for the next."""

Work = Callable[[tuple[Piece, ...]], Done]


class LostWorkerError(Exception):
    """A worker died over a task."""


class Processes:
    """Worker processes on this machine."""

    def __init__(self, count: int) -> None:
        """Start `count` processes, each when it is needed."""
        # The work is many short steps: threads inside them take a tenth more of the processor and save no time.
        os.environ.setdefault("POLARS_MAX_THREADS", "1")
        self.count = count
        self._pool = self._started()

    def submit(self, work: Work, files: tuple[Piece, ...]) -> "Future[Done]":
        """Hand a task to a process."""
        return self._pool.submit(work, files)

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
    """A Dask cluster, whose workers reach the files and the archive by the same names as this process."""

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at an address such as `tcp://host:8786`.

        Raises:
            ArchiveError: nobody answers there.
        """
        # It takes a second to import, for those who have a cluster; its types are not described.
        distributed: Any = import_module("distributed")
        try:
            self._client = distributed.Client(address, timeout="10s")
        except (OSError, ValueError) as error:
            raise ArchiveError(f"{address}: no scheduler answers there: {error}") from error
        self.count = max(sum(self._client.nthreads().values()), 1)
        self._pool = self._client.get_executor(pure=False)

    def submit(self, work: Work, files: tuple[Piece, ...]) -> "Future[Done]":
        """Hand a task to the cluster, which tries it elsewhere when a worker dies."""
        future: Future[Done] = self._pool.submit(work, files)
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
class Suspect:
    """Files over which a worker died, or was told to."""

    files: tuple[Piece, ...]
    strikes: int = 0


def all_done(workers: Workers, work: Work, tasks: Iterable[tuple[Piece, ...]]) -> Iterator[tuple[int, Done]]:
    """Do tasks side by side, in any order.

    When a worker dies, the tasks under way are done again one by one: so it is known over which one it dies again. That
    one is parted into its files, and a file that costs `STRIKES` workers is a failure.

    Yields:
        Bytes of files that are dealt with, and what became of them.

    Raises:
        ArchiveError: a worker can't write to the archive.
    """
    coming = iter(tasks)
    under_way: dict[Future[Done], tuple[Piece, ...]] = {}
    suspects: deque[Suspect] = deque()
    while True:
        while len(under_way) < AHEAD * workers.count and (task := next(coming, None)):
            under_way[_handed(workers, work, task)] = task
        if not under_way:
            return
        finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in finished:
            task = under_way.pop(future)
            done = _result(future)
            if done:
                yield _size(task), done
            else:
                suspects.append(Suspect(task))
        if suspects:
            for future, task in under_way.items():
                done = _result(future)
                if done:
                    yield _size(task), done
                else:
                    suspects.append(Suspect(task))
            under_way.clear()
            workers.renew()
            yield from _one_by_one(workers, work, suspects)


def _one_by_one(workers: Workers, work: Work, suspects: deque[Suspect]) -> Iterator[tuple[int, Done]]:
    while suspects:
        suspect = suspects.popleft()
        done = _result(_handed(workers, work, suspect.files))
        if done:
            yield _size(suspect.files), done
            continue
        workers.renew()
        if len(suspect.files) > 1:
            suspects.extend(Suspect((piece,)) for piece in suspect.files)
        elif suspect.strikes + 1 < STRIKES:
            suspects.append(Suspect(suspect.files, suspect.strikes + 1))
        else:
            reason = "the worker that read it died, as if killed or out of memory"
            yield _size(suspect.files), Done(failures=(Failure(suspect.files[0], f"{reason}\n", reason),))


def _handed(workers: Workers, work: Work, task: tuple[Piece, ...]) -> "Future[Done]":
    try:
        return workers.submit(work, task)
    except RuntimeError as error:
        # The pool may have broken since; the task is then as lost as those under way.
        lost: Future[Any] = Future()
        lost.set_exception(LostWorkerError(str(error)))
        return lost


def _result(future: "Future[Done]") -> Done | None:
    """Wait for a task; None when its worker died."""
    try:
        return future.result()
    except (LostWorkerError, BrokenExecutor, CancelledError):
        return None
    except Exception as error:
        if type(error).__name__ in _LOST_BY_DASK:
            return None
        raise


_LOST_BY_DASK: Final = ("KilledWorker", "FutureCancelledError", "CommClosedError")
"""What a cluster raises for the tasks of workers that died; it is not imported for it."""


def _size(task: tuple[Piece, ...]) -> int:
    return sum(piece.size for piece in task)
