"""A folder of evenings: each folder in it, and files in it that share a name, are one evening; new files are taken in.

FOLDER/tuesday/                 an evening: the files in this folder
FOLDER/tuesday.pbn, .bws        an evening too: the files that share a name
FOLDER/done/S/                  an evening of an inbox
FOLDER/club.toml                the club's settings
FOLDER/.overtrick/              pages, what was published, and files that are still arriving
"""

import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import filterfalse
from pathlib import Path
from typing import Final

from overtrick.apps.inbox.arriving import ArrivalError, check_name, find_unused
from overtrick.apps.inbox.folders import Look, date_of, group_sessions, has_results, look_into
from overtrick.apps.inbox.worker import FaultError, LostError, Run, run_here
from overtrick.core.atomic_write import replace_file
from overtrick.core.notation import natural
from overtrick.files.assemble import beside
from overtrick.files.formats.looks import choose_read, is_input, list_places, may_be_of_evening
from overtrick.show.html.contestants import make_slug

HIDDEN: Final = ".overtrick"
_HALF: Final = ".part"
"""Ends the name of a folder whose files have not all arrived."""


@dataclass(frozen=True)
class Shelved:
    """An evening in the folder.

    Attributes:
        name: its name in the folder.
        place: what the command line calls the evening: its folder, or one of its files.
        files: its files, without its corrections.
    """

    name: str
    place: Path
    files: tuple[Path, ...]

    @property
    def paths(self) -> list[str]:
        """The files to read first, as all commands choose them in a folder."""
        return [str(file) for file in choose_read(self.files)] or self.all_paths

    @property
    def all_paths(self) -> list[str]:
        """All its files, for an evening of which the first ones hold no results."""
        return [str(file) for file in self.files]

    @property
    def corrections(self) -> Path:
        """Its corrections file, which need not exist."""
        return beside.corrections_path(self.place)

    @property
    def slug(self) -> str:
        """The name of its folder on a website."""
        return make_slug(self.name)

    @property
    def changed(self) -> float:
        """The time when one of its files last changed, in seconds since 1970."""
        times = [path.stat().st_mtime for path in (*self.files, self.corrections) if path.exists()]
        return max(times, default=0.0)


@dataclass(frozen=True)
class Arrived:
    """A file that was dropped.

    Attributes:
        name: its name.
        evening: the evening that it went to; empty if it was refused.
        why: why it belongs there, or why it was refused.
    """

    name: str
    evening: str
    why: str


def list_shelf(folder: Path) -> list[Shelved]:
    """Return the evenings of a folder, the one that changed last first."""
    inside, folders = list_places(folder)
    found = {shelved.name: shelved for shelved in _in_files(inside)}
    for below in folders:
        if files := tuple(filter(is_input, beside.list_evening(below))):
            name = below.name if below.name not in found else f"{below.name} (folder)"
            found[name] = Shelved(name, below, files)
    return sorted(found.values(), key=lambda shelved: (-shelved.changed, natural(shelved.name)))


def find_shelved(folder: Path, name: str) -> Shelved | None:
    """Return the evening of this name; None if the folder has none."""
    return next((shelved for shelved in list_shelf(folder) if shelved.name == name), None)


def _in_files(inside: Iterable[Path]) -> Iterator[Shelved]:
    groups: dict[str, list[Path]] = {}
    for path in inside:
        groups.setdefault(path.stem, []).append(path)
    for stem, files in groups.items():
        yield Shelved(stem, files[0], tuple(files))


def take_in(folder: Path, files: Sequence[tuple[str, bytes]], into: str = "", run: Run = run_here) -> list[Arrived]:
    """Put dropped files into the folders of their evenings.

    Files of one name are one evening. Deals of another name go to the only results that were dropped with them, or to
    the only ones of their date.

    Args:
        folder: the folder of evenings.
        files: name and content of each; none of them a zip.
        into: the evening that all of them belong to; empty to find out.
        run: reads each file, as a process of its own does (`inbox.worker`).

    Raises:
        ArrivalError: no evening has that name.
        OSError: the files can't be written.
    """
    known = find_shelved(folder, into) if into else None
    if into and known is None:
        check_name(into)
    arriving = folder / HIDDEN / "arriving" / secrets.token_hex(4)
    half = arriving.with_suffix(_HALF)
    half.mkdir(parents=True)
    try:
        for name, content in files:
            (half / name).write_bytes(content)
        half.rename(arriving)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return _sort_in(folder, arriving, into, known, run)


def resume_arrivals(folder: Path, run: Run = run_here) -> list[Arrived]:
    """Put files into the folders of their evenings that a desk was taking in when it ended.

    Those that had not all come are removed: whoever dropped them got no answer.
    """
    left = folder / HIDDEN / "arriving"
    arriving = sorted(place for place in left.iterdir() if place.is_dir()) if left.is_dir() else []
    done = []
    for place in arriving:
        if place.suffix == _HALF:
            shutil.rmtree(place, ignore_errors=True)
        else:
            done += _sort_in(folder, place, "", None, run)
    return done


def _sort_in(folder: Path, arriving: Path, into: str, known: Shelved | None, run: Run) -> list[Arrived]:
    """Move the files of a folder to their evenings, and remove the folder."""
    try:
        done: list[Arrived] = []
        looks = list(_look_at(sorted(arriving.iterdir()), done, run))
        groups = {into: (looks, "you chose this evening")} if into else dict(_join(looks))
        for name, (group, why) in groups.items():
            place = _place(folder, name, known)
            done += [_move(look.path, place, known.name if known else name, why) for look in group]
        return done
    finally:
        shutil.rmtree(arriving, ignore_errors=True)


def _look_at(paths: Iterable[Path], done: list[Arrived], run: Run) -> Iterator[Look]:
    for path in paths:
        if beside.is_corrections(path):
            yield Look(path, deals=False, results=False, date=None, reason="")
            continue
        try:
            found = run(look_into, (path,), None) if is_input(path) else None
        except (FaultError, LostError) as error:
            done.append(Arrived(path.name, "", f"overtrick cannot read it: {error}"))
            continue
        if found is None or found.reason:
            why = "overtrick does not know this kind of file" if found is None else found.reason.partition("\n")[0]
            done.append(Arrived(path.name, "", why))
        else:
            yield found


def _join(looks: Sequence[Look]) -> Iterator[tuple[str, tuple[list[Look], str]]]:
    """Yield the name of each evening, with its files and why they belong together."""
    groups: dict[str, list[Look]] = {}
    for name, group in group_sessions(looks):
        groups.setdefault(name, []).extend(group)
    why = {name: _say_why(group) for name, group in groups.items()}
    results = {name: date_of(group) for name, group in groups.items() if has_results(group)}
    for deals in list(filterfalse(results.__contains__, groups)):
        target, reason = _find_results(date_of(groups[deals]), results)
        if target is not None:
            why[target] = f"{why[target]}; {reason}" if len(groups[target]) > 1 else reason
            groups[target] += groups.pop(deals)
    for name, group in groups.items():
        yield name, (group, why[name] if len(group) > 1 else "an evening of its own")


def _find_results(date: str | None, results: Mapping[str, str | None]) -> tuple[str | None, str]:
    """Return the evening that deals of a date go to, and why; None if they go to none.

    Args:
        date: of the deals.
        results: by evening with results, its date.
    """
    if len(results) == 1:
        return next(iter(results)), "the only results that came with these deals"
    same_day = [name for name, day in results.items() if day and day == date]
    return same_day[0] if len(same_day) == 1 else None, "the same date"


def _say_why(group: Sequence[Look]) -> str:
    """Return why the rule of `assemble.together` takes files for one evening."""
    if len({look.path.stem for look in group}) == 1:
        return "files of the same name are one evening"
    with_results = sum(look.results for look in group)
    return "the only results that came with these deals" if with_results == 1 else "the same date and contestants"


def _place(folder: Path, name: str, known: Shelved | None) -> Path:
    """Return the folder that the files of an evening go to."""
    if known is not None:
        return known.place if known.place.is_dir() else known.place.parent
    place = folder / check_name(name)
    place.mkdir(exist_ok=True)
    return place


def _move(path: Path, place: Path, evening: str, why: str) -> Arrived:
    """Move a file to its evening; another one of its name goes to `earlier`."""
    target = place / path.name
    name = path.name
    if target.exists():
        if target.read_bytes() == path.read_bytes():
            return Arrived(name, evening, "the same file was there already")
        earlier = place / "earlier"
        earlier.mkdir(exist_ok=True)
        shutil.copy2(target, find_unused(earlier / name))
        why = "a newer file of this name; the other one is in the folder earlier"
    path.replace(target)
    return Arrived(name, evening, why)


def put_away(folder: Path, shelved: Shelved, files: Sequence[Path]) -> Path:
    """Move files out of an evening, all of them with its corrections, and return the folder where they are kept.

    Raises:
        OSError: a file can't be moved.
    """
    away = folder / HIDDEN / "removed" / f"{shelved.slug}-{secrets.token_hex(4)}"
    away.mkdir(parents=True)
    for file in [*files, *([shelved.corrections] if len(files) == len(shelved.files) else [])]:
        if file.exists():
            file.rename(find_unused(away / file.name))
    if shelved.place.is_dir() and not any(shelved.place.iterdir()):
        shelved.place.rmdir()
    return away


def rename(folder: Path, shelved: Shelved, wanted: str) -> str:
    """Give an evening another name, and return it.

    Raises:
        ArrivalError: no file can have the name, or another evening or file has it.
        OSError: a file can't be renamed.
    """
    name = check_name(wanted)
    files = [file for file in (shelved.corrections, *shelved.files) if file.exists()]
    there = {old: old.with_name(f"{name}{old.name.removeprefix(shelved.name)}") for old in files}
    if shelved.place.is_dir():
        there = {shelved.place: shelved.place.with_name(name)}
    taken = (new.exists() or not may_be_of_evening(new.name) for new in (folder / name, *there.values()))
    # In a folder `done`, each folder would be an evening, as in an inbox.
    if name == "done" or find_shelved(folder, name) or any(taken):
        raise ArrivalError("another evening or file has this name")
    for old, new in there.items():
        old.rename(new)
    return name


def _kept(folder: Path, shelved: Shelved) -> Path:
    return folder / HIDDEN / "aside" / shelved.slug


def name_problem(code: str, file: str, message: str) -> str:
    """Return what tells a problem from others: it is another one as soon as its sentence changes."""
    return sha256(f"{code}\n{file}\n{message}".encode("utf-8", "replace")).hexdigest()[:16]


def read_aside(folder: Path, shelved: Shelved) -> list[str]:
    """Return the names of the problems of an evening that were set aside, in the order in which they were."""
    try:
        return _kept(folder, shelved).read_text("utf-8").split()
    except (OSError, UnicodeDecodeError):
        return []


def set_aside(folder: Path, shelved: Shelved, name: str, *, aside: bool) -> None:
    """Set a problem aside, or bring it back.

    Raises:
        OSError: that can't be written.
    """
    names = [known for known in read_aside(folder, shelved) if known != name]
    if aside:
        names.append(name)
    path = _kept(folder, shelved)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, "".join(f"{known}\n" for known in names).encode(), durable=True)
