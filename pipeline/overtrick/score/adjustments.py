"""Scores that the Director assigned (Law 12C): they replace what the file states."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import polars as pl

from overtrick.config.scoring import Adjustment, Fouled
from overtrick.frames import RESULTS, Problems, Results, dtypes
from overtrick.problems import report

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
    kept = numbered.join(last, on="place", how="anti", maintain_order="left")
    entered = pl.concat([kept, changed.select(kept.columns)]).sort("place").drop("place")
    lost = [{"named": _named(adjustment), "count": len(places)} for adjustment, places in named if len(places) != 1]
    unmatched = pl.DataFrame(lost, schema={"named": pl.String, "count": pl.Int64})
    return entered, report("adjustment-unmatched", unmatched)


def adjustment_policies(adjustments: Sequence[Adjustment]) -> dict[str, str]:
    """Return in words what the Director assigned, and why."""
    return {
        f"adjusted score, {_named(adjustment)}": "; ".join(
            text for text in (_assigned(adjustment), adjustment.reason) if text
        )
        for adjustment in adjustments
    }


def fouled_policies(fouled: Sequence[Fouled]) -> dict[str, str]:
    """Return in words which tables the Director compares by themselves, and why."""
    return {
        f"fouled, board {one.board}": "; ".join(
            text for text in (f"{', '.join(one.ns)} N-S compared with each other only", one.reason) if text
        )
        for one in fouled
    }


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


def _named(adjustment: Adjustment) -> str:
    return ", ".join(f"{name} {value}" for name, value in adjustment.place.items() if name != "source")


def _assigned(adjustment: Adjustment) -> str:
    return " and ".join(_parts(adjustment))


def _parts(adjustment: Adjustment) -> Iterator[str]:
    if adjustment.award is not None:
        yield f"{adjustment.award[0]} for N-S"
        yield f"{adjustment.award[1]} for E-W"
    elif adjustment.split is not None:
        yield f"{adjustment.split.ns} for N-S"
        yield f"{adjustment.split.ew} for E-W"
    elif adjustment.weighted is not None:
        whole = sum(each.weight for each in adjustment.weighted)
        yield from (f"{each.weight}/{whole} of {each.score}" for each in adjustment.weighted)
    else:
        yield f"{adjustment.assigned} for N-S"
