"""Where a PBN game states something: at a tag, or at a call or card of a section."""

from collections.abc import Iterator
from itertools import dropwhile
from typing import Final

import polars as pl
from lark import Token

from overtrick.frames import Session
from overtrick.grammar import tokens

_TAGS: Final = {
    "deal": "Deal",
    "dealer": "Dealer",
    "vulnerable": "Vulnerable",
    "declarer": "Declarer",
    "level": "Contract",
    "tricks": "Result",
    "stated_score_ns": "Score",
    "scoring": "Scoring",
    "auction_start": "Auction",
    "play_start": "Play",
}
"""By column of `frames.RECORDS`, the tag that states it."""

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
    if column in _SECTIONS:
        return pl.DataFrame(_entries(session, records, column), schema=_SCHEMA, orient="row")
    tags = session.items.filter(
        (pl.col("kind") == "tag")
        & (pl.col("name") == _TAGS.get(column, ""))
        & pl.col("record").is_in(records.implode())
    ).unique("record", keep="first", maintain_order=True)
    return tags.select("record", pl.lit(None, pl.Int64).alias("index"), "line", "column")


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


def _places(pieces: Iterator[Token], line: int, start: int, column: str) -> Iterator[tuple[int, int]]:
    """Yield the line and column of each entry of a section that begins at `line` and `start`."""
    entries: Iterator[Token] = (piece for piece in pieces if _takes_place(piece, column))
    if column == "calls":
        entries = _with_passes_written_out(dropwhile(lambda piece: piece == "-", entries))
    for piece in entries:
        row, at = piece.line or 1, piece.column or 1
        yield line + row - 1, at if row > 1 else start + at - 1


def _takes_place(piece: Token, column: str) -> bool:
    skipped = column == "calls" and piece.type == "IRREGULARITY" and piece.upper() == "^S"
    return skipped or piece.type in _ENTRIES[column]


def _with_passes_written_out(entries: Iterator[Token]) -> Iterator[Token]:
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
