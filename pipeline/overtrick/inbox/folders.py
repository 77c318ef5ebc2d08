"""The folders of an inbox. Where a file lies is how far it has come, and every step is one rename.

INBOX/                        what arrived
INBOX/.overtrick/taking/S/    being gathered for session S; goes back to the inbox when that was cut
INBOX/.overtrick/taken/S/     all files of S: its bulletin is to be made
INBOX/.overtrick/built/S/     the bulletin is made: it is to be published
INBOX/.overtrick/corrected/S  a digest of the corrections with which session S was last made
INBOX/done/S/                 finished; `earlier/` below it holds versions that a correction replaced
INBOX/rejected/               what is no session, each with a text beside it that says why
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from overtrick.assemble.beside import is_corrections
from overtrick.render.files import replace_file

_HIDDEN: Final = ".overtrick"
_UNFINISHED: Final = (".part", ".partial", ".tmp", ".crdownload", ".download", ".filepart")
"""What programs call a file while they write it."""

REASON: Final = ".reason.txt"
"""What the name of a text about a rejected file ends in."""


class WatchedError(Exception):
    """Another run has this inbox."""


class Inbox:
    """One folder and those below it that the work goes through."""

    def __init__(self, folder: Path) -> None:
        """Take a folder that exists, and make those below it.

        Raises:
            OSError: they can't be made.
        """
        self.folder = folder
        self.done = folder / "done"
        self.rejected = folder / "rejected"
        self._taking, self._taken, self._built = (folder / _HIDDEN / name for name in ("taking", "taken", "built"))
        self._corrected = folder / _HIDDEN / "corrected"
        for made in (self.done, self.rejected, self._taking, self._taken, self._built, self._corrected):
            made.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out; the system opens the lock when this one dies.

        Raises:
            WatchedError: another run has it.
        """
        lock = FileLock(self.folder / _HIDDEN / "lock")
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise WatchedError(f"{self.folder}: another overtrick watches this inbox") from error
        try:
            yield
        finally:
            lock.release()

    def arrived(self) -> list[Path]:
        """List the files that lie in the inbox: no links, nothing hidden, nothing still being written by its name."""
        return sorted(
            path
            for path in self.folder.iterdir()
            if path.is_file()
            and not path.is_symlink()
            and not path.name.startswith((".", "~"))
            and path.suffix.lower() not in _UNFINISHED
        )

    def taken(self) -> list[str]:
        """Name the sessions whose bulletin is to be made."""
        return _named(self._taken)

    def built(self) -> list[str]:
        """Name the sessions whose bulletin is to be published."""
        return _named(self._built)

    def is_free(self, session: str) -> bool:
        """Say whether no files of a session are under way."""
        return not any((stage / session).exists() for stage in (self._taking, self._taken, self._built))

    def inputs(self, session: str) -> list[Path]:
        """List what a session is made of: its taken files, and those of an earlier run that they don't replace."""
        files = {path.name: path for path in (*_files(self.done / session), *_files(self._taken / session))}
        return [files[name] for name in sorted(files)]

    def finished(self) -> list[str]:
        """Return the names of the sessions that are finished."""
        return _named(self.done)

    def corrections(self, session: str) -> list[Path]:
        """Return the corrections files of a finished session."""
        return [path for path in _files(self.done / session) if is_corrections(path)]

    def corrected_with(self, session: str) -> str:
        """Return the digest of the corrections with which a session was last made; empty if there were none."""
        try:
            return (self._corrected / session).read_text("utf-8")
        except FileNotFoundError:
            return ""

    def note_corrected(self, session: str, digest: str) -> None:
        """Note with which corrections a session is made."""
        if digest:
            replace_file(self._corrected / session, digest.encode())
        else:
            (self._corrected / session).unlink(missing_ok=True)

    def take_again(self, session: str) -> None:
        """Let a finished session be made again."""
        (self._taken / session).mkdir()

    def take(self, session: str, files: Sequence[Path]) -> bool:
        """Take the files of a session; says whether they were still there."""
        gathered = self._taking / session
        gathered.mkdir()
        for path in files:
            with suppress(FileNotFoundError):
                path.rename(gathered / path.name)
        if not _files(gathered):
            gathered.rmdir()
            return False
        gathered.rename(self._taken / session)
        return True

    def put_back(self) -> None:
        """Give back what a run that was cut had begun to take."""
        for session in _named(self._taking):
            for path in _files(self._taking / session):
                if (self.folder / path.name).exists():
                    self.reject(path, "A newer file of this name arrived before this one was read.\n")
                else:
                    path.rename(self.folder / path.name)
            (self._taking / session).rmdir()

    def note_built(self, session: str) -> None:
        """Note that the bulletin of a session is made."""
        (self._taken / session).rename(self._built / session)

    def finish(self, session: str) -> None:
        """Put the files of a session away; of those that they replace nothing is lost."""
        kept = self.done / session
        kept.mkdir(exist_ok=True)
        for path in _files(self._built / session):
            old = kept / path.name
            if old.exists():
                (kept / "earlier").mkdir(exist_ok=True)
                old.rename(_unused(kept / "earlier" / path.name))
            path.rename(old)
        (self._built / session).rmdir()

    def reject(self, path: Path, reason: str) -> Path:
        """Put a file away, with a text beside it that says why; gives its new place."""
        place = _unused(self.rejected / path.name)
        # The reason first: a file that is put away has one, whatever is cut.
        place.with_name(place.name + REASON).write_text(reason, "utf-8")
        with suppress(FileNotFoundError):
            path.rename(place)
        return place

    def reject_session(self, session: str, reason: str) -> list[Path]:
        """Put all taken files of a session away."""
        places = [self.reject(path, reason) for path in _files(self._taken / session)]
        (self._taken / session).rmdir()
        return places


def _named(stage: Path) -> list[str]:
    return sorted(path.name for path in stage.iterdir() if path.is_dir())


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []


def _unused(path: Path) -> Path:
    """Give a name like this one that no file has."""
    count, place = 1, path
    while place.exists():
        count += 1
        place = path.with_name(f"{path.stem}-{count}{path.suffix}")
    return place
