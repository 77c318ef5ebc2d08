"""The files to ingest, in folders and object stores, also those inside zip and tar files, in the order of their names.

A name inside a container is only a label: nothing is unpacked to disk under it. There are limits on the size that a
container may unpack to, and on how much of it is in memory.
"""

import bz2
import gzip
import hashlib
import io
import lzma
import os
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import IO, Final, Protocol, cast

from overtrick.apps.archive.objects import Object, is_address, list_objects
from overtrick.core.problems import Finding
from overtrick.files.assemble.beside import corrections_path, is_corrections
from overtrick.files.formats import looks
from overtrick.files.formats.text import BLOCK

ZIP: Final = (".zip",)
TARS: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
CONTAINERS: Final = (*ZIP, *TARS)

CARRIED: Final = BLOCK
"""The most bytes of a file in a container that go to the worker; a larger file is unpacked once more there."""

TIMES: Final = 100
"""How many times its own size a container may unpack to; results compress to a tenth."""

ALWAYS: Final = 256 * 1024 * 1024
"""Bytes that any container may unpack to."""

MEMBERS: Final = 1_000_000
"""The most files that are read from one container."""

DEPTH: Final = 3
"""How many levels of containers inside a container are opened."""

TOGETHER: Final = 20_000
"""A run takes in this many files before it looks for more."""

TOGETHER_BYTES: Final = 1024 * 1024 * 1024
"""The size of the files from which it does so."""

BROKEN: Final = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError)
"""The exceptions of a damaged, encrypted or unusual container, apart from OSError."""


OF_EVENING: Final = "+"
"""Parts the hash of a file's bytes from that of its evening, in the column `sha256` of the archive."""


Place = Path | Object
"""A file or a container, in a folder or in an object store."""


class Readable(Protocol):
    """A file that can be read once, from start to end."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes, at most `size`."""


class BombError(Exception):
    """A container unpacks to more than the limit."""


@dataclass(frozen=True)
class Piece:
    """One file to be read.

    Attributes:
        source: its name in the archive: the path of the file, or that of the container followed by the path inside.
        place: the file or the container.
        size: its size in bytes.
        sha256: the hash of its bytes and of those of its corrections; empty before the file was read.
        member: its position among the container's files, from 0; None for a plain file.
        content: its bytes, for a small file in a container.
        corrections: its corrections file; None if it has none, as inside containers.
        evening: identifies the files of its evening by their bytes; empty if it is an evening by itself.
        kept: the path at which what it holds is kept when it is first read, for later reads in the same run; or empty.
    """

    source: str
    place: Place
    size: int
    sha256: str
    member: int | None = None
    content: bytes | None = None
    corrections: Place | None = None
    evening: str = ""
    kept: str = ""

    @property
    def key(self) -> str:
        """The hash that its rows in the archive have: of its bytes, and of those of the other files of its evening."""
        return f"{self.sha256}{OF_EVENING}{self.evening}" if self.evening else self.sha256

    @property
    def folder(self) -> str:
        """The folder that it is in, or the container, or the folder in a container."""
        return self.source.rpartition("/")[0] if self.member is not None else str(self.place.parent)


@dataclass(frozen=True)
class Unread:
    """A file that can't be read, or the unreadable rest of a container."""

    source: str
    finding: Finding


def list_files(
    paths: Iterable[str], options: Mapping[str, str] = MappingProxyType({})
) -> tuple[list[Place], list[Unread]]:
    """Return the files and containers at these paths and in these folders, each once, in the order of their names.

    Links that lead out of a folder are not followed: people who fill the folder could name any file of this machine.
    They are returned apart, as are addresses in object stores that can't be listed.

    Args:
        paths: of files and folders, and addresses of objects and their folders.
        options: of the object stores.

    Raises:
        ArchiveError: overtrick can't reach object stores.
    """
    found: dict[str, Place] = {}
    left_out: list[Unread] = []
    for path in paths:
        if is_address(path):
            try:
                found |= {str(file): file for file in list_objects(path, options) if _is_input(file, path)}
            except OSError as error:
                left_out.append(_unreadable(_shown(path), error))
            continue
        place = Path(os.path.abspath(path))  # noqa: PTH100 - Path.resolve would follow links, and the name is the key
        inputs, links = _list_folder(place) if place.is_dir() else ([place], [])
        left_out += [Unread(_shown(str(file)), Finding("ingest-link")) for file in links]
        found |= {str(file): file for file in inputs if place != file or not is_corrections(file)}
    return [found[path] for path in sorted(found)], sorted(left_out, key=lambda file: file.source)


def _list_folder(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the files to read in a folder, and the links that lead out of it."""
    inside, itself = looks.walk(folder)
    inputs = [file for file in itself if not is_corrections(file)]
    links: list[Path] = []
    for file in inside:
        if (_is_named(file.name) and looks.may_be_file(file)) or looks.is_evening(file):
            leads_out = file.is_symlink() and not file.resolve().is_relative_to(folder.resolve())
            (links if leads_out else inputs).append(file)
    return inputs, links


def _is_input(file: Object, path: str) -> bool:
    """Return whether an object is to be read: one that is named itself, or one of a folder by its name or content."""
    if _is_named(file.name) or str(file) == path:
        return True
    try:
        return looks.is_told_by_content(file.name) and looks.holds_evening(file.name, file.read_head(looks.LOOK))
    except OSError:
        return True


def _is_named(name: str) -> bool:
    return name.lower().endswith((*looks.walked_suffixes(), *CONTAINERS))


def find_pieces(file: Place) -> Iterator[Piece | Unread]:
    """Yield a file, or the files inside a container, with the hashes of their bytes."""
    name = _shown(str(file))
    try:
        if file.name.lower().endswith(CONTAINERS):
            yield from _unpack(file, name)
        else:
            with file.open("rb") as plain:
                size, digest = _digest(plain)
            corrections = file.corrections if isinstance(file, Object) else _corrections_beside(file)
            if isinstance(corrections, Unread):
                yield corrections
                corrections = None
            yield Piece(name, file, size, digest_with(digest, corrections), corrections=corrections)
    except BombError:
        yield Unread(name, Finding("ingest-bomb", values={"times": TIMES}))
    except BROKEN as error:
        yield Unread(name, _broken(error))
    except OSError as error:
        yield _unreadable(name, error)


def _corrections_beside(file: Path) -> Path | Unread | None:
    beside = corrections_path(file)
    if beside.is_symlink() and beside.is_file() and beside.resolve().parent != file.resolve().parent:
        return Unread(_shown(str(beside)), Finding("ingest-link"))
    return beside if beside.is_file() else None


def _unreadable(name: str, error: OSError) -> Unread:
    return Unread(name, Finding("file-unreadable", values={"reason": error.strerror or str(error)}))


def split_folders(files: Iterable[Place]) -> Iterator[list[Place]]:
    """Yield files and containers, those of a folder together, at least `TOGETHER` or `TOGETHER_BYTES` at a time."""
    folders: dict[Place | str, list[Place]] = {}
    for file in files:
        is_container = file.name.lower().endswith(CONTAINERS)
        folders.setdefault(file if is_container else file.parent, []).append(file)
    batch: list[Place] = []
    size = 0
    for inside in folders.values():
        batch += inside
        size += sum(size_of(file) for file in inside)
        if len(batch) >= TOGETHER or size >= TOGETHER_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def carry_contents(files: Iterable[Place], wanted: Mapping[str, Piece]) -> Iterator[Piece | Unread]:
    """Yield the wanted pieces, those from containers with their contents, in the order of the files.

    Args:
        files: the files and containers that hold them.
        wanted: the pieces by `source`, without contents.
    """
    inside = {source: piece for source, piece in wanted.items() if piece.member is not None}
    plain = {piece.place: piece for source, piece in wanted.items() if source not in inside}
    containers = {piece.place for piece in inside.values()}
    for file in files:
        if file in containers:
            for found in find_pieces(file):
                if isinstance(found, Piece) and found.source in inside:
                    yield replace(inside.pop(found.source), content=found.content)
        elif file in plain:
            yield plain[file]
    yield from (Unread(source, Finding("ingest-changed")) for source in inside)


def digest_with(sha256: str, corrections: Place | None) -> str:
    """Return the hash of a file together with its corrections; that of the file alone if it has none.

    Raises:
        OSError: the corrections can't be read.
    """
    if not corrections:
        return sha256
    return hashlib.sha256(f"{sha256}\n".encode() + corrections.read_bytes()).hexdigest()


@contextmanager
def open_piece(piece: Piece) -> Iterator[IO[bytes]]:
    """Open a piece as a file that can be rewound.

    Raises:
        OSError: the piece can't be read.
    """
    if piece.content is not None:
        yield io.BytesIO(piece.content)
        return
    if piece.member is None:
        with piece.place.open("rb") as file:
            yield file
        return
    with tempfile.TemporaryFile() as unpacked:
        try:
            for number, (_, member) in enumerate(_members(piece.place)):
                if number == piece.member and not isinstance(member, Finding):
                    shutil.copyfileobj(member, unpacked)
                    break
        except (*BROKEN, BombError) as error:
            raise OSError(str(error)) from error
        yield unpacked


def _unpack(file: Place, name: str) -> Iterator[Piece | Unread]:
    taken: set[str] = set()
    for number, (label, member) in enumerate(_members(file)):
        source = f"{name}/{label}"
        if isinstance(member, Finding):
            yield Unread(source, member)
            continue
        if not label.lower().endswith(looks.walked_suffixes()) and not looks.is_told_by_content(label):
            continue
        head = member.read(CARRIED + 1)
        if looks.is_told_by_content(label) and not looks.holds_evening(label, head):
            continue
        while source in taken:
            source += "+"
        taken.add(source)
        if len(head) <= CARRIED:
            yield Piece(source, file, len(head), hashlib.sha256(head).hexdigest(), number, head)
        else:
            size, digest = _digest(member, head)
            yield Piece(source, file, size, digest, number)


def _members(file: Place) -> Iterator[tuple[str, Readable | Finding]]:
    """Yield the plain files inside a container. Each can be read until the next one is requested."""
    rest = _Allowance(max(ALWAYS, TIMES * size_of(file)))
    with file.open("rb") as container:
        yield from _inside(container, file.name, rest, DEPTH)


def _inside(
    container: IO[bytes], name: str, rest: "_Allowance", depth: int
) -> Iterator[tuple[str, Readable | Finding]]:
    """Yield the plain files inside a container and its inner containers, down to `depth` levels.

    Yields:
        The path of each file, and the file or the reason why an inner container can't be opened.
    """
    unpacked = _zipped if name.lower().endswith(ZIP) else _tarred
    for label, member in unpacked(container, rest):
        if not label.lower().endswith(CONTAINERS):
            yield label, member
        elif depth == 0:
            yield label, Finding("ingest-nested", values={"times": DEPTH + 1})
        else:
            with tempfile.TemporaryFile() as inner_file:
                shutil.copyfileobj(member, inner_file)
                inner_file.seek(0)
                try:
                    for inner, of_inner in _inside(inner_file, label, rest, depth - 1):
                        yield f"{label}/{inner}", of_inner
                except (*BROKEN, OSError) as error:
                    yield label, _broken(error)


def _zipped(file: IO[bytes], rest: "_Allowance") -> Iterator[tuple[str, Readable]]:
    with zipfile.ZipFile(file) as container:
        for info in container.infolist()[:MEMBERS]:
            if not info.is_dir():
                with container.open(info) as member:
                    yield _label(info.filename), _Bounded(member, rest)


def _tarred(file: IO[bytes], rest: "_Allowance") -> Iterator[tuple[str, Readable]]:
    stream = cast("IO[bytes]", _Bounded(_decompressed(file), rest))
    with tarfile.open(fileobj=stream, mode="r|") as container:
        for number, entry in enumerate(container):
            # tarfile remembers all entries of a stream, and nothing here needs them again.
            container.members = []  # type: ignore[attr-defined]
            member = container.extractfile(entry) if entry.isreg() and number < MEMBERS else None
            if member:
                yield _label(entry.name), member


def _decompressed(file: IO[bytes]) -> Readable:
    head = file.read(6)
    file.seek(0)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=file)
    if head.startswith(b"BZh"):
        return bz2.BZ2File(file)
    return lzma.LZMAFile(file) if head.startswith(b"\xfd7zXZ\x00") else file


def _broken(error: Exception) -> Finding:
    return Finding("file-damaged/packed", values={"reason": str(error) or type(error).__name__})


class _Allowance:
    """The number of bytes that may still come out of a container."""

    def __init__(self, left: int) -> None:
        self.left = left


class _Bounded:
    """A file that raises `BombError` when the allowance is used up."""

    def __init__(self, file: Readable, allowance: _Allowance) -> None:
        self._file = file
        self._allowance = allowance

    def read(self, size: int = -1, /) -> bytes:
        wanted = min(size, self._allowance.left + 1) if size >= 0 else self._allowance.left + 1
        data = self._file.read(wanted)
        self._allowance.left -= len(data)
        if self._allowance.left < 0:
            raise BombError
        return data


def _digest(file: Readable, head: bytes = b"") -> tuple[int, str]:
    size, digest = len(head), hashlib.sha256(head)
    while block := file.read(BLOCK):
        size += len(block)
        digest.update(block)
    return size, digest.hexdigest()


def _label(name: str) -> str:
    """Turn any name inside a container into a relative path below it."""
    steps = name.replace("\\", "/").split("/")
    return _shown("/".join(step for step in steps if step not in {"", ".", ".."})) or "unnamed"


def _shown(name: str) -> str:
    """Turn a file name, which may hold invalid Unicode and line breaks, into a line of text; no two become the same."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def size_of(file: Place) -> int:
    """Return the size of a file in bytes, 0 if nothing can be known of it; that of an object as it was listed."""
    try:
        return file.size if isinstance(file, Object) else size_now(file)
    except OSError:
        return 0


def size_now(file: Place) -> int:
    """Return the size of a file in bytes.

    Raises:
        OSError: it can't be found.
    """
    return file.size_now() if isinstance(file, Object) else file.stat().st_size
