"""Double-dummy solutions in batches, with progress and a cache: tables of deals, and the tricks after each card."""

import os
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

from overtrick.analyse import dds
from overtrick.analyse.cache import TableCache
from overtrick.bridge.cards import UNKNOWN, held

Progress = Callable[[int, int], None]
"""Called with the number of deals (or plays) solved so far, and the number of all."""

_Batch = Callable[[Sequence[str]], Mapping[str, bytes]]


def is_installed() -> bool:
    """Return whether the extra `dd` is installed, with a library for this machine."""
    return dds.library() is not None


def limit_threads(count: int) -> None:
    """Limit the threads that the solver uses in this process, if the extra is installed."""
    if is_installed():
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


def play_key(deal: str, strain: int, leader: int, cards: bytes) -> str:
    """Return the key of a play: a canonical deal, the strain, the seat that leads, and codes of cards in order."""
    return f"{deal} {strain} {leader} {cards.hex()}"


def _in_batches(
    solve_batch: _Batch, keys: Sequence[str], size: int, progress: Progress | None, cache: TableCache | None
) -> dict[str, bytes]:
    solved = cache.known(keys) if cache else {}
    missing = [key for key in keys if key not in solved] if is_installed() else []
    for start in range(0, len(missing), size):
        if progress:
            progress(start, len(missing))
        batch = solve_batch(missing[start : start + size])
        if cache:
            cache.keep(batch)
        solved |= batch
    if progress and missing:
        progress(len(missing), len(missing))
    return solved


def _solved(deals: Sequence[str]) -> dict[str, bytes]:
    tables = dds.solve_tables(held(pl.Series(deals)))
    return {deal: row.tobytes() for deal, row in zip(deals, tables, strict=True)}


def _solved_plays(plays: Sequence[str]) -> dict[str, bytes]:
    parts = [key.rsplit(" ", 3) for key in plays]
    cards = np.full((len(plays), 52), UNKNOWN, np.uint8)
    for row, (_, _, _, played) in zip(cards, parts, strict=True):
        row[: len(played) // 2] = np.frombuffer(bytes.fromhex(played), np.uint8)
    strain, leader = (np.array([int(part[n]) for part in parts], np.uint8) for n in (1, 2))
    tricks = dds.solve_plays(held(pl.Series([part[0] for part in parts])), strain, leader, cards)
    return {key: row[row != UNKNOWN].tobytes() for key, row in zip(plays, tricks, strict=True)}
