"""Double-dummy tables for all deals of an archive, by the workers that read its files."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import polars as pl

from overtrick.analyse.cache import TableCache, user_cache
from overtrick.analyse.deals import are_playable
from overtrick.analyse.solver import is_installed, limit_threads, solve
from overtrick.archive.store import ArchiveError, Store
from overtrick.archive.workers import Processes, Workers, all_done
from overtrick.frames import DOUBLE_DUMMY

TASK: Final = 20
"""Deals that a worker solves at a time: some seconds, which is what is lost when it dies."""

COMMIT_SECONDS: Final = 30.0
"""What workers solve is put into the table this often; until then it is kept in their caches."""

SLICE: Final = 100_000
"""Deals that are looked at together."""


@dataclass
class Progress:
    """How far a run is: deals without a table, those that have been to a worker, those that got a table."""

    total: int
    tried: int = 0
    solved: int = 0


Report = Callable[[Progress], None]


def solve_deals(store: Store, workers: Workers, report: Report = lambda _: None) -> Progress:
    """Solve the deals of an archive that have no double-dummy table yet.

    Cut off at any moment, it goes on where it was when it is run again. A deal is solved once, however many files and
    records show it; only deals of 52 cards are.

    Raises:
        ArchiveError: the archive can't be written, or nobody here can solve.
    """
    if isinstance(workers, Processes) and not is_installed():
        raise ArchiveError("the solver is an extra; get it with: pip install 'overtrick[dd]'")
    deals = unsolved(store)
    progress = Progress(deals.len())
    tables: dict[str, bytes] = {}
    committed = time.monotonic()
    for task, solved in all_done(workers, partial(work, threads=workers.threads), _tasks(deals), lambda _: {}):
        tables |= solved
        progress.tried += len(task)
        progress.solved += len(solved)
        report(progress)
        if time.monotonic() - committed > COMMIT_SECONDS:
            _put(store, tables)
            tables, committed = {}, time.monotonic()
    _put(store, tables)
    return progress


def unsolved(store: Store) -> pl.Series:
    """List the deals that can be solved and are not: canonical, each once."""
    tables = store.scan()
    deals = tables["records"].select("deal").drop_nulls().unique()
    missing = deals.join(tables["double_dummy"].select("deal"), on="deal", how="anti").sort("deal").collect()
    slices = (part["deal"] for part in missing.iter_slices(SLICE))
    return pl.concat([missing["deal"].clear(), *(part.filter(are_playable(part)) for part in slices)])


def work(deals: tuple[str, ...], threads: int) -> dict[str, bytes]:
    """Solve deals, or look them up in the cache of the user in whose name this worker runs.

    Args:
        deals: canonical, of 52 cards.
        threads: those that the solver may use.

    Returns:
        By deal, its twenty tricks. Deals are left out where the solver is not installed.
    """
    limit_threads(threads)
    return dict(solve(deals, cache=TableCache(user_cache())))


def _tasks(deals: pl.Series) -> Iterator[tuple[str, ...]]:
    return (tuple(deals[start : start + TASK]) for start in range(0, deals.len(), TASK))


def _put(store: Store, tables: dict[str, bytes]) -> None:
    if tables:
        rows = [(deal, list(tricks)) for deal, tricks in tables.items()]
        schema = {name: DOUBLE_DUMMY[name].dtype for name in ("deal", "tricks")}
        store.add_double_dummy(pl.DataFrame(rows, schema=schema, orient="row"))
