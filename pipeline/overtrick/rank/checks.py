"""Whether the totals that a file states are those that its results add up to."""

import polars as pl

from overtrick.problems import found
from overtrick.stated import MATCHPOINT_UNITS, differs


def which_differ(standings: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
    """Say whose total differs from the stated one, and whose percentage where the total does not."""
    units = (1.0,) if standings["percentage"].null_count() else MATCHPOINT_UNITS
    total = differs(standings["stated_total"], standings["total"], units)
    return total, differs(standings["stated_percentage"], standings["percentage"]) & ~total


def totals_that_differ(standings: pl.DataFrame) -> pl.DataFrame:
    """Report `total-mismatch`: the total or, where that is right or not stated, the percentage.

    Args:
        standings: a frame of `frames.STANDINGS`.

    Returns:
        A frame of `frames.PROBLEMS`, one row a contestant at most.
    """
    return pl.concat(
        found("total-mismatch", _worded(standings.filter(wrong), what))
        for what, wrong in zip(("total", "percentage"), which_differ(standings), strict=True)
    )


def _worded(standings: pl.DataFrame, what: str) -> pl.DataFrame:
    return standings.with_columns(
        pl.lit(what).alias("what"),
        pl.col(f"stated_{what}").cast(pl.String).alias("stated"),
        pl.col(what).round(2).cast(pl.String).alias("computed"),
    )
