"""Where a record's tag, call or card stands in its file, for problems that are found long after reading."""

from collections.abc import Iterator
from itertools import dropwhile
from typing import Final

import polars as pl
from lark import Token

from overtrick.frames import Session
from overtrick.grammar import tokens
from overtrick.validate import commands

_SECTIONS: Final = {"auction": "Auction", "play": "Play"}
_ENTRIES: Final = {
    "auction": {"CALL", "RUN_ON", "ALL_PASS", "PADDING", "WORD"},
    "play": {"CARD", "PADDING", "CONTINUE", "WORD"},
}
"""Terminals of `pbn.lark` that take a place in `calls` and `cards`; the mark of a skipped player is one more."""


_LOOKED_AT: Final = 1 << 18
"""Characters of a section whose entries are looked for; those of a longer one stand at its tag."""


def at_tag(session: Session, rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """Give rows of records (or of frames with `record`) the line and column of one of their tags.

    Args:
        session: whose items hold the tags.
        rows: any rows with `record`.
        name: the tag's name.

    Returns:
        The rows, if there are any with `source line column board` for a problem; a record that inherited the tag is
        placed at its own first line, one of LIN at the command that says the same.
    """
    if rows.is_empty():
        return rows
    tags = session.items.filter((pl.col("kind") == "tag") & (pl.col("name") == name))
    tags = pl.concat([tags.select("record", "line", "column"), commands.of_tag(session, name)])
    tags = tags.unique("record", keep="first", maintain_order=True)
    placed = _about(session, rows.drop("line", "column", strict=False)).join(
        tags, on="record", how="left", maintain_order="left"
    )
    return placed.with_columns(
        pl.coalesce("line", "first_line").alias("line"), pl.coalesce("column", 1).alias("column")
    )


def at_mark(session: Session, rows: pl.DataFrame) -> pl.DataFrame:
    """Give rows that have `record`, `line` and `column` of their own the rest of what a problem needs."""
    return _about(session, rows)


def _about(session: Session, rows: pl.DataFrame) -> pl.DataFrame:
    about = session.records.select(
        "record", "source", pl.col("line").alias("first_line"), pl.col("board_label").alias("board")
    )
    return rows.drop("source", "board", strict=False).join(about, on="record", how="left", maintain_order="left")


def at_entry(session: Session, rows: pl.DataFrame, part: str) -> pl.DataFrame:
    """Give rows of records the line and column of one of their calls or cards.

    Args:
        session: whose items hold the sections as written.
        rows: any rows with `record` and `index`, the place in `calls` or `cards`.
        part: `auction` or `play`.

    Returns:
        The rows, if there are any with `source line column board` for a problem. A pass that `AP` stands for is placed
        there; what a record inherited is placed at the section's tag.
    """
    if rows.is_empty():
        return rows
    name = _SECTIONS[part]
    asked = session.items.filter(
        (pl.col("kind") == "section")
        & (pl.col("name") == name)
        & pl.col("record").is_in(rows["record"].unique().to_list())
    ).unique("record", keep="first", maintain_order=True)
    places = [
        (record, index, *place)
        for record, line, column, text in asked.select("record", "line", "column", "text").iter_rows()
        for index, place in enumerate(_places(text[:_LOOKED_AT], line, column, part))
    ]
    places += commands.of_entries(session, rows["record"], part)
    schema = {"record": pl.UInt32, "index": pl.Int64, "at_line": pl.UInt32, "at_column": pl.UInt32}
    found = pl.DataFrame(places, schema=schema, orient="row")
    tagged = at_tag(session, rows.with_columns(pl.col("index").cast(pl.Int64)), name)
    placed = tagged.join(found, on=["record", "index"], how="left", maintain_order="left")
    return placed.with_columns(
        pl.coalesce("at_line", "line").alias("line"), pl.coalesce("at_column", "column").alias("column")
    ).drop("at_line", "at_column")


def _places(text: str, line: int, column: int, part: str) -> Iterator[tuple[int, int]]:
    """Give the line and column of each entry of a section that begins at that line and column."""
    entries: Iterator[Token] = (piece for piece in tokens(text, part) if _takes_place(piece, part))
    if part == "auction":
        entries = _passes_written_out(dropwhile(lambda piece: piece == "-", entries))
    for piece in entries:
        row, at = piece.line or 1, piece.column or 1
        yield line + row - 1, at if row > 1 else column + at - 1


def _takes_place(piece: Token, part: str) -> bool:
    skipped = part == "auction" and piece.type == "IRREGULARITY" and piece.upper() == "^S"
    return skipped or piece.type in _ENTRIES[part]


def _passes_written_out(entries: Iterator[Token]) -> Iterator[Token]:
    """Give `AP` once for each pass that it stands for: three after a bid, four at the start, less passes before it."""
    passes = 0
    for number, piece in enumerate(entries):
        if piece.type == "ALL_PASS":
            yield from [piece] * max((3 if number > passes else 4) - passes, 0)
        else:
            yield piece
        passes = min(passes + 1, 3) if piece.upper() in {"P", "PASS"} else 0
