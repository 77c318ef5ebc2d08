"""Paths to files: folders that are walked, and each file once."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from overtrick.core.progress import Show, show_nothing
from overtrick.files.formats.looks import HEAD, find_format, walked_suffixes
from overtrick.files.formats.sources import STDIN

DELIVERED: Final = ".delivered"
"""The end of the name of a folder with what was delivered of an evening: nothing in it is an input."""
_KILOBYTES: Final = 10_000_000
"""Bytes that are counted in kilobytes; more are counted in megabytes."""


def list_files(path: str) -> list[str]:
    """Return the files of a path; a folder that cannot be opened, or holds no file that is read, is returned itself.

    A table of results is read too, as each result counts once; other tables in a folder, such as rankings, are not.
    """
    if path == STDIN or not Path(path).is_dir():
        return [path]
    files, closed = walk(path)
    known = walked_suffixes()
    read = [file for file in files if file.suffix.lower() in known and may_be_file(file)]
    read += [file for file in files if is_table(file)]
    if not read:
        read = [file for file in files if find_format(file.suffix) and may_be_file(file)]
    return sorted(map(str, [*read, *closed])) or [path]


def may_be_file(file: Path) -> bool:
    """Return whether a path is of a file. A lost file and a link to nothing are reported when they are read.

    Editors leave hidden links to nothing, such as `.#tuesday.pbn`, beside a file that they have open.
    """
    return file.is_file() or not (file.name.startswith(".") or file.exists())


def is_table(file: Path) -> bool:
    """Return whether a file whose name alone does not say what it holds is of the format of its name."""
    if not may_be_table(file.name) or not may_be_file(file):
        return False
    try:
        with file.open("rb") as opened_file:
            return holds_table(file.name, opened_file.read(HEAD))
    except OSError:
        return True


def may_be_table(name: str) -> bool:
    """Return whether the name of a file is that of tables, of which only those of results are read in folders."""
    named = find_format(Path(name).suffix)
    return named is not None and not named.in_folders


def holds_table(name: str, head: bytes) -> bool:
    """Return whether a file of such a name, that begins with these bytes, is a table of results."""
    named = find_format(Path(name).suffix)
    return named is not None and not named.in_folders and named.recognises(head[:HEAD])


def list_each_file_once(paths: Iterable[str]) -> list[str]:
    """Return the files of paths (`list_files`) in their order, each once, whatever paths lead to it."""
    found: dict[str, str] = {}
    for path in paths:
        for file in list_files(path):
            found.setdefault(file if file == STDIN else os.path.realpath(file), file)
    return list(found.values())


def walk(folder: str | Path) -> tuple[list[Path], list[Path]]:
    """Walk a folder: return the files below it, and the folders that cannot be opened."""
    closed: list[Path] = []
    files: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=lambda error: closed.append(Path(error.filename))):
        folders[:] = [name for name in folders if not name.endswith(DELIVERED)]
        files += [Path(place, name) for name in names]
    return files, closed


def choose_unit(size: int) -> tuple[int, str]:
    """Return the unit in which bytes are counted for people, if there are that many, and its name."""
    return (1000, "kB") if size < _KILOBYTES else (1_000_000, "MB")


def count_bytes(paths: Sequence[str], show: Show, words: str) -> Callable[[int], None] | None:
    """Return what counts the bytes of files that were read, and shows them; None if nobody looks on."""
    if show is show_nothing:
        return None
    files = [Path(file) for file in list_each_file_once(paths)]
    total = sum(file.stat().st_size for file in files if file.is_file())
    unit, name = choose_unit(total)
    done = 0

    def count(read: int) -> None:
        nonlocal done
        done += read
        show(f"{words} ({name})", done // unit, -(-total // unit))

    count(0)
    return count
