"""Which results of different files are the same result."""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.frames import Session
from overtrick.problems import report

_SAME: Final = (
    *("section", "round", "table", "board", "ns", "ew", "level", "strain", "doubled", "declarer", "tricks"),
    *("status", "award_ns", "award_ew", "stated_score_ns"),
)
"""Columns in which two rows agree that are one result."""


def count_once(session: Session) -> Session:
    """Leave out results that an earlier file of the same day has too, and report them."""
    if session.sources.height < 2:
        return session
    dates = session.records.select("record", "date")
    results = session.results.join(dates, on="record", how="left", maintain_order="left").with_row_index("row")
    # Only between files: within one, equal results are two tables, or the file's own slip.
    first = results.unique(["source", *_SAME], keep="first").select(
        *_SAME,
        pl.col("source").alias("first"),
        pl.col("date").alias("other_date"),
        pl.col("row").alias("earlier"),
    )
    again = results.join(first, on=_SAME, nulls_equal=True).filter(
        pl.col("source") != pl.col("first"),
        pl.col("earlier") < pl.col("row"),
        (pl.col("date") == pl.col("other_date")).fill_null(value=True),
        pl.all_horizontal(pl.col("ns", "board").is_not_null()),
    )
    if again.is_empty():
        return session
    counted = again.group_by("source", "first", maintain_order=True).agg(pl.col("row").n_unique().alias("results"))
    kept = results.join(again.select("row"), on="row", how="anti", maintain_order="left")
    return replace(
        session,
        results=kept.select(session.results.columns),
        problems=pl.concat([session.problems, report("join-result-twice", counted)]),
    )
