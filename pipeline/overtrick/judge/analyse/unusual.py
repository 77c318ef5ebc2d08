"""Results that a scorer should look at: far from the double-dummy tricks, or a score that nobody else has."""

from typing import Final

import polars as pl

from overtrick.core.bridge.cards import SEATS, STRAINS
from overtrick.core.frames import DoubleDummy, Results

MOST_TRICKS: Final = 2
"""A result further than this from the double-dummy tricks is unusual."""

_FIELD: Final = 4
"""The results that a board needs, before a score that nobody else has says something."""

_UNKNOWN: Final = 255


def find_unusual(results: Results, double_dummy: DoubleDummy) -> pl.DataFrame:
    """Return what is unusual about each result.

    Args:
        results: scored.
        double_dummy: the tables of the session, from its files or the solver.

    Returns:
        One row for each result, in order: `dd_tricks` (null where not known), `far` (more than `MOST_TRICKS` tricks
        from them) and `alone` (at least four results on the board, and none of the others has this score).
    """
    known = double_dummy.filter(pl.col("board").is_not_null()).select(
        "board", pl.coalesce("solved", "tricks").alias("dd_table")
    )
    # A board with two deals was fouled: its table is not known.
    once = known.drop_nulls("dd_table").filter(pl.len().over("board") == 1)
    seat = pl.col("declarer").cast(pl.String).replace_strict(list(SEATS), list(range(4)), default=None)
    strain = pl.col("strain").cast(pl.String).replace_strict(list(STRAINS), list(range(5)), default=None)
    #     declarer  strain       place in the table
    #     N         C        ->  0
    #     E         NT       ->  9
    place = (5 * seat + strain).cast(pl.Int64)
    here = results.join(once, on="board", how="left", maintain_order="left")
    tricks = pl.when(place.is_not_null()).then(pl.col("dd_table").arr.get(place, null_on_oob=True))
    scores = pl.col("score_ns").is_not_null()
    many = scores.sum().over("board") >= _FIELD
    return (
        here.with_columns(tricks.alias("found"))
        .with_columns(pl.when(pl.col("found") != _UNKNOWN).then("found").alias("dd_tricks"))
        .select(
            "dd_tricks",
            ((pl.col("tricks").cast(pl.Int16) - pl.col("dd_tricks").cast(pl.Int16)).abs() > MOST_TRICKS)
            .fill_null(value=False)
            .alias("far"),
            (scores & many & (pl.len().over("board", "score_ns") == 1)).alias("alone"),
        )
    )
