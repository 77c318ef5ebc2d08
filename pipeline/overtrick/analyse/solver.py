"""The double-dummy solver of the extra `dd`: the one module that imports endplay, a binding of Bo Haglund's DDS.

The solver uses all cores by itself, and serves one thread of a process at a time.
"""

import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
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
        import_endplay("endplay._dds").SetMaxThreads(count)


class _Unloaded(ModuleType):
    """A module that is imported only when something of it is used."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - a module holds anything
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(self.__name__), name)


def import_endplay(name: str = "endplay") -> Any:  # noqa: ANN401 - endplay has no types
    """Import a module of endplay without matplotlib, which endplay imports at once to draw histograms on demand.

    The first import of matplotlib builds a cache of fonts, which takes seconds and prints messages.

    Raises:
        ModuleNotFoundError: endplay is not installed.
    """
    if "endplay" in sys.modules or "matplotlib" in sys.modules:
        return import_module(name)
    package, pyplot = _Unloaded("matplotlib"), _Unloaded("matplotlib.pyplot")
    package.__dict__["pyplot"] = pyplot
    sys.modules |= {"matplotlib": package, "matplotlib.pyplot": pyplot}
    try:
        return import_module(name)
    finally:
        # Whoever else imports matplotlib in this process gets the real one.
        del sys.modules["matplotlib"], sys.modules["matplotlib.pyplot"]


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
    # Loading the solver makes its threads and tables: only what solves something pays for them.
    dds, types = import_endplay("endplay.dds"), import_endplay("endplay.types")
    with _ALONE:
        solved: Any = dds.calc_all_tables([types.Deal(deal) for deal in deals])
    return [(deal, _tricks(solved[n])) for n, deal in enumerate(deals)]


_ALONE: Final = threading.Lock()
"""The solver has one memory for the process, whichever of its threads asks."""


def _tricks(table: Any) -> bytes:  # noqa: ANN401 - endplay has no types
    by_strain = table.to_list()
    return bytes(by_strain[strain][seat] for seat in range(4) for strain in _STRAINS)
