"""Locks between runs: the system releases them when a run dies, so nobody waits for a dead one."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

if sys.platform == "win32":
    import msvcrt

    def try_lock(opened: int) -> bool:
        """Lock an open file if no other run has locked it, and return whether this run has it now."""
        try:
            msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_lock(opened: int) -> bool:
        """Lock an open file if no other run has locked it, and return whether this run has it now."""
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # Some network file systems have no locks; there every run goes on.
            return True
        return True


_PAUSE: Final = 0.05
"""Seconds between two tries."""


@contextmanager
def hold(place: Path, seconds: float) -> Iterator[None]:
    """Keep other runs out while the body runs.

    Args:
        place: a file that exists only while a run holds it, or after a run was killed; its folder must exist.
        seconds: how long to wait for another run.

    Raises:
        TimeoutError: another run still has it.
        OSError: the file can't be created.
    """
    opened = _acquire(place, time.monotonic() + seconds)
    try:
        yield
    finally:
        # Windows does not delete an open file; there it stays until the next run.
        with suppress(OSError):
            place.unlink()
        os.close(opened)


def _acquire(place: Path, end: float) -> int:
    while True:
        opened = os.open(place, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        if try_lock(opened) and _is_at(place, opened):
            return opened
        os.close(opened)
        if time.monotonic() >= end:
            raise TimeoutError
        time.sleep(_PAUSE)


def _is_at(place: Path, opened: int) -> bool:
    """Return whether an open file is still at its place: the run before may have deleted it in the meantime."""
    try:
        return os.path.samestat(os.fstat(opened), place.stat())
    except FileNotFoundError:
        return False
