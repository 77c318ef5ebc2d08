"""An evening and its corrections file: what a change of it would do, writing it, taking it back, and its faults."""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from overtrick.apps.evening.shelf import HIDDEN
from overtrick.core.atomic_write import is_leftover, replace_file
from overtrick.core.config import Config, ConfigError
from overtrick.core.config.corrections import Entry, PlacedEntry, parse_corrections
from overtrick.core.config.file import SettingsFile
from overtrick.core.frames import Session
from overtrick.core.machine import Show, explain_failure, present, show_nothing
from overtrick.core.notation import in_club_unit
from overtrick.files.assemble import beside
from overtrick.files.assemble.beside import Found
from overtrick.files.correct.draft import new_errors, ranking_changes
from overtrick.files.correct.entry import append_entry, put_again, remove_entry, replace_entry, take_back
from overtrick.pipeline import evaluate, read


class RefusedError(Exception):
    """The corrections file stays as it is; the message says why."""


class ChangedError(RefusedError):
    """The corrections file is no longer what was read."""


class FileError(RefusedError):
    """The corrections file can't be read or written, or the evening's files can't be read."""


class NothingToUndoError(RefusedError):
    """The corrections file has no entry that could be taken back."""


@dataclass(frozen=True)
class Edited:
    """A change of the corrections file that is not written yet.

    Attributes:
        text: the text of the file with the change; empty if nothing is left in it.
        session: the session with the change.
        entry: the row of the entry in `frames.CORRECTIONS`; None if it can't be understood.
        changed: a frame of `correct.effect.ranking_changes`.
        errors: the errors that the change makes, a frame of `frames.PROBLEMS`.
        found: the corrections that count with the change.
    """

    text: str
    session: Session
    entry: dict[str, Any] | None
    changed: pl.DataFrame
    errors: pl.DataFrame
    found: list[Found]


@dataclass(frozen=True)
class Evening:
    """An evening as it is, and the file that its corrections are in.

    Attributes:
        paths: its files.
        settings: the club's.
        target: the corrections file; it need not exist.
        content: the bytes of that file when the evening was read; empty if it did not exist.
        found: the corrections that count.
        gathered: the session without its corrections.
        session: the session with them, scored and ranked.
    """

    paths: list[str]
    settings: Config
    target: Path
    content: bytes
    found: list[Found]
    gathered: Session
    session: Session

    @property
    def digest(self) -> str:
        """The SHA-256 of the corrections file as it was read, in hexadecimal."""
        return sha256(self.content).hexdigest()

    @cached_property
    def file(self) -> SettingsFile:
        """The text of the corrections file, with its line ends as they are.

        Raises:
            RefusedError: it is not text.
        """
        try:
            return SettingsFile(self.target, self.content.removeprefix(BOM_UTF8).decode())
        except UnicodeDecodeError as error:
            raise RefusedError(f"{self.target}: not a TOML file: {error}") from error

    def add(self, *entries: Entry) -> Edited:
        """Return what entries more would do.

        Raises:
            RefusedError: the file is not TOML, or its entries are not under headers.
        """
        file = self.file
        try:
            for entry in entries:
                file = SettingsFile(self.target, append_entry(file, entry))
        except ConfigError as error:
            raise RefusedError(str(error)) from error
        return self._edited(file.text)

    def put(self, entry: Entry) -> Edited:
        """Return what an entry would do that takes the place of an earlier one about the same.

        Only an earlier entry of this file that the new one contradicts is taken out; all others stay.

        Raises:
            RefusedError: as for `add`.
        """
        edited = self.add(entry)
        if "correction-contradicts" not in edited.errors["code"]:
            return edited
        for earlier in reversed([row for row in self._list_placed() if row.entry.board == entry.board]):
            text = append_entry(SettingsFile(self.target, remove_entry(self.file, earlier.number)), entry)
            replaced = self._edited(text)
            if replaced.errors.is_empty():
                return replaced
        return edited

    def take_back(self, number: int = 0) -> Edited:
        """Return what the file without one of its entries would do.

        Args:
            number: of the entry in the file, from 1; 0 for the last.

        Raises:
            NothingToUndoError: it has no such entry, or they are not under headers.
        """
        try:
            text = remove_entry(self.file, number)
        except ConfigError as error:
            raise NothingToUndoError(str(error)) from error
        return self._edited(text, self.session, self._line_of(self.file, number))

    def set_aside(self, number: int) -> Edited:
        """Return what the file does if one of its entries is taken back and stays on record; `number` from 1.

        Raises:
            NothingToUndoError: it has no such entry, or it was taken back before.
        """
        return self._rewritten(lambda: take_back(self.file, number, present()), number)

    def put_again(self, number: int) -> Edited:
        """Return what the file does if an entry that was taken back counts again; `number` from 1.

        Raises:
            NothingToUndoError: it has no such entry, or it was not taken back.
        """
        return self._rewritten(lambda: put_again(self.file, number), number)

    def _rewritten(self, write: Callable[[], str], number: int) -> Edited:
        try:
            file = SettingsFile(self.target, write())
        except ConfigError as error:
            raise NothingToUndoError(str(error)) from error
        return self._edited(file.text, line=self._line_of(file, number))

    def number_entries(self) -> dict[int, int]:
        """Return the number of each entry of the file by the line on which it begins."""
        return {row.line: row.number for row in self._list_placed()}

    def _list_placed(self) -> list[PlacedEntry]:
        """Return the entries of the file that can be understood."""
        target = beside.show_path(self.target)
        return [row for file in self.found if file.corrections.source == target for row in file.corrections.entries]

    def replace(self, number: int, entry: Entry) -> Edited:
        """Return what another entry in the place of one would do.

        Args:
            number: of the entry in the file, from 1; 0 for the last.
            entry: the other one.

        Raises:
            NothingToUndoError: it has no such entry, or they are not under headers.
        """
        return self._rewritten(lambda: replace_entry(self.file, number, entry), number)

    @staticmethod
    def _line_of(file: SettingsFile, number: int) -> int | None:
        """Return the line on which an entry begins; None for the last."""
        return file.position(file.places["corrections", number].key)[0] if number else None

    def write(self, text: str) -> None:
        """Write the corrections file, or remove it if nothing is left in it.

        Raises:
            ChangedError: the file is no longer what was read; nothing is written.
            FileError: the file can't be written; the old content is unchanged.
        """
        if read_bytes(self.target) != self.content:
            raise ChangedError(f"{self.target}: changed meanwhile; run the command again")
        with explain_failure(self.target, FileError):
            if text:
                replace_file(self.target, self._encode(text), durable=True)
            else:
                self.target.unlink(missing_ok=True)

    def written(self, edited: Edited) -> "Evening":
        """Return the evening after a change of it was written."""
        return replace(self, content=self._encode(edited.text), found=edited.found, session=edited.session)

    def _encode(self, text: str) -> bytes:
        """Return the bytes of the file with another text; it keeps its byte order mark."""
        mark = BOM_UTF8 if self.content.startswith(BOM_UTF8) else b""
        return mark + text.encode() if text else b""

    def _edited(self, text: str, before: Session | None = None, line: int | None = None) -> Edited:
        """Return what another text of the corrections file would do.

        Args:
            text: of the file.
            before: the session to find the entry in, if it is not in the new one.
            line: the line of the entry; None for the last one.
        """
        found = self._found(text)
        after = evaluate(self.gathered, self.settings, found)
        entries = (before or after).corrections
        if line is not None:
            entries = entries.filter(source=beside.show_path(self.target), line=line)
        entry = entries.row(-1, named=True) if len(entries) else None
        changed = ranking_changes(*(in_club_unit(session).standings for session in (self.session, after)))
        return Edited(text, after, entry, changed, new_errors(self.session.problems, after.problems), found)

    def _found(self, text: str) -> list[Found]:
        new = parse_corrections(SettingsFile(self.target, text), beside.show_path(self.target))
        changed = beside.with_changed(self.found, new, self.paths)
        return changed if text else [file for file in changed if file.corrections.source != new.source]


def open_evening(
    evening: Path, settings: Config, corrections: Path | None = None, *, deals: bool = False, show: Show = show_nothing
) -> Evening:
    """Read an evening that is named by one of its files or its folder.

    Args:
        evening: the file or folder.
        settings: the club's.
        corrections: its corrections file, if that is not beside it.
        deals: whether its deals are to be corrected.
        show: takes what is done.

    Raises:
        FileError: the corrections file can't be read, or no file with results can.
    """
    paths = beside.evening_paths(evening)
    target = corrections or beside.corrections_path(evening)
    content = read_bytes(target)
    if corrections is None:
        found = beside.find_for_evening(evening, paths)
    else:
        found = [beside.read_corrections(target)] if target.exists() else []
    opened = read_evening(paths, settings, found, target=target, content=content, show=show)
    if opened.session.results.is_empty() or (deals and opened.session.records["deal"].is_null().all()):
        # What is to be corrected is in another file, which may repeat the results of those that have some.
        whole = [str(path) for path in beside.list_evening(evening)]
        lost, opened = opened, read_evening(whole, settings, found, target=target, content=content, show=show)
        unread = lost.session.problems.filter(code="file-unreadable")
        if opened.session.results.is_empty() and not unread.is_empty():
            raise FileError(f"{unread['source'][0]}: {unread['message'][0]}")
    return opened


def read_evening(  # noqa: PLR0913 - all that an evening is made of
    paths: Sequence[str],
    settings: Config,
    found: Sequence[Found],
    *,
    target: Path,
    content: bytes,
    gathered: Session | None = None,
    show: Show = show_nothing,
) -> Evening:
    """Read the files of an evening and apply its corrections.

    Args:
        paths: the files.
        settings: the club's.
        found: the corrections that count.
        target: the corrections file.
        content: its bytes.
        gathered: the session without its corrections, if it is known.
        show: takes what is done.
    """
    session = read(paths, settings, show=show) if gathered is None else gathered
    evaluated = evaluate(session, settings, list(found), show=show)
    return Evening(list(paths), settings, target, content, list(found), session, evaluated)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file; none if it does not exist.

    Raises:
        FileError: it can't be read.
    """
    with explain_failure(path, FileError, "can't be read"), suppress(FileNotFoundError):
        return path.read_bytes()
    return b""


def find_faults(place: Path, evening: Evening) -> Iterator[tuple[str, str]]:
    """Yield each fault of an evening with its file.

    Args:
        place: the evening's folder, or one of its files.
        evening: the evening.
    """
    fits = ~pl.col("code").str.starts_with("correction") & (pl.col("code") != "file-unreadable")
    faults = evening.session.problems.filter(pl.col("severity").is_in(["warning", "error"]), ~fits)
    yield from ((str(source or place), message) for source, message in faults.select("source", "message").iter_rows())
    folder = place if place.is_dir() else place.parent
    half = [path for path in (*folder.iterdir(), *(folder / HIDDEN / "arriving").glob("*/*")) if _is_half(path)]
    yield from ((str(path), "was left half written or half taken in; delete it, or add it again") for path in half)


def _is_half(path: Path) -> bool:
    """Return whether a file is one that a killed run left."""
    return path.is_file() and (path.parent.parent.name == "arriving" or is_leftover(path))
