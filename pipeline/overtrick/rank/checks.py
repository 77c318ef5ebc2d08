"""Whether the totals that a file states are those that its results add up to."""

import polars as pl

from overtrick.problems import report
from overtrick.score.stated import MATCHPOINT_UNITS, differs


def which_differ(standings: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
    """Say whose total differs from the stated one, and whose percentage where the total does not.

    Some programs bring the matchpoints of a pair that sat out to the boards of the whole session. Its percentage, which
    it is ranked by, is the same, so such a total is no other.
    """
    by_percentage = not standings["percentage"].null_count()
    total = differs(standings["stated_total"], standings["total"], MATCHPOINT_UNITS if by_percentage else (1.0,))
    if by_percentage:
        whole = standings.select(pl.col("total") * pl.col("boards").max().over("ranking") / pl.col("boards"))
        total &= differs(standings["stated_total"], whole["total"], MATCHPOINT_UNITS)
    return total, differs(standings["stated_percentage"], standings["percentage"]) & ~total


def totals_that_differ(standings: pl.DataFrame) -> pl.DataFrame:
    """Report `total-mismatch`: the total or, where that is right or not stated, the percentage.

    Args:
        standings: a frame of `frames.STANDINGS`.

    Returns:
        A frame of `frames.PROBLEMS`, one row a contestant at most.
    """
    return pl.concat(
        report("total-mismatch", _worded(standings.filter(wrong), what))
        for what, wrong in zip(("total", "percentage"), which_differ(standings), strict=True)
    )


def _worded(standings: pl.DataFrame, what: str) -> pl.DataFrame:
    return standings.with_columns(
        pl.lit(what).alias("what"),
        pl.col(f"stated_{what}").cast(pl.String).alias("stated"),
        pl.col(what).round(2).cast(pl.String).alias("computed"),
    )
