"""The folders of an inbox. The folder that holds a file shows how far it has come, and every step is one rename.

The disk has each step before the next one begins.

INBOX/                        new files
INBOX/.overtrick/taking/S/    files being collected for session S; an interruption sends them back to the inbox
INBOX/.overtrick/taken/S/     all files of S; next its bulletin is made
INBOX/.overtrick/built/S/     the bulletin exists; next it is published
INBOX/.overtrick/attempts/    attempts at pieces of work that have not ended yet
INBOX/.overtrick/corrected/S  a digest of the corrections with which session S was last made
INBOX/done/S/                 finished; `earlier/` below it holds versions that newer files replaced
INBOX/rejected/               files that belong to no session, each with a text beside it that says why
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from overtrick.apps.inbox import arriving
from overtrick.core.atomic_write import replace_file, sync_folder
from overtrick.core.bridge.cards import is_complete
from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.assemble.beside import is_corrections
from overtrick.files.assemble.together import Held, group_files, list_held, name_of_evening
from overtrick.files.formats.looks import may_be_of_evening, walk
from overtrick.files.formats.text import source_lines
from overtrick.show.html.contestants import make_slug
from overtrick.show.text.display import Palette, format_problems

MOST_LOST: Final = 2
"""Attempts that may be lost by the work itself before it is given up."""

MOST_HEAVY: Final = 5
"""Attempts with much memory of which nobody knows why they did not end: the machine may have been switched off."""

MOST_BEGUN: Final = 100
"""Other attempts of which nobody knows why they did not end."""

_BEGUN: Final = "begun"
_HEAVY: Final = "begun, and took much memory"


class Attempts:
    """The attempts at all pieces of work, in a folder."""

    def __init__(self, folder: Path) -> None:
        """Take an existing folder."""
        self._folder = folder

    def begin(self, name: str) -> Path:
        """Count an attempt, and return the file that counts it."""
        self._write(name, [*self._lines(name), _BEGUN])
        return self._folder / name

    def lose(self, name: str, why: str) -> None:
        """Record why the last attempt was lost."""
        self._write(name, [*self._lines(name)[:-1], why])

    def end(self, name: str) -> None:
        """Forget the attempts, because the work is done or given up."""
        (self._folder / name).unlink(missing_ok=True)

    def is_hopeless(self, name: str) -> bool:
        """Return whether there were too many attempts to try again."""
        lines = self._lines(name)
        is_lost = len(self.reasons(name)) >= MOST_LOST
        return is_lost or lines.count(_HEAVY) >= MOST_HEAVY or len(lines) >= MOST_BEGUN

    def reasons(self, name: str) -> list[str]:
        """Return why attempts were lost, as far as known."""
        return [line for line in self._lines(name) if line not in {_BEGUN, _HEAVY}]

    def _lines(self, name: str) -> list[str]:
        try:
            return (self._folder / name).read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []

    def _write(self, name: str, lines: list[str]) -> None:
        replace_file(self._folder / name, "".join(f"{line}\n" for line in lines).encode(), durable=True)


def mark_heavy(counted: Path) -> None:
    """Record that the work of a file that `Attempts.begin` returned takes much memory."""
    attempts = Attempts(counted.parent)
    with suppress(OSError):
        if counted.is_file():
            attempts.lose(counted.name, _HEAVY)


def take_back(counted: Path) -> None:
    """Take back the last attempt of a file that `Attempts.begin` returned: it ended for a reason outside the work."""
    attempts = Attempts(counted.parent)
    with suppress(OSError):
        lines = counted.read_text("utf-8").splitlines()[:-1]
        if lines:
            attempts._write(counted.name, lines)  # noqa: SLF001 - of the same class
        else:
            attempts.end(counted.name)


State = tuple[int, int]
"""Size and time of a file."""


@dataclass
class Arrivals:
    """The files of an inbox at the last look. A file is complete when it has not changed for a while.

    Attributes:
        settle: how many seconds a file has to stay unchanged.
        clock: returns the time in seconds.
    """

    settle: float
    clock: Callable[[], float] = time.monotonic
    _seen: dict[Path, tuple[State, float]] = field(default_factory=dict)
    _first: dict[Path, float] = field(default_factory=dict)

    def list_complete(self, files: Iterable[Path]) -> list[Path]:
        """Look at the files, and return the complete ones."""
        now = self.clock()
        states = {path: state for path in files if (state := state_of(path))}
        self._seen = {
            path: self._seen[path] if path in self._seen and self._seen[path][0] == state else (state, now)
            for path, state in states.items()
        }
        complete = [path for path, (_, since) in self._seen.items() if now - since >= self.settle]
        self._first = {path: self._first.get(path, now) for path in self._seen.keys() - set(complete)}
        return complete

    def list_growing(self, seconds: float) -> list[Path]:
        """Return the files that have changed again and again for so long."""
        now = self.clock()
        return sorted(path for path, first in self._first.items() if now - first >= seconds)

    def age(self, path: Path) -> float:
        """Return for how many seconds a file has been unchanged."""
        return self.clock() - self._seen[path][1]


@dataclass
class Edits:
    """The corrections of finished sessions at the last look.

    Attributes:
        settle: how many seconds they have to stay unchanged. A removed file may be one that is being replaced.
        clock: returns the time in seconds.
    """

    settle: float
    clock: Callable[[], float] = time.monotonic
    _seen: dict[str, tuple[tuple[tuple[Path, State | None], ...], float]] = field(default_factory=dict)

    def look_at(self, session: str, files: Sequence[Path]) -> bool:
        """Look at the corrections of a session, and return whether they have not changed for a while."""
        now, state = self.clock(), tuple((path, state_of(path)) for path in files)
        if session not in self._seen or self._seen[session][0] != state:
            self._seen[session] = state, now
        return now - self._seen[session][1] >= self.settle

    @property
    def are_settled(self) -> bool:
        """Whether no session has corrections that changed a moment ago."""
        return all(self.clock() - since >= self.settle for _, since in self._seen.values())


def state_of(path: Path) -> State | None:
    """Return size and time of a file; None if it is gone."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns


_HIDDEN: Final = ".overtrick"
_UNFINISHED: Final = (".part", ".partial", ".tmp", ".crdownload", ".download", ".filepart")
"""The endings of files that a program is still writing."""

REASON: Final = ".reason.txt"
"""The ending of the text about a rejected file."""


class WatchedError(Exception):
    """Another run is watching this inbox."""


class Inbox:
    """An inbox folder, and the folders below it that mark the stages of the work."""

    def __init__(self, folder: Path) -> None:
        """Take an existing folder, and create the folders below it.

        Raises:
            OSError: a folder can't be created.
        """
        self.folder = folder
        self.done = folder / "done"
        self.rejected = folder / "rejected"
        self.unpacked = folder / "unpacked"
        self._taking, self._taken, self._built = (folder / _HIDDEN / name for name in ("taking", "taken", "built"))
        self._corrected = folder / _HIDDEN / "corrected"
        self._incomplete = folder / _HIDDEN / "incomplete"
        attempts = folder / _HIDDEN / "attempts"
        stages = (self._taking, self._taken, self._built, self._corrected, self._incomplete)
        for below in (self.done, self.rejected, *stages, attempts):
            below.mkdir(parents=True, exist_ok=True)
        self.attempts = Attempts(attempts)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out. If this one dies, the system releases the lock.

        Raises:
            WatchedError: another run is watching the inbox.
        """
        lock = FileLock(self.folder / _HIDDEN / "lock")
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise WatchedError(f"{self.folder}: another overtrick is watching this inbox; stop it first") from error
        try:
            yield
        finally:
            lock.release()

    def list_arrived(self) -> list[Path]:
        """Return the new files, without links, hidden files, settings, and files that are still being written.

        Those of folders that were put into the inbox are among them; `arriving.move_up` moves them.
        """
        here = [path for path in self.folder.iterdir() if path.is_file()]
        for name in _folders(self.folder):
            folder = self.folder / name
            is_own = folder in {self.done, self.rejected, self.unpacked}
            if may_be_of_evening(name) and not is_own and not folder.is_symlink():
                here += walk(folder)[0]
        return sorted(
            path
            for path in here
            if not path.is_symlink() and may_be_of_evening(path.name) and path.suffix.lower() not in _UNFINISHED
        )

    def list_taken(self) -> list[str]:
        """Return the names of the sessions whose bulletin has to be made."""
        return _folders(self._taken)

    def list_built(self) -> list[str]:
        """Return the names of the sessions whose bulletin has to be published."""
        return _folders(self._built)

    def is_free(self, session: str) -> bool:
        """Return whether no files of a session are in any of the stages between the inbox and done."""
        return not any((stage / session).exists() for stage in (self._taking, self._taken, self._built))

    def list_inputs(self, session: str) -> list[Path]:
        """Return the files of a session: those taken now, and those of an earlier run that they don't replace."""
        files = {path.name: path for path in (*_files(self.done / session), *_files(self._taken / session))}
        return [files[name] for name in sorted(files)]

    def list_done(self) -> list[str]:
        """Return the names of the finished sessions."""
        return _folders(self.done)

    def list_corrections(self, session: str) -> list[Path]:
        """Return the corrections files of a finished session."""
        return [path for path in _files(self.done / session) if is_corrections(path)]

    def corrected_with(self, session: str) -> str:
        """Return the digest of the corrections with which a session was last made; empty if there were none."""
        try:
            return (self._corrected / session).read_text("utf-8")
        except FileNotFoundError:
            return ""

    def mark_corrected(self, session: str, digest: str) -> None:
        """Record with which corrections a session is made."""
        if digest:
            replace_file(self._corrected / session, digest.encode(), durable=True)
        else:
            (self._corrected / session).unlink(missing_ok=True)

    def list_incomplete(self) -> list[str]:
        """Return the names of finished sessions whose pages are published without their analysis."""
        return [path.name for path in _files(self._incomplete) if (self.done / path.name).is_dir()]

    def mark_complete(self, session: str, *, complete: bool) -> None:
        """Record whether the pages of a session have all that they should have."""
        mark = self._incomplete / session
        if complete:
            mark.unlink(missing_ok=True)
        else:
            mark.touch()

    def take_again(self, session: str) -> None:
        """Take a finished session, to make its bulletin again."""
        (self._taken / session).mkdir()

    def take(self, session: str, files: Sequence[Path]) -> bool:
        """Take the files of a session, and return whether any of them was still there.

        Raises:
            OSError: one of them can't be moved; all are in the inbox again.
        """
        collected = self._taking / session
        collected.mkdir()
        try:
            for path in files:
                with suppress(FileNotFoundError):
                    path.rename(collected / path.name)
        except OSError:
            self._put_back(session)
            raise
        if not _files(collected):
            collected.rmdir()
            return False
        sync_folder(collected)
        collected.rename(self._taken / session)
        _sync(self._taken, self.folder)
        return True

    def put_back(self) -> None:
        """Return files to the inbox that an interrupted run had begun to take."""
        for session in _folders(self._taking):
            self._put_back(session)

    def _put_back(self, session: str) -> None:
        for path in _files(self._taking / session):
            if (self.folder / path.name).exists():
                self.reject(path, "A newer file with this name arrived before overtrick read this one.\n")
            else:
                path.rename(self.folder / path.name)
        sync_folder(self.folder)
        (self._taking / session).rmdir()

    def mark_built(self, session: str) -> None:
        """Record that the bulletin of a session exists."""
        (self._taken / session).rename(self._built / session)
        _sync(self._built, self._taken)

    def finish(self, session: str) -> None:
        """Move the files of a session to done, and the versions that they replace to `earlier`."""
        folder = self.done / session
        folder.mkdir(exist_ok=True)
        for path in _files(self._built / session):
            old = folder / path.name
            if old.exists():
                (folder / "earlier").mkdir(exist_ok=True)
                old.rename(arriving.find_unused(folder / "earlier" / path.name))
            path.rename(old)
        _sync(folder, self.done)
        (self._built / session).rmdir()

    def unpack(self, path: Path) -> list[Path]:
        """Put the files of a zip into the inbox, where they arrive as others do, and the zip itself into `unpacked`.

        Returns:
            Where its files are.

        Raises:
            ArrivalError, OSError: as for `arriving.spread`.
        """
        places = arriving.spread(path, self.folder)
        self.unpacked.mkdir(exist_ok=True)
        path.rename(arriving.find_unused(self.unpacked / path.name))
        _sync(self.unpacked, self.folder)
        return places

    def reject(self, path: Path, reason: str) -> Path:
        """Move a file to rejected, with a text beside it that says why, and return its new path.

        Raises:
            OSError: the file can't be moved; it stays where it is.
        """
        place = arriving.find_unused(self.rejected / path.name)
        text = place.with_name(place.name + REASON)
        # The reason first: then no rejected file lacks one, even after an interruption.
        replace_file(text, reason.encode("utf-8", "replace"), durable=True)
        try:
            path.rename(place)
        except FileNotFoundError:
            text.unlink()
        except OSError:
            text.unlink()
            raise
        _sync(self.rejected, path.parent)
        return place

    def reject_session(self, session: str, reason: str) -> list[Path]:
        """Reject all taken files of a session, and return their new paths."""
        places = [self.reject(path, reason) for path in _files(self._taken / session)]
        (self._taken / session).rmdir()
        return places


def _folders(stage: Path) -> list[str]:
    return sorted(path.name for path in stage.iterdir() if path.is_dir())


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []


def _sync(*folders: Path) -> None:
    for folder in folders:
        sync_folder(folder)


# Which files belong to one session, and which to none.


@dataclass(frozen=True)
class Look:
    """The content of a file, as far as it shows its session.

    Attributes:
        path: the file.
        deals: whether it holds complete deals.
        results: whether it holds results.
        date: the first date that a game states, `YYYY.MM.DD`.
        reason: why it belongs to no session, for people to read; empty if it does.
        held: its features that show with which other files it belongs; None if only its name does.
    """

    path: Path
    deals: bool
    results: bool
    date: str | None
    reason: str
    held: Held | None = field(default=None, compare=False)


def look_into(path: Path) -> Look:
    """Read a file and return what it holds.

    Raises:
        OSError: it can't be opened, perhaps because another program has it open.
    """
    path.open("rb").close()
    session = read([str(path)])
    deals = bool(is_complete(session.records["deal"]).any())
    results = session.results.height > 0
    evening = next(iter(list_held(session)), None)
    dates = session.records["date"].drop_nulls()
    date = next((text for text in dates if re.fullmatch(r"[0-9]{4}\.[0-9][0-9]\.[0-9][0-9]", text)), None)
    return Look(path, deals, results, date, "" if deals or results else _reason(session), evening)


def _reason(session: Session) -> str:
    problems = format_problems(session, source_lines, Palette())
    return f"This file holds neither complete deals nor results.\n{problems}"


def session_name(path: Path) -> str:
    """Return the name of a file's session: `tuesday` for `tuesday-results.csv`."""
    return make_slug(name_of_evening(path))


def group_sessions(looks: Iterable[Look]) -> list[tuple[str, list[Look]]]:
    """Return each session's name and files, in the order of their names; `assemble.together` has the rule.

    A session is named after its first file with results.
    """
    found = {str(look.path): look for look in sorted(looks, key=lambda look: look.path)}
    files = [_describe(path, look) for path, look in found.items()]
    groups = [[found[file.source] for file in group] for group in group_files(files, given=False)]
    firsts = [next((look for look in group if look.results), group[0]) for group in groups]
    return [(session_name(first.path), group) for first, group in zip(firsts, groups, strict=True)]


def _describe(path: str, look: Look) -> Held:
    if look.held:
        return replace(look.held, source=path)
    return Held(path, look.results, frozenset([look.date] if look.date else []))


def date_of(group: Sequence[Look]) -> str | None:
    """Return the date of a session: from its files with results, else from those with deals; None if none states it."""
    ordered = sorted(group, key=lambda look: not look.results)
    return next((look.date for look in ordered if look.date), None)


def is_whole(group: Sequence[Look]) -> bool:
    """Return whether the files hold both deals and results."""
    return has_results(group) and any(look.deals for look in group)


def has_results(group: Sequence[Look]) -> bool:
    """Return whether any of the files holds results."""
    return any(look.results for look in group)
