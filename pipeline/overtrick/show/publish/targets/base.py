"""The methods of a target, and the parts that the kinds of target share: passwords, part files, folders."""

import os
import re
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from overtrick.show.publish.address import PublishError, keep_secret

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

VARIABLE: Final = "OVERTRICK_PASSWORD"
"""The environment variable that holds the password, or the passphrase of a key."""

SERVICE: Final = "overtrick"
"""The service under which the keyring holds the password, with `user@host` as the user name."""

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of the largest file that is read from a target; a manifest of a hundred thousand pages has a tenth of this."""

MOST_LISTED: Final = 100_000
"""Files of a target, or of one of its folders, that are listed."""

MOST_SAID: Final = 1000
"""Lines of one answer of a server, its banner among them."""

_PART: Final = re.compile(r"(.+)\.[0-9a-f]{8}\.part")


_Entry = TypeVar("_Entry")


class BoundedContent(BytesIO):
    """The content of a file of a target, which may be of any length, because others write there too."""

    def write(self, piece: "Buffer", /) -> int:
        """Add a piece.

        Raises:
            PublishError: the file is larger than `LARGEST`.
        """
        written = super().write(piece)
        if self.tell() > LARGEST:
            raise PublishError(f"a file on the target has more than {LARGEST:,} bytes; remove it and publish again")
        return written


def list_bounded(entries: Iterable[_Entry]) -> Iterator[_Entry]:
    """Yield the entries of a folder.

    Raises:
        PublishError: there are more than `MOST_LISTED`.
    """
    for number, entry in enumerate(entries):
        if number >= MOST_LISTED:
            raise PublishError(f"a folder on the target has more than {MOST_LISTED:,} files; publish to another one")
        yield entry


class Target(Protocol):
    """A place for files, by relative path with `/`.

    All methods raise `PublishError` if the target refuses, and `DroppedError` if the connection fails. After either,
    any of them may be called again: doing a thing twice does no harm.
    """

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """Return the sizes in bytes of the files in the folders of `paths`; None if the server doesn't report a size.

        May leave out other files of these folders, and include other folders. A missing folder has no files.
        """

    def read(self, path: str) -> bytes | None:
        """Return the content of a file; None if it does not exist."""

    def write(self, path: str, content: bytes) -> None:
        """Write a file and create its folders. Readers see the old content or the new, never a part."""

    def delete(self, path: str) -> None:
        """Delete a file if it exists, and the folders that are then empty."""

    def close(self) -> None:
        """Close the connection."""


def find_password(user: str, host: str, variable: str = VARIABLE) -> str | None:
    """Return the password of a login, from the environment or the system's keyring; None if neither has one.

    overtrick reads passwords from nowhere else, and no message shows them.
    """
    password = os.environ.get(variable) or ask_keyring(user, host)
    keep_secret(password)
    return password


def ask_keyring(user: str, host: str) -> str | None:
    """Return what the system's keyring holds for `user@host`; None if it has nothing, or there is none."""
    try:
        import keyring  # noqa: PLC0415 - optional, and slow to find its backend
        from keyring.errors import KeyringError  # noqa: PLC0415
    except ImportError:
        return None
    try:
        return keyring.get_password(SERVICE, f"{user}@{host}")
    except KeyringError:
        # A machine without a desktop has no keyring.
        return None


def part_name(path: str) -> str:
    """Return a name for the part file, which is written first and then renamed to `path`.

    It is in the same folder, because only there a rename is sure to be one step. It has no dot in front, because some
    servers hide such files.
    """
    return f"{path}.{secrets.token_hex(4)}.part"


def split_part(path: str) -> str | None:
    """Return the path that `part_name` made this name from; None for any other name."""
    match = _PART.fullmatch(path)
    return match[1] if match else None


def replace_file(part: str, place: str, rename: Callable[[str, str], object], remove: Callable[[str], object]) -> None:
    """Replace a file by its part on a server that can't rename onto an existing file; for a moment there is none.

    If the second rename fails, the old file returns.
    """
    old = part_name(place)
    rename(place, old)
    try:
        rename(part, place)
    except BaseException:
        rename(old, place)
        raise
    remove(old)


def folder_of(path: str) -> str:
    """Return the folder of a file, `""` for the top one."""
    return path.rpartition("/")[0]


def folders_above(path: str) -> list[str]:
    """Return the folders of a file from the innermost up, without the top one."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]


def join(*parts: str) -> str:
    """Join the parts of a path, without empty ones."""
    return "/".join(part for part in parts if part)
