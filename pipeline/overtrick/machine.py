"""The machine overtrick runs on: its cores, the user's cache folder, and where the grammars and templates are."""

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import polars as pl

_PACKAGE = Path(__file__).resolve().parent


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
    """Say where the user's cache is: below `XDG_CACHE_HOME` where that is set, else where the system keeps caches."""
    if os.environ.get("XDG_CACHE_HOME"):
        folder = Path(os.environ["XDG_CACHE_HOME"])
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = _home() / "Library" / "Caches"
    else:
        folder = _home() / ".cache"
    return folder / "overtrick"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        # Nothing can be kept for a user without a home: no file is below this one.
        return Path(os.devnull)


Item = TypeVar("Item")
Done = TypeVar("Done")


def on_all_cores(work: Callable[[Item], Done], items: Iterable[Item]) -> list[Done]:
    """Do the same work for each item, as many at a time as polars has threads.

    Args:
        work: gives what comes out of one item; what it raises is raised here.
        items: what to work on.

    Returns:
        What came out, in the order of the items.
    """
    with ThreadPoolExecutor(pl.thread_pool_size()) as workers:
        return list(workers.map(work, items))


def spare_threads() -> None:
    """Make the processes that are started from now on use one core each; what the user has set stays.

    Their work is many short steps: threads inside them take a tenth more of the processor and save no time.
    """
    for name in ("POLARS_MAX_THREADS", "RAYON_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    # Large pages of memory save a twentieth; what is no glibc knows nothing of it.
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Reading makes many objects and no cycles: looking for cycles only costs time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
