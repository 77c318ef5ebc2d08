"""The evenings of a session that holds several with the same boards, numbered by date."""

import polars as pl

from overtrick.core.frames import Session


def add_evenings(frame: pl.DataFrame, session: Session) -> pl.DataFrame:
    """Return a frame that has `source` or `record` with a column `evening`, as `number_evenings`; null without one."""
    if "source" not in frame.columns:
        sources = session.records.select("record", "source").unique("record", keep="first")
        frame = frame.join(sources, on="record", how="left", maintain_order="left")
    numbers = number_evenings(session)
    return frame.with_columns(
        pl.col("source").replace_strict(numbers, default=None, return_dtype=pl.Int64).alias("evening")
    )


def number_evenings(session: Session) -> dict[str, int]:
    """Return the number of the evening of each file, by date; empty unless several have the same boards.

    Files that hold the same deals for the boards that they share are of one evening here.
    """
    if not session.facts.by_file:
        return {}
    evening = session.facts.evening.alias("evening")
    played = session.results.select("record", "source", "board", evening)
    played = played.join(
        session.records.select("record", "date", "deal"), on="record", how="left", maintain_order="left"
    )
    shared = played.drop_nulls("board").group_by("board").agg(pl.col("evening", "deal").n_unique())
    if not len(shared.filter(pl.col("evening") > 1, (pl.col("deal") > 1) | _has_no_deal(played))):
        return {}
    days = played.group_by("evening", maintain_order=True).agg(pl.col("date").min())
    places = {
        name: place
        for place, (name, _) in enumerate(days.sort("date", nulls_last=True, maintain_order=True).rows(), start=1)
    }
    # Files of deals alone belong to the evening whose results they explain.
    sources = pl.concat([session.results["source"], session.records["source"]]).unique(maintain_order=True)
    named = sources.to_frame().select("source", evening)
    return {source: places[name] for source, name in named.rows() if name in places}


def _has_no_deal(played: pl.DataFrame) -> pl.Expr:
    """Report whether the deal of a board is nowhere known."""
    bare = played.filter(pl.col("deal").is_null())["board"].unique()
    return pl.col("board").is_in(bare.implode())
