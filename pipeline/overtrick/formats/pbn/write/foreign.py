"""A session that was read from other formats, as PBN would state it: auctions, plays, score tables, the totals."""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.bridge.boards import board_dealer, board_vulnerability
from overtrick.bridge.methods import method_named
from overtrick.formats.pbn.write.sayings import as_said_in_pbn
from overtrick.formats.pbn.write.score_tables import score_tables, total_table
from overtrick.frames import ITEM_KIND, ITEMS, SEAT, TAGS_OF_RECORDS, VULNERABLE, Session, conform

_TEXTS: Final = {
    **{name: name.lower() for name in ("Event", "Site", "Date", "Room", "Round", "Table", "Section", "Scoring")},
    **{name: name.lower() for name in ("West", "North", "East", "South")},
    "Board": "board_label",
    "HomeTeam": "home_team",
    "VisitTeam": "visit_team",
}
"""Tags that are texts, with their columns; the other mandatory ones are written from the record."""

_PAIRED: Final = ("PairNS", "PairEW", "ScoreTable")
"""What says in a file of PBN whose results are."""


def as_pbn(session: Session) -> Session:
    """Give the records of other formats the items that a PBN file would have; those of PBN files keep theirs.

    What an archive gives back (the format `archive`) has items where they do not follow from its records: a game
    keeps them all, or those besides what its record says.
    """
    foreign = session.sources.filter(pl.col("format").is_not_null() & (pl.col("format") != "pbn"))["source"]
    archived = pl.col("source").is_in(session.sources.filter(pl.col("format") == "archive")["source"].implode())
    unplaced = session.items.filter(archived)
    whole = unplaced.filter(pl.col("name").is_in(TAGS_OF_RECORDS))["record"].drop_nulls().unique()
    written = pl.col("source").is_in(foreign.implode()) & ~pl.col("record").is_in(whole.implode())
    records = session.records.filter(written)
    if records.is_empty():
        return session
    kept = session.items.filter(~pl.col("source").is_in(foreign.implode()))
    # Numbers of pairs have their place in a table.
    own = records.filter(
        pl.col("level").is_not_null() | pl.col("stated_score_ns").is_not_null(), pl.col("pair_ns").is_null()
    )
    tabled = session.results.join(records.join(own, on="record", how="anti"), on="record", how="semi")
    theirs = pl.col("record").is_in(records["record"].implode())
    said, notes = as_said_in_pbn(session.annotations.filter(theirs))
    tabled = tabled.join(unplaced.filter(pl.col("name").is_in(_PAIRED)), on="record", how="anti")
    parts = [
        _texts(records),
        _percentages(records),
        _bodies(records, said, archived, "auction", "calls"),
        _notes(notes, "auction"),
        _bodies(records, said, archived, "play", "cards"),
        _notes(notes, "play"),
        *score_tables(tabled, matchpoints=method_named(session.facts.method).unit == "matchpoints"),
        *(total_table(session, int(records["record"][0])) if len(tabled) else ()),
    ]
    placed = (
        pl.concat(parts)
        .join(records.select("record", "source"), on="record", how="left")
        .with_columns(pl.lit(1).alias("line"), pl.lit(1).alias("column"), pl.col("kind").cast(ITEM_KIND))
    )
    items = pl.concat([kept, conform(ITEMS, placed), unplaced]).sort("record", maintain_order=True, nulls_last=False)
    annotations = pl.concat([session.annotations.filter(~theirs), said]).sort("record", maintain_order=True)
    return replace(session, items=items, annotations=annotations, records=_by_number(session.records, written))


def _by_number(records: pl.DataFrame, written: pl.Expr) -> pl.DataFrame:
    """Name dealer and vulnerability as the board number gives them (Law 2), for readers that need them stated."""
    board = pl.col("board")
    return records.with_columns(
        pl.when(written).then(pl.coalesce("dealer", board_dealer(board).cast(SEAT))).otherwise("dealer"),
        pl.when(written)
        .then(pl.coalesce("vulnerable", board_vulnerability(board).cast(VULNERABLE)))
        .otherwise("vulnerable"),
    )


def _texts(records: pl.DataFrame) -> pl.DataFrame:
    stated = records.select("record", *(pl.col(column).alias(name) for name, column in _TEXTS.items()))
    rows = stated.unpivot(list(_TEXTS), index="record", variable_name="name", value_name="text")
    return rows.drop_nulls("text").select("record", pl.lit("tag").alias("kind"), "name", "text")


def _percentages(records: pl.DataFrame) -> pl.DataFrame:
    stated = records.drop_nulls("stated_percentage_ns")
    text = pl.format("NS {}", pl.col("stated_percentage_ns").cast(pl.String).str.strip_suffix(".0"))
    return stated.select("record", kind=pl.lit("tag"), name=pl.lit("ScorePercentage"), text=text)


def _bodies(records: pl.DataFrame, said: pl.DataFrame, archived: pl.Expr, part: str, entries: str) -> pl.DataFrame:
    """Give the tag that heads an auction or a play; its body is written from the record."""
    spoken = pl.col("record").is_in(said.filter(pl.col("part") == part)["record"].unique().implode())
    start = pl.col(f"{part}_start")
    # Other formats have no auction where there is no call; an archive holds what a file of PBN began.
    stated = (pl.col(entries).list.len() > 0) | (pl.col(entries).is_not_null() & archived)
    begun = records.filter(start.is_not_null() & (stated | spoken))
    return begun.select("record", kind=pl.lit("tag"), name=pl.lit(part.capitalize()), text=start.cast(pl.String))


def _notes(notes: pl.DataFrame, part: str) -> pl.DataFrame:
    return notes.filter(pl.col("part") == part).drop("part")
