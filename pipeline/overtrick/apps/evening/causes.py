"""The problems of an evening by their cause, the most costly first, each with its place and what mends it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Final, Literal
from urllib.parse import urlencode

import polars as pl

from overtrick.apps.evening.grid import cell_key
from overtrick.apps.evening.shelf import name_problem
from overtrick.core.frames import Session
from overtrick.core.notation import clean, is_number
from overtrick.files.formats.text import source_lines
from overtrick.judge.validate.movement_given import MISSING, section_of

Mend = Literal["cell", "add", "swap", "rulings", "people", "history", "settings", "board", "overview"]
"""Where a problem is mended: a cell, a result to add, pairs to swap, or one of the screens."""

SHOWN: Final = 50
"""How many problems of one cause are shown."""

_RANKS: Final = {"error": 0, "warning": 1, "info": 2}
_WRONG_WAY: Final = ("movement-wrong-way", "pair-wrong-way", "pair-board-direction")
_BY_START: Final[Mapping[Mend, tuple[str, ...]]] = {
    "history": ("correction-",),
    "rulings": ("tie-", "board-fouled"),
    "people": ("contestant-", "name-", "player-"),
    "settings": ("scoring-", "vp-scale-", "pairs-no-matches", "setting-"),
}
_EXCERPT: Final = 120
_Places = dict[tuple[object, ...], dict[str, Any]]
"""Results by the file and line where they, or the entries that correct them, are stated."""


@dataclass(frozen=True)
class Trouble:
    """One problem.

    Attributes:
        message: the sentence.
        file: the name of the file; empty if it is in none.
        line: the line in the file; None if it is not known.
        before: the line up to the place.
        marked: the character at the place, and all after it up to the next blank.
        after: the rest of the line.
        board: the board; empty if it is about none.
        table: the table; empty if it is about none.
        mend: where it is mended.
        key: the query that names the cell, for those that are mended in one.
        name: what tells it from others.
    """

    message: str
    file: str
    line: int | None
    before: str
    marked: str
    after: str
    board: str
    table: str
    mend: Mend
    key: str = ""
    name: str = ""


@dataclass(frozen=True)
class Cause:
    """All problems of one code.

    Attributes:
        code: the code.
        severity: error, warning or info.
        count: how many there are.
        hint: what to do.
        troubles: the first of them.
    """

    code: str
    severity: str
    count: int
    hint: str
    troubles: tuple[Trouble, ...]


def part_aside(causes: Sequence[Cause], names: Collection[str]) -> tuple[list[Cause], list[tuple[Cause, Trouble]]]:
    """Return causes without the problems that were set aside, and these."""
    left, aside = [], []
    for cause in causes:
        here = tuple(trouble for trouble in cause.troubles if trouble.name not in names)
        gone = [(cause, trouble) for trouble in cause.troubles if trouble.name in names]
        if cause.count > len(gone):
            left.append(replace(cause, troubles=here, count=cause.count - len(gone)))
        aside += gone
    return left, aside


def list_causes(session: Session) -> list[Cause]:
    """Return the problems of an evening by cause: errors first, then by the number of results that they touch."""
    by_place: _Places = {(row["source"], row["line"]): row for row in session.results.iter_rows(named=True)}
    # A problem that an entry causes is mended in the cell that it set.
    set_by = session.facts.set_by.items()
    by_place |= {entry[:2]: row for where, entry in set_by if (row := by_place.get(where[:2]))}
    causes = []
    for (code, hint), rows in session.problems.group_by("code", "hint", maintain_order=True):
        lines = _lines(rows.head(SHOWN))
        troubles = tuple(_trouble(row, lines, by_place) for row in rows.head(SHOWN).iter_rows(named=True))
        severity = min(rows["severity"].cast(pl.String), key=lambda severity: _RANKS[severity])
        causes.append(Cause(str(code), severity, len(rows), hint or "", troubles))
    return sorted(causes, key=lambda cause: (_RANKS[cause.severity], -cause.count, cause.code))


def _lines(rows: pl.DataFrame) -> dict[tuple[str, int], str]:
    found: dict[tuple[str, int], str] = {}
    for (source,), group in rows.drop_nulls(["source", "line"]).group_by("source"):
        # A table's name is one of a file of Access, whose lines are not text.
        wanted = group["line"].unique().to_list()
        found |= {(str(source), number): text for number, text in source_lines(str(source), wanted).items()}
    return found


def _trouble(row: Mapping[str, Any], lines: Mapping[tuple[str, int], str], results: _Places) -> Trouble:
    before, marked, after = _excerpt(lines.get((row["source"], row["line"]), ""), row["column"])
    result = results.get((row["source"], row["line"]))
    mend = _mend(row, result)
    return Trouble(
        message=clean(row["message"]),
        file=PurePath(row["source"]).name if row["source"] else "",
        line=row["line"],
        before=before,
        marked=marked,
        after=after,
        board=row["board"] or "",
        table=row["table"] or "",
        mend=mend,
        key=_key(row, result, mend),
        name=name_problem(row["code"], PurePath(row["source"] or "").name, row["message"]),
    )


def _key(row: Mapping[str, Any], result: Mapping[str, Any] | None, mend: Mend) -> str:
    """Return the query that names the cell of a problem; of a result that is not there, its place."""
    if mend == "add":
        place = {"board": row["board"], "section": section_of(row["message"]), "table": row["table"]}
        return urlencode({name: value for name, value in place.items() if value})
    return cell_key(result) if result is not None and mend in {"cell", "swap"} else ""


def _mend(row: Mapping[str, Any], result: Mapping[str, Any] | None) -> Mend:
    code = row["code"]
    for mend, starts in _BY_START.items():
        if code.startswith(starts):
            return mend
    if code in MISSING:
        return "add"
    if result is not None and result["board"] is not None:
        return "swap" if code in _WRONG_WAY else "cell"
    return "board" if is_number(row["board"] or "") else "overview"


def _excerpt(line: str, column: int | None) -> tuple[str, str, str]:
    """Return a line in three parts: before the place, the word at the place, after it."""
    text = line.rstrip("\r\n")
    if not text.strip() or not text.isprintable() or column is None:
        return clean(text)[:_EXCERPT], "", ""
    at = min(max(column - 1, 0), len(text))
    begin = max(0, at - _EXCERPT // 2)
    word = len(text[at:].split(maxsplit=1)[0]) if text[at:].strip() else 0
    end = min(at + max(word, 1), at + _EXCERPT)
    return text[begin:at], text[at:end], text[end : end + _EXCERPT // 2]
