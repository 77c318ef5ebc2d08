"""Notes and what refers to them (PBN 3.5.4, 3.5.5, 3.6.4 and 3.6.5)."""

from typing import Final

import polars as pl

from overtrick.formats.pbn.read.games import Games
from overtrick.formats.pbn.read.side_by_side import Tags
from overtrick.formats.pbn.verify.annotations import MOST_NOTES, numbered
from overtrick.frames import PART, PROBLEMS, empty
from overtrick.problems import report

_APART: Final = "does not stand right below the auction or play that it belongs to"


def notes_in_order(games: Games, tags: Tags, annotations: pl.DataFrame) -> pl.DataFrame:
    """Report Note tags that explain nothing, notes that nothing refers to, and references without a note."""
    references = numbered(annotations).filter(
        (pl.col("kind") == "note") & pl.col("number").is_between(1, MOST_NOTES).fill_null(value=False)
    )
    if references.is_empty() and "Note" not in tags.row:
        return empty(PROBLEMS)
    notes = _notes(games)
    sound = notes.filter(pl.col("fault").fill_null(_APART) == _APART)
    key = ["record", "part", "number"]
    missing = references.join(sound, on=key, how="anti").unique(key, keep="first", maintain_order=True)
    unused = sound.join(references, on=key, how="anti")
    return pl.concat(
        [
            report("pbn-note", notes.filter(pl.col("fault").is_not_null())),
            report("pbn-note-missing", missing),
            report("pbn-note-unused", unused),
        ]
    )


def _notes(games: Games) -> pl.DataFrame:
    """List Note tags: record, line, column, value, part, number, fault."""
    parts = ["Auction", "Play", "Note"]
    apart = ~pl.col("name").shift().over("game").is_in(parts).fill_null(value=True)
    heads = games.tags.with_columns(apart.alias("apart")).filter(pl.col("name").is_in(parts))
    part = pl.when(pl.col("name") != "Note").then(pl.col("name").str.to_lowercase()).forward_fill().over("game")
    number = pl.col("text").str.extract(r"^\s*(\d{1,9})\s*:").cast(pl.Int64)
    notes = (
        heads.with_columns(part.cast(PART).alias("part"))
        .filter((pl.col("name") == "Note") & ~pl.col("text").str.starts_with("#"))
        .select(
            pl.col("game").alias("record"),
            "line",
            "column",
            pl.col("text").alias("value"),
            "part",
            number.alias("number"),
            "apart",
        )
    )
    again = pl.int_range(pl.len()).over("record", "part", "number") > 0
    valid = pl.col("number").is_between(1, MOST_NOTES).fill_null(value=False)
    return notes.with_columns(
        pl.when(~valid)
        .then(pl.lit(f"begins with no number from 1 to {MOST_NOTES} and a colon"))
        .when(pl.col("part").is_null())
        .then(pl.lit("stands before any auction or play"))
        .when("apart")
        .then(pl.lit(_APART))
        .when(again)
        .then(pl.lit("explains a number that is explained already"))
        .alias("fault")
    )
