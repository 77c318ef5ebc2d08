"""Which files of a folder are complete, and which corrections have been edited."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

State = tuple[int, int]
"""Size and time of a file."""


@dataclass
class Arrivals:
    """The files of an inbox at the last look. A file is complete when it has not changed for a while.

    Attributes:
        settle: how many seconds a file has to stay unchanged.
        clock: returns the time in seconds.
    """

    settle: float
    clock: Callable[[], float] = time.monotonic
    _seen: dict[Path, tuple[State, float]] = field(default_factory=dict)
    _first: dict[Path, float] = field(default_factory=dict)

    def list_complete(self, files: Iterable[Path]) -> list[Path]:
        """Look at the files, and return the complete ones."""
        now = self.clock()
        states = {path: state for path in files if (state := state_of(path))}
        self._seen = {
            path: self._seen[path] if path in self._seen and self._seen[path][0] == state else (state, now)
            for path, state in states.items()
        }
        complete = [path for path, (_, since) in self._seen.items() if now - since >= self.settle]
        self._first = {path: self._first.get(path, now) for path in self._seen.keys() - set(complete)}
        return complete

    def list_growing(self, seconds: float) -> list[Path]:
        """Return the files that have changed again and again for so long."""
        now = self.clock()
        return sorted(path for path, first in self._first.items() if now - first >= seconds)

    def age(self, path: Path) -> float:
        """Return for how many seconds a file has been unchanged."""
        return self.clock() - self._seen[path][1]


@dataclass
class Edits:
    """The corrections of finished sessions at the last look.

    Attributes:
        settle: how many seconds they have to stay unchanged. A removed file may be one that is being replaced.
        clock: returns the time in seconds.
    """

    settle: float
    clock: Callable[[], float] = time.monotonic
    _seen: dict[str, tuple[tuple[tuple[Path, State | None], ...], float]] = field(default_factory=dict)

    def look_at(self, session: str, files: Sequence[Path]) -> bool:
        """Look at the corrections of a session, and return whether they have not changed for a while."""
        now, state = self.clock(), tuple((path, state_of(path)) for path in files)
        if session not in self._seen or self._seen[session][0] != state:
            self._seen[session] = state, now
        return now - self._seen[session][1] >= self.settle

    @property
    def are_settled(self) -> bool:
        """Whether no session has corrections that changed a moment ago."""
        return all(self.clock() - since >= self.settle for _, since in self._seen.values())


def state_of(path: Path) -> State | None:
    """Return size and time of a file; None if it is gone."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns
