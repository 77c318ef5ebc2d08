"""Double-dummy tables that were solved before, by deal, in the user's cache folder.

The table of a deal never changes, so no entry goes stale. A cache that can't be read or written costs time and nothing
else: it is never an error.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeVar

from overtrick.bridge.par import TRICKS
from overtrick.machine import cache_folder

MOST: Final = 100_000
"""Tables that are kept, about 15 MB; the oldest are dropped first."""

_SCHEMA: Final = """CREATE TABLE IF NOT EXISTS tables
    (id INTEGER PRIMARY KEY AUTOINCREMENT, deal TEXT UNIQUE NOT NULL, tricks BLOB NOT NULL)"""

T = TypeVar("T")

_PATIENCE: Final = 5.0
"""Seconds to wait for another process that is writing."""


def user_cache() -> Path:
    """Return the path of the user's cache."""
    return cache_folder() / "double-dummy.sqlite"


class TableCache:
    """Tables by canonical deal in one SQLite file, whose transactions keep it whole even if a run is killed."""

    def __init__(self, path: Path, most: int = MOST) -> None:
        self._path = path
        self._most = most

    def known(self, deals: Iterable[str]) -> dict[str, bytes]:
        """Look up the tables of deals; a deal that is not in the cache is left out."""

        def look_up(tables: sqlite3.Connection) -> dict[str, bytes]:
            rows = (
                tables.execute("SELECT deal, tricks FROM tables WHERE deal = ?", (deal,)).fetchone() for deal in deals
            )
            return {row[0]: row[1] for row in rows if row and _is_table(row[1])}

        return self._run(look_up) or {}

    def keep(self, solved: Mapping[str, bytes]) -> None:
        """Add tables, all of them or none, and drop the oldest where there are too many."""

        def add(tables: sqlite3.Connection) -> None:
            tables.executemany("INSERT OR REPLACE INTO tables (deal, tricks) VALUES (?, ?)", solved.items())
            tables.execute("DELETE FROM tables WHERE id <= (SELECT max(id) FROM tables) - ?", (self._most,))

        self._run(add)

    def _run(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Run an action in one transaction; return None where the file can't be used."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as tables, tables:
                tables.execute(_SCHEMA)
                return action(tables)
        except (OSError, sqlite3.OperationalError):
            return None
        except sqlite3.DatabaseError:
            # It is not a database, or a damaged one: the next run begins a new one.
            with suppress(OSError):
                self._path.unlink()
            return None


def _is_table(tricks: object) -> bool:
    return isinstance(tricks, bytes) and len(tricks) == 20 and max(tricks) <= TRICKS
