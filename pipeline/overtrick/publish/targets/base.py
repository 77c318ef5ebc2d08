"""What a target can do, and what those that have folders share."""

import re
import secrets
from collections.abc import Callable, Collection
from typing import Final, Protocol

_PART: Final = re.compile(r"(.+)\.[0-9a-f]{8}\.part")


class Target(Protocol):
    """A place that files are put to, by relative path with `/`.

    Every method raises `PublishError` when the target refuses and `DroppedError` when the connection fails. All may be
    called again after that: none does harm twice.
    """

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List the folders that some files are in: sizes by path, None where the server doesn't tell.

        May leave out other files of these folders, and list other folders; one that is not there holds nothing.
        """

    def read(self, path: str) -> bytes | None:
        """Read a file; None when there is none."""

    def write(self, path: str, content: bytes) -> None:
        """Put a file there, with the folders it needs; readers see the old content or the new, whole."""

    def delete(self, path: str) -> None:
        """Take a file away, if it is there, and folders that are empty then."""

    def close(self) -> None:
        """Hang up."""


def part_name(path: str) -> str:
    """Name the file beside `path` that is written before it takes the name.

    In the same folder, for only there is a rename sure to be one step; without a dot in front, which some servers hide.
    """
    return f"{path}.{secrets.token_hex(4)}.part"


def take_place(part: str, place: str, rename: Callable[[str, str], object], remove: Callable[[str], object]) -> None:
    """Rename a file onto another one where the server refuses to do that in one step: for a moment there is none.

    When the second rename fails too, the old file comes back.
    """
    old = part_name(place)
    rename(place, old)
    try:
        rename(part, place)
    except BaseException:
        rename(old, place)
        raise
    remove(old)


def parted(path: str) -> str | None:
    """Give the path that `part_name` made this name of; None for any other name."""
    match = _PART.fullmatch(path)
    return match[1] if match else None


def folder_of(path: str) -> str:
    """Give the folder of a file, `""` for the top one."""
    return path.rpartition("/")[0]


def folders_above(path: str) -> list[str]:
    """List the folders that a file stands in, from its own up, without the top one."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]


def joined(*parts: str) -> str:
    """Join parts of a path, leaving out empty ones."""
    return "/".join(part for part in parts if part)
