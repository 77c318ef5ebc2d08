"""Work on all cores: in one process, where arrays and columns let go of the interpreter's lock, or in several."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import polars as pl

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
