"""Contracts compared with those of the field: how many tables bid the same one, and whether most of them did.

The causes of a result compare with the field, too: their names are here.
"""

from collections.abc import Sequence
from typing import Final, Literal

import polars as pl

from overtrick.core.bridge.cards import SIDE_OF_SEAT
from overtrick.core.frames import Results

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


FIELD: Final = ("others", "alike", "with_field")
_CONTRACT: Final = ("level", "strain", "side")


# Five tables played a board; three of them bid game:
#
#     contract  declarer         others  alike  with_field
#     4S        N                4       2      true
#     4S        S           ->   4       2      true
#     4S        N                4       2      true
#     3S        N                4       0      false
#     5D        E                4       0      false
def compare_contracts(lines: Results, field: Sequence[str], *, of_teams: bool) -> pl.DataFrame:
    """Compare the contract of each result with those of the tables that its score is compared with.

    A contract is a level, a strain and a side. It is with the field if more tables bid it than any other one. In a
    match of teams the field is the other table.

    Args:
        lines: results, with the columns of `field`.
        field: the columns that are the same for tables that are compared.
        of_teams: whether tables of the same match are compared.

    Returns:
        A row for each line: `others`, UInt32, the other tables with a contract; `alike`, UInt32, those of them with the
        same contract; `with_field`, Boolean. All are null for a result without a contract, `with_field` also if several
        contracts are equally frequent, or if no other table has one.
    """
    side = pl.col("declarer").cast(pl.String).replace_strict(SIDE_OF_SEAT, default=None, return_dtype=pl.String)
    known = pl.all_horizontal(pl.col("level", "strain", "side").is_not_null()) & (pl.col("level") > 0)
    match: list[str | pl.Expr] = [
        "round",
        pl.min_horizontal("team_ns", "team_ew"),
        pl.max_horizontal("team_ns", "team_ew"),
    ]
    where: list[str | pl.Expr] = [*field, *(match if of_teams else [])]
    rows = lines.with_columns(
        side.alias("side"), pl.col("multiplicity").fill_null(1).cast(pl.UInt32).alias("tables"), *_places(where)
    )
    here = [f"of_{number}" for number in range(len(where))]
    bid = rows.with_row_index("place").filter(known)
    counts = bid.group_by(*here, *_CONTRACT).agg(pl.col("tables").sum().alias("count"))
    most = counts.group_by(here).agg(
        pl.col("count").sum().alias("all"),
        pl.col("count").max().alias("most"),
        (pl.col("count") == pl.col("count").max()).sum().alias("equal"),
    )
    compared = bid.join(counts, on=[*here, *_CONTRACT], nulls_equal=True).join(most, on=here, nulls_equal=True)
    is_most = pl.col("count") == pl.col("most")
    by_field = pl.when((pl.col("most") > 1) & (pl.col("equal") == 1)).then(is_most)
    in_match = pl.when(pl.col("all") > 1).then(is_most & (pl.col("equal") == 1))
    found = compared.select(
        "place",
        (pl.col("all") - 1).alias("others"),
        (pl.col("count") - 1).alias("alike"),
        (in_match if of_teams else by_field).alias("with_field"),
    )
    every = rows.select(pl.int_range(pl.len(), dtype=pl.UInt32).alias("place"))
    return every.join(found, on="place", how="left", maintain_order="left").select(FIELD)


def _places(where: Sequence[str | pl.Expr]) -> list[pl.Expr]:
    named = (pl.col(one) if isinstance(one, str) else one for one in where)
    return [one.alias(f"of_{number}") for number, one in enumerate(named)]
