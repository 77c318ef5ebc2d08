"""Double-dummy tables for all deals of an archive, made by the same workers that read its files."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import polars as pl

from overtrick.apps.archive.store import ArchiveError, Store
from overtrick.apps.archive.workers import Processes, Workers, run_tasks
from overtrick.core.frames import DOUBLE_DUMMY
from overtrick.judge.analyse.cache import TableCache, user_cache
from overtrick.judge.analyse.deals import are_playable, describe_missing
from overtrick.judge.analyse.solver import is_installed, limit_threads, solve

TASK: Final = 8
"""Deals in a worker's task: two or three seconds of work, which are lost if the worker dies."""

COMMIT_SECONDS: Final = 30.0
"""Seconds between commits of solved deals to the table; until then, the caches of the workers hold them."""

SLICE: Final = 100_000
"""Deals that are checked together for being playable."""


@dataclass
class Progress:
    """The progress of a run: deals without a table at its start, deals that a worker tried, deals solved."""

    total: int
    tried: int = 0
    solved: int = 0


Report = Callable[[Progress], None]


def solve_deals(store: Store, workers: Workers, report: Report = lambda _: None) -> Progress:
    """Solve the deals of an archive that have no double-dummy table yet.

    After an interruption the next run resumes. A deal of 52 cards is solved once, however many records have it; deals
    with fewer cards are not solved.

    Raises:
        ArchiveError: the archive can't be written, or the solver is not installed.
    """
    if isinstance(workers, Processes) and not is_installed():
        raise ArchiveError(f"nothing can be solved: {describe_missing()}")
    store.create()
    deals = list_unsolved(store)
    progress = Progress(deals.len())
    report(progress)
    tables: dict[str, bytes] = {}
    committed = time.monotonic()
    try:
        tasks = (tuple(deals[start : start + TASK]) for start in range(0, deals.len(), TASK))
        for task, solved in run_tasks(workers, partial(work, threads=workers.threads), tasks, lambda _: {}):
            tables |= solved
            progress.tried += len(task)
            progress.solved += len(solved)
            report(progress)
            if time.monotonic() - committed > COMMIT_SECONDS:
                _put(store, tables)
                tables, committed = {}, time.monotonic()
    finally:
        _put(store, tables)
    return progress


def list_unsolved(store: Store) -> pl.Series:
    """Return the deals that can be solved and have no table yet: canonical, each once."""
    tables = store.scan()
    deals = tables["records"].select("deal").drop_nulls().unique()
    missing = deals.join(tables["double_dummy"].select("deal"), on="deal", how="anti").sort("deal").collect()
    slices = (part["deal"] for part in missing.iter_slices(SLICE))
    return pl.concat([missing["deal"].clear(), *(part.filter(are_playable(part)) for part in slices)])


def work(deals: tuple[str, ...], threads: int) -> dict[str, bytes]:
    """Solve deals, or look them up in the cache of the user who runs this worker.

    Args:
        deals: canonical deals of 52 cards.
        threads: the number of threads that the solver may use.

    Returns:
        By deal, its twenty numbers of tricks in the order of `frames.DOUBLE_DUMMY`. If the solver is not installed,
        deals outside the cache are missing.
    """
    limit_threads(threads)
    return dict(solve(deals, cache=TableCache(user_cache())))


def _put(store: Store, tables: dict[str, bytes]) -> None:
    if tables:
        rows = [(deal, list(tricks)) for deal, tricks in tables.items()]
        schema = {name: DOUBLE_DUMMY[name].dtype for name in ("deal", "tricks")}
        store.add_solved("double_dummy", pl.DataFrame(rows, schema=schema, orient="row"))
