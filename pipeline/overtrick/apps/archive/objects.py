"""Files in an object store: their list, and their bytes.

An object has those parts of the interface of `pathlib.Path` that `archive.inputs` needs, so folders and stores share
one way. Its address and the options of the store travel to the workers, who fetch its bytes themselves.
"""

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import IO, Any, Final

from overtrick.apps.archive.store import ArchiveError, describe_error
from overtrick.files.assemble.beside import SUFFIX, is_corrections
from overtrick.files.formats.looks import DELIVERED
from overtrick.files.formats.text import BLOCK

_SCHEMES: Final = ("s3", "s3a", "gs", "az", "azure", "abfs", "abfss")

_FAMILY: Final = re.compile("^(aws|azure|google)_")
"""Begins the names of options, as in `AWS_ALLOW_HTTP`."""

_OF_CLIENT: Final = (
    *("allow_http", "allow_invalid_certificates", "connect_timeout", "http1_only", "http2_only", "pool_idle_timeout"),
    *("pool_max_idle_per_host", "proxy_ca_certificate", "proxy_excludes", "proxy_url", "timeout", "user_agent"),
)
"""Options of the connection, which the library expects apart and without the family."""

_RETRIES: Final = {"max_retries": 4, "retry_timeout": timedelta(seconds=60)}

Options = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Object:
    """A file in an object store.

    Attributes:
        root: the scheme and the bucket, such as `s3://club`.
        key: its name in the bucket, such as `seasons/tuesday.pbn`.
        size: its size in bytes when it was listed.
        changed: when it last changed, in nanoseconds since 1970.
        options: of the store.
        corrections: its corrections file, if it has one.
    """

    root: str
    key: str
    size: int = field(default=0, compare=False)
    changed: int = field(default=0, compare=False)
    options: Options = field(default=(), compare=False, repr=False)
    corrections: "Object | None" = field(default=None, compare=False)

    def __str__(self) -> str:
        """Return its address."""
        return f"{self.root}/{self.key}"

    @property
    def name(self) -> str:
        """The last part of its name."""
        return self.key.rpartition("/")[2]

    @property
    def parent(self) -> str:
        """The address of its folder."""
        return str(self).rpartition("/")[0]

    def open(self, _mode: str = "rb") -> IO[bytes]:
        """Open it as a file that can be rewound. A small object is fetched in one request."""
        return io.BufferedReader(_Reader(self), min(self.size, BLOCK) + 1)

    def read_head(self, size: int) -> bytes:
        """Return its first bytes, without fetching more.

        Raises:
            OSError: it can't be read.
        """
        return _Reader(self).read(size) or b""

    def read_bytes(self) -> bytes:
        """Return its content.

        Raises:
            OSError: it can't be read.
        """
        with self.open() as file:
            return file.read()

    def size_now(self) -> int:
        """Return its size in bytes as the store has it now.

        Raises:
            OSError: it can't be found.
        """
        return self.found().size

    def found(self) -> "Object":
        """Return it as the store has it now.

        Raises:
            OSError: it can't be found.
        """
        with _errors(self.options):
            return _described(self, _library().head(_store(self.root, self.options), self.key))


class _Reader(io.RawIOBase):
    """The bytes of an object; each read is a request."""

    def __init__(self, file: Object) -> None:
        super().__init__()
        self._file = file
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._file.size}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - as io.RawIOBase has it
        wanted = min(len(buffer), self._file.size - self._at)
        if wanted <= 0:
            return 0
        with _errors(self._file.options):
            store = _store(self._file.root, self._file.options)
            content = _library().get_range(store, self._file.key, start=self._at, length=wanted)
        buffer[: len(content)] = memoryview(content)
        self._at += len(content)
        return len(content)


def is_address(path: str) -> bool:
    """Return whether a path is an address in an object store."""
    return path.partition("://")[0].lower() in _SCHEMES and "://" in path


def list_objects(address: str, options: Mapping[str, str]) -> list[Object]:
    """Return the object at an address, else those below it, as if it were a folder; each with its corrections.

    Raises:
        OSError: there is none, or the store does not list them.
        ArchiveError: overtrick can't reach object stores, or the address holds a password.
    """
    if find_spec("obstore") is None:
        raise ArchiveError("object stores need the package obstore; get it with: pip install 'overtrick[archive]'")
    scheme, _, rest = address.partition("://")
    bucket, _, key = rest.partition("/")
    if ":" in bucket.rpartition("@")[0]:
        raise ArchiveError("an address must not hold a password; set credentials in the environment")
    whole = Object(f"{scheme}://{bucket}", key, options=tuple(options.items()))
    with _errors(whole.options):
        found = [] if not key or key.endswith("/") else _one(whole)
        found = found or list(_below(whole))
    if not found:
        raise FileNotFoundError("the store has no object of this name, and none in a folder of this name")
    return found


def _one(file: Object) -> list[Object]:
    """Return an object with its corrections; nothing if it does not exist."""
    try:
        found = file.found()
    except FileNotFoundError:
        return []
    try:
        return [replace(found, corrections=replace(file, key=_corrections_key(file.key)).found())]
    except OSError:
        # A store may refuse to say that an object does not exist.
        return [found]


def _below(folder: Object) -> Iterator[Object]:
    """Yield the objects in a folder and in those below it, without what was delivered of an evening."""
    listed: dict[str, Object] = {}
    for listing in _library().list(_store(folder.root, folder.options), folder.key.rstrip("/") or None):
        listed |= {meta["path"]: _described(folder, meta) for meta in listing if not meta["path"].endswith("/")}
    for key, file in listed.items():
        steps = key.removeprefix(folder.key).split("/")
        if not is_corrections(key) and not any(step.endswith(DELIVERED) for step in steps[:-1]):
            yield replace(file, corrections=listed.get(_corrections_key(key)))


def _described(file: Object, meta: Mapping[str, Any]) -> Object:
    """Return an object of the same store as the library describes it."""
    changed = int(meta["last_modified"].timestamp()) * 1_000_000_000
    return replace(file, key=meta["path"], size=meta["size"], changed=changed)


def _corrections_key(key: str) -> str:
    """Return the name of the corrections of an object: `2026/tuesday.corrections.toml` for `2026/tuesday.pbn`."""
    folder, slash, name = key.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    return f"{folder}{slash}{stem if stem and dot else name}{SUFFIX}"


@lru_cache(maxsize=8)
def _store(root: str, options: Options) -> Any:  # noqa: ANN401 - imported when needed
    """Return the store with a bucket. Names are those of delta-rs, some of which are not known here."""
    from_url, connection, config = import_module("obstore.store").from_url, {}, {}
    for name, value in options:
        plain = _FAMILY.sub("", name.lower())
        if plain in _OF_CLIENT:
            connection[plain] = value
        elif _is_known(from_url, root, name, value):
            config[name] = value
    return from_url(root, config=config, client_options=connection or None, retry_config=_RETRIES)


def _is_known(from_url: Any, root: str, name: str, value: str) -> bool:  # noqa: ANN401 - imported when needed
    try:
        from_url(root, config={name: value})
    except _library().exceptions.BaseError as error:
        return not isinstance(error, _library().exceptions.UnknownConfigurationKeyError)
    return True


def _library() -> Any:  # noqa: ANN401 - the import takes a while, so only users of object stores pay for it
    return import_module("obstore")


@contextmanager
def _errors(options: Options) -> Iterator[None]:
    """Turn the errors of the library into OSError, without the credentials that a store may repeat."""
    try:
        yield
    except FileNotFoundError as error:
        raise FileNotFoundError(describe_error(error, dict(options))) from None
    except (OSError, ValueError, _library().exceptions.BaseError) as error:
        raise OSError(describe_error(error, dict(options))) from None
