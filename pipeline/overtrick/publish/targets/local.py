"""A folder of this machine, or one that is mounted on it."""

import errno
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from overtrick.publish.errors import PublishError
from overtrick.publish.targets.base import folder_of, folders_above, joined, part_name


class LocalTarget:
    """Files are written beside their place and renamed onto it."""

    def __init__(self, folder: str) -> None:
        """Take a folder that exists, or that can be made in one that exists.

        Raises:
            PublishError: there is neither. A whole path is not made: a disk that is not mounted would be filled in its
                place.
        """
        self._root = Path(folder).expanduser().absolute()
        with self._told(self._root):
            self._there = self._root.exists()
            if self._there and not self._root.is_dir():
                raise PublishError(f"{folder}: is a file; choose a folder to publish to")
            if not self._root.parent.is_dir():
                raise PublishError(f"{folder}: there is no folder {self._root.parent} to publish in")

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List the folders that some files are in."""
        found: dict[str, int | None] = {}
        for folder in {folder_of(path) for path in paths}:
            with self._told(self._root / folder), suppress(FileNotFoundError, NotADirectoryError):
                for entry in (self._root / folder).iterdir():
                    if entry.is_file():
                        found[joined(folder, entry.name)] = entry.stat().st_size
        return found

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        with self._told(self._root / path), suppress(FileNotFoundError, NotADirectoryError):
            return (self._root / path).read_bytes()
        return None

    def write(self, path: str, content: bytes) -> None:
        """Put a file there."""
        place = self._root / path
        part = self._root / part_name(path)
        with self._told(place):
            if not self._there:
                self._root.mkdir(exist_ok=True)
                self._there = True
            # A folder that was there and is gone is not made again: what it held is not known any more.
            for folder in reversed(folders_above(path)):
                (self._root / folder).mkdir(exist_ok=True)
            try:
                part.write_bytes(content)
                part.replace(place)
            except BaseException:
                with suppress(OSError):
                    part.unlink(missing_ok=True)
                raise

    def delete(self, path: str) -> None:
        """Take a file away, and folders that are empty then."""
        with self._told(self._root / path), suppress(FileNotFoundError, NotADirectoryError):
            (self._root / path).unlink()
        for folder in folders_above(path):
            try:
                (self._root / folder).rmdir()
            except OSError:
                return

    def close(self) -> None:
        """Do nothing: there is no connection."""

    @contextmanager
    def _told(self, place: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise PublishError(f"{place}: {_reason(error)}") from error


def _reason(error: OSError) -> str:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return "can't be written: the disk is full"
    if error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return "can't be written: you have no right to change this folder, or it is read-only"
    if error.errno == errno.ENOENT:
        return "can't be written: its folder is gone"
    return f"can't be published: {error.strerror or error}"
