"""A folder on this machine, or mounted on it."""

import errno
import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from overtrick.show.publish.address import PublishError
from overtrick.show.publish.targets.base import BoundedContent, folder_of, folders_above, join, list_bounded, part_name


class LocalTarget:
    """A local folder. A file is written beside its place and renamed onto it."""

    def __init__(self, folder: str) -> None:
        """Take a folder that exists, or whose parent exists.

        Raises:
            PublishError: neither exists. Creating a whole path would fill the wrong disk when the right one is not
                mounted.
        """
        self._root = Path(folder).expanduser().absolute()
        with self._errors(self._root):
            self._exists = self._root.exists()
            if self._exists and not self._root.is_dir():
                raise PublishError(f"{folder}: this is a file; choose a folder to publish to")
            if not self._root.parent.is_dir():
                raise PublishError(f"{folder}: the folder {self._root.parent} does not exist; create it first")

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List the folders of some files."""
        found: dict[str, int | None] = {}
        for folder in {folder_of(path) for path in paths}:
            with self._errors(self._root / folder), suppress(FileNotFoundError, NotADirectoryError):
                for entry in list_bounded((self._root / folder).iterdir()):
                    if entry.is_file():
                        found[join(folder, entry.name)] = entry.stat().st_size
        return found

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        with self._errors(self._root / path), suppress(FileNotFoundError, NotADirectoryError):
            content = BoundedContent()
            with (self._root / path).open("rb") as file:
                shutil.copyfileobj(file, content)
            return content.getvalue()
        return None

    def write(self, path: str, content: bytes) -> None:
        """Write a file."""
        place = self._root / path
        part = self._root / part_name(path)
        with self._errors(place):
            if not self._exists:
                self._root.mkdir(exist_ok=True)
                self._exists = True
            # If the folder itself has gone since, it is not created again: what it held is unknown.
            for folder in reversed(folders_above(path)):
                (self._root / folder).mkdir(exist_ok=True)
            try:
                with part.open("wb") as file:
                    file.write(content)
                    file.flush()
                    # A page that is published survives a power cut.
                    os.fsync(file.fileno())
                part.replace(place)
            except BaseException:
                with suppress(OSError):
                    part.unlink(missing_ok=True)
                raise

    def delete(self, path: str) -> None:
        """Delete a file, and the folders that are then empty."""
        with self._errors(self._root / path), suppress(FileNotFoundError, NotADirectoryError):
            (self._root / path).unlink()
        for folder in folders_above(path):
            try:
                (self._root / folder).rmdir()
            except OSError:
                return

    def close(self) -> None:
        """Do nothing: a folder has no connection."""

    @contextmanager
    def _errors(self, place: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise PublishError(f"{place}: {_reason(error)}") from error


def _reason(error: OSError) -> str:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return "can't be written: the disk is full"
    if error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return "can't be written: you may not change this folder, or it is read-only"
    if error.errno == errno.ENOENT:
        return "can't be written: its folder is gone"
    return f"can't be published: {error.strerror or error}"
