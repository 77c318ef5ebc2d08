"""How many results each board has, compared with the boards that the same tables played, and with the whole session.

A session that ends early, or in which pairs sit out, has sound boards with fewer results than others. So a number is
reported only if contestants have more or fewer boards than most others. Where the number of pairs is odd, one of them
always sits out, and boards are compared with those of the same set only.
"""

from typing import Final

import polars as pl

from overtrick.core.frames import Problems
from overtrick.core.problems import report

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
    boards = lines.group_by(*_BOARD, maintain_order=True).agg(
        pl.len().alias("results"), pl.col("source", "line", "column").first()
    )
    if boards["results"].n_unique() < 2:
        return []
    usual = pl.col("results").mode().max().over("section")
    share = (pl.col("results") == pl.col("usual")).mean().over("section")
    counted = boards.with_columns(usual.alias("usual")).with_columns((share >= _MOST).alias("is_usual"))
    counted = _with_peers(counted, lines).join(_uneven(seats, pair), on=_BOARD, how="left", nulls_equal=True)
    unknown, odd = pl.lit(seats.is_empty()), pl.col("is_odd").fill_null(value=False)
    lacks, has_more = (pl.col(name).fill_null(value=False) for name in ("lacks", "has_more"))
    usual_counts = pl.col("is_usual") & ~odd
    fewer = pl.when((lacks | odd) & (pl.col("results") < pl.col("most"))).then("most")
    more = pl.when(has_more & (pl.col("results") > pl.col("least"))).then("least")
    fewer_than_usual = usual_counts & (lacks | unknown) & (pl.col("results") < pl.col("usual"))
    more_than_usual = usual_counts & (has_more | unknown) & (pl.col("results") > pl.col("usual"))
    missing = pl.coalesce(fewer, pl.when(fewer_than_usual).then("usual"))
    surplus = pl.coalesce(more, pl.when(more_than_usual).then("usual"))
    named = counted.with_columns(missing.alias("missing"), surplus.alias("surplus"), pl.col("board").cast(pl.String))
    return [
        report("board-results-missing", named.drop_nulls("missing").with_columns(usual="missing")),
        report("board-results-surplus", named.drop_nulls("surplus").with_columns(usual="surplus")),
    ]


def _with_peers(counted: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """Add `most least`, the results of the boards played with this one; null if it is played alone."""
    # Boards 1 and 2 are a set, and table 3 has no result on board 1:
    #
    #     board  results  with  times  most  least
    #     1      2        2     2      3     3
    #     2      3        1     2      2     2
    met = lines.lazy().drop_nulls(["ns", "ew"]).unique([*_MEETING, "board"], maintain_order=True).sort("board")
    pairs = [
        met.with_columns(pl.col("board").shift(step).over(_MEETING).alias("with")).drop_nulls("with")
        for step in (1, -1)
    ]
    often = pl.concat(pairs).group_by(*_BOARD, "with", maintain_order=True).agg(pl.len().alias("times"))
    results = counted.lazy()
    known = results.select("section", pl.col("board").alias("with"), pl.col("results").alias("theirs"))
    mates = (
        often.join(results.select(*_BOARD, "results"), on=_BOARD, nulls_equal=True)
        .join(known, on=["section", "with"], nulls_equal=True)
        .filter(2 * pl.col("times") >= pl.min_horizontal("results", "theirs"))
    )
    peers = mates.group_by(_BOARD).agg(pl.col("theirs").max().alias("most"), pl.col("theirs").min().alias("least"))
    return results.join(peers, on=_BOARD, how="left", nulls_equal=True, maintain_order="left").collect()


def _uneven(seats: pl.DataFrame, pair: list[str]) -> pl.DataFrame:
    """Return by board whether it explains why contestants have more or fewer boards than most.

    Returns:
        `section board`; `lacks`: two contestants with fewer boards did not play it; `has_more`: two with more boards
        did, or two that are entered on hardly any board; `is_odd`: the number of contestants is odd, so that one always
        sits out and nobody is missed.
    """
    boards = seats.lazy().group_by("section", *pair).agg(pl.col("board").n_unique().alias("boards"))
    usual = boards.with_columns(
        pl.col("boards").mode().max().over("section").alias("usual"),
        (pl.len().over("section") % 2 == 1).alias("is_odd"),
    )
    told = seats.lazy().select(_BOARD).unique().join(usual, on="section", nulls_equal=True)
    played = seats.lazy().select(*_BOARD, *pair).unique().with_columns(played=True)
    told = told.join(played, on=[*_BOARD, *pair], how="left", nulls_equal=True)
    plays, number = pl.col("played").is_not_null(), pl.col("boards")
    stranger = 2 * number < pl.col("usual")
    by_board = told.group_by(_BOARD).agg(
        ((~plays & (number < pl.col("usual")) & ~stranger).sum() > 1).alias("lacks"),
        ((plays & ((number > pl.col("usual")) | stranger)).sum() > 1).alias("has_more"),
        pl.col("is_odd").first(),
    )
    return by_board.collect()
