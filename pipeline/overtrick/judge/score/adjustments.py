"""Scores that the Director assigned (Law 12C): they replace what the file states."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final, Literal

import polars as pl

from overtrick.core.bridge.movements import numbers_repeat
from overtrick.core.config.scoring import Adjustment
from overtrick.core.frames import RESULTS, Lines, Problems, Results, dtypes, sides
from overtrick.core.policies import name_result
from overtrick.core.problems import report
from overtrick.judge.score.groups import Total, add_up

WHOLE: Final = 10**8
"""Parts of a full top that shares are counted in: percentages with up to six decimals are whole numbers of them."""

IMPS_AVERAGE_PLUS: Final = 3
"""IMPs for average plus (Law 12C2b); average minus loses as many."""

_PERCENT: Final = WHOLE // 100
_BY_LETTER: Final = {"A+": 60 * _PERCENT, "A": 50 * _PERCENT, "A-": 40 * _PERCENT}


def share(award: pl.Expr) -> pl.Expr:
    """Return the share of the top that an award is worth, in parts of `WHOLE`, Int64.

    Null for null, and for what is neither `A+`, `A`, `A-` nor a percentage from 0 to 100.
    """
    number = award.str.extract_groups(r"^([0-9]{1,3})(?:\.([0-9]{1,6}))?%$").struct
    decimals = number.field("2").fill_null("").str.pad_end(6, "0")
    percentage = number.field("1").cast(pl.Int64) * _PERCENT + decimals.cast(pl.Int64)
    by_letter = award.replace_strict(_BY_LETTER, default=None, return_dtype=pl.Int64)
    return pl.coalesce(by_letter, pl.when(percentage <= WHOLE).then(percentage))


def average_sign(award: pl.Expr) -> pl.Expr:
    """Return 1 for average plus, 0 for average and -1 for average minus, by letter or as 60, 50 or 40 %; else null."""
    signs = {_BY_LETTER["A+"]: 1, _BY_LETTER["A"]: 0, _BY_LETTER["A-"]: -1}
    return share(award).replace_strict(signs, default=None, return_dtype=pl.Int64)


_CHANGED: Final = ("status", "award_ns", "award_ew", "stated_score_ns", "split_score", "weights")


def enter_adjustments(results: Results, adjustments: Sequence[Adjustment]) -> tuple[Results, Problems]:
    """Enter adjusted scores.

    Returns:
        The results with the changed ones in their places, status `adjusted`; and `adjustment-unmatched` for an
        adjustment that fits no result, or several.
    """
    if not adjustments:
        return results, report("adjustment-unmatched", results.clear())
    numbered = results.with_row_index("place")
    named = [(adjustment, _places(numbered, adjustment)) for adjustment in adjustments]
    rows = [{"place": places[0], **_changes(adjustment)} for adjustment, places in named if len(places) == 1]
    types = dtypes(RESULTS)
    changes = pl.DataFrame(rows, schema={"place": numbered["place"].dtype, **{name: types[name] for name in _CHANGED}})
    last = changes.unique("place", keep="last")
    changed = numbered.drop(_CHANGED).join(last, on="place", maintain_order="left")
    unchanged = numbered.join(last, on="place", how="anti", maintain_order="left")
    entered = pl.concat([unchanged, changed.select(unchanged.columns)]).sort("place").drop("place")
    lost = [{"named": name_result(each), "count": len(places)} for each, places in named if len(places) != 1]
    unmatched = pl.DataFrame(lost, schema={"named": pl.String, "count": pl.Int64})
    return entered, report("adjustment-unmatched", unmatched)


def _places(numbered: Results, adjustment: Adjustment) -> list[int]:
    """Return the places of the results that an adjustment fits."""
    same = [pl.col(name) == value for name, value in adjustment.place.items()]
    return numbered.filter(*same)["place"].to_list()


def _changes(adjustment: Adjustment) -> dict[str, Any]:
    """Return the new values of `_CHANGED`."""
    row: dict[str, Any] = {**dict.fromkeys(_CHANGED), "status": "adjusted"}
    if adjustment.award is not None:
        row["award_ns"], row["award_ew"] = adjustment.award
    elif adjustment.split is not None:
        row["stated_score_ns"], row["split_score"] = adjustment.split.ns, -adjustment.split.ew
    elif adjustment.weighted is not None:
        row["weights"] = [{"score_ns": each.score, "weight": each.weight} for each in adjustment.weighted]
    else:
        row["stated_score_ns"] = adjustment.assigned
    return row


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
