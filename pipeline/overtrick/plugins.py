"""Plugins: what other packages add through entry points. A faulty one is named and skipped."""

import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

from overtrick.light import dataclass

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

_POINTS: Final = "entry_points.txt"
_GROUP: Final = b"[overtrick."
"""The file of a package that lists its entry points, and the start of a group of overtrick's in it."""

After = Literal["validate", "score", "rank", "analyse"]


@dataclass(frozen=True)
class Stage:
    """A stage of another package.

    Attributes:
        run: a function from one `Session` to the next.
        after: the stage of overtrick that it follows.
    """

    run: Callable[[Any], Any]
    after: After = "analyse"


@dataclass(frozen=True)
class Fault:
    """A plugin that cannot be used.

    Attributes:
        name: its group and name, as `overtrick.stages:slow`.
        reason: why, in a few words.
    """

    name: str
    reason: str


@dataclass(frozen=True)
class Found:
    """The plugins of one group: those that could be loaded, by name, and the others."""

    loaded: tuple[tuple[str, Any], ...] = ()
    faults: tuple[Fault, ...] = ()


@cache
def find(group: str) -> Found:
    """Load the plugins of a group of entry points, in the order of their names; those that fail are faults."""
    loaded, faults = [], []
    points = (point for point in _list_points() if point.group == group)
    for point in sorted(points, key=lambda point: (point.name, point.value)):
        try:
            loaded.append((point.name, point.load()))
        except Exception as error:  # noqa: BLE001 - whatever another package does
            faults.append(Fault(f"{group}:{point.name}", explain(error)))
    return Found(tuple(loaded), tuple(faults))


@cache
def _list_points() -> "tuple[EntryPoint, ...]":
    """Return the entry points of overtrick's groups.

    Of a package that is installed twice, the first on Python's path counts.
    """
    packages: dict[str, Distribution] = {}
    for place in sys.path:
        for package in _find_packages(place):
            packages.setdefault(package.name, package)
    return tuple(point for package in packages.values() for point in package.entry_points)


def _find_packages(place: str) -> "Iterator[Distribution]":
    """Yield the packages in a folder, or in a zip file, that have plugins.

    Python's own `distributions` takes three times as long to open the same files.
    """
    from importlib.metadata import Distribution, distributions  # noqa: PLC0415 - not on the way to `--help`

    try:
        inside = os.scandir(place or ".")
    except OSError:
        yield from (one for one in distributions(path=[place]) if _GROUP in (one.read_text(_POINTS) or "").encode())
        return
    for info in inside:
        if info.name.endswith((".dist-info", ".egg-info")) and _has_plugins(info.path):
            yield Distribution.at(info.path)


def _has_plugins(info: str) -> bool:
    try:
        with open(os.path.join(info, _POINTS), "rb") as file:  # noqa: PTH118, PTH123 - for hundreds of packages
            return _GROUP in file.read()
    except OSError:
        return False


def explain(error: BaseException) -> str:
    """Return an error of a plugin in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
