"""Work on all cores in one process: arrays and columns let go of the interpreter's lock while they are worked on."""

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
