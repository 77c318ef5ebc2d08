"""Earlier findings of the solver, in the user's cache folder: tables by deal, plays and best cards by deal and cards.

A solution never changes, so no entry goes stale. A cache that can't be read or written costs time and nothing else: it
is never an error.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, Literal, TypeVar

from overtrick.core.bridge.par import TRICKS
from overtrick.core.machine import cache_folder

MOST: Final = 100_000
"""Solutions of each kind that are kept, about 15 MB of tables; the oldest are dropped first."""

Kind = Literal["tables", "plays", "cards"]

_SIZES: Final[Mapping[Kind, range]] = {"tables": range(20, 21), "plays": range(2, 54), "cards": range(1, 14)}
"""How many numbers of tricks a solution has, or cards."""

_LARGEST: Final[Mapping[Kind, int]] = {"tables": TRICKS, "plays": TRICKS, "cards": 51}

T = TypeVar("T")

_TOGETHER: Final = 900
"""Keys of one query; older libraries of SQLite take 999 at most."""

_PATIENCE: Final = 5.0
"""Seconds to wait for another process that is writing."""


def user_cache() -> Path:
    """Return the path of the user's cache."""
    return cache_folder() / "double-dummy.sqlite"


class TableCache:
    """Solutions of a kind in one SQLite file, whose transactions keep it whole even if a run is killed.

    The key of a table is its canonical deal, that of a play or a position `solver.play_key`.
    """

    def __init__(self, path: Path, most: int = MOST, kind: Kind = "tables") -> None:
        self._path = path
        self._most = most
        self._kind = kind

    def known(self, deals: Iterable[str]) -> dict[str, bytes]:
        """Look solutions up by their keys; one that is not in the cache is left out."""

        def look_up(tables: sqlite3.Connection) -> dict[str, bytes]:
            found: dict[str, bytes] = {}
            asked = list(deals)
            for start in range(0, len(asked), _TOGETHER):
                some = asked[start : start + _TOGETHER]
                places = ", ".join("?" * len(some))
                query = f"SELECT deal, tricks FROM {self._kind} WHERE deal IN ({places})"  # noqa: S608 - one of three names
                found |= tables.execute(query, some)
            return {deal: found[deal] for deal in asked if deal in found and self._fits(found[deal])}

        return self._run(look_up) or {}

    def keep(self, solved: Mapping[str, bytes]) -> None:
        """Add solutions, all of them or none, and drop the oldest where there are too many."""
        kind = self._kind

        def add(tables: sqlite3.Connection) -> None:
            insert = f"INSERT OR REPLACE INTO {kind} (deal, tricks) VALUES (?, ?)"  # noqa: S608
            tables.executemany(insert, solved.items())
            delete = f"DELETE FROM {kind} WHERE id <= (SELECT max(id) FROM {kind}) - ?"  # noqa: S608
            tables.execute(delete, (self._most,))

        self._run(add)

    def _run(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run an action in one transaction; return None where the file can't be used."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as tables, tables:
                tables.execute(
                    f"CREATE TABLE IF NOT EXISTS {self._kind}"
                    " (id INTEGER PRIMARY KEY AUTOINCREMENT, deal TEXT UNIQUE NOT NULL, tricks BLOB NOT NULL)"
                )
                return action(tables)
        except (OSError, sqlite3.OperationalError):
            return None
        except sqlite3.DatabaseError:
            # It is not a database, or a damaged one: the next run begins a new one.
            with suppress(OSError):
                self._path.unlink()
            return None

    def _fits(self, tricks: object) -> bool:
        return isinstance(tricks, bytes) and len(tricks) in _SIZES[self._kind] and max(tricks) <= _LARGEST[self._kind]
