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
HEAD: Final = 16 * 1024
"""The first bytes of a file that say whether it is a zip of files."""
_BROKEN: Final = (BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError)
_MARK: Final = b"PK\x03\x04"
_XLSX: Final = re.compile(rb"PK\x03\x04.{0,8000}?(?:xl/|\[Content_Types\]\.xml)", re.DOTALL)
_WORD: Final = re.compile(rb"PK\x03\x04.{0,8000}?(?:word/|ppt/)", re.DOTALL)
_ODS: Final = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_DOCUMENT: Final = re.compile(rb"(?:word|ppt)/(?:document|presentation|slides|_rels|styles)")


class ZipError(OSError):
    """A zip can't be read, or holds too much; `strerror` says which."""

    def __init__(self, reason: str) -> None:
        """Take the reason."""
        super().__init__(errno.EIO, reason)


def is_spreadsheet(head: bytes) -> bool:
    """Report whether a file is a workbook of Excel or an OpenDocument spreadsheet."""
    if head.startswith(_MARK) and _ODS in head[:200]:
        return True
    return _XLSX.match(head) is not None and _WORD.match(head) is None


def is_zip(head: bytes) -> bool:
    """Return whether a file is a zip of files, and not a workbook or a document of an office, which are zips inside.

    Args:
        head: its first bytes, `HEAD` of them.
    """
    return head.startswith(_MARK) and not is_spreadsheet(head) and _DOCUMENT.search(head) is None


def unzip(content: bytes | Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield path and content of each file in a zip, in the order of their names; none that is hidden.

    Raises:
        ZipError: it is damaged, has a password, holds too much, or names a file outside.
    """
    with _opened(content) as packed:
        for path, entry in _list_entries(packed):
            yield path, _read(packed, entry)


def refuse_damaged(path: Path) -> None:
    """Do nothing if a zip can be unpacked.

    Raises:
        ZipError: as `unzip` raises it.
    """
    for _ in unzip(path):
        pass


def read_inside(path: str) -> bytes:
    """Return the bytes of a file in a zip: of `results.csv` in `evening.zip` for `evening.zip/results.csv`.

    Raises:
        FileNotFoundError: no part of the path is a zip, or the zip has no such file.
        ZipError: it can't be read.
    """
    place = next((parent for parent in Path(path).parents if parent.is_file()), None)
    if place is not None and is_zip(read_head(place)):
        wanted = PurePosixPath(Path(path).relative_to(place).as_posix())
        with _opened(place) as packed:
            for inside, entry in _list_entries(packed):
                if inside == wanted:
                    return _read(packed, entry)
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def read_head(path: Path) -> bytes:
    """Return the bytes of a file that say whether it is a zip."""
    with path.open("rb") as file:
        return file.read(HEAD)


@contextmanager
def _opened(content: bytes | Path) -> Iterator[ZipFile]:
    try:
        with ZipFile(content if isinstance(content, Path) else BytesIO(content)) as packed:
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


def _read(packed: ZipFile, entry: ZipInfo) -> bytes:
    # A stated size may be wrong: read no more than it says.
    with packed.open(entry) as file:
        return file.read(entry.file_size)


def _check_path(name: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or not path.name:
        raise ZipError(f"{clean(name)[:_LONGEST]!r} in the zip is not the name of a file")
    return path
