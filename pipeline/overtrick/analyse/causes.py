"""The parts of a result's swing as a side sees them, from the columns that `explain` fills."""

from typing import Final, Literal

import polars as pl

CAUSES: Final = ("bidding", "lead", "declarer", "defence", "opponents", "unknown")
"""The parts of a swing as a side sees it: what it did itself, what the opponents' cards did, and what is unknown."""


def list_causes(side: Literal["NS", "EW"]) -> list[pl.Expr]:
    """Return the parts of the swing of a side, one expression for each of `CAUSES`, times `denominator`.

    They are for a frame with the columns of `frames.ANALYSIS` and `declarer`. Their sum is `swing` for N-S, and
    `swing_ew` for E-W; where that is null, so are they.
    """
    sign, swing = (1, "swing") if side == "NS" else (-1, "swing_ew")
    own = pl.col("declarer").cast(pl.String).is_in(list(side)).fill_null(value=False)
    declaring = pl.col("declarer_value")
    lead, defence = pl.col("lead_value"), pl.col("defence_value")
    # A ruling may give E-W something else than what N-S lose; nobody knows why.
    split = pl.lit(0) if side == "NS" else pl.col("swing") + pl.col("swing_ew")
    parts = {
        "bidding": pl.col("expected").fill_null(0),
        "lead": pl.when(own).then(0).otherwise(lead),
        "declarer": pl.when(own).then(declaring).otherwise(0),
        "defence": pl.when(own).then(0).otherwise(defence),
        "opponents": pl.when(own).then(lead + defence).otherwise(declaring),
        "unknown": pl.col("unknown_value") - split,
    }
    return [pl.when(pl.col(swing).is_not_null()).then(sign * parts[name]).alias(name) for name in CAUSES]
