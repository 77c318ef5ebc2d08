"""Where a site is published: a path, or a `file:`, `ftp:`, `ftps:`, `sftp:` or `s3:` URL."""

import unicodedata
from dataclasses import dataclass
from typing import Final, Literal, cast, get_args
from urllib.parse import unquote, urlsplit

Scheme = Literal["file", "ftp", "ftps", "sftp", "s3"]

_SCHEMES: Final = get_args(Scheme)


class AddressError(ValueError):
    """This is no address to publish to. The message doesn't repeat it: it may hold a password."""


@dataclass(frozen=True)
class Address:
    """A place for a site.

    Attributes:
        scheme: how it is reached; a path is a `file`.
        path: the folder, percent signs decoded. For `sftp` from the root of the server (`/~/www` from the user's home),
            for `ftp` and `ftps` from the folder that the login leads to (`//www` from the root), for `s3` what keys
            begin with, without slashes at its ends.
        host: the server; the bucket of `s3`; empty for a `file`.
        user: the login, None for the usual one.
        port: None for the usual one.
    """

    scheme: Scheme
    path: str
    host: str = ""
    user: str | None = None
    port: int | None = None

    def __str__(self) -> str:
        """Write it as people know it."""
        if self.scheme == "file":
            return self.path
        user = f"{self.user}@" if self.user else ""
        port = f":{self.port}" if self.port else ""
        return f"{self.scheme}://{user}{self.host}{port}/{self.path.removeprefix('/')}".rstrip("/")


def parse_address(text: str) -> Address:
    """Read an address.

    Raises:
        AddressError: it has another scheme, no host, a port that is none, or a password in it.
    """
    # Percent signs, colons and question marks are letters like others in the name of a folder; C: is a drive.
    head = text.partition(":")[0]
    if ":" not in text or len(head) < 2 or not head.isalnum():
        return _local(text)
    scheme = head.lower()
    if scheme not in _SCHEMES:
        raise AddressError(f"{scheme}: is no way to publish; use a path or one of {': '.join(_SCHEMES)}:")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise AddressError("this address can't be read: check its host and port") from error
    if parts.password is not None:
        raise AddressError(
            "a password doesn't belong in an address, where others can read it; "
            "set OVERTRICK_PASSWORD or keep it in the keyring"
        )
    path = unquote(parts.path)
    user = unquote(parts.username) if parts.username else None
    if any(unicodedata.category(letter) == "Cc" for letter in f"{path}{user}"):
        raise AddressError("an address can't hold line ends and other control characters")
    if scheme == "file":
        return _local(path)
    if not host:
        raise AddressError(f"{scheme}: needs a host, as in {scheme}://{'bucket' if scheme == 's3' else 'host'}/folder")
    if scheme == "s3":
        # Buckets of the old kind have capitals, which `hostname` takes away.
        return Address("s3", path.strip("/"), host=parts.netloc.rpartition("@")[2].partition(":")[0])
    path = path if scheme == "sftp" else path.removeprefix("/")
    return Address(cast("Scheme", scheme), path, host=host, user=user, port=port)


def _local(path: str) -> Address:
    if not path or "\0" in path:
        raise AddressError("the folder to publish to has no name")
    return Address("file", path)
