"""The parts of a result against the field: what the tables lost on average where the same side declared is taken off.

Duplicate bridge compares with those who held the same cards. A lead that nearly all made costs nobody anything: what it
gave away on average belongs to the contract, which they all reached, and the parts are what a table did otherwise.
"""

from fractions import Fraction
from math import lcm
from typing import Final

import numpy as np
import polars as pl

PARTS: Final = ("lead_value", "declarer_value", "defence_value", "unknown_value")
KINDS: Final = ("play", "lead", "nothing")
"""Whether a play was recorded in full, up to the lead or some later card, or not at all."""
_FINEST: Final = 1000
"""The largest denominator of a mean over a whole evening; what it leaves over stays in the part."""


# Two tables of a board in 4S by N-S, worth 4 with double-dummy tricks; a third one where E-W declare is not alike:
#
#     lead  declarer  expected          less the means, 1 and -2        expected
#     2     -4        4            ->   1     -2                        4 + 1 - 2 = 3
#     0      0        4            ->  -1      2                        3
def compare_with_field(found: pl.DataFrame, about: pl.DataFrame) -> pl.DataFrame:
    """Take the mean of each part off, and add it to `expected`: the swing stays, and the parts average to nothing.

    Where several tables have the same side declaring, the means are theirs; tables whose play was recorded in full, up
    to the lead, or not at all are compared with each other, and what these groups lost differently is unknown. Where
    only one table has, the means are those of that role over the evening.

    Args:
        found: a row for each compared result: `result swing swing_ew expected` and `PARTS`, and their `denominator`,
            the same for all tables of a group.
        about: a row for each result with a contract and its double-dummy tricks: `result`; `group`, what it is compared
            in; `sign`, 1 if N-S declare and -1 if E-W do; `kind`, of `KINDS`; `weight`, the tables that it stands for.

    Returns:
        The rows, with `same_side`: the other tables where the same side declared, null for a result without parts.
    """
    rows = found.join(about, on="result", how="inner", maintain_order="left").filter(pl.col("expected").is_not_null())
    others = found.join(rows, on="result", how="anti", maintain_order="left")
    if rows.is_empty():
        return found.with_columns(same_side=pl.lit(None, pl.UInt32))
    here = ["group", "sign"]
    sized = rows.with_columns(all=pl.col("weight").sum().over(here), some=pl.col("weight").sum().over([*here, "kind"]))
    compared = _take_off(sized.filter(pl.col("all") > 1), here)
    alone = _take_off_roles(sized.filter(pl.col("all") == 1), sized)
    kept = [*found.columns, "same_side"]
    done = [part.select(kept) for part in (compared, alone) if not part.is_empty()]
    return pl.concat([*done, others.with_columns(same_side=pl.lit(None, pl.UInt32)).select(kept)]).sort("result")


def _take_off(rows: pl.DataFrame, here: list[str]) -> pl.DataFrame:
    """Take off the means over the tables of a board."""
    # Times the multiple of these numbers of tables, the sums of all parts can be divided by each of them.
    sizes = [pl.col("weight").filter(pl.col("kind") == kind).sum().over(here).clip(1).alias(kind) for kind in KINDS]
    multiple = np.lcm.reduce(rows.select("all", *sizes).to_numpy(), axis=1)
    scaled = _scale(rows, pl.col("denominator") * pl.lit(pl.Series(multiple, dtype=pl.Int64)))
    weight, kind = pl.col("weight"), [*here, "kind"]
    means = {name: (pl.col(name) * weight).sum().over(kind) // pl.col("some") for name in PARTS}
    mean = (pl.sum_horizontal(PARTS) * weight).sum().over(here) // pl.col("all")
    meant = scaled.with_columns(mean=mean, **{f"mean_{name}": value for name, value in means.items()})
    of_kind = pl.sum_horizontal(f"mean_{name}" for name in PARTS)
    return meant.with_columns(
        *(pl.col(name) - pl.col(f"mean_{name}") for name in PARTS[:-1]),
        unknown_value=pl.col("unknown_value") - pl.col("mean_unknown_value") + of_kind - pl.col("mean"),
        expected=pl.col("expected") + pl.col("mean"),
        same_side=(pl.col("all") - 1).cast(pl.UInt32),
    )


def _take_off_roles(alone: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Take off the means over the evening, as the declaring side sees them, where no other table had it declare."""
    parts = []
    for (kind,), some in alone.group_by("kind", maintain_order=True):
        alike = rows.filter(kind=kind)
        means = [_mean(alike, name) for name in PARTS]
        times = lcm(*(mean.denominator for mean in means))
        scaled = _scale(some, pl.col("denominator") * times)
        off = {
            name: pl.col("sign") * pl.col("denominator") * mean.numerator // mean.denominator
            for name, mean in zip(PARTS, means, strict=True)
        }
        parts.append(
            scaled.with_columns(
                *(pl.col(name) - value for name, value in off.items()),
                expected=pl.col("expected") + pl.sum_horizontal(off.values()),
                same_side=pl.lit(0, pl.UInt32),
            )
        )
    return pl.concat(parts) if parts else alone


def _mean(rows: pl.DataFrame, name: str) -> Fraction:
    value = (pl.col(name) * pl.col("sign") * pl.col("weight")).sum()
    sums = rows.group_by("denominator").agg(value).select(name, "denominator").iter_rows()
    whole = sum((Fraction(above, below) for above, below in sums), Fraction(0))
    return (whole / int(rows["weight"].sum())).limit_denominator(_FINEST)


def _scale(rows: pl.DataFrame, scale: pl.Expr) -> pl.DataFrame:
    """Write all values with another denominator, a multiple of theirs."""
    times = scale // pl.col("denominator")
    values = ("swing", "swing_ew", "expected", *PARTS)
    return rows.with_columns(*(pl.col(name) * times for name in values), denominator=scale)
