"""Scores that the Director assigned (Law 12C): they replace what the file states."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl

from overtrick.core.config.scoring import Adjustment
from overtrick.core.frames import RESULTS, Problems, Results, dtypes
from overtrick.core.policies import name_result
from overtrick.core.problems import report

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
    lost = [
        {"named": name_result(adjustment), "count": len(places)} for adjustment, places in named if len(places) != 1
    ]
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
