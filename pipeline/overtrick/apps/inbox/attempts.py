"""Attempts at pieces of work that did not end: counted on the disk before the work, so that a crash counts too.

Each piece of work has a file with a line for each attempt: why it was lost, or `begun` while nobody knows. Work that
takes much memory may stop the whole machine, so `begun` becomes `begun, and took much memory`.
"""

from contextlib import suppress
from pathlib import Path
from typing import Final

from overtrick.core.atomic_write import replace_file

MOST_LOST: Final = 2
"""Attempts that may be lost by the work itself before it is given up."""

MOST_HEAVY: Final = 5
"""Attempts with much memory of which nobody knows why they did not end: the machine may have been switched off."""

MOST_BEGUN: Final = 100
"""Other attempts of which nobody knows why they did not end."""

_BEGUN: Final = "begun"
_HEAVY: Final = "begun, and took much memory"


class Attempts:
    """The attempts at all pieces of work, in a folder."""

    def __init__(self, folder: Path) -> None:
        """Take an existing folder."""
        self._folder = folder

    def begin(self, name: str) -> Path:
        """Count an attempt, and return the file that counts it."""
        self._write(name, [*self._lines(name), _BEGUN])
        return self._folder / name

    def lose(self, name: str, why: str) -> None:
        """Record why the last attempt was lost."""
        self._write(name, [*self._lines(name)[:-1], why])

    def end(self, name: str) -> None:
        """Forget the attempts, because the work is done or given up."""
        (self._folder / name).unlink(missing_ok=True)

    def is_hopeless(self, name: str) -> bool:
        """Return whether there were too many attempts to try again."""
        lines = self._lines(name)
        is_lost = len(self.reasons(name)) >= MOST_LOST
        return is_lost or lines.count(_HEAVY) >= MOST_HEAVY or len(lines) >= MOST_BEGUN

    def reasons(self, name: str) -> list[str]:
        """Return why attempts were lost, as far as known."""
        return [line for line in self._lines(name) if line not in {_BEGUN, _HEAVY}]

    def _lines(self, name: str) -> list[str]:
        try:
            return (self._folder / name).read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []

    def _write(self, name: str, lines: list[str]) -> None:
        replace_file(self._folder / name, "".join(f"{line}\n" for line in lines).encode(), durable=True)


def mark_heavy(counted: Path) -> None:
    """Record that the work of a file that `Attempts.begin` returned takes much memory."""
    attempts = Attempts(counted.parent)
    with suppress(OSError):
        if counted.is_file():
            attempts.lose(counted.name, _HEAVY)


def take_back(counted: Path) -> None:
    """Take back the last attempt of a file that `Attempts.begin` returned: it ended for a reason outside the work."""
    attempts = Attempts(counted.parent)
    with suppress(OSError):
        lines = counted.read_text("utf-8").splitlines()[:-1]
        if lines:
            attempts._write(counted.name, lines)  # noqa: SLF001 - of the same class
        else:
            attempts.end(counted.name)
