"""A result that is typed into an evening, on whatever screen.

Until an evening is published, a line of the club's own table is what was typed into it last. After that, and in files
of other programs, what is typed is a correction with its reason. What changes nothing is neither.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl

from overtrick.apps.evening.edit import ChangedError, Evening, FileError, read_bytes
from overtrick.apps.evening.sheets import SheetError, type_results
from overtrick.core.atomic_write import replace_file
from overtrick.core.frames import Session
from overtrick.core.machine import explain_failure
from overtrick.files.assemble import beside
from overtrick.files.correct.entry import EntryError, Given, ShorthandError, read_shorthand, write_shorthand

Row = Mapping[str, Any]

_RESULT: Final = {"contract", "by", "tricks", "lead", "award", "score", "not_played"}
"""The options that say what happened on a board, and no more."""
_OWN_TABLES: Final = ("csv", "xlsx")
"""The formats that people fill in by hand."""


class ConflictError(ChangedError):
    """Somebody changed the result after it was shown.

    Attributes:
        now: the result as a scorer types it.
    """

    def __init__(self, now: str) -> None:
        """Keep the result as it is now."""
        super().__init__(f"the result is {now or 'missing'} now")
        self.now = now


@dataclass(frozen=True)
class Table:
    """A table of results with what was typed into it, not written yet.

    Attributes:
        path: the file.
        before: the bytes that it has.
        after: the bytes that it gets.
    """

    path: Path
    before: bytes
    after: bytes

    def write(self) -> None:
        """Write the table.

        Raises:
            ChangedError: the file is no longer what was read; nothing is written.
            FileError: it can't be written; the old content is unchanged.
        """
        if read_bytes(self.path) != self.before:
            raise ChangedError(f"{self.path}: changed meanwhile")
        with explain_failure(self.path, FileError):
            replace_file(self.path, self.after, durable=True)


def is_typed(session: Session) -> bool:
    """Return whether the results of an evening are in tables that people fill in."""
    of_results = session.sources.filter(pl.col("source").is_in(session.results["source"].unique().to_list()))
    return len(of_results) > 0 and of_results["format"].is_in(_OWN_TABLES).all()


def is_writable(source: str) -> bool:
    """Return whether what is typed for a file's results goes into the file itself, and not into a correction."""
    return Path(source).suffix.lower() == ".csv"


def is_result(given: Given) -> bool:
    """Return whether options say what happened on a board, and no more."""
    return given.keys() <= _RESULT


def check_seen(row: Row, seen: str | None, given: Given) -> bool:
    """Return whether an entry changes a result.

    Args:
        row: the result as it is now.
        seen: the result that was shown when the entry was typed; None if that is not known.
        given: the entry.

    Raises:
        ConflictError: the result is another one by now, and not what was typed.
    """
    now = write_shorthand(row)
    if _means(now, given):
        return False
    if seen is not None and seen.strip() != now and not _means(now, _read(seen)):
        raise ConflictError(now)
    return True


def _means(text: str, given: Given | None) -> bool:
    """Return whether a result is what an entry says; an entry without the lead leaves the lead that is known."""
    known = _read(text)
    if known is None or given is None or not known or not given:
        return known == given
    return {name: value for name, value in known.items() if name != "lead" or "lead" in given} == given


def _read(text: str) -> dict[str, Any] | None:
    try:
        return read_shorthand(text) if text.strip() else {}
    except ShorthandError:
        return None


def type_in(evening: Evening, row: Row, given: Given) -> Table | None:
    """Return the table that a result is typed into; None if the table is not the place for it.

    Args:
        evening: the evening, which is not published.
        row: the result, of `frames.RESULTS`.
        given: what happened; nothing for a result that is missing.
    """
    line = evening.gathered.results.filter(source=row["source"], line=row["line"])
    is_corrected = len(line) != 1 or write_shorthand(line.row(0, named=True)) != write_shorthand(row)
    path = next((Path(path) for path in evening.paths if beside.show_path(Path(path)) == row["source"]), None)
    if is_corrected or path is None or not is_writable(row["source"]):
        return None
    kept = _read(write_shorthand(row)) or {}
    if "lead" in kept and {name: kept.get(name) for name in ("contract", "by")}.items() <= given.items():
        given = {"lead": kept["lead"], **given}
    before = read_bytes(path)
    try:
        return Table(path, before, type_results(before, {row["line"]: given}))
    except SheetError:
        return None


def explain(row: Row, given: Given, why: str) -> dict[str, Any]:
    """Return the options of the correction that puts a result right.

    Args:
        row: the result as it is now.
        given: what happened.
        why: the reason that was given; empty for the usual one.

    Raises:
        EntryError: the entry needs a reason that only people know, or says nothing.
    """
    if not given:
        raise EntryError("type NP for a board that was not played; to remove a result, open it")
    if "award" in given and not why:
        raise EntryError("say why: open the result and give the reason for this score")
    usual = "came in later" if row["status"] == "unknown" else "entered wrongly"
    return {**given, "why": why or usual}
