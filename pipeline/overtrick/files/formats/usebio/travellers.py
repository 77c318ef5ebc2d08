"""Traveller lines to results: cells of text first, then one expression a column."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import polars as pl

from overtrick.core import notation
from overtrick.core.frames import Records, Session
from overtrick.core.problems import report
from overtrick.files.formats.text import source_lines
from overtrick.files.formats.usebio.xml import Element

CELLS: Final = {
    "contract": ("CONTRACT",),
    "declarer": ("PLAYED_BY",),
    "lead": ("LEAD",),
    "tricks": ("TRICKS",),
    "score": ("SCORE",),
    "cell_ns": ("NS_SCORE",),
    "cell_ew": ("EW_SCORE",),
    "earned_ns": ("NS_MATCH_POINTS", "NS_BUTLER_POINTS", "NS_CROSS_IMP_POINTS", "NS_IMPS"),
    "earned_ew": ("EW_MATCH_POINTS", "EW_BUTLER_POINTS", "EW_CROSS_IMP_POINTS", "EW_IMPS"),
    "table": ("TABLE_NUMBER", "TABLE"),
    "round": ("ROUND_NUMBER", "ROUND"),
    "direction": ("DIRECTION",),
    "pair_ns": ("NS_PAIR_NUMBER",),
    "pair_ew": ("EW_PAIR_NUMBER",),
    "player_n": ("N_PLAYER_NUMBER",),
    "player_s": ("S_PLAYER_NUMBER",),
    "player_e": ("E_PLAYER_NUMBER",),
    "player_w": ("W_PLAYER_NUMBER",),
}
"""Columns of text, and the elements that each is taken from: the first of them with a text."""

_COLUMN_OF: Final = {name: column for column, names in CELLS.items() for name in names}

_OF_MATCH: Final = {
    "match_round": ("ROUND_NUMBER",),
    "team": ("TEAM", "TEAM_ID"),
    "opponents": ("OPPOSING_TEAM", "OPPOSING_TEAM_ID"),
    "match_ns": ("NS_PAIR_NUMBER",),
    "match_ew": ("EW_PAIR_NUMBER",),
    "team_score": ("TEAM_SCORE", "TEAM_VPS"),
    "opponents_score": ("OPPOSING_TEAM_SCORE", "OPPOSING_TEAM_VPS"),
}
_READ: Final = ("contract", "declarer", "lead", "tricks", "score", "earned_ns", "earned_ew")
_SCHEMA: Final = {
    **dict.fromkeys((*CELLS, *_OF_MATCH, "average", "section"), pl.String()),
    **dict.fromkeys(("record", "line", "column"), pl.UInt32()),
}
_NOTHING: Final = ["", "-", "--", "?", "NP", "N/P"]
_AWARD: Final = r"(?i)^A\s*([0-9]{2})\s*[-/:]?\s*([0-9]{2})$"
_ONE_SIDE: Final = (r"(?i)^A\s*([0-9]{2})\s*[-/:]?\s*[-?*X]{0,2}$", r"(?i)^A\s*[-?*X]{1,2}\s*[-/:]?\s*([0-9]{2})$")
"""An artificial score for N-S alone, `A60` or `A60--`, and for E-W alone, `A--40`."""
_NOT_PLAYED: Final = r"(?i)^(?:np|n/p|not played|not_played)$"


@dataclass(frozen=True)
class Line:
    """One traveller line: its texts, and its element with the places of the cells."""

    cells: dict[str, object]
    element: Element


def read_travellers(board: Element, match: Element | None, record: int) -> Iterator[Line]:
    """Yield the lines of one board, with what their match says about all of them."""
    shared: dict[str, object] = {"record": record, "average": board.value("BOARD_AVERAGE")}
    if match is not None:
        shared |= {column: match.value(*names) for column, names in _OF_MATCH.items()}
    for line in board.all("TRAVELLER_LINE"):
        yield Line({**shared, **_cells(line), "line": line.line, "column": line.column}, line)


def _cells(line: Element) -> dict[str, str]:
    """Return the texts of a line, in one pass: a congress has tens of thousands of lines with most of its elements."""
    cells: dict[str, str] = {}
    for child in line.children:
        column = _COLUMN_OF.get(child.name)
        if column is not None:
            child.is_read = True
            if child.text:
                cells.setdefault(column, child.text)
    return cells


def read_results(lines: list[Line], records: Records) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the lines.

    Args:
        lines: in the order of the file.
        records: `frames.RECORDS` that their `record` names.

    Returns:
        A frame of `frames.RESULTS` with `team_ns team_ew` beside it, and the problems of the lines.
    """
    rows = pl.DataFrame([line.cells for line in lines], schema=_SCHEMA, orient="row")
    numbered = rows.with_row_index("row").with_columns(
        pl.when(~pl.col(name).str.to_uppercase().is_in(_NOTHING)).then(name).alias(name) for name in _READ
    )
    read = (
        numbered.with_columns(**_meanings())
        .with_columns(notation.tricks_against(pl.col("tricks"), pl.col("level")).alias("won"))
        .with_columns(_status())
    )
    labelled = read.drop("section").join(
        records.select("record", "section", "board_label"), on="record", how="left", maintain_order="left"
    )
    unread = _unread(labelled, lines)
    again = _repeated(labelled)
    repeated = report("results-repeated/usebio", labelled.filter(again).with_columns(board="board_label"))
    final = labelled.filter(~again).with_columns(pl.lit(1).alias("multiplicity"))
    return _with_teams(final), pl.concat([unread, repeated])


def _meanings() -> dict[str, pl.Expr]:
    """Return what each column of text means."""
    score, contract = pl.col("score"), pl.col("contract")
    stated = pl.coalesce(score, pl.col("cell_ns"))
    awards = [
        pl.coalesce(
            score.str.extract(_AWARD, group) + "%",
            score.str.extract(_ONE_SIDE[group - 1]) + "%",
            notation.percent(pl.col(f"cell_{side}").str.replace(r"\s+%$", "%")),
        )
        for group, side in ((1, "ns"), (2, "ew"))
    ]
    individual = {
        side: pl.concat_str(first, second, separator="+")
        for side, first, second in (("ns", "player_n", "player_s"), ("ew", "player_e", "player_w"))
    }
    return {
        "ns": pl.coalesce("pair_ns", individual["ns"], "match_ns"),
        "ew": pl.coalesce("pair_ew", individual["ew"], "match_ew"),
        "round": pl.coalesce("round", "match_round"),
        "level": notation.level(contract),
        "strain": notation.strain(contract),
        "doubled": notation.doubled(contract),
        "seat": notation.seat(pl.col("declarer").str.slice(0, 1)),
        "opening": notation.lead(pl.col("lead"), rank_first=True),
        "stated_score_ns": notation.whole(stated),
        "award_ns": awards[0],
        "award_ew": awards[1],
        "stated_points_ns": notation.number(pl.col("earned_ns"), from_point=True),
        "stated_points_ew": notation.number(pl.col("earned_ew"), from_point=True),
        "stated_datum": notation.whole(pl.col("average")),
    }


def _status() -> pl.Expr:
    absent = pl.any_horizontal(pl.col(name).str.contains(_NOT_PLAYED) for name in ("contract", "score"))
    empty = pl.all_horizontal(pl.col(name).is_null() for name in ("contract", "score", "tricks"))
    return notation.status(
        adjusted=pl.col("award_ns").is_not_null() | pl.col("award_ew").is_not_null(),
        passed=pl.col("level") == 0,
        not_played=absent.fill_null(value=False) | empty,
        played=notation.is_counted("won"),
    ).alias("status")


def _unread(read: pl.DataFrame, lines: list[Line]) -> pl.DataFrame:
    """Report cells that are not empty and cannot be read, each at its own place."""
    contract_known = pl.col("level").is_not_null() | (pl.col("status") == "adjusted")
    meant = {
        "contract": contract_known,
        "declarer": pl.col("seat").is_not_null(),
        "lead": pl.col("opening").is_not_null(),
        "tricks": pl.col("won").is_not_null() | (pl.col("level") == 0) | pl.col("level").is_null(),
        "score": pl.any_horizontal(pl.col("stated_score_ns", "award_ns", "award_ew").is_not_null()),
        "earned_ns": pl.col("stated_points_ns").is_not_null(),
        "earned_ew": pl.col("stated_points_ew").is_not_null(),
    }
    absent = pl.col("status") == "not played"
    parts = []
    for column, known in meant.items():
        wrong = read.filter(pl.col(column).is_not_null() & ~known.fill_null(value=False) & ~absent)
        cells = [lines[row].element.first(*CELLS[column]) for row in wrong["row"]]
        places = [(cell.name, cell.line, cell.column) for cell in cells if cell is not None]
        at = pl.DataFrame(places, schema={"element": pl.String, "line": pl.UInt32, "column": pl.UInt32}, orient="row")
        text = pl.format("'{}'", column).alias("text")
        about = wrong.select("record", pl.col("board_label").alias("board"), "table", text)
        parts.append(report("value-unknown/usebio", pl.concat([about, at], how="horizontal")))
    return pl.concat(parts)


def _repeated(read: pl.DataFrame) -> pl.Series:
    """Return which lines of an individual event repeat a result that was listed before."""
    same = ["record", "ns", "ew", "contract", "declarer", "won", "stated_score_ns", "award_ns", "award_ew"]
    individual = pl.all_horizontal(pl.col(f"player_{seat}").is_not_null() for seat in "nsew")
    return read.select((individual & ~pl.struct(same).is_first_distinct()).alias("again"))["again"]


def _with_teams(lines: pl.DataFrame) -> pl.DataFrame:
    """Add the teams of a match: `DIRECTION` says how the first of them sat at this table, or the line names both."""
    way = pl.col("direction").str.to_uppercase().str.slice(0, 1)
    named = way.is_null() & (pl.col("team") != pl.col("opponents"))
    sat_ns = way.is_in(["N", "S"]) | (named & (pl.col("ns") == pl.col("team")) & (pl.col("ew") == pl.col("opponents")))
    sat_ew = way.is_in(["E", "W"]) | (named & (pl.col("ew") == pl.col("team")) & (pl.col("ns") == pl.col("opponents")))
    score, other = (notation.number(pl.col(name), from_point=True) for name in ("team_score", "opponents_score"))
    seated = lines.with_columns(
        pl.when(sat_ns).then("team").when(sat_ew).then("opponents").alias("team_ns"),
        pl.when(sat_ns).then("opponents").when(sat_ew).then("team").alias("team_ew"),
        pl.when(sat_ns).then(score).when(sat_ew).then(other).alias("stated_match_ns"),
        pl.when(sat_ns).then(other).when(sat_ew).then(score).alias("stated_match_ew"),
    )
    return seated.with_columns(
        pl.coalesce("ns", "team_ns").alias("ns"),
        pl.coalesce("ew", "team_ew").alias("ew"),
        pl.col("seat").alias("declarer"),
        pl.col("opening").alias("lead"),
        pl.col("won").alias("tricks"),
    )


# Where a USEBIO file states something of a result: at an element of its traveller line.

_STATED_BY: Final = {
    "stated_score_ns": (*CELLS["score"], *CELLS["cell_ns"]),
    "stated_points_ns": (*CELLS["earned_ns"], *CELLS["earned_ew"]),
    "level": CELLS["contract"],
    "declarer": CELLS["declarer"],
    "tricks": CELLS["tricks"],
}
"""By column of `frames.RESULTS`, the elements that state it; the first with a text counts."""

_LOOKED_AT: Final = 60
"""A traveller line and its elements take at most this many lines."""

_LONGEST: Final = 5000
"""Characters of a line that are looked at."""

_END: Final = re.compile("</TRAVELLER_LINE", re.IGNORECASE)


def locate_cells_in_usebio(_session: Session, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """Locate a column of traveller lines, as `Format.locate_cells` describes it.

    The file is read again. If it is missing, its results keep the places that they have.
    """
    names = _STATED_BY.get(column, ())
    places = []
    for (source,), asked in rows.drop_nulls(["line", "column"]).group_by("source"):
        begins = asked["line"].to_list()
        lines = source_lines(str(source), {line + more for line in begins for more in range(_LOOKED_AT)})
        for row, line, first in asked.select("row", "line", "column").iter_rows():
            around = [lines.get(line, "")[first - 1 : first + _LONGEST]]
            around += [lines.get(line + more, "")[:_LONGEST] for more in range(1, _LOOKED_AT)]
            text = "\n".join(around)
            end = _END.search(text)
            at = _find_first(text[: end.start()] if end else text, names)
            if at is not None:
                above = text.count("\n", 0, at)
                start = at - text.rfind("\n", 0, at) if above else first + at
                places.append((row, line + above, start))
    return pl.DataFrame(places, schema={"row": pl.UInt32, "line": pl.UInt32, "column": pl.UInt32}, orient="row")


def _find_first(text: str, names: tuple[str, ...]) -> int | None:
    """Return where the first of these elements with a text begins."""
    found = (re.search(rf"<{name}(?:\s[^<>]{{0,200}})?>\s*+[^<\s]", text, re.IGNORECASE) for name in names)
    return next((match.start() for match in found if match), None)
