"""When is a file complete? When its size and its time have not changed for a while."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Arrivals:
    """What the files of an inbox looked like at the last looks.

    Attributes:
        settle: seconds without a change that make a file complete.
        clock: gives the seconds.
    """

    settle: float
    clock: Callable[[], float] = time.monotonic
    _seen: dict[Path, tuple[tuple[int, int], float]] = field(default_factory=dict)

    def complete(self, files: Iterable[Path]) -> list[Path]:
        """Look at the files, and list those that have been the same for long enough."""
        now = self.clock()
        states = {path: state for path in files if (state := state_of(path))}
        self._seen = {
            path: self._seen[path] if path in self._seen and self._seen[path][0] == state else (state, now)
            for path, state in states.items()
        }
        return [path for path, (_, since) in self._seen.items() if now - since >= self.settle]

    def age(self, path: Path) -> float:
        """Say for how many seconds a file has been the same."""
        return self.clock() - self._seen[path][1]


def state_of(path: Path) -> tuple[int, int] | None:
    """Give size and time of a file; None when it is gone."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns
