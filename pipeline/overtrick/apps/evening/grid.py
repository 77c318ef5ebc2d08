"""The room as a grid: boards by tables, each cell a result with what a scorer should notice."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote_plus

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.notation import clean, is_number, natural
from overtrick.files.correct import words
from overtrick.files.correct.entry import write_shorthand
from overtrick.files.formats.session_rows import name_sides
from overtrick.judge.analyse.deals import find_unusual
from overtrick.judge.validate.movement_given import list_missing

Row = Mapping[str, Any]

MARKS: Final = ("missing", "twice", "wrong", "far", "alone")
"""The marks of a cell: no result, two results, a problem, far from double dummy, a score of its own."""

ORDERS: Final = ("table", "round", "ns", "ew")
"""What the columns of a grid can be: a table, a round, or a pair that sat N-S or E-W."""

Note = tuple[str, str]
"""The code and the sentence of a problem."""

_KEY: Final = ("section", "round", "table", "ns", "ew")
# A grid of a thousand boards has twelve thousand keys, made of a few texts.
_quote = lru_cache(4096)(quote_plus)
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
        section: its name; empty if the results state none.
        by: what the columns are, one of `ORDERS`.
        columns: their names.
        boards: each board with its cells, column by column.
    """

    section: str
    by: str
    columns: tuple[str, ...]
    boards: tuple[tuple[int, tuple[tuple[Cell, ...], ...]], ...]


def make_grids(session: Session, board: int | None = None, order: str = "") -> list[Grid]:
    """Return the grid of each section of a session that was scored.

    Args:
        session: the session.
        board: the only board to return; None for all.
        order: one of `ORDERS`; anything else for tables, or for the pairs N-S if the results state no tables.
    """
    results = _name_pairs(session)
    sections = sorted(results["section"].unique().to_list(), key=natural)
    shown = results if board is None else results.filter(pl.col("board") == board)
    cells = _cells(session, shown, board)
    of_section = {name: [cell for cell in cells if cell.row["section"] == name] for name in sections}
    return [_grid(results.filter(pl.col("section").eq_missing(name)), of_section[name], order) for name in sections]


def list_cells(session: Session, board: int | None = None) -> list[Cell]:
    """Return the cells of a board, or of all boards, in the order of the tables, with `names_ns` and `names_ew`."""
    results = _name_pairs(session)
    by_place = ("section", "table", "ns")
    shown = results if board is None else results.filter(pl.col("board") == board)
    cells = _cells(session, shown, board)
    return sorted(cells, key=lambda cell: [cell.row["board"], *(natural(cell.row[name]) for name in by_place)])


def _name_pairs(session: Session) -> pl.DataFrame:
    return session.results.with_columns(name_sides(session, side) for side in ("ns", "ew")).drop_nulls("board")


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
    named = (f"&{name}={_quote(row[name])}" for name in _KEY if row[name] is not None)
    return f"board={row['board']}{''.join(named)}"


def _is_named(columns: Iterable[str], name: str) -> pl.Expr:
    return pl.any_horizontal((pl.col(column) == name).fill_null(value=False) for column in columns)


def _cells(session: Session, results: pl.DataFrame, only: int | None = None) -> list[Cell]:
    """Return a cell for each result, and for each that should be there.

    Args:
        session: the session.
        results: those to show.
        only: the board that all of them are on; None if they are not on one.
    """
    notes = _notes(session)
    marked = pl.concat([results, find_unusual(results, session.double_dummy)], how="horizontal")
    games = dict(results.group_by("record").len().iter_rows())
    cells = []
    for row in marked.iter_rows(named=True):
        subjects = _subjects(row)
        if games[row["record"]] != 1:
            subjects.remove((row["record"],))
        found = tuple(dict.fromkeys(note for subject in subjects for note in notes.get(subject, ())))
        holds = {"missing": row["status"] == "unknown", "wrong": found, "far": row["far"], "alone": row["alone"]}
        cells.append(_make_cell(row, tuple(mark for mark in holds if holds[mark]), found))
    there = set(marked.select("section", "board", "table").iter_rows())
    for section, board, table, _, note in list_missing(session):
        if (section, board, table) not in there and only in {None, board}:
            cells.append(_make_cell(_nothing(section, board, table), ("missing",), (note,)))
    return cells


def _subjects(row: Row) -> list[tuple[Any, ...]]:
    """Return all that a problem or a result is about: a line of a file, a game, and a board at a table."""
    board = None if row["board"] is None else str(row["board"])
    return [(row["source"], row["line"]), (row["record"],), (board, row["table"])]


def _make_cell(row: Row, marks: tuple[str, ...], notes: tuple[Note, ...]) -> Cell:
    text, short = clean(words.played(row)), write_shorthand(row)
    return Cell(cell_key(row), text, short, row["score_ns"], row["percentage_ns"], marks, notes, row)


def _nothing(section: str | None, board: int, table: str | None) -> dict[str, Any]:
    """Return the row of a result that is not there."""
    columns = (
        *("round", "ns", "ew", "names_ns", "names_ew", "level", "strain", "doubled", "declarer", "tricks", "lead"),
        *("award_ns", "award_ew", "stated_score_ns", "score_ns", "percentage_ns", "source"),
    )
    return {**dict.fromkeys(columns), "section": section, "board": board, "table": table, "status": "unknown"}


def _notes(session: Session) -> dict[tuple[Any, ...], list[Note]]:
    """Return the sentences of problems by what they are about."""
    notes: dict[tuple[Any, ...], list[Note]] = {}
    for row in session.problems.filter(pl.col("severity") != "info").iter_rows(named=True):
        for key in _subjects(row):
            if None not in key:
                notes.setdefault(key, []).append((row["code"], row["message"]))
    return notes


def _grid(results: pl.DataFrame, cells: list[Cell], order: str) -> Grid:
    """Return the grid of a section.

    Args:
        results: all its results.
        cells: those to show.
        order: what the columns are, as `make_grids` takes it.
    """
    met = results.select("board", "table").n_unique()
    # Without tables, or with one table for all, each pair N-S is a column.
    usual = "table" if not results["table"].has_nulls() and 4 * met >= 3 * results.height else "ns"
    by = order if order in ORDERS else usual
    at: dict[int, dict[str, list[Cell]]] = {}
    for cell in cells:
        at.setdefault(cell.row["board"], {}).setdefault(cell.row[by] or "", []).append(cell)
    columns = sorted({*results[by].fill_null("").unique()}.union(*at.values()), key=natural)
    boards = tuple((board, tuple(_marked(at[board].get(column, [])) for column in columns)) for board in sorted(at))
    return Grid(results["section"][0] or "", by, tuple(columns), boards)


def _marked(cells: list[Cell]) -> tuple[Cell, ...]:
    """Return the cells of one place, marked if they are several."""
    return tuple(replace(cell, marks=("twice", *cell.marks)) for cell in cells) if len(cells) > 1 else tuple(cells)
