"""The effect of a correction: what differs between two evaluations of a session."""

from typing import Final

import polars as pl

_WHO: Final = ("ranking", "section", "direction", "contestant")
_SHOWN: Final = ("rank", "names", "total", "percentage", "boards")
_PLACE: Final = ("code", "source", "line", "record", "board", "table")


def ranking_changes(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Return the contestants whose place, names, total or boards changed, in the order of the new ranking.

    Args:
        before: `frames.STANDINGS`.
        after: the same after the correction.

    Returns:
        `ranking section direction contestant`, and of each of `rank names total percentage boards` the column with the
        new value and one that ends in `_before` with the old one. A contestant that left or joined the ranking has null
        in one of the two.
    """
    key = list(_WHO)
    old, new = (frame.select(*key, *_SHOWN) for frame in (before, after))
    old = old.with_columns(pl.col("direction").cast(pl.String))
    new = new.with_columns(pl.col("direction").cast(pl.String)).with_row_index("at")
    both = new.join(old, on=key, how="full", coalesce=True, nulls_equal=True, suffix="_before")
    changed = pl.any_horizontal(~pl.col(name).eq_missing(pl.col(f"{name}_before")) for name in _SHOWN)
    return both.filter(changed).sort("at", nulls_last=True).drop("at")


def new_errors(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Return the errors of an evaluation that the one before did not have, by their codes and places.

    Args:
        before: `frames.PROBLEMS`.
        after: the same after the correction.
    """
    nth = pl.int_range(pl.len()).over(_PLACE).alias("nth")
    old, new = (frame.filter(pl.col("severity") == "error").with_columns(nth) for frame in (before, after))
    return new.join(old, on=[*_PLACE, "nth"], how="anti", nulls_equal=True, maintain_order="left").drop("nth")
