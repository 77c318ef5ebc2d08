"""What changes a total without being played for: sit-outs, penalties, carry-overs, and handicaps."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import polars as pl

from overtrick.core.config import Scoring
from overtrick.core.config.scoring import CarryOver, Handicap, Penalty
from overtrick.core.config.table import exact
from overtrick.core.frames import Problems
from overtrick.core.problems import concat_problems, report
from overtrick.judge.score.totals import Total, Totals, Who

Correction = Penalty | Handicap | CarryOver
Rankings = Sequence[tuple[str, Totals]]
"""Names of rankings and what their contestants earned."""


def even_out(totals: Totals, scoring: Scoring) -> Totals:
    """Bring the totals of one ranking to the same number of boards, if the club wants that.

    Args:
        totals: as earned.
        scoring: `sit_outs`: "prorate" multiplies by the most boards that anybody played over the contestant's own,
            "mean" divides by the contestant's own.

    Returns:
        The totals with their tops, so that percentages stay the same.
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


def apply_corrections(rankings: Rankings, scoring: Scoring, board_top: int) -> tuple[Rankings, Problems]:
    """Subtract penalties, add carry-overs, and make a second ranking of each where there are handicaps.

    Args:
        rankings: as earned.
        scoring: `penalties`, `carry_overs` and `handicaps` are followed.
        board_top: the top of a full board; 0 where there is none.

    Returns:
        The rankings, those with handicap after the others and named `handicap all` and so on; and the problems
        `contestant-unmatched`, for a correction that fits no contestant or several, and `correction-meaningless`, for
        percentages and tops without matchpoints.
    """
    taken: list[Correction] = [*scoring.penalties, *scoring.carry_overs]
    unmatched = _unmatched(rankings, [*taken, *scoring.handicaps])
    problems = concat_problems([unmatched, _meaningless(scoring, board_top)])
    scratch = _changed(rankings, taken, board_top)
    if not scoring.handicaps:
        return scratch, problems
    with_handicap = [(_handicap_name(name), totals) for name, totals in _changed(scratch, scoring.handicaps, board_top)]
    return [*scratch, *with_handicap], problems


def _amount(correction: Correction, total: Total, board_top: int) -> Fraction:
    """Return what a correction adds to a total."""
    match correction:
        case Penalty(unit="percent"):
            return -exact(correction.amount) * total.top / 100
        case Penalty(unit="top"):
            return -exact(correction.amount) * board_top
        case Penalty():
            return -exact(correction.amount)
        case Handicap():
            return exact(correction.amount) * (Fraction(total.top, 100) if total.top else 1)
        case CarryOver(score=score, top=top) if score is not None and top is not None:
            return exact(score) * total.top / (2 * exact(top))
        case CarryOver():
            return exact(correction.points or 0)


def _changed(rankings: Rankings, corrections: Sequence[Correction], board_top: int) -> Rankings:
    """Apply each correction that names exactly one contestant."""
    changed = [(name, dict(totals)) for name, totals in rankings]
    for correction in corrections:
        places = _places(rankings, correction)
        if len(places) == 1:
            number, who = places[0]
            total = changed[number][1][who]
            by = _amount(correction, total, board_top)
            changed[number][1][who] = replace(total, points=total.points + by, correction=total.correction + by)
    return changed


def _places(rankings: Rankings, correction: Correction) -> list[tuple[int, Who]]:
    """Find the contestants that a correction fits: number of the ranking, and identity."""
    return [
        (number, who)
        for number, (_, totals) in enumerate(rankings)
        for who in totals
        if who[2] == correction.contestant
        and (correction.direction is None or who[1] in {None, correction.direction})
        and (correction.section is None or who[0] in {None, correction.section})
    ]


def _unmatched(rankings: Rankings, corrections: Sequence[Correction]) -> Problems:
    named = {Penalty: "penalty", CarryOver: "carry-over", Handicap: "handicap"}
    counts = [(named[type(one)], one.contestant, len(_places(rankings, one))) for one in corrections]
    schema = {"what": pl.String, "contestant": pl.String, "count": pl.Int64}
    return report("contestant-unmatched", pl.DataFrame(counts, schema, orient="row").filter(pl.col("count") != 1))


def _meaningless(scoring: Scoring, board_top: int) -> Problems:
    units = [] if board_top else [(p.contestant, p.unit) for p in scoring.penalties if p.unit != "points"]
    table = pl.DataFrame(units, {"contestant": pl.String, "unit": pl.String}, orient="row")
    return report("correction-meaningless", table)


def _handicap_name(name: str) -> str:
    section, _, field = name.rpartition(" ")
    return f"{section} handicap {field}".strip()
