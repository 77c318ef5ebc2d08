"""Average plus and minus by the pair's session (Law 12C2c): its other boards decide what 60 and 40 % become."""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any, Final, Literal

import polars as pl

from overtrick.core.bridge.movements import numbers_repeat
from overtrick.core.frames import Lines, sides
from overtrick.judge.score.awards import average_sign
from overtrick.judge.score.totals import Total, add_up

_TELL_APART: Final[tuple[Literal["section", "direction"], ...]] = ("section", "direction")

_FINEST: Final = 10**7
"""Largest denominator of a side: two of them and a top of thousands of tables still fit into 64 bits."""


def apply_session_averages(lines: Lines) -> Lines:
    """Raise average plus to the pair's percentage on its other boards where that is above 60; lower minus below 40.

    Awards of 60 and 40 % are these too: USEBIO and Bridgemate have no other way to write them.

    Args:
        lines: matchpointed results with `field`, flat awards filled.

    Returns:
        The same lines; those with average plus or minus earn by the session.
    """
    signs = [average_sign(pl.col(f"award_{side}")).alias(f"sign_{side}") for side in ("ns", "ew")]
    numbered = lines.with_row_index("place")
    seats = sides(lines)
    by = ["field", "contestant", *(name for name in _TELL_APART if numbers_repeat(seats, name))]
    other_boards = add_up(seats.filter(pl.col("award").is_null(), pl.col("contestant").is_not_null()), by)

    def earned(row: Mapping[str, Any], side: str) -> Fraction | None:
        who = {**row, "contestant": row[side], "direction": side.upper()}
        return _earned(row, side, other_boards.get(tuple(who[name] for name in by)))

    adjusted = numbered.with_columns(signs).filter(
        pl.col("status") == "adjusted",
        pl.any_horizontal(pl.col("sign_ns", "sign_ew").is_in([1, -1])),
        pl.col("denominator").is_not_null(),
    )
    changed = [_line(row["place"], earned(row, "ns"), earned(row, "ew")) for row in adjusted.iter_rows(named=True)]
    names = ["place", "numerator_ns", "numerator_ew", "denominator"]
    changes = pl.DataFrame(changed, schema=numbered.select(names).schema, orient="row")
    return numbered.update(changes, on="place").drop("place")


def _earned(row: Mapping[str, Any], side: str, others: Total | None) -> Fraction | None:
    """Return what one side earns: the flat award, or the share of the top that it has on its other boards."""
    if row[f"numerator_{side}"] is None:
        return None
    flat = Fraction(row[f"numerator_{side}"], row["denominator"])
    if others is None:
        return flat
    by_session = others.share * int(row["top"])
    if row[f"sign_{side}"] == 1:
        return max(flat, by_session)
    return min(flat, by_session) if row[f"sign_{side}"] == -1 else flat


def _line(place: int, ns: Fraction | None, ew: Fraction | None) -> tuple[int, int | None, int | None, int]:
    """Put both sides over one denominator."""
    fine = [None if points is None else points.limit_denominator(_FINEST) for points in (ns, ew)]
    denominator = lcm(*(points.denominator for points in fine if points is not None))
    numerators = [None if points is None else int(points * denominator) for points in fine]
    return place, numerators[0], numerators[1], denominator
