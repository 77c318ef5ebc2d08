"""One row a deal of a board, however many game records show it."""

import numpy as np
import polars as pl

from overtrick.bridge.boards import board_dealer, board_vulnerability
from overtrick.bridge.cards import owners
from overtrick.frames import Session


def deals(session: Session) -> pl.DataFrame:
    """List the deals of the session, each once a board.

    Returns:
        A row a deal in the order of the files: record (the first that shows it), board, deal, `dealer` and
        `vulnerable` as String (as the first record with a word of it states them, else by the number, Law 2), and
        `records` (a list). Records without a deal are a row of their board.
    """
    grouped = session.records.group_by(_board(), "deal", maintain_order=True).agg(
        pl.col("record").first(),
        pl.col("board").first(),
        *(pl.col(name).cast(pl.String).drop_nulls().first() for name in ("dealer", "vulnerable")),
        pl.col("record").alias("records"),
    )
    return grouped.select(
        "record",
        "board",
        "deal",
        pl.coalesce("dealer", board_dealer(pl.col("board"))).alias("dealer"),
        pl.coalesce("vulnerable", board_vulnerability(pl.col("board"))).alias("vulnerable"),
        "records",
    ).sort("record")


def playable(deals: pl.Series) -> pl.Series:
    """Say which canonical deals can be played: four hands of thirteen, all cards different."""
    holders = owners(deals)
    return pl.Series(np.all([(holders == seat).sum(axis=1) == 13 for seat in range(4)], axis=0), dtype=pl.Boolean)


def _board() -> pl.Expr:
    """Tell boards apart: by number, else by label; a record with neither is a board of its own."""
    label = pl.col("board_label").str.strip_chars()
    return (
        pl.when(pl.col("board").is_not_null())
        .then(pl.format("{}", "board"))
        .when(label != "")
        .then(pl.format("label {}", label))
        .otherwise(pl.format("record {}", "record"))
        .alias("place")
    )
