"""A target that outlives its connections: what breaks off is tried again over a new one."""

import random
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final, TypeVar

from overtrick.publish.errors import DroppedError, PublishError
from overtrick.publish.targets.base import Target

_WAITS: Final = (1.0, 3.0, 9.0)
"""Seconds before the second, third and fourth try."""

_Answer = TypeVar("_Answer")


class SteadyTarget:
    """Opens its target when it is first needed, and again after it was dropped."""

    def __init__(self, connect: Callable[[], Target], wait: Callable[[float], None] = time.sleep) -> None:
        """Take what opens the target, and what waits for some seconds."""
        self._connect = connect
        self._wait = wait
        self._target: Target | None = None

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List the folders that some files are in."""
        return self._tried(lambda target: target.listing(paths))

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        return self._tried(lambda target: target.read(path))

    def write(self, path: str, content: bytes) -> None:
        """Put a file there."""
        self._tried(lambda target: target.write(path, content))

    def delete(self, path: str) -> None:
        """Take a file away."""
        self._tried(lambda target: target.delete(path))

    def close(self) -> None:
        """Hang up."""
        if self._target is not None:
            with suppress(PublishError):
                self._target.close()
            self._target = None

    def _tried(self, action: Callable[[Target], _Answer]) -> _Answer:
        for wait in _WAITS:
            try:
                return self._once(action)
            except DroppedError:
                self.close()
                # Not all at the same moment, when a server comes back and several are waiting for it.
                self._wait(wait * random.uniform(0.5, 1.0))  # noqa: S311 - nothing here is secret
        return self._once(action)

    def _once(self, action: Callable[[Target], _Answer]) -> _Answer:
        if self._target is None:
            self._target = self._connect()
        return action(self._target)
