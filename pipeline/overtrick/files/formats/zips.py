"""Zips: which of them are workbooks, and the files in the others, within bounds."""

import errno
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Final
from zipfile import BadZipFile, ZipFile, ZipInfo

from overtrick.core.notation import clean

MOST_UNPACKED: Final = 256 * 1024 * 1024
"""Bytes that all files of a zip may have."""
_MOST_FILES: Final = 1000
_LONGEST: Final = 120
_LONGEST_NAME: Final = 1000
DEEPEST: Final = 40
"""Folders that a file of a zip may be in, one in the other; a hostile one has hundreds."""
HEAD: Final = 16 * 1024
"""The first bytes of a file that say whether it is a zip of files."""
_BROKEN: Final = (BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError)
_MARK: Final = b"PK\x03\x04"
_XLSX: Final = re.compile(rb"PK\x03\x04.{0,8000}?(?:xl/|\[Content_Types\]\.xml)", re.DOTALL)
_DOCUMENT: Final = re.compile(rb"PK\x03\x04.{26}(?:word|ppt)/", re.DOTALL)
"""A file in a folder of Word or PowerPoint: its name is 26 bytes behind the mark."""
_ODS: Final = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"


class ZipError(OSError):
    """A zip can't be read, or holds too much; `strerror` says which."""

    def __init__(self, reason: str) -> None:
        """Take the reason."""
        super().__init__(errno.EIO, reason)


def is_spreadsheet(head: bytes) -> bool:
    """Report whether a file is a workbook of Excel or an OpenDocument spreadsheet."""
    if head.startswith(_MARK) and _ODS in head[:200]:
        return True
    return _XLSX.match(head) is not None and _DOCUMENT.search(head) is None


def is_zip(head: bytes) -> bool:
    """Return whether a file is a zip of files, and not a workbook or a document of an office, which are zips inside.

    Args:
        head: its first bytes, `HEAD` of them.
    """
    return head.startswith(_MARK) and not is_spreadsheet(head) and _DOCUMENT.search(head) is None


def unzip(content: bytes) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield path and content of each file in a zip, in the order of their names; none that is hidden.

    Raises:
        ZipError: it is damaged, has a password, holds too much, or names a file outside.
    """
    with _opened(BytesIO(content)) as packed:
        for path, entry in _list_entries(packed):
            yield path, _read(packed, entry)


def walk_zip(place: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """Walk the folders in a zip from the top, as `os.walk` does: yield each, its folders and its files.

    A folder that the caller takes from the list is left out. In this zip `letter.pdf` is at the top:

        yields ("evening.zip", ["mon"], ["letter.pdf"]), then ("evening.zip/mon", [], ["results.csv"])

    Raises:
        ZipError: as `unzip` raises it, but for a damaged file in the zip, or two files have one name.
    """
    with _opened(place) as packed:
        paths = [path for path, _ in _list_entries(packed)]
    if len(set(paths)) < len(paths):
        raise ZipError("two files in the zip have the same name")
    yield from _walk(str(place), [path.parts for path in paths])


def _walk(place: str, inside: list[tuple[str, ...]]) -> Iterator[tuple[str, list[str], list[str]]]:
    folders = [*dict.fromkeys(parts[0] for parts in inside if len(parts) > 1)]
    yield place, folders, [parts[0] for parts in inside if len(parts) == 1]
    for folder in folders:
        yield from _walk(f"{place}/{folder}", [parts[1:] for parts in inside if len(parts) > 1 and parts[0] == folder])


def read_start(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, which may be in a zip.

    Raises:
        OSError: it can't be read.
    """
    if not path.exists():
        return read_inside(str(path), size)
    with path.open("rb") as file:
        return file.read(size)


def read_inside(path: str, size: int = MOST_UNPACKED) -> bytes:
    """Return the bytes of a file in a zip: of `results.csv` in `evening.zip` for `evening.zip/results.csv`.

    Args:
        path: through the zip.
        size: how many bytes to read at most.

    Raises:
        FileNotFoundError: no part of the path is a zip, or the zip has no such file.
        ZipError: it can't be read.
    """
    place = next((parent for parent in Path(path).parents if parent.is_file()), None)
    if place is not None and is_zip(read_start(place, HEAD)):
        wanted = PurePosixPath(Path(path).relative_to(place).as_posix())
        with _opened(place) as packed:
            for inside, entry in _list_entries(packed):
                if inside == wanted:
                    return _read(packed, entry, size)
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


@contextmanager
def _opened(content: BytesIO | Path) -> Iterator[ZipFile]:
    try:
        with ZipFile(content) as packed:
            yield packed
    except _BROKEN as error:
        raise ZipError(f"the zip can't be read: {error}") from error


def _list_entries(packed: ZipFile) -> Iterator[tuple[PurePosixPath, ZipInfo]]:
    inside = sorted((entry for entry in packed.infolist() if not entry.is_dir()), key=lambda entry: entry.filename)
    if len(inside) > _MOST_FILES or sum(entry.file_size for entry in inside) > MOST_UNPACKED:
        raise ZipError("the zip holds too much; unpack it and take the files of one evening")
    for entry in inside:
        path = _check_path(entry.filename)
        if not any(part.startswith((".", "__MACOSX")) for part in path.parts):
            yield path, entry


def _read(packed: ZipFile, entry: ZipInfo, size: int = MOST_UNPACKED) -> bytes:
    # A stated size may be wrong: read no more than it says.
    with packed.open(entry) as file:
        return file.read(min(size, entry.file_size))


def _check_path(name: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    is_endless = len(name) > _LONGEST_NAME or len(path.parts) > DEEPEST
    if path.is_absolute() or ".." in path.parts or not path.name or is_endless:
        raise ZipError(f"{clean(name)[:_LONGEST]!r} in the zip is not the name of a file")
    return path
