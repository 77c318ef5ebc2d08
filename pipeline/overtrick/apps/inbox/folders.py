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

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from overtrick.apps.inbox.attempts import Attempts
from overtrick.core.atomic_write import replace_file, sync_folder
from overtrick.files.assemble.beside import is_corrections

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
        """Return the new files, without links, hidden files and files whose ending says that they are being written."""
        return sorted(
            path
            for path in self.folder.iterdir()
            if path.is_file()
            and not path.is_symlink()
            and not path.name.startswith((".", "~"))
            and path.suffix.lower() not in _UNFINISHED
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
        kept = self.done / session
        kept.mkdir(exist_ok=True)
        for path in _files(self._built / session):
            old = kept / path.name
            if old.exists():
                (kept / "earlier").mkdir(exist_ok=True)
                old.rename(_unused(kept / "earlier" / path.name))
            path.rename(old)
        _sync(kept, self.done)
        (self._built / session).rmdir()

    def reject(self, path: Path, reason: str) -> Path:
        """Move a file to rejected, with a text beside it that says why, and return its new path.

        Raises:
            OSError: the file can't be moved; it stays where it is.
        """
        place = _unused(self.rejected / path.name)
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


def _unused(path: Path) -> Path:
    """Return this path, with a number added if a file has it already."""
    count, place = 1, path
    while place.exists():
        count += 1
        place = path.with_name(f"{path.stem}-{count}{path.suffix}")
    return place
