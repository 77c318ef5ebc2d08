"""The places that a site goes to: one module each, loaded when an address asks for it."""

import random
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Final, TypeVar

from overtrick.show.publish.address import Address, DroppedError, PublishError, Scheme
from overtrick.show.publish.targets.base import Target, join

_KINDS: Final[dict[Scheme, tuple[str, str]]] = {
    "file": ("local", "LocalTarget"),
    "ftp": ("ftp", "FtpTarget"),
    "ftps": ("ftp", "FtpTarget"),
    "sftp": ("sftp", "SftpTarget"),
    "s3": ("s3", "S3Target"),
}

_WAITS: Final = (1.0, 3.0, 9.0)
"""Seconds before the second, third and fourth try."""

_Answer = TypeVar("_Answer")


def open_target(address: Address) -> "SteadyTarget":
    """Return the target of an address. It connects when it is first used, and reconnects after a drop.

    Raises:
        PublishError: a library that it needs is not installed.
    """
    module, name = _KINDS[address.scheme]
    try:
        kind = getattr(import_module(f"{__name__}.{module}"), name)
    except ModuleNotFoundError as error:
        raise PublishError(
            f"{address.scheme}: needs the package {error.name}; get it with: pip install 'overtrick[publish]'"
        ) from error

    def connect() -> Target:
        target: Target = kind(address.path if address.scheme == "file" else address)
        return target

    return SteadyTarget(connect)


def keep_trying(
    action: Callable[[], _Answer], between: Callable[[], None], wait: Callable[[float], None] = time.sleep
) -> _Answer:
    """Return what an action returns, which is tried again a few times while the connection fails.

    Args:
        action: what to do; doing it twice must do no harm.
        between: called after each failure.
        wait: waits some seconds.

    Raises:
        DroppedError: the connection failed each time.
    """
    for pause in _WAITS:
        try:
            return action()
        except DroppedError:
            between()
            # At random, so that several waiting runs don't all return at the moment when a server does.
            wait(pause * random.uniform(0.5, 1.0))  # noqa: S311 - not a secret
    return action()


class SteadyTarget:
    """A target that outlives its connections: after a drop it reconnects and tries again."""

    def __init__(self, connect: Callable[[], Target], wait: Callable[[float], None] = time.sleep) -> None:
        """Take a function that opens the target, and one that waits some seconds."""
        self._connect = connect
        self._wait = wait
        self._target: Target | None = None

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List the folders of some files."""
        return self._try(lambda target: target.listing(paths))

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        return self._try(lambda target: target.read(path))

    def write(self, path: str, content: bytes) -> None:
        """Write a file."""
        self._try(lambda target: target.write(path, content))

    def delete(self, path: str) -> None:
        """Delete a file."""
        self._try(lambda target: target.delete(path))

    def close(self) -> None:
        """Close the connection."""
        if self._target is not None:
            with suppress(PublishError):
                self._target.close()
            self._target = None

    def _try(self, action: Callable[[Target], _Answer]) -> _Answer:
        return keep_trying(lambda: self._try_once(action), self.close, self._wait)

    def _try_once(self, action: Callable[[Target], _Answer]) -> _Answer:
        if self._target is None:
            self._target = self._connect()
        return action(self._target)


@dataclass(frozen=True)
class TargetBelow:
    """A folder of another target. Writing a file creates the folder."""

    target: Target
    folder: str

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List the folders of some files."""
        there = self.target.listing([join(self.folder, path) for path in paths])
        start = f"{self.folder}/"
        return {path.removeprefix(start): size for path, size in there.items() if path.startswith(start)}

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        return self.target.read(join(self.folder, path))

    def write(self, path: str, content: bytes) -> None:
        """Write a file."""
        self.target.write(join(self.folder, path), content)

    def delete(self, path: str) -> None:
        """Delete a file."""
        self.target.delete(join(self.folder, path))

    def close(self) -> None:
        """Leave the other target open: its owner closes it."""
