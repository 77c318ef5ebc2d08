"""Split and weighted adjusted scores (Law 12C1): a line then has several outcomes, or one for each side.

Matchpoints and IMPs are weighted, never the scores themselves. Every other line is compared with each outcome by its
weight, and with the score that was given to the pair that sat the same way.
"""

from collections.abc import Callable
from math import lcm
from typing import Final, Literal

import polars as pl

from overtrick.core.frames import Lines
from overtrick.judge.score.groups import below

Side = Literal["ns", "ew"]
SIDES: Final[tuple[Side, Side]] = ("ns", "ew")


def has_outcomes(lines: Lines) -> bool:
    """Return whether any line has other than one score for both sides."""
    return bool(lines["weights"].is_not_null().any() or lines["split_score"].is_not_null().any())


def count_parts(lines: Lines) -> int:
    """Return the number of parts in which the weights of all lines are whole numbers; 1 where nothing is weighted."""
    sums = lines["weights"].drop_nulls().list.eval(pl.element().struct.field("weight")).list.sum()
    return lcm(*sums.unique())


def list_outcomes(lines: Lines, side: Side, whole: int) -> pl.DataFrame:
    """List the scores that one side of each line is compared by.

    Args:
        lines: with `place` (a number for each line), `group`, `score_ns split_score weights`.
        side: whose scores.
        whole: the parts that each line's weights add up to, from `count_parts`.

    Returns:
        `place group score_ns weight tables`, one row an outcome; the weights of a line add up to `whole`.
    """
    # Four lines of one group; the last was weighted 3 parts of 420 and 2 of -50, so that `whole` is 5. For N-S:
    #
    #     place  score_ns  split_score  weights                 score_ns  weight
    #     0      420       null         null                    420       5
    #     1      -50       620          null                    -50       5       (for E-W: 620)
    #     2      null      null         null, award_ns "A+"     no row: an award is not compared
    #     3      null      null         [(420, 3), (-50, 2)]    420       3
    #                                                           -50       2
    counted = lines.drop_nulls("group").with_columns(pl.col("multiplicity").fill_null(1).cast(pl.Int64).alias("tables"))
    score = pl.col("score_ns") if side == "ns" else pl.coalesce("split_score", "score_ns")
    plain = counted.filter(pl.col("weights").is_null() & score.is_not_null()).select(
        "place", "group", score.alias("score_ns"), pl.lit(whole, dtype=pl.Int64).alias("weight"), "tables"
    )
    weighted = counted.drop_nulls("weights").select("place", "group", "weights", "tables").explode("weights")
    weighted = weighted.unnest("weights").select("place", "group", "score_ns", "weight", "tables")
    share = pl.col("weight") * whole // pl.col("weight").sum().over("place")
    return pl.concat([plain, weighted.with_columns(share.alias("weight"))])


def add_outcomes(lines: Lines, whole: int, value: Callable[[pl.DataFrame], pl.DataFrame]) -> Lines:
    """Add up, by their weights, what the outcomes of each line are worth.

    Args:
        lines: the frame of `groups.assign_groups`.
        whole: the parts that weights are counted in, from `count_parts`.
        value: adds `value` to the rows of `list_outcomes`, Int64, seen from N-S whichever side they are listed for.

    Returns:
        The lines with `earned_ns earned_ew`, both seen from N-S and in parts of `whole`; null where nothing compares.
    """
    numbered = lines.with_row_index("place")
    one_each, same = lines["weights"].is_null().all(), lines["split_score"].is_null().all()
    weighed = pl.col("weight") * pl.col("value")
    for side in SIDES[:1] if same else SIDES:
        listed = value(list_outcomes(numbered, side, whole)).select("place", weighed.alias(f"earned_{side}"))
        earned = listed if one_each else listed.group_by("place").agg(pl.col(f"earned_{side}").sum())
        numbered = numbered.join(earned, on="place", how="left", maintain_order="left")
    if same:
        numbered = numbered.with_columns(pl.col("earned_ns").alias("earned_ew"))
    return numbered.drop("place")


def tally_outcomes(listed: pl.DataFrame) -> pl.DataFrame:
    """Count the outcomes of each group by their weights: `group score_ns equal below`, as `groups.tally` returns."""
    return (
        listed.group_by("group", "score_ns")
        .agg((pl.col("weight") * pl.col("tables")).sum().alias("equal"))
        .sort("group", "score_ns")
        .with_columns(below().alias("below"))
    )
