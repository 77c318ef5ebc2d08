"""Files as they arrive, in the inbox or dropped at the desk: their names, and what is in a zip."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePath, PurePosixPath
from typing import Final

from overtrick.core.atomic_write import replace_file, sync_folder
from overtrick.core.notation import clean
from overtrick.files.formats.zips import HEAD, ZipError, is_zip, unzip

_LONGEST: Final = 120
_NOT_A_NAME: Final = re.compile(r'[\x00-\x1f\x7f<>:"|?*]')
_RESERVED: Final = re.compile(r"(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$")


class ArrivalError(Exception):
    """A file can't be taken; the message says why."""


def check_name(name: str) -> str:
    """Return the name of a dropped file, or of an evening.

    Raises:
        ArrivalError: it names another folder, or no file can have it.
    """
    if not name or "/" in name or "\\" in name or name in {".", ".."}:
        raise ArrivalError(f"{clean(name)[:_LONGEST]!r} is not the name of a file")
    plain = name.lstrip(".~ ").rstrip(". ")
    if not plain or _NOT_A_NAME.search(plain) or _RESERVED.match(plain) or len(plain.encode()) > _LONGEST:
        raise ArrivalError(f"{clean(name)[:_LONGEST]!r}: a file can't have this name; rename it")
    return plain


def unpack(files: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return name and content of files, and of the files in those that are zips.

    No two files have the same name: where two would, each has its folder before its name, `mon-results.csv` and
    `wed-results.csv`, and otherwise a number behind it. The same bytes under the same name are one file.

    Args:
        files: name and content of each; the name of one in a folder has those of its folders before it, `mon/a.pbn`.

    Raises:
        ArrivalError: a name leaves its folder, or a zip is damaged or too large.
    """
    found: dict[tuple[PurePosixPath, bytes], None] = {}
    for name, content in files:
        if not is_zip(content[:HEAD]):
            found[PurePosixPath(*map(check_name, name.split("/"))), content] = None
            continue
        try:
            found |= dict.fromkeys((path.with_name(check_name(path.name)), inside) for path, inside in unzip(content))
        except ZipError as error:
            raise ArrivalError(f"{clean(name)[:_LONGEST]}: {error.strerror}") from error
    return list(zip(name_apart([path for path, _ in found]), (content for _, content in found), strict=True))


def name_apart(paths: Sequence[PurePath], there: Iterable[str] = ()) -> Iterator[str]:
    """Yield a name for each file, all of them different: where two have one, `mon-results.csv` for `mon/results.csv`.

    Args:
        paths: relative ones.
        there: names that other files have.

    Raises:
        ArrivalError: no file can have a name.
    """
    taken = {name.casefold() for name in there}
    uses = Counter([path.name.casefold() for path in paths] + list(taken))
    for path in paths:
        name = path.name if uses[path.name.casefold()] == 1 else "-".join(path.parts)
        name = _find_free(check_name(name), taken)
        taken.add(name.casefold())
        yield name


def _find_free(name: str, taken: set[str]) -> str:
    plain, count = PurePosixPath(name), 1
    while name.casefold() in taken:
        count += 1
        name = f"{plain.stem}-{count}{plain.suffix}"
    return name


def spread(path: Path, folder: Path) -> list[Path]:
    """Put the files of a zip into a folder, and return where they are; the zip stays.

    A file that is there with the same bytes, as an interrupted run left it, is not written again; another one of its
    name keeps it.

    Raises:
        ArrivalError: the zip can't be read, or holds too much; nothing was written.
        OSError: a file can't be written.
    """
    places = []
    for name, content in unpack([(path.name, path.read_bytes())]):
        place = find_unused(folder / name, content)
        if not place.exists():
            replace_file(place, content, durable=True)
        places.append(place)
    return places


def move_up(files: Sequence[Path], folder: Path) -> None:
    """Move files of folders below a folder into it, where no two of them have the same name; emptied folders go.

    Raises:
        ArrivalError: a file has a name that it can't keep; none was moved.
        OSError: a file can't be moved.
    """
    there = [path.name for path in folder.iterdir()]
    names = list(name_apart([path.relative_to(folder) for path in files], there))
    for path, name in zip(files, names, strict=True):
        path.rename(folder / name)
    sync_folder(folder)
    for emptied in sorted(
        {parent for path in files for parent in path.parents if folder in parent.parents}, reverse=True
    ):
        # What is not of an evening stays, and its folder.
        with suppress(OSError):
            emptied.rmdir()


def find_unused(path: Path, content: bytes | None = None) -> Path:
    """Return this path, with a number added if a file has it already that does not hold these bytes."""
    count, place = 1, path
    while place.exists() and (content is None or place.read_bytes() != content):
        count += 1
        place = path.with_name(f"{path.stem}-{count}{path.suffix}")
    return place
