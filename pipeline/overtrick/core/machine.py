"""The machine overtrick runs on: its clock, its cores, the user's cache, and where the grammars and templates are."""

import gc
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, ParamSpec, TypeVar

import polars as pl

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

_PACKAGE = Path(__file__).resolve().parents[1]


def resource(*parts: str) -> Path:
    """Return the path of a file or folder of `grammars` or `templates`, for example `resource("grammars", "pbn.lark")`.

    A wheel carries both folders inside the package; a checkout keeps them at its top level.

    Raises:
        FileNotFoundError: neither place holds it (a broken installation).
    """
    for root in (_PACKAGE, _PACKAGE.parent.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"this installation of overtrick lacks {'/'.join(parts)}; reinstall it")


def cache_folder() -> Path:
    """Return overtrick's folder among the user's caches, as the system or `XDG_CACHE_HOME` sets their place."""
    return _user_folder("user_cache_path")


def config_folder() -> Path:
    """Return overtrick's folder among the user's settings, as the system or `XDG_CONFIG_HOME` sets their place."""
    return _user_folder("user_config_path")


def _user_folder(kind: Literal["user_cache_path", "user_config_path"]) -> Path:
    import platformdirs  # noqa: PLC0415 - it takes 10 ms to load, and most runs need none of these folders

    try:
        folder: Path = getattr(platformdirs, kind)("overtrick", appauthor=False)
    except RuntimeError:
        # A user without a home folder, as in some containers. No file can exist below this path, so nothing is kept.
        return Path(os.devnull)
    return folder


def present() -> datetime:
    """Return the time now to the second, with the offset of this machine's zone.

    `SOURCE_DATE_EPOCH`, seconds since 1970, sets another time, so that a build can be repeated to the byte.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now().astimezone().replace(microsecond=0)
    except (ValueError, OverflowError, OSError):
        return datetime.now().astimezone().replace(microsecond=0)


Item = TypeVar("Item")
Done = TypeVar("Done")
Given = ParamSpec("Given")


class _AtOnce(Executor):
    """Does work in the thread that submits it: on one core, another thread only costs."""

    def submit(self, work: Callable[Given, Done], /, *args: Given.args, **kwargs: Given.kwargs) -> Future[Done]:
        done: Future[Done] = Future()
        done.set_result(work(*args, **kwargs))
        return done


def beside() -> Executor:
    """Return what does work in another thread, or at once if polars has only one."""
    return ThreadPoolExecutor(1) if pl.thread_pool_size() > 1 else _AtOnce()


def on_all_cores(work: Callable[[Item], Done], items: Iterable[Item]) -> list[Done]:
    """Apply a function to each item, in as many threads as polars has.

    Args:
        work: the function. An exception that it raises is raised here.
        items: its arguments.

    Returns:
        What the function returned, in the order of the items.
    """
    threads = pl.thread_pool_size()
    if threads == 1:
        return list(map(work, items))
    with ThreadPoolExecutor(threads) as workers:
        return list(workers.map(work, items))


def work_ahead(work: Callable[[Item], Done], items: Iterable[Item], ahead: int = 1) -> Iterator[Done]:
    """Apply a function to each item in threads of their own, while the items that follow are made.

    If polars has only one thread, this one does all the work.

    Args:
        work: the function. An exception that it raises is raised here.
        items: its arguments. At most `ahead` of them are taken before the result of an earlier one is yielded.
        ahead: how many threads there are.

    Yields:
        What the function returned, in the order of the items. No item is kept after its work is done.
    """
    if pl.thread_pool_size() == 1:
        yield from map(work, items)
        return
    begun: deque[Future[Done]] = deque()
    with ThreadPoolExecutor(ahead) as workers:
        for item in items:
            begun.append(workers.submit(copy_context().run, work, item))
            del item
            if len(begun) > ahead:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()


def spare_threads() -> None:
    """Limit processes that are started from now on to one core each, unless the user has set another limit.

    Their work is many short steps: with more threads they use a tenth more of the processor and save no time.
    """
    for name in ("POLARS_MAX_THREADS", "RAYON_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    # Python deletes what a sudden end leaves, and would say so below the message about the interruption.
    os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker:UserWarning")
    # Huge pages save a twentieth of the time. C libraries other than glibc ignore the variable.
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")


@contextmanager
def starting_workers() -> Iterator[None]:
    """Let the processes that start in here hear of no interrupt, not even while they load: their parent handles it."""
    # Windows has no such signals.
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker  # noqa: PLC0415 - only commands with workers need it

    # To start the tracker with the first worker would let signals through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow_parent() -> None:
    """Make a worker process ignore interrupts, which its parent handles, and end when the parent does.

    After the death of a parent, its workers would wait for tasks for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from multiprocessing import parent_process  # noqa: PLC0415 - as above

    if parent := parent_process():
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: "BaseProcess") -> None:
    parent.join()
    os._exit(1)


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Switch the garbage collector off: reading makes many objects and no cycles, so looking for cycles only costs."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


Show = Callable[[str, int, int], None]
"""How a run shows what it does: takes the words for what is done, how much of it is done, and how much there is."""


@contextmanager
def explain_failure(
    path: Path, refusal: Callable[[str], Exception], failed: str = "can't be written"
) -> Iterator[None]:
    """Raise a refusal with the path, what failed and the reason, if the system refuses what the body does."""
    try:
        yield
    except OSError as error:
        raise refusal(f"{path}: {failed}: {error.strerror or error}") from error


def show_nothing(_words: str, _done: int, _total: int) -> None:
    """Show nothing: nobody looks on."""
