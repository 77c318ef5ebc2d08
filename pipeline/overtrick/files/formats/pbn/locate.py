"""Where a PBN game states something: at a tag, or at a call or card of a section."""

from collections.abc import Iterator
from itertools import dropwhile
from typing import TYPE_CHECKING, Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.grammar import matcher, tokens
from overtrick.files.formats.pbn.read.score_tables import read_header, uncommented

if TYPE_CHECKING:
    from lark import Token

_TAGS: Final = {
    "deal": ("Deal",),
    "dealer": ("Dealer",),
    "vulnerable": ("Vulnerable",),
    "declarer": ("Declarer",),
    "level": ("Contract",),
    "tricks": ("Result",),
    "stated_score_ns": ("Score",),
    "stated_points_ns": ("ScoreMP", "ScoreIMP"),
    "scoring": ("Scoring",),
    "auction_start": ("Auction",),
    "play_start": ("Play",),
}
"""By column of `frames.RECORDS`, the tags that state it; the first that a game has counts."""

_CELLS: Final = {
    "stated_score_ns": ("Score_NS", "Score_EW"),
    "stated_points_ns": ("MP_NS", "IMP_NS", "MP_EW", "IMP_EW"),
    "stated_datum": ("ButlerDatum",),
    "level": ("Contract",),
    "declarer": ("Declarer",),
    "tricks": ("Result",),
}
"""By column of `frames.RESULTS`, the columns of a score table that state it; the first with a value counts."""

_EMPTY_CELLS: Final = {"-", "?", ""}

_SECTIONS: Final = {"calls": ("Auction", "auction"), "cards": ("Play", "play")}
"""By column of entries, the section that lists them and the language of `pbn.lark` that it is written in."""

_ENTRIES: Final = {
    "calls": {"CALL", "RUN_ON", "ALL_PASS", "PADDING", "WORD"},
    "cards": {"CARD", "PADDING", "CONTINUE", "WORD"},
}
"""Terminals of `pbn.lark` that take a place in `calls` and `cards`; the mark of a skipped player is one more."""

_LOOKED_AT: Final = 1 << 18
"""Characters of a section in which entries are located; those of a longer section are located at its tag."""

_SCHEMA: Final = {"record": pl.UInt32, "index": pl.Int64, "line": pl.UInt32, "column": pl.UInt32}


def locate_in_pbn(session: Session, records: pl.Series, column: str) -> pl.DataFrame:
    """Locate a column of records, as `formats.locate.locate` describes it; an inherited value has no place.

    Example: in a game whose line 9 is `1C Pass` below `[Auction "N"]` on line 8, `auction_start` is at line 8, column
    1, and the entries of `calls` are at line 9, columns 1 and 4. The passes that `AP` stands for are at the `AP`.
    """
    names = _TAGS.get(column, ())
    if column in _SECTIONS:
        return pl.DataFrame(_entries(session, records, column), schema=_SCHEMA, orient="row")
    tags = session.items.filter(
        (pl.col("kind") == "tag") & pl.col("name").is_in(names) & pl.col("record").is_in(records.implode())
    )
    ordered = tags.sort(pl.col("name").cast(pl.Enum(names)), maintain_order=True) if len(names) > 1 else tags
    first = ordered.unique("record", keep="first", maintain_order=True)
    return first.select("record", pl.lit(None, pl.Int64).alias("index"), "line", "column")


def locate_cells_in_pbn(session: Session, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """Locate a column of results that are rows of a score table, as `Format.locate_cells` describes it.

    Example: below `[ScoreTable "PairId_NS;PairId_EW;MP_NS"]` the points of the row `1 12 3.5` are at column 6. A row
    whose table inherits its columns, or that is not one line, stays where it is.
    """
    wanted = _CELLS.get(column, ())
    items = session.items.filter(
        (pl.col("name") == "ScoreTable") & pl.col("record").is_in(rows["record"].unique().implode())
    )
    heads = items.filter(pl.col("kind") == "tag").unique("record", keep="first").select("record", head="text")
    sections = items.filter(pl.col("kind") == "section").join(heads, on="record")
    tables = uncommented(sections.with_columns(mixed=pl.col("text").str.contains("[;{%]")))
    asked = {record: table for (record,), table in rows.group_by("record")}
    places = [
        (row, line, at)
        for record, start, first, head, text in tables.select("record", "line", "column", "head", "text").iter_rows()
        for names in [[cell.name for cell in read_header(head) or ()]]
        for row, line, at in _cells(asked[record], start, names, " " * (first - 1) + text, wanted)
    ]
    return pl.DataFrame(places, schema={"row": pl.UInt32, "line": pl.UInt32, "column": pl.UInt32}, orient="row")


def _cells(
    rows: pl.DataFrame, start: int, names: list[str], text: str, wanted: tuple[str, ...]
) -> Iterator[tuple[int, int, int]]:
    """Yield row, line and column of the first wanted cell with a value, of the rows of one table.

    Args:
        rows: `row` and `line` of the results.
        start: the line where the table begins.
        names: its columns.
        text: its rows.
        wanted: the columns to look at.
    """
    lines = text.split("\n")
    for row, line in rows.select("row", "line").iter_rows():
        if not 0 <= line - start < len(lines):
            continue
        cells = list(matcher("CELL").finditer(lines[line - start]))
        if len(cells) != len(names):
            continue
        stated = dict(zip(names, cells, strict=True))
        found = (stated[name] for name in wanted if name in stated)
        cell = next((cell for cell in found if cell[0].strip('"') not in _EMPTY_CELLS), None)
        if cell:
            yield row, line, cell.start() + 1


def _entries(session: Session, records: pl.Series, column: str) -> list[tuple[int, int, int, int]]:
    name, language = _SECTIONS[column]
    sections = session.items.filter(
        (pl.col("kind") == "section") & (pl.col("name") == name) & pl.col("record").is_in(records.implode())
    ).unique("record", keep="first", maintain_order=True)
    return [
        (record, index, *place)
        for record, line, start, text in sections.select("record", "line", "column", "text").iter_rows()
        for index, place in enumerate(_places(tokens(text[:_LOOKED_AT], language), line, start, column))
    ]


def _places(pieces: "Iterator[Token]", line: int, start: int, column: str) -> Iterator[tuple[int, int]]:
    """Yield the line and column of each entry of a section that begins at `line` and `start`."""
    entries: Iterator[Token] = (piece for piece in pieces if _takes_place(piece, column))
    if column == "calls":
        entries = _with_passes_written_out(dropwhile(lambda piece: piece == "-", entries))
    for piece in entries:
        row, at = piece.line or 1, piece.column or 1
        yield line + row - 1, at if row > 1 else start + at - 1


def _takes_place(piece: "Token", column: str) -> bool:
    skipped = column == "calls" and piece.type == "IRREGULARITY" and piece.upper() == "^S"
    return skipped or piece.type in _ENTRIES[column]


def _with_passes_written_out(entries: "Iterator[Token]") -> "Iterator[Token]":
    """Yield `AP` once for each pass that it stands for.

    Three after a bid, four at the start, less the passes before it: `1C Pass AP` has two more, `Pass AP` three.
    """
    passes = 0
    for number, piece in enumerate(entries):
        if piece.type == "ALL_PASS":
            yield from [piece] * max((3 if number > passes else 4) - passes, 0)
        else:
            yield piece
        passes = min(passes + 1, 3) if piece.upper() in {"P", "PASS"} else 0
