"""The room as a grid: boards by tables, each cell a result with what a scorer should notice."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.notation import clean, is_number, natural
from overtrick.files.correct import words
from overtrick.files.correct.entry import write_shorthand
from overtrick.judge.analyse.deals import find_unusual

Row = Mapping[str, Any]

MARKS: Final = ("missing", "twice", "wrong", "far", "alone")
"""What a cell can be marked with: no result, two results, a problem, far from double dummy, a score of its own."""

MISSING: Final = ("movement-missing", "bws-missing")
"""Problems that name a result that is not there, by board and table: by the club's movement, or the terminals'."""

_ROUND: Final = re.compile(r"\bround ([0-9]{1,3})\b")
_SECTION: Final = re.compile(r", section ([^:]+)(?::|$)")

Note = tuple[str, str]
"""The code and the sentence of a problem."""

_KEY: Final = ("section", "round", "table", "ns", "ew")
_NAMED: Final = ("ns", "ew", "player_n", "player_e", "player_s", "player_w", "team_ns", "team_ew")


@dataclass(frozen=True)
class Cell:
    """One result.

    Attributes:
        key: what names it, as the query of an address.
        text: what happened: `4♠ by N, 10 tricks`.
        short: the same as a scorer types it: `4SN=`.
        score: points for N-S; None if there are none.
        percentage: of N-S; None if there is none.
        marks: of `MARKS`.
        notes: the code and the sentence of each problem that is about it.
        row: the row of `frames.RESULTS`; empty for a result that is not there.
    """

    key: str
    text: str
    short: str
    score: int | None
    percentage: float | None
    marks: tuple[str, ...]
    notes: tuple[Note, ...]
    row: Row


@dataclass(frozen=True)
class Grid:
    """The cells of a section.

    Attributes:
        section: its name; empty if there are no sections.
        by: what the columns are: `table`, or `ns` for the pairs N-S if the results state no tables.
        columns: their names.
        boards: each board with its cells, column by column.
    """

    section: str
    by: str
    columns: tuple[str, ...]
    boards: tuple[tuple[int, tuple[tuple[Cell, ...], ...]], ...]


def make_grids(session: Session, board: int | None = None) -> list[Grid]:
    """Return the grid of each section of a session that was scored.

    Args:
        session: the session.
        board: the only board to return; None for all.
    """
    results = session.results.drop_nulls("board")
    sections = sorted(results["section"].unique().to_list(), key=natural)
    shown = results if board is None else results.filter(pl.col("board") == board)
    cells = _cells(session, shown, board)
    return [
        _grid(
            section,
            results.filter(pl.col("section").eq_missing(section)),
            [cell for cell in cells if cell["section"] == section],
        )
        for section in sections
    ]


def list_cells(session: Session, board: int) -> list[Cell]:
    """Return the cells of a board, in the order of its tables."""
    results = session.results.filter(pl.col("board") == board)
    return [row["cell"] for row in sorted(_cells(session, results, board), key=lambda row: _order(row["cell"].row))]


def find_row(session: Session, key: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the result that a cell's key names; None if there is none."""
    if not is_number(key.get("board", "")):
        return None
    found = session.results.filter(pl.col("board") == int(key["board"]))
    for name in _KEY:
        found = found.filter(pl.col(name).eq_missing(pl.lit(key.get(name) or None, pl.String)))
    return found.row(0, named=True) if len(found) else None


def select(session: Session, row: Row) -> dict[str, Any]:
    """Return the options of `overtrick correct` that name a result, no more of them than it needs."""
    on_board = session.results.filter(pl.col("board") == row["board"])
    options: dict[str, Any] = {"board": row["board"]}
    left = on_board
    if row["ns"] is not None:
        options["pair"] = row["ns"]
        left = left.filter(_is_named(_NAMED, row["ns"]))
        if len(left) > 1:
            sat = left.filter(_is_named(("ns", "player_n", "player_s", "team_ns"), row["ns"]))
            if len(sat) < len(left):
                options["direction"], left = "NS", sat
    for name in ("table", "round", "section"):
        if (len(left) > 1 or (row["ns"] is None and name == "table")) and row[name] is not None:
            options[name] = row[name]
            left = left.filter(pl.col(name) == row[name])
    return options


def cell_key(row: Row) -> str:
    """Return what names a result, as the query of an address."""
    return urlencode({"board": row["board"], **{name: row[name] for name in _KEY if row[name] is not None}})


def _is_named(columns: Iterable[str], name: str) -> pl.Expr:
    return pl.any_horizontal((pl.col(column) == name).fill_null(value=False) for column in columns)


def _cells(session: Session, results: pl.DataFrame, only: int | None = None) -> list[dict[str, Any]]:
    """Return `section board column cell` for each result, and for each that should be there.

    Args:
        session: the session.
        results: those to show.
        only: the board that all of them are on; None if they are not on one.
    """
    notes, missing = _notes(session)
    marked = pl.concat([results, find_unusual(results, session.double_dummy)], how="horizontal")
    games = dict(results.group_by("record").len().iter_rows())
    rows = []
    for row in marked.iter_rows(named=True):
        found = list(notes.get((row["source"], row["line"]), ()))
        if games[row["record"]] == 1:
            found += [note for note in notes.get((row["record"],), ()) if note not in found]
        found += [note for note in notes.get((str(row["board"]), row["table"]), ()) if note not in found]
        marks = [name for name, holds in (("missing", row["status"] == "unknown"), ("wrong", found)) if holds]
        marks += [name for name in ("far", "alone") if row[name]]
        rows.append(_placed(row, tuple(marks), tuple(found)))
    there = {(row["section"], row["board"], row["table"]) for row in rows}
    sections = session.results["section"].unique().to_list()
    for board, table, note in missing:
        section = sections[0] if len(sections) == 1 else section_of(note[1])
        if (section, board, table) not in there and only in {None, board}:
            rows.append(_placed(_nothing(section, board, table), ("missing",), (note,)))
    return rows


def section_of(message: str) -> str | None:
    """Return the section in the sentence of a result that is missing; None if it names none."""
    found = _SECTION.search(message)
    return found[1] if found else None


def round_of(message: str) -> int:
    """Return the round in the sentence of a result that is missing; 0 if it names none."""
    found = _ROUND.search(message)
    return int(found[1]) if found else 0


def _placed(row: Row, marks: tuple[str, ...], notes: tuple[Note, ...]) -> dict[str, Any]:
    cell = Cell(
        key=cell_key(row),
        text=clean(words.played(row)),
        short=write_shorthand(row),
        score=row["score_ns"],
        percentage=row["percentage_ns"],
        marks=marks,
        notes=notes,
        row=row,
    )
    names = {name: row[name] for name in ("section", "board", "table", "ns")}
    return {**names, "cell": cell}


def _nothing(section: str | None, board: int, table: str | None) -> dict[str, Any]:
    """Return the row of a result that is not there."""
    columns = (
        *("round", "ns", "ew", "level", "strain", "doubled", "declarer", "tricks", "lead"),
        *("award_ns", "award_ew", "stated_score_ns", "score_ns", "percentage_ns", "source"),
    )
    return {**dict.fromkeys(columns), "section": section, "board": board, "table": table, "status": "unknown"}


def _notes(session: Session) -> tuple[dict[tuple[Any, ...], list[Note]], list[tuple[int, str | None, Note]]]:
    """Return the sentences of problems by what they are about, and the results that should be there."""
    notes: dict[tuple[Any, ...], list[Note]] = {}
    missing: list[tuple[int, str | None, Note]] = []
    leading = max((int(one) for one in session.results["round"].drop_nulls() if is_number(one)), default=0)
    for row in session.problems.iter_rows(named=True):
        named = row["code"] in MISSING and is_number(row["board"] or "") and row["table"]
        # While the game runs, later rounds are not missing.
        if named and round_of(row["message"]) <= leading:
            missing.append((int(row["board"]), row["table"], (row["code"], row["message"])))
        if row["severity"] == "info":
            continue
        for key in ((row["source"], row["line"]), (row["record"],), (row["board"], row["table"])):
            if all(part is not None for part in key):
                notes.setdefault(key, []).append((row["code"], row["message"]))
    return notes, missing


def _grid(section: str | None, results: pl.DataFrame, rows: list[dict[str, Any]]) -> Grid:
    """Return the grid of a section.

    Args:
        section: its name.
        results: all its results.
        rows: of `_cells`, those to show.
    """
    met = results.select("board", "table").n_unique()
    # Without tables, or with one table for all, each pair N-S is a column.
    by = "table" if not results["table"].has_nulls() and 4 * met >= 3 * results.height else "ns"
    columns = sorted({*results[by].fill_null("").unique(), *(row[by] or "" for row in rows)}, key=natural)
    at: dict[tuple[int, str], list[Cell]] = {}
    for row in rows:
        at.setdefault((row["board"], row[by] or ""), []).append(row["cell"])
    boards = tuple(
        (board, tuple(_marked(at.get((board, column), [])) for column in columns))
        for board in sorted({row["board"] for row in rows})
    )
    return Grid(section or "", by, tuple(columns), boards)


def _marked(cells: list[Cell]) -> tuple[Cell, ...]:
    if len(cells) < 2:
        return tuple(cells)
    return tuple(
        Cell(one.key, one.text, one.short, one.score, one.percentage, ("twice", *one.marks), one.notes, one.row)
        for one in cells
    )


def _order(row: Row) -> tuple[object, ...]:
    return natural(row["section"]), natural(row["table"]), natural(row["ns"])
