"""How many results each board has, compared with the boards that the same tables played, and with the whole session.

A session that ends early, or in which pairs sit out, has sound boards with fewer results than others. So a number is
reported only if contestants have more or fewer boards than most others. Where the number of pairs is odd, one of them
always sits out, and boards are compared with those of the same set only.
"""

from typing import Final

import polars as pl

from overtrick.frames import Problems
from overtrick.problems import report

_MOST: Final = 0.6
"""The share of boards with one number of results that makes this number usual."""

_MEETING: Final = ["section", "round", "table", "ns", "ew"]
_BOARD: Final = ["section", "board"]


def check_board_counts(lines: pl.DataFrame, seats: pl.DataFrame, pair: list[str]) -> list[Problems]:
    """Report boards that lack results, or have too many.

    Args:
        lines: results of travellers.
        seats: the same, one row for each contestant.
        pair: the columns of `seats` that identify a contestant.
    """
    boards = lines.group_by(*_BOARD, "record", maintain_order=True).agg(
        pl.len().alias("results"), pl.col("source", "line", "column").first()
    )
    usual = pl.col("results").mode().max().over("section")
    share = (pl.col("results") == pl.col("usual")).mean().over("section")
    counted = boards.with_columns(usual.alias("usual")).with_columns((share >= _MOST).alias("is_usual"))
    counted = _with_peers(counted, lines).join(_uneven(seats, pair), on=_BOARD, how="left", nulls_equal=True)
    of_peers = pl.col("peers").is_not_null() & (pl.col("results") != pl.col("peers"))
    uneven = pl.col("uneven").fill_null(value=seats.is_empty())
    unlike = (uneven & (of_peers | pl.col("is_usual"))) | (of_peers & pl.col("is_odd").fill_null(value=False))
    named = counted.filter(unlike).with_columns(
        pl.when(of_peers).then("peers").otherwise("usual").alias("usual"), pl.col("board").cast(pl.String)
    )
    return [
        report("board-results-missing", named.filter(pl.col("results") < pl.col("usual"), pl.col("usual") > 1)),
        report("board-results-surplus", named.filter(pl.col("results") > pl.col("usual"))),
    ]


def _with_peers(counted: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """Add `peers`, the number of results that the boards played with this one have; null if it is played alone.

    Where these differ among themselves, the number that is usual in the session counts, and else the highest.
    """
    # Boards 1 and 2 are a set, and table 3 has no result on board 1:
    #
    #     board  results  with  times  their results  peers
    #     1      2        2     2      3              3
    #     2      3        1     2      2              3
    met = lines.drop_nulls(["ns", "ew"]).unique([*_MEETING, "board"], maintain_order=True).sort("board")
    pairs = [
        met.with_columns(pl.col("board").shift(step).over(_MEETING).alias("with")).drop_nulls("with")
        for step in (1, -1)
    ]
    often = pl.concat(pairs).group_by(*_BOARD, "with", maintain_order=True).agg(pl.len().alias("times"))
    known = counted.select("section", pl.col("board").alias("with"), pl.col("results").alias("theirs"))
    mates = (
        often.join(counted.select(*_BOARD, "results", "usual"), on=_BOARD, nulls_equal=True)
        .join(known, on=["section", "with"], nulls_equal=True)
        .filter(2 * pl.col("times") >= pl.min_horizontal("results", "theirs"))
    )
    numbers = pl.concat_list(pl.col("theirs").implode(), pl.col("results").first())
    peers = mates.group_by(_BOARD).agg(
        pl.when(numbers.list.contains(pl.col("usual").first()))
        .then(pl.col("usual").first())
        .otherwise(numbers.list.max())
        .alias("peers")
    )
    return counted.join(peers, on=_BOARD, how="left", nulls_equal=True, maintain_order="left")


def _uneven(seats: pl.DataFrame, pair: list[str]) -> pl.DataFrame:
    """Return by board whether it explains why contestants have more or fewer boards than most.

    Returns:
        `section board`, `uneven`: two contestants with another number of boards played it, or two with fewer did not.
        And `is_odd`: the number of contestants is odd, so that one always sits out and nobody is missed.
    """
    boards = seats.group_by("section", *pair).agg(pl.col("board").n_unique().alias("boards"))
    most = boards.with_columns(
        pl.col("boards").mode().max().over("section").alias("most"),
        (pl.len().over("section") % 2 == 1).alias("is_odd"),
    )
    told = seats.select(_BOARD).unique().join(most, on="section", nulls_equal=True)
    played = seats.select(*_BOARD, *pair).unique().with_columns(played=True)
    told = told.join(played, on=[*_BOARD, *pair], how="left", nulls_equal=True)
    plays = pl.col("played").is_not_null()
    # A stranger, entered on this board alone, has fewer boards than most.
    explains = (plays & (pl.col("boards") != pl.col("most"))) | (~plays & (pl.col("boards") < pl.col("most")))
    return told.group_by(_BOARD).agg(
        ((explains.sum() > 1) & ~pl.col("is_odd").first()).alias("uneven"), pl.col("is_odd").first()
    )
