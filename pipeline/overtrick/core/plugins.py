"""Plugins: what other packages add through entry points. A faulty one is named and skipped."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

After = Literal["validate", "score", "rank", "analyse"]


class Stage(NamedTuple):
    """A stage of another package.

    Attributes:
        run: a function from one `Session` to the next.
        after: the stage of overtrick that it follows.
    """

    run: Callable[[Any], Any]
    after: After = "analyse"


class Fault(NamedTuple):
    """A plugin that cannot be used.

    Attributes:
        name: its group and name, as `overtrick.stages:slow`.
        reason: why, in a few words.
    """

    name: str
    reason: str


class Found(NamedTuple):
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
    """Return the entry points of overtrick's groups. To find them Python opens a file of each package: once is enough.

    Of a package that is installed twice, the first on Python's path counts.
    """
    from importlib.metadata import distributions  # noqa: PLC0415 - not on the way to `--help`

    packages: dict[str, Distribution] = {}
    for package in distributions():
        # Most packages have no plugin, and their names need not be looked up.
        if "[overtrick." in (package.read_text("entry_points.txt") or ""):
            packages.setdefault(package.name, package)
    return tuple(point for package in packages.values() for point in package.entry_points)


def explain(error: BaseException) -> str:
    """Return an error of a plugin in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
