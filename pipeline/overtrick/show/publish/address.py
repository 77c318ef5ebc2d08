"""Where a site is published: a path, or a `file:`, `ftp:`, `ftps:`, `sftp:` or `s3:` URL."""

import html
import re
import unicodedata
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final, Literal, cast, get_args
from urllib.parse import quote, quote_plus, unquote, urlsplit

from overtrick.core.atomic_write import OutputError
from overtrick.core.notation import UNSAFE

_FEWEST: Final = 4
"""Letters of base64 that say something of a secret."""
_LONGEST: Final = 500
"""Characters of a message; what a server says may be longer."""

_LIKE_A_SERVER: Final = re.compile(r"(?:s?ftps?|www)\.[\w-]+\.|[\w.-]+@[\w.-]+|[\w-]+(?:\.[\w-]+)+:", re.IGNORECASE)

_secrets: set[str] = set()


def keep_secret(secret: str | None) -> None:
    """Remember a password, so that no message shows it, even if a server repeats it in another spelling."""
    if secret:
        _secrets.update(_spell(secret))


def _spell(secret: str) -> Iterator[str]:
    """Yield a secret as it is, and as others write it: for HTML, in an address, in hexadecimal and in base64."""
    content = secret.encode()
    yield from (secret, html.escape(secret), quote(secret, safe=""), quote_plus(secret))
    yield from (content.hex(), content.hex().upper())
    # Within a longer text, such as the login before it, it begins at any of three places of a group of four letters.
    # The letters at its ends hold bits of its neighbours too.
    for before, encode in product(range(3), (b64encode, urlsafe_b64encode)):
        letters = encode(b"\0" * before + content).decode().rstrip("=")
        whole = letters[(0, 2, 3)[before] : None if (before + len(content)) % 3 == 0 else -1]
        if len(whole) >= _FEWEST:
            yield whole


def make_safe(message: str) -> str:
    """Return a message as one line without control characters and passwords: it may quote what a server said."""
    for secret in sorted(_secrets, key=len, reverse=True):
        message = message.replace(secret, "***")
    line = UNSAFE.sub("\ufffd", " ".join(message.split()))
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


class AddressError(ValueError):
    """An address that nothing can be published to. The message doesn't repeat it: it may hold a password."""


class PublishError(Exception):
    """Publishing stopped; the message says why and, if known, what to do."""

    def __init__(self, message: str) -> None:
        """Take the message; `make_safe` cleans it."""
        super().__init__(make_safe(message))


class DroppedError(PublishError):
    """The connection failed or broke; another try may succeed."""


class LeakError(PublishError, OutputError):
    """What was written names somebody who is not named in full; nothing is published."""


class NeedsConsentError(PublishError):
    """Publishing would delete or overwrite so much that the user has to agree first (`--yes`)."""


Scheme = Literal["file", "ftp", "ftps", "sftp", "s3"]

_SCHEMES: Final = get_args(Scheme)


@dataclass(frozen=True)
class Address:
    """A place for a site.

    Attributes:
        scheme: how to reach it; `file` for a path.
        path: the folder, with percent signs decoded. `sftp`: from the root of the server, or from the user's home as
            `/~/www`. `ftp` and `ftps`: from the folder of the login, or from the root as `//www`. `s3`: the prefix of
            all keys, without slashes at its ends.
        host: the server; the bucket of `s3`; empty for a `file`.
        user: the login; None for the default.
        port: the port; None for the default.
    """

    scheme: Scheme
    path: str
    host: str = ""
    user: str | None = None
    port: int | None = None

    def __str__(self) -> str:
        """Return the address as a path or a URL."""
        if self.scheme == "file":
            return self.path
        user = f"{self.user}@" if self.user else ""
        port = f":{self.port}" if self.port else ""
        return f"{self.scheme}://{user}{self.host}{port}/{self.path.removeprefix('/')}".rstrip("/")


def parse_address(text: str) -> Address:
    """Return the address in a text.

    Raises:
        AddressError: the scheme is unknown, the host is missing, the port is not a number, or there is a password.
    """
    # In a path, percent signs, colons and question marks are ordinary letters, and C: is a drive.
    head = text.partition(":")[0]
    if ":" not in text or len(head) < 2 or not head.isalnum():
        return _local(text)
    scheme = head.lower()
    if scheme not in _SCHEMES:
        raise AddressError(f"unknown scheme {scheme}:; use a path or one of {': '.join(_SCHEMES)}:")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise AddressError("the address has an error; check its host and port") from error
    if parts.password is not None:
        raise AddressError(
            "the address holds a password, which others could read; set OVERTRICK_PASSWORD or use the keyring instead"
        )
    path = unquote(parts.path)
    user = unquote(parts.username) if parts.username else None
    if any(unicodedata.category(letter) == "Cc" for letter in f"{path}{user}"):
        raise AddressError("the address holds a line break or another control character")
    if scheme == "file":
        return _local(path)
    if not host:
        raise AddressError(f"{scheme}: needs a host, as in {scheme}://{'bucket' if scheme == 's3' else 'host'}/folder")
    if scheme == "s3":
        # `hostname` is lower case, but old bucket names may have capitals.
        return Address("s3", path.strip("/"), host=parts.netloc.rpartition("@")[2].partition(":")[0])
    path = path if scheme == "sftp" else path.removeprefix("/")
    return Address(cast("Scheme", scheme), path, host=host, user=user, port=port)


def _local(path: str) -> Address:
    if not path or "\0" in path:
        raise AddressError("the address of the folder is empty, or holds a null character")
    if _LIKE_A_SERVER.match(path) and not Path(path).exists():
        raise AddressError("write a server as sftp://name@host/folder or ftp://host/folder, and a folder as ./folder")
    return Address("file", path)
