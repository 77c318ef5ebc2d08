"""Where each piece of a game stands in export form (PBN 3.4): tags, auction, play, tables, and what belongs to them."""

from typing import Final

import polars as pl

from overtrick.formats.pbn.write.tables import TABLES
from overtrick.formats.pbn.write.values import MANDATORY

BEFORE, FIXED, OTHER, AUCTION, AUCTION_NOTES, PLAY, PLAY_NOTES, SECTIONS = range(8)
"""Groups of a game: comments before its first tag, the mandatory tags, other tags, and so on, in this order."""

TAG, COMMENT, REMARK, BODY, AFTER = range(5)
"""Steps of a tag: itself, comments of its own, comments from within a table, the section's text, comments behind it."""

_KEYS: Final = ["block", "group", "key", "note", "step", "row"]
_PIECE: Final = [*_KEYS, "text", "record", "line", "column"]
_ORDINAL: Final = {name: f"{place:02}" for place, name in enumerate(MANDATORY)}


def placed(items: pl.DataFrame) -> pl.DataFrame:
    """Say of each item which block it stands in (games and what is between them) and which tag it belongs to.

    Adds `block`, `group`, `key`, `note` (the row of the Note tag it is or belongs to), `row`, and `after`: whether the
    section of its tag stands before it.
    """
    is_tag = pl.col("kind") == "tag"
    between = 2 * (pl.col("record").cast(pl.Int64).forward_fill().fill_null(-1) + 1)
    headed = items.filter(pl.col("kind") == "section").select("record", pl.col("name").alias("head")).unique()
    head = pl.when(is_tag).then("name").forward_fill().over("block")
    part = pl.when(is_tag & pl.col("name").is_in(["Auction", "Play"])).then("name").forward_fill().over("block")
    return (
        items.with_row_index("row")
        .with_columns(pl.when(pl.col("record").is_null()).then(between).otherwise(_block()).alias("block"))
        .with_columns(
            head.alias("head"),
            part.alias("part"),
            pl.when(is_tag).then("row").forward_fill().over("block").alias("head_row"),
        )
        .join(headed.with_columns(pl.lit(value=True).alias("sectioned")), on=["record", "head"], how="left")
        .sort("row")
        .with_columns(
            ((pl.col("kind") == "section").cum_sum().over("block", "head_row") > 0).alias("after"),
            _group(pl.col("head"), pl.col("sectioned"), pl.col("part")).alias("group"),
            _key(pl.col("head")).alias("key"),
            pl.when(pl.col("head") == "Note").then("head_row").otherwise(0).alias("note"),
        )
    )


def pieces(frame: pl.DataFrame, step: int) -> pl.DataFrame:
    """Make pieces of items that are placed, their texts being written."""
    return frame.with_columns(pl.lit(step, pl.UInt8).alias("step")).select(_PIECE)


def new_pieces(frame: pl.DataFrame, step: int, *, sections: bool = False) -> pl.DataFrame:
    """Make pieces that stand for no item: `record name text`, and `line column` where one is known."""
    place = pl.lit(None, pl.UInt32)
    known = [name for name in ("line", "column") if name in frame.columns]
    return frame.select("record", "name", "text", *known).select(
        _block().alias("block"),
        _group(pl.col("name"), pl.lit(sections), pl.lit(None, pl.String)).alias("group"),
        _key(pl.col("name")).alias("key"),
        pl.lit(0, pl.UInt32).alias("note"),
        pl.lit(step, pl.UInt8).alias("step"),
        pl.lit(0, pl.UInt32).alias("row"),
        "text",
        "record",
        *((pl.col(name) if name in known else place).alias(name) for name in ("line", "column")),
    )


def in_order(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Put the pieces of a session in the order of export form."""
    return pl.concat(parts).sort(_KEYS, maintain_order=True)


def _block() -> pl.Expr:
    return 2 * pl.col("record").cast(pl.Int64) + 1


def _group(name: pl.Expr, sectioned: pl.Expr, part: pl.Expr) -> pl.Expr:
    return (
        pl.when(name.is_null())
        .then(BEFORE)
        .when(name.is_in(list(MANDATORY)))
        .then(FIXED)
        .when(name == "Auction")
        .then(AUCTION)
        .when(name == "Play")
        .then(PLAY)
        .when(name == "Note")
        .then(pl.when(part == "Play").then(PLAY_NOTES).otherwise(AUCTION_NOTES))
        .when(name.is_in(list(TABLES)) | sectioned)
        .then(SECTIONS)
        .otherwise(OTHER)
        .cast(pl.UInt8)
    )


def _key(name: pl.Expr) -> pl.Expr:
    notes = pl.when(name != "Note").then(name.replace(_ORDINAL))
    return notes.fill_null("")
