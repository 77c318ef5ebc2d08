"""Tables of a Bridgemate database made complete: missing columns, text in place of numbers, names of sections."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from overtrick.core.bridge.cards import SEAT_NAMES
from overtrick.core.problems import report

Frames = dict[str, pl.DataFrame]

SUITS: Final = ("Spades", "Hearts", "Diamonds", "Clubs")

_PLACE: Final = ("Section", "Table", "Round", "Board")

_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "Section": ("ID", "Letter"),
    "ReceivedData": (*_PLACE, "ID", "PairNS", "PairEW", "NS/EW", "Contract", "Result"),
    "RoundData": ("Section", "Table", "Round", "NSPair", "EWPair", "LowBoard", "HighBoard"),
    "PlayerNumbers": ("Section", "Table", "Direction", "Number", "Name"),
    "PlayerNames": ("strID", "Name"),
    "HandRecord": ("Section", "Board", *(f"{seat}{suit}" for seat in SEAT_NAMES for suit in SUITS)),
    "BiddingData": (*_PLACE, "ID", "Counter", "Direction", "Bid"),
    "PlayData": (*_PLACE, "ID", "Counter", "Direction", "Card"),
}
"""The columns that every version of the database has. Others, such as `Remarks`, came later and may be missing."""

_NUMBERS: Final = frozenset(
    (*_PLACE, "ID", "PairNS", "PairEW", "South", "West", "NSPair", "EWPair", "LowBoard", "HighBoard", "Counter")
)
_NUMBER: Final = r"^\s*-?[0-9]*\s*$"


def complete_tables(tables: Frames) -> tuple[Frames, pl.DataFrame]:
    """Add the columns that tables lack, as empty ones; return the tables, and problems for these columns and cells."""
    lacking = [
        {"table_name": name, "column_name": column}
        for name, columns in _COLUMNS.items()
        for column in columns
        if name in tables and column not in tables[name].columns
    ]
    complete = {name: _with_columns(frame, _COLUMNS.get(name, ())) for name, frame in tables.items()}
    schema = {"table_name": pl.String, "column_name": pl.String}
    reported = report("bws-column", pl.DataFrame(lacking, schema=schema))
    return complete, pl.concat(
        [reported, *(_report_texts(name, complete[name]) for name in _COLUMNS if name in complete)]
    )


def _with_columns(frame: pl.DataFrame, columns: tuple[str, ...]) -> pl.DataFrame:
    return frame.with_columns(pl.lit(None, pl.String).alias(name) for name in columns if name not in frame.columns)


def _report_texts(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Report each text in a column of numbers once."""
    found = [
        frame.filter(~pl.col(column).str.contains(_NUMBER))
        .select(pl.lit(name).alias("table_name"), pl.lit(column).alias("column_name"), pl.col(column).alias("text"))
        .unique(maintain_order=True)
        for column in _COLUMNS[name]
        if column in _NUMBERS
    ]
    return pl.concat(report("bws-number", rows) for rows in found) if found else report("bws-number", frame.clear())


def name_sections(tables: Frames) -> tuple[Frames, pl.DataFrame]:
    """Replace the numbers of sections in all tables by their letters.

    A section without a letter has its number as its name, and so has one whose letter an earlier section has: two
    sections are never one.

    Returns:
        The tables, and problems for numbers and letters that several sections have.
    """
    letter = pl.col("Letter").str.strip_chars()
    listed = tables["Section"].with_columns(
        pl.col("ID").str.strip_chars(), pl.when(letter != "").then(letter).alias("Letter")
    )
    known = listed.drop_nulls("ID")
    once = known.unique("ID", keep="first", maintain_order=True)
    taken = pl.col("Letter").is_not_null() & ~pl.col("Letter").is_first_distinct()
    named = once.with_columns(pl.when(taken).then("ID").otherwise(pl.coalesce("Letter", "ID")).alias("name"))
    names = dict(named.select("ID", "name").iter_rows())
    again = known.filter(~pl.col("ID").is_first_distinct()).unique("ID", maintain_order=True)
    problems = [
        report("bws-section-number", again.select(number="ID", name=pl.col("ID").replace(names))),
        report("bws-section-letter", named.filter(taken).select(number="ID", letter="Letter")),
    ]
    renamed = {
        name: frame.with_columns(pl.col("Section").str.strip_chars().replace(names))
        for name, frame in tables.items()
        if "Section" in frame.columns
    }
    sections = named.with_columns(pl.col("name").alias("Letter")).drop("name")
    return {**tables, **renamed, "Section": sections}, pl.concat(problems)
