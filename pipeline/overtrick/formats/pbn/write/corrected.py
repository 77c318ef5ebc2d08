"""A session whose corrections changed it, as PBN: the items that state the old values make room for the new ones."""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.formats.pbn.write.scored import add_tables
from overtrick.frames import ITEM_KIND, ITEMS, Session, conform

_TEXTS: Final = {
    **{name: name.lower() for name in ("Event", "Site", "Date", "North", "East", "South", "West")},
    "PairNS": "pair_ns",
    "PairEW": "pair_ew",
}
"""Tags that export form takes from items, with the columns of records that corrections change."""

_SCORED: Final = ("Score", "ScoreIMP", "ScoreMP", "ScorePercentage", "ScoreRubber", "ScoreTable", "TotalScoreTable")


def restate(session: Session) -> Session:
    """Return a scored session with the items that its corrections call for; without corrections, as it is.

    Tags follow the records. The scores of the boards that corrections are about are taken from the results: each board
    gets the table of its results, and the session that of its ranking.
    """
    applied = session.corrections.filter("applied")
    if applied.is_empty():
        return session
    session = replace(session, items=_restated(session))
    if applied["law"].is_null().all() and not applied["kind"].is_in(["handicap", "carry_over", "method"]).any():
        return session
    boards = applied["board"].drop_nulls().unique()
    touched = session.records.filter(pl.col("board").is_in(boards.implode()))["record"]
    stale = pl.col("record").is_in(touched.implode()) & pl.col("name").is_in(_SCORED)
    return add_tables(replace(session, items=session.items.filter(~stale.fill_null(value=False))))


def _restated(session: Session) -> pl.DataFrame:
    """Return the items of PBN files with their tags as the records have them now."""
    pbn = session.sources.filter(pl.col("format") == "pbn")["source"]
    records = session.records.filter(pl.col("source").is_in(pbn.implode()))
    tags = session.items.filter(pl.col("kind") == "tag", pl.col("name").is_in(list(_TEXTS)))
    stated = tags.unique(["record", "name"], keep="first").select("record", "name", pl.col("text").alias("stated"))
    told = records.select("record", "source", "line", *(pl.col(column).alias(name) for name, column in _TEXTS.items()))
    rows = told.unpivot(
        list(_TEXTS), index=["record", "source", "line"], variable_name="name", value_name="text"
    ).drop_nulls("text")
    compared = rows.join(stated, on=["record", "name"], how="left", maintain_order="left")
    new = compared.filter(~pl.col("text").eq_missing(pl.col("stated")))
    if new.is_empty():
        return session.items
    written = conform(ITEMS, new.with_columns(column=1, kind=pl.lit("tag", ITEM_KIND)))
    kept = session.items.join(
        new.select("record", "name", kind=pl.lit("tag", ITEM_KIND)),
        on=["record", "name", "kind"],
        how="anti",
        maintain_order="left",
    )
    return pl.concat([written, kept]).sort("record", maintain_order=True, nulls_last=False)
