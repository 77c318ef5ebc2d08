"""A scored session as PBN states one: a score table a board, the totals with the first."""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.bridge.methods import method_named
from overtrick.formats.pbn.write.double_dummy import double_dummy_items
from overtrick.formats.pbn.write.foreign import as_pbn
from overtrick.formats.pbn.write.score_tables import score_tables, total_table
from overtrick.frames import ITEM_KIND, ITEMS, Session, conform

_TABLES: Final = ["ScoreTable", "TotalScoreTable"]


def scored_pbn(session: Session) -> Session:
    """Give a scored session the tables of its boards and of its ranking, in place of those that were read.

    The table of a board stands in the game that had one, else in the first game with its deal; readers score a board
    from its table. Boards without a number, and sessions by a method that compares no field, stay as they are. What
    is known of double dummy stands with the first game of its deal.
    """
    session = as_pbn(session)
    could_be = double_dummy_items(session)
    lines = session.results.filter(pl.col("board").is_not_null())
    if method_named(session.facts.method).pbn_written is None or lines.is_empty():
        return replace(session, items=_in_place(session, could_be)) if could_be else session
    homes = _homes(session)
    lines = lines.with_columns(pl.col("record").replace_strict(homes["record"], homes["home"])).sort(
        "record", maintain_order=True
    )
    tables = score_tables(lines, matchpoints=method_named(session.facts.method).unit == "matchpoints")
    scores = [*tables, *total_table(session, int(lines["record"][0])), *_scoring(session, lines["record"].unique())]
    without = replace(session, items=session.items.filter(~pl.col("name").is_in(_TABLES).fill_null(value=False)))
    return replace(session, items=_in_place(without, [*could_be, *scores]))


def _homes(session: Session) -> pl.DataFrame:
    """Say of each record which record holds the table of its board: `record home`."""
    headed = session.items.filter(pl.col("kind") == "section", pl.col("name") == "ScoreTable")["record"].unique()
    boards = session.records.select("record", "board", "deal", headed=pl.col("record").is_in(headed.to_list()))
    first = boards.sort("headed", "record", descending=[True, False]).unique(
        ["board", "deal"], keep="first", maintain_order=True
    )
    home = first.select("board", "deal", pl.col("record").alias("home"))
    return boards.join(home, on=["board", "deal"], how="left", nulls_equal=True, maintain_order="left")


def _scoring(session: Session, records: pl.Series) -> list[pl.DataFrame]:
    """State the method where the files ask for another one or for none."""
    method = method_named(session.facts.method)
    asks = rf"(?i)\b(?:{'|'.join(method.pbn)})"
    stated = session.records.filter(pl.col("record").is_in(records.to_list()))
    silent = stated.filter(~pl.col("scoring").str.contains(asks).fill_null(value=False))
    return [silent.select("record", kind=pl.lit("tag"), name=pl.lit("Scoring"), text=pl.lit(method.pbn_written))]


def _in_place(session: Session, parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Put new items before those of their records, and leave out what they stand for."""
    new = pl.concat(parts).join(session.records.select("record", "source"), on="record", how="left")
    restated = new.filter(pl.col("name") == "Scoring").select("record", "name")
    kept = session.items.join(restated, on=["record", "name"], how="anti", maintain_order="left")
    items = conform(ITEMS, new.with_columns(line=1, column=1, kind=pl.col("kind").cast(ITEM_KIND)))
    return pl.concat([items, kept]).sort("record", maintain_order=True, nulls_last=False)
