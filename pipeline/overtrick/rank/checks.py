"""Whether the totals that a file states are those that its results add up to."""

import polars as pl

from overtrick.problems import found
from overtrick.stated import MATCHPOINT_UNITS, differs


def totals_that_differ(standings: pl.DataFrame) -> pl.DataFrame:
    """Report `total-mismatch`: the total or, where that is right or not stated, the percentage.

    Args:
        standings: `frames.STANDINGS` with `stated_total stated_percentage` beside them, null where the file has none.

    Returns:
        A frame of `frames.PROBLEMS`, one row a contestant at most.
    """
    units = (1.0,) if standings["percentage"].null_count() else MATCHPOINT_UNITS
    total = differs(standings["stated_total"], standings["total"], units)
    percentage = differs(standings["stated_percentage"], standings["percentage"]) & ~total
    return pl.concat(
        found("total-mismatch", _worded(standings.filter(wrong), what))
        for what, wrong in (("total", total), ("percentage", percentage))
    )


def _worded(standings: pl.DataFrame, what: str) -> pl.DataFrame:
    return standings.with_columns(
        pl.lit(what).alias("what"),
        pl.col(f"stated_{what}").cast(pl.String).alias("stated"),
        pl.col(what).round(2).cast(pl.String).alias("computed"),
    )
