"""Traveller lines to results: cells of text first, then one expression a column."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import polars as pl

from overtrick import notation
from overtrick.formats.usebio.xml import Element
from overtrick.frames import STATUS
from overtrick.problems import report

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
"""Columns of text, and the elements that each is taken from, the first that holds anything."""

_COLUMN_OF: Final = {name: column for column, names in CELLS.items() for name in names}

_OF_MATCH: Final = {
    "match_round": ("ROUND_NUMBER",),
    "team": ("TEAM", "TEAM_ID"),
    "opponents": ("OPPOSING_TEAM", "OPPOSING_TEAM_ID"),
    "match_ns": ("NS_PAIR_NUMBER",),
    "match_ew": ("EW_PAIR_NUMBER",),
}
_READ: Final = ("contract", "declarer", "lead", "tricks", "score", "earned_ns", "earned_ew")
_SCHEMA: Final = {
    **dict.fromkeys((*CELLS, *_OF_MATCH, "average", "section"), pl.String()),
    **dict.fromkeys(("record", "line", "column"), pl.UInt32()),
}
_NOTHING: Final = ["", "-", "--", "?", "NP", "N/P"]
_WHOLE: Final = r"^([+-]?\d{1,6})$"
_NUMBER: Final = r"^([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)$"
_AWARD: Final = r"(?i)^A\s*(\d{2})\s*[-/:]?\s*(\d{2})$"
_PERCENT: Final = r"^(\d{1,3}(?:\.\d{1,6})?)\s*%$"
_NOT_PLAYED: Final = r"(?i)^(?:np|n/p|not played|not_played)$"
_SUIT_FIRST: Final = r"(?i)^([SHDC])(10|[2-9TJQKA])$"
_RANK_FIRST: Final = r"(?i)^(10|[2-9TJQKA])([SHDC])$"


@dataclass(frozen=True)
class Line:
    """One traveller line: its texts, and where it and its cells stand."""

    cells: dict[str, object]
    element: Element


def traveller_lines(board: Element, match: Element | None, record: int) -> Iterator[Line]:
    """Give the lines of one board, with what their match says of them all."""
    shared: dict[str, object] = {"record": record, "average": board.value("BOARD_AVERAGE")}
    if match is not None:
        shared |= {column: match.value(*names) for column, names in _OF_MATCH.items()}
    for line in board.all("TRAVELLER_LINE"):
        yield Line({**shared, **_cells(line), "line": line.line, "column": line.column}, line)


def _cells(line: Element) -> dict[str, str]:
    """Take the texts of a line in one go: a congress has tens of thousands of lines, and most elements are theirs."""
    cells: dict[str, str] = {}
    for child in line.children:
        column = _COLUMN_OF.get(child.name)
        if column is not None:
            child.is_read = True
            if child.text:
                cells.setdefault(column, child.text)
    return cells


def results(lines: list[Line], records: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
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
    read = numbered.with_columns(**_meanings()).with_columns(_tricks()).with_columns(_status())
    labelled = read.drop("section").join(
        records.select("record", "section", "board_label"), on="record", how="left", maintain_order="left"
    )
    unread = _unread(labelled, lines)
    again = _repeated(labelled)
    repeated = report("usebio-line-repeated", labelled.filter(again).with_columns(pl.col("board_label").alias("board")))
    final = labelled.filter(~again).with_columns(pl.lit(1).alias("multiplicity"))
    return _with_teams(final), pl.concat([unread, repeated])


def _meanings() -> dict[str, pl.Expr]:
    """Say what each column of text means."""
    score, contract = pl.col("score"), pl.col("contract")
    stated = pl.coalesce(score, pl.col("cell_ns"))
    awards = [
        pl.coalesce(score.str.extract(_AWARD, group) + "%", pl.col(f"cell_{side}").str.extract(_PERCENT) + "%")
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
        "opening": _lead(pl.col("lead")),
        "stated_score_ns": stated.str.extract(_WHOLE).cast(pl.Int32),
        "award_ns": awards[0],
        "award_ew": awards[1],
        "stated_points_ns": pl.col("earned_ns").str.extract(_NUMBER).cast(pl.Float64),
        "stated_points_ew": pl.col("earned_ew").str.extract(_NUMBER).cast(pl.Float64),
        "stated_datum": pl.col("average").str.extract(_WHOLE).cast(pl.Int32),
    }


def _lead(text: pl.Expr) -> pl.Expr:
    """Read a card written either way round, `AC` or `C10`: suit, then rank."""
    suit = pl.coalesce(text.str.extract(_SUIT_FIRST, 1), text.str.extract(_RANK_FIRST, 2))
    rank = pl.coalesce(text.str.extract(_SUIT_FIRST, 2), text.str.extract(_RANK_FIRST, 1))
    return suit.str.to_uppercase() + rank.str.to_uppercase().str.replace("10", "T", literal=True)


def _tricks() -> pl.Expr:
    """Read declarer's tricks, or `=`, `+1`, `-2` against the contract."""
    text, level = pl.col("tricks"), pl.col("level").cast(pl.Int32)
    relative = pl.when(text == "=").then(0).otherwise(text.str.extract(r"^([+-]\d{1,2})$").cast(pl.Int32))
    number = pl.coalesce(text.str.extract(r"^(\d{1,2})$").cast(pl.Int32), relative + level + 6)
    return pl.when(number.is_between(0, 13) & (level > 0)).then(number).cast(pl.UInt8).alias("won")


def _status() -> pl.Expr:
    awarded = pl.col("award_ns").is_not_null() | pl.col("award_ew").is_not_null()
    scored = pl.col("stated_score_ns").is_not_null() | pl.col("won").is_not_null()
    absent = pl.any_horizontal(pl.col(name).str.contains(_NOT_PLAYED) for name in ("contract", "score"))
    empty = pl.all_horizontal(pl.col(name).is_null() for name in ("contract", "score", "tricks"))
    return (
        pl.when(awarded)
        .then(pl.lit("adjusted"))
        .when(pl.col("level") == 0)
        .then(pl.lit("passed"))
        .when(absent.fill_null(value=False) | empty)
        .then(pl.lit("not played"))
        .when(scored)
        .then(pl.lit("played"))
        .otherwise(pl.lit("unknown"))
        .cast(STATUS)
        .alias("status")
    )


def _unread(read: pl.DataFrame, lines: list[Line]) -> pl.DataFrame:
    """Name the cells that hold something and mean nothing, each at its own place."""
    contract_known = pl.col("level").is_not_null() | (pl.col("status") == "adjusted")
    meant = {
        "contract": contract_known,
        "declarer": pl.col("seat").is_not_null(),
        "lead": pl.col("opening").is_not_null(),
        "tricks": pl.col("won").is_not_null() | (pl.col("level") == 0) | pl.col("level").is_null(),
        "score": pl.col("stated_score_ns").is_not_null() | pl.col("award_ns").is_not_null(),
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
        parts.append(report("usebio-value", pl.concat([about, at], how="horizontal")))
    return pl.concat(parts)


def _repeated(read: pl.DataFrame) -> pl.Series:
    """Say which lines of an individual event stand for a result that was listed before."""
    same = ["record", "ns", "ew", "contract", "declarer", "won", "stated_score_ns", "award_ns", "award_ew"]
    individual = pl.all_horizontal(pl.col(f"player_{seat}").is_not_null() for seat in "nsew")
    return read.select((individual & ~pl.struct(same).is_first_distinct()).alias("again"))["again"]


def _with_teams(lines: pl.DataFrame) -> pl.DataFrame:
    """Seat the teams of a match: `DIRECTION` says how the first of them sat at this table."""
    sat_ns = pl.col("direction").str.to_uppercase().str.slice(0, 1).is_in(["N", "S"])
    sat_ew = pl.col("direction").str.to_uppercase().str.slice(0, 1).is_in(["E", "W"])
    seated = lines.with_columns(
        pl.when(sat_ns).then("team").when(sat_ew).then("opponents").alias("team_ns"),
        pl.when(sat_ns).then("opponents").when(sat_ew).then("team").alias("team_ew"),
    )
    return seated.with_columns(
        pl.coalesce("ns", "team_ns").alias("ns"),
        pl.coalesce("ew", "team_ew").alias("ew"),
        pl.col("seat").alias("declarer"),
        pl.col("opening").alias("lead"),
        pl.col("won").alias("tricks"),
    )
