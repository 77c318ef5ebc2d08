"""Whether an evening is whole: its files can be read, its corrections fit, and nothing is left half written."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from overtrick.apps.evening.edit import Evening
from overtrick.apps.evening.shelf import HIDDEN
from overtrick.core.atomic_write import is_leftover


def find_faults(place: Path, evening: Evening) -> Iterator[tuple[str, str]]:
    """Yield each fault of an evening with its file.

    Args:
        place: the evening's folder, or one of its files.
        evening: the evening.
    """
    fits = ~pl.col("code").str.starts_with("correction") & (pl.col("code") != "file-unreadable")
    faults = evening.session.problems.filter(pl.col("severity").is_in(["warning", "error"]), ~fits)
    yield from ((str(source or place), message) for source, message in faults.select("source", "message").iter_rows())
    folder = place if place.is_dir() else place.parent
    half = [path for path in (*folder.iterdir(), *(folder / HIDDEN / "arriving").glob("*/*")) if _is_half(path)]
    yield from ((str(path), "was left half written or half taken in; delete it, or add it again") for path in half)


def _is_half(path: Path) -> bool:
    """Return whether a file is one that a killed run left."""
    return path.is_file() and (path.parent.parent.name == "arriving" or is_leftover(path))
