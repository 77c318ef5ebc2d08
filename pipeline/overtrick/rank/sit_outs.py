"""Contestants that sat out: what their totals are worth beside those of contestants that played every board."""

from dataclasses import replace
from fractions import Fraction

from overtrick.config import Scoring
from overtrick.score.totals import Totals


def evened(totals: Totals, scoring: Scoring) -> Totals:
    """Bring the totals of one ranking to the same number of boards, if the club wants that.

    Args:
        totals: as earned.
        scoring: `sit_outs`: "prorate" multiplies by the most boards anybody played over the contestant's own, "mean"
            divides by its own.

    Returns:
        The totals, tops with them, so that percentages stay what they are.
    """
    most = max((total.boards for total in totals.values()), default=1)
    to = {"as-earned": None, "prorate": most, "mean": 1}[scoring.sit_outs]
    if to is None:
        return totals
    return {
        who: replace(total, points=total.points * by, top=total.top * by)
        for who, total in totals.items()
        for by in [Fraction(to, max(total.boards, 1))]
    }


def sit_out_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rule `evened` followed."""
    said = {
        "as-earned": "totals as they are",
        "prorate": "totals brought to the most boards played",
        "mean": "ranked by the mean of a board",
    }
    return {"sit-outs": said[scoring.sit_outs]}
