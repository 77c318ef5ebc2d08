"""The double-dummy solver of the extra `dd`: the one module that imports endplay, a binding of Bo Haglund's DDS.

The solver uses all cores by itself, and serves one thread of a process at a time.
"""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

from overtrick.analyse.cache import TableCache

BATCH: Final = 40
"""Deals that the solver takes at a time."""

Progress = Callable[[int, int], None]
"""Called with the number of deals solved so far, and the number of all."""

_STRAINS: Final = (3, 2, 1, 0, 4)
"""The solver's numbers for our strains; seats have the same numbers."""


def is_installed() -> bool:
    """Return whether the extra is installed."""
    return find_spec("endplay") is not None


@cache
def limit_threads(count: int) -> None:
    """Limit the threads that the solver uses in this process, if the extra is installed."""
    if is_installed():
        from endplay._dds import SetMaxThreads  # noqa: PLC0415 - as below

        SetMaxThreads(count)


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
    solved = cache.known(deals) if cache else {}
    missing = [deal for deal in deals if deal not in solved] if is_installed() else []
    # A batch takes about a second: short enough to show progress, long enough to keep the cores busy.
    size = min(BATCH, 4 * (os.cpu_count() or 1))
    for start in range(0, len(missing), size):
        if progress:
            progress(start, len(missing))
        batch = dict(_solved(missing[start : start + size]))
        if cache:
            cache.keep(batch)
        solved |= batch
    if progress and missing:
        progress(len(missing), len(missing))
    return solved


def _solved(deals: Sequence[str]) -> list[tuple[str, bytes]]:
    # Loading the solver makes its threads and tables: only a run that solves something pays for them.
    from endplay.dds import calc_all_tables  # noqa: PLC0415
    from endplay.types import Deal  # noqa: PLC0415

    with _ALONE:
        solved: Any = calc_all_tables([Deal(deal) for deal in deals])
    return [(deal, _tricks(solved[n])) for n, deal in enumerate(deals)]


_ALONE: Final = threading.Lock()
"""The solver has one memory for the process, whichever of its threads asks."""


def _tricks(table: Any) -> bytes:  # noqa: ANN401 - endplay has no types
    by_strain = table.to_list()
    return bytes(by_strain[strain][seat] for seat in range(4) for strain in _STRAINS)
