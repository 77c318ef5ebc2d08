"""Entries to games: which entry belongs to which game, and which lines make up which section.

A game is a block of entries between semi-empty lines that holds at least one tag (PBN 3).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

PLAIN_TAGS: Final = frozenset(
    """Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract Result
    Competition DealId Description FrenchMP Generator Hidden Room Termination Note
    Score ScoreIMP ScoreMP ScorePercentage ScoreRubber ScoreRubberHistory OptimumScore
    BidSystemEW BidSystemNS PairEW PairNS WestNA NorthNA EastNA SouthNA WestType NorthType EastType SouthType
    EventDate EventSponsor HomeTeam Round Section Stage Table VisitTeam Time UTCDate UTCTime TimeControl TimeCall
    TimeCard Annotator AnnotatorNA Application Mode DoubleDummyTricks""".split()
)
"""Tags of PBN 3.4 and 4 (and one in wide use) that no section data may follow; other tags may head a section (5.1)."""

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Games:
    """The games of one file. Frames are in the order of the text; `game` counts from 0."""

    count: int
    tags: pl.DataFrame
    """game, line, column, name, text, defect: one row a tag."""
    sections: pl.DataFrame
    """game, line, column, start, name, value (the tag's), text (raw), mixed: one row a section with data.

    `mixed` says that comments or escape lines stand between its lines."""
    items: pl.DataFrame
    """game, line, column, kind, name, text: everything, sections as one row."""
    defects: pl.DataFrame
    """game, line, column, defect, name, text: what is not as it should be."""


def games(entries: pl.DataFrame, text: str) -> Games:
    """Group the entries of a file (`entries.entries`) into games."""
    kind = entries["kind"].cast(pl.Categorical)
    is_tag = (kind == "tag").to_numpy()
    block = np.cumsum((kind == "blank").to_numpy()) + _extra_games(entries, is_tag)
    with_tags = np.unique(block[is_tag])
    game_of_block = np.full(int(block[-1]) + 1 if len(block) else 0, -1, dtype=np.int64)
    game_of_block[with_tags] = np.arange(len(with_tags))
    placed = entries.with_columns(
        pl.Series("game", game_of_block[block]).replace(-1, None).cast(pl.UInt32),
        pl.Series("head", _heads(is_tag, block)).replace(-1, None),
    )
    tags = placed.filter(pl.Series(is_tag))
    placed = _mark_strays(placed, tags)
    sections = _sections(placed, entries, text)
    return Games(len(with_tags), tags, sections, _items(placed, sections), _defects(placed))


def _heads(is_tag: Mask, block: Rows) -> Rows:
    """Give the row of the tag that each entry stands below, -1 where none does in its block."""
    row = np.maximum.accumulate(np.where(is_tag, np.arange(len(is_tag)), -1)) if len(is_tag) else np.zeros(0, np.int64)
    return np.where((row >= 0) & (block[row] == block), row, -1)


def _extra_games(entries: pl.DataFrame, is_tag: Mask) -> Rows:
    """Count the games that begin without an empty line: hand-merged files run two boards together.

    A second Board tag of another number in one block begins a game, at the Event tag before it when there is one.
    """
    extra = np.zeros(len(entries), dtype=np.int64)
    block = np.cumsum((entries["kind"] == "blank").to_numpy())
    heads = (
        entries.select("name", "text")
        .with_columns(pl.Series("block", block), pl.Series("row", np.arange(len(entries))))
        .filter(pl.Series(is_tag) & pl.col("name").is_in(["Board", "Event"]))
    )
    crowded = heads.filter((pl.col("name") == "Board") & (pl.col("name").count().over("block", "name") > 1))
    for number in crowded["block"].unique():
        board, event = None, None
        for name, value, row in heads.filter(pl.col("block") == number).select("name", "text", "row").iter_rows():
            if name == "Event":
                event = row
            elif board is not None and value != board:
                extra[row if event is None else event] += 1
                board, event = value, None
            else:
                board, event = value, None
    return np.cumsum(extra)


def _mark_strays(placed: pl.DataFrame, tags: pl.DataFrame) -> pl.DataFrame:
    """Call section text a stray where it stands below no tag, or below one that has no section."""
    plain = placed["name"].gather(placed["head"]).is_in(list(PLAIN_TAGS))
    stray = (pl.col("kind") == "body") & (pl.col("head").is_null() | pl.Series(plain).fill_null(value=False))
    if tags.is_empty():
        stray = pl.col("kind") == "body"
    return placed.with_columns(
        pl.when(stray).then(pl.lit("stray")).otherwise("kind").alias("kind"),
        pl.when(stray).then(pl.coalesce("defect", pl.lit("pbn-stray-text"))).otherwise("defect").alias("defect"),
    )


def _sections(placed: pl.DataFrame, entries: pl.DataFrame, text: str) -> pl.DataFrame:
    bodies = (
        placed.filter(pl.col("kind") == "body")
        .group_by("head", maintain_order=True)
        .agg(pl.col("game", "line", "column", "start").first(), pl.col("end").last())
    )
    raw = [text[start:end] for start, end in bodies.select("start", "end").iter_rows()]
    between = (
        placed.filter(pl.col("kind").is_in(["comment", "escape"]))
        .select("head", pl.col("start").alias("at"))
        .join(bodies.select("head", "start", "end"), on="head")
        .filter(pl.col("at").is_between("start", "end"))["head"]
        .unique()
    )
    return bodies.with_columns(
        entries["name"].gather(bodies["head"]).alias("name"),
        entries["text"].gather(bodies["head"]).alias("value"),
        pl.Series("text", raw, dtype=pl.String),
        pl.col("head").is_in(between.to_list()).alias("mixed"),
    )


def _items(placed: pl.DataFrame, sections: pl.DataFrame) -> pl.DataFrame:
    """List everything once: a section is one item, and what stands inside it is not listed again."""
    columns = ["game", "line", "column", "start", "kind", "name", "text"]
    loose = placed.filter(~pl.col("kind").is_in(["body", "blank"]))
    spans = sections.filter("mixed").select("head", pl.col("start").alias("from"), pl.col("end").alias("to"))
    if len(spans):
        inside = pl.col("start").is_between("from", "to").fill_null(value=False) & (pl.col("kind") != "tag")
        loose = loose.join(spans, on="head", how="left", maintain_order="left").filter(~inside)
    listed = sections.with_columns(pl.lit("section").alias("kind"))
    return pl.concat([loose.select(columns), listed.select(columns)]).sort("start").drop("start")


def _defects(placed: pl.DataFrame) -> pl.DataFrame:
    return placed.filter(pl.col("defect").is_not_null()).select("game", "line", "column", "defect", "name", "text")
