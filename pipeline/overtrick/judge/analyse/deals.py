"""The deals of a session: one row for each deal of a board, however many game records show it."""

import numpy as np
import polars as pl

from overtrick.core.bridge.boards import board_dealer, board_vulnerability
from overtrick.core.bridge.cards import owners
from overtrick.core.frames import Session


def list_deals(session: Session) -> pl.DataFrame:
    """List the deals of the session, each once a board.

    Returns:
        One row a deal in the order of the files: record (the first that shows it), board, deal, `dealer` and
        `vulnerable` as String (from the first record that states them, else by the number, Law 2), and `records`, a
        list. The records of a board without a deal are one row.
    """
    # Board 1 in three records, one of them without its deal, and board 2:
    #
    #     record  board  deal      dealer        record  board  deal      dealer  vulnerable  records
    #     0       1      N:AKQ...  null          0       1      N:AKQ...  N       None        [0, 2]
    #     1       1      null      null     ->   1       1      null      N       None        [1]
    #     2       1      N:AKQ...  N             3       2      N:J98...  E       NS          [3]
    #     3       2      N:J98...  null
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


def are_playable(deals: pl.Series) -> pl.Series:
    """Return which canonical deals can be played: four hands of thirteen, all cards different."""
    holders = owners(deals)
    return pl.Series(np.all([(holders == seat).sum(axis=1) == 13 for seat in range(4)], axis=0), dtype=pl.Boolean)


def _board() -> pl.Expr:
    """Return what identifies a board: its number, else its label; a record with neither is a board of its own."""
    label = pl.col("board_label").str.strip_chars()
    return (
        pl.when(pl.col("board").is_not_null())
        .then(pl.format("{}", "board"))
        .when(label != "")
        .then(pl.format("label {}", label))
        .otherwise(pl.format("record {}", "record"))
        .alias("place")
    )
