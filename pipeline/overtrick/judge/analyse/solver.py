"""Double-dummy solutions in batches, with progress and a cache: tables of deals, and the tricks after each card."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import UNKNOWN, Bytes, held
from overtrick.core.config import Config
from overtrick.judge.analyse import Solver, dds
from overtrick.judge.analyse.cache import TableCache, user_cache

Progress = Callable[[int, int], None]
"""Called with the number of deals (or plays) solved so far, and the number of all."""

PlaySolver = Callable[[Sequence[str]], Mapping[str, bytes]]
"""Solves plays, as `solve_plays` does; leaves out those that it can't solve."""

PlaySolvers = tuple[PlaySolver, PlaySolver]
"""The solver of leads and plays, and the one that finds the best cards."""

_POSITIONS: Final = 60
"""Positions that are solved at a time; most are in the middle of a play, where the solver is fast."""

_Batch = Callable[[Sequence[str]], Mapping[str, bytes]]


@dataclass
class Stored:
    """Looks solutions up and solves nothing.

    Attributes:
        tables: the store of tables.
        plays: the store of plays.
        cards: the store of best cards.
        is_complete: whether everything that was looked up was found.
    """

    tables: TableCache
    plays: TableCache
    cards: TableCache
    is_complete: bool = field(default=True, init=False)

    def find_tables(self, deals: Sequence[str]) -> Mapping[str, bytes]:
        """Return tables as `solve` does, those that were solved before."""
        return self._find(self.tables, deals)

    def find_plays(self, plays: Sequence[str]) -> Mapping[str, bytes]:
        """Return plays as `solve_plays` does, those that were solved before."""
        return self._find(self.plays, plays)

    def find_best_cards(self, positions: Sequence[str]) -> Mapping[str, bytes]:
        """Return best cards as `solve_best_cards` does, those that were solved before."""
        return self._find(self.cards, positions)

    def _find(self, cache: TableCache, keys: Sequence[str]) -> Mapping[str, bytes]:
        found = cache.known(keys)
        self.is_complete &= len(found) == len(set(keys))
        return found


def is_installed() -> bool:
    """Return whether the extra `dd` is installed, with a library for this machine."""
    return dds.library() is not None


def wants_analysis(config: Config) -> bool:
    """Return whether pages show where the points went: the club wants it, and the solver is installed."""
    return config.site.analyse and is_installed()


def limit_threads(count: int) -> None:
    """Limit the threads that the solver uses in this process, if the extra is installed."""
    dds.limit_threads(count)


def solve(
    deals: Sequence[str], progress: Progress | None = None, cache: TableCache | None = None
) -> Mapping[str, bytes]:
    """Look deals up in the cache; solve the others, if the extra is installed, and cache them batch by batch.

    Args:
        deals: canonical deals of 52 cards, each once.
        progress: called before the first batch, and after each.
        cache: tables that were solved before; None for none.

    Returns:
        The twenty tricks of each deal, in the order of `frames.DOUBLE_DUMMY`; without the extra only those of deals in
        the cache.
    """
    # A batch takes about a second: short enough to show progress, long enough to keep the cores busy.
    return _in_batches(_solved, deals, min(dds.BATCH, 4 * (os.cpu_count() or 1)), progress, cache)


def solve_plays(
    plays: Sequence[str], progress: Progress | None = None, cache: TableCache | None = None
) -> Mapping[str, bytes]:
    """Look plays up in the cache of `plays`; solve the others as `solve` does.

    Args:
        plays: each once, as `play_key` writes them.
        progress: called before the first batch, and after each.
        cache: plays that were solved before; None for none.

    Returns:
        By play, the tricks of declarer's side double dummy at the start and after each card.
    """
    return _in_batches(_solved_plays, plays, dds.PLAYS, progress, cache)


def solve_best_cards(
    positions: Sequence[str], progress: Progress | None = None, cache: TableCache | None = None
) -> Mapping[str, bytes]:
    """Look positions up in the cache of `cards`; solve the others as `solve` does.

    Args:
        positions: each once, as `play_key` writes them, with the seat that led to the last trick.
        progress: called before the first batch, and after each.
        cache: positions that were solved before; None for none.

    Returns:
        By position, the codes of the cards that give up no trick.
    """
    return _in_batches(_best_cards, positions, _POSITIONS, progress, cache)


def play_key(deal: str, strain: int, leader: int, cards: bytes) -> str:
    """Return the key of a play: a canonical deal, the strain, the seat that leads, and codes of cards in order.

    A position is the play up to it, with the seat that leads to its trick.
    """
    return f"{deal} {strain} {leader} {cards.hex()}"


def _in_batches(
    solve_batch: _Batch, keys: Sequence[str], size: int, progress: Progress | None, cache: TableCache | None
) -> dict[str, bytes]:
    solved = cache.known(keys) if cache else {}
    missing = [key for key in keys if key not in solved]
    if not (missing and is_installed()):
        return solved
    for start in range(0, len(missing), size):
        if progress:
            progress(start, len(missing))
        batch = solve_batch(missing[start : start + size])
        if cache:
            cache.keep(batch)
        solved |= batch
    if progress:
        progress(len(missing), len(missing))
    return solved


def _solved(deals: Sequence[str]) -> dict[str, bytes]:
    tables = dds.solve_tables(held(pl.Series(deals)))
    return {deal: row.tobytes() for deal, row in zip(deals, tables, strict=True)}


def _solved_plays(plays: Sequence[str]) -> dict[str, bytes]:
    deals, strain, leader, cards = _read_keys(plays)
    tricks = dds.solve_plays(held(deals), strain, leader, cards)
    return {key: row[row != UNKNOWN].tobytes() for key, row in zip(plays, tricks, strict=True)}


def _best_cards(positions: Sequence[str]) -> dict[str, bytes]:
    deals, strain, turn, cards = _read_keys(positions)
    count = (cards != UNKNOWN).sum(axis=1)
    before = count - count % 4
    # Six cards were played: no hand holds them any more, and the last two are the trick so far.
    #
    #     cards  51 50 49 48 | 12 11         trick  12 11 UNKNOWN
    bits = np.where(cards != UNKNOWN, np.uint64(1) << np.minimum(cards, 51).astype(np.uint64), np.uint64(0))
    hands = held(deals) & ~np.bitwise_or.reduce(bits, axis=1)[:, None]
    at = np.minimum(before[:, None] + np.arange(3), cards.shape[1] - 1)
    trick = np.where(np.arange(3) < (count - before)[:, None], np.take_along_axis(cards, at, axis=1), UNKNOWN)
    best = dds.solve_cards(hands, strain, turn, trick.astype(np.uint8), only_best=True) != UNKNOWN
    return {key: np.flatnonzero(row).astype(np.uint8).tobytes() for key, row in zip(positions, best, strict=True)}


def _read_keys(keys: Sequence[str]) -> tuple[pl.Series, Bytes, Bytes, Bytes]:
    """Return the deals, strains, seats and cards of keys; the cards in rows of 52, `UNKNOWN` after the last."""
    parts = [key.rsplit(" ", 3) for key in keys]
    cards = np.full((len(keys), 52), UNKNOWN, np.uint8)
    for row, (_, _, _, played) in zip(cards, parts, strict=True):
        row[: len(played) // 2] = np.frombuffer(bytes.fromhex(played), np.uint8)
    strain, seat = (np.array([int(part[n]) for part in parts], np.uint8) for n in (1, 2))
    return pl.Series([part[0] for part in parts]), strain, seat, cards


def make_solver(progress: Progress | None = None) -> Solver:
    """Return the double-dummy solver.

    Args:
        progress: called with the number of deals solved and the number of deals.
    """
    return partial(solve, progress=progress, cache=TableCache(user_cache()))


def make_play_solvers(progress: Progress | None = None, best: Progress | None = None) -> PlaySolvers:
    """Return the solvers of plays and of best cards.

    Args:
        progress: called with the number of plays solved and the number of plays.
        best: called with the number of positions solved and the number of positions.
    """
    store = user_cache()
    return (
        partial(solve_plays, progress=progress, cache=TableCache(store, kind="plays")),
        partial(solve_best_cards, progress=best, cache=TableCache(store, kind="cards")),
    )


def open_stored() -> Stored:
    """Return what looks solutions up in the user's store, and solves nothing."""
    store = user_cache()
    return Stored(TableCache(store), TableCache(store, kind="plays"), TableCache(store, kind="cards"))
