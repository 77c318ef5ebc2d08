"""A session that was read from other formats, as PBN would state it: auctions, plays, score tables, the totals."""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.bridge.boards import board_dealer, board_vulnerability
from overtrick.frames import ITEM_KIND, ITEMS, SEAT, VULNERABLE, Session, conform
from overtrick.render.pbn.score_tables import score_tables, total_table

_TEXTS: Final = ("Event", "Site", "Date", "West", "North", "East", "South", "Scoring")


def as_pbn(session: Session) -> Session:
    """Give the records of other formats the items that a PBN file would have; those of PBN files keep theirs."""
    foreign = session.sources.filter(pl.col("format").is_not_null() & (pl.col("format") != "pbn"))["source"]
    records = session.records.filter(pl.col("source").is_in(foreign.implode()))
    if records.is_empty():
        return session
    kept = session.items.filter(~pl.col("source").is_in(foreign.implode()))
    own = records.filter(pl.col("level").is_not_null() | pl.col("stated_score_ns").is_not_null())
    tabled = session.results.join(records.join(own, on="record", how="anti"), on="record", how="semi")
    parts = [
        _texts(records),
        _seats(records, "Auction", "auction_start"),
        _seats(records, "Play", "play_start"),
        *score_tables(tabled, matchpoints=session.facts.method == "matchpoints"),
        *(total_table(session, int(records["record"][0])) if len(tabled) else ()),
    ]
    placed = (
        pl.concat(parts)
        .join(records.select("record", "source"), on="record", how="left")
        .with_columns(pl.lit(1).alias("line"), pl.lit(1).alias("column"), pl.col("kind").cast(ITEM_KIND))
    )
    items = pl.concat([kept, conform(ITEMS, placed)]).sort("record", maintain_order=True, nulls_last=False)
    return replace(session, items=items, records=_by_number(session.records, foreign))


def _by_number(records: pl.DataFrame, foreign: pl.Series) -> pl.DataFrame:
    """Name dealer and vulnerability as the board number gives them (Law 2), for readers that need them stated."""
    board, theirs = pl.col("board"), pl.col("source").is_in(foreign.implode())
    return records.with_columns(
        pl.when(theirs).then(pl.coalesce("dealer", board_dealer(board).cast(SEAT))).otherwise("dealer"),
        pl.when(theirs)
        .then(pl.coalesce("vulnerable", board_vulnerability(board).cast(VULNERABLE)))
        .otherwise("vulnerable"),
    )


def _texts(records: pl.DataFrame) -> pl.DataFrame:
    """Give the mandatory tags that are texts; the others are written from the record."""
    tags = {name.lower(): name for name in _TEXTS} | {"board_label": "Board"}
    stated = records.select("record", *(pl.col(column).alias(name) for column, name in tags.items()))
    rows = stated.unpivot(list(tags.values()), index="record", variable_name="name", value_name="text")
    return rows.drop_nulls("text").select("record", pl.lit("tag").alias("kind"), "name", "text")


def _seats(records: pl.DataFrame, name: str, start: str) -> pl.DataFrame:
    """Give the tag that heads an auction or a play; its body is written from the record."""
    stated = records.drop_nulls(start)
    return stated.select("record", kind=pl.lit("tag"), name=pl.lit(name), text=pl.col(start).cast(pl.String))
