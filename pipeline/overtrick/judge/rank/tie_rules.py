"""The rules that break ties: each gives the tied contestants marks, or None where it can't judge.

Who beat whom, and rematchpointing, compare results on boards; the rules for teams look at matches and swings.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import polars as pl

from overtrick.core.bridge.victory_points import UNIT
from overtrick.core.frames import Matches, Seats
from overtrick.judge.rank.match_totals import IDENTITY
from overtrick.judge.score.groups import Totals, Who

Marks = dict[Who, Fraction]

_WON, _HALF, _NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)


def meeting_marks(lines: Seats, tied: Sequence[Who]) -> Marks | None:
    """Give 1 for each of the others beaten on the boards played against each other, and a half for a tie.

    What counts is what was earned on those boards in the whole field: matchpoints, IMPs or points.

    Args:
        lines: the frame of `rankings.split_rankings`; both sides have the same `result`.
        tied: at least two.

    Returns:
        The marks; None unless every two of them have met.
    """
    played = {who: _earned(lines, who) for who in tied}
    marks = dict.fromkeys(tied, Fraction(0))
    for who, other in combinations(tied, 2):
        # Partners in an individual share a result and sat the same way: they did not play against each other.
        shared = [(played[who][result], played[other][result]) for result in played[who].keys() & played[other].keys()]
        margins = [mine - theirs for (way, mine), (other_way, theirs) in shared if way != other_way]
        if not margins:
            return None
        _decide(marks, who, other, sum(margins, _NOTHING))
    return marks


def match_marks(matches: Matches, tied: Sequence[Who]) -> Marks | None:
    """Give 1 for each of the other teams beaten in the matches against each other, and a half for a tie.

    Victory points decide where there are any, then IMPs.

    Returns:
        The marks; None unless every two of them have met.
    """
    marks = dict.fromkeys(tied, Fraction(0))
    for who, other in combinations(tied, 2):
        names = [who[-1], other[-1]]
        met = matches.filter(pl.col("team").is_in(names) & pl.col("opponents").is_in(names))
        if met.is_empty():
            return None
        margins = [_margins(match, str(who[-1])) for match in met.iter_rows(named=True)]
        by_points = sum((points for points, _ in margins), _NOTHING)
        by_imps = sum((imps for _, imps in margins), _NOTHING)
        _decide(marks, who, other, by_points or by_imps)
    return marks


def rematchpoint(lines: Seats, tied: Sequence[Who]) -> Marks | None:
    """Compare tied pairs on each board with those of them that sat the same way: 1 for a better score, 1/2 for a tie.

    A pair that sat the other way from several others of the tied is compared with the field instead: it gets 1, 1/2 or
    0 where its matchpoints on the board were above, at or below average. A board counts for nobody where no two of the
    tied sat the same way. A pair's mark is the part that it won of what it could have won, as pairs may have missed
    boards.

    Args:
        lines: the frame of `rankings.split_rankings`.
        tied: the pairs.

    Returns:
        The marks; None where a pair has nothing to compare.
    """
    # Pairs 1, 2 and 3 are tied; all three played both boards:
    #
    #     board  sat            scores N-S      pair 1     pair 2     pair 3
    #     1      all N-S        420, 170, 170   1 + 1      0 + 1/2    0 + 1/2
    #     2      1, 2 N-S       50, 50          1/2        1/2
    #            3 E-W, average                                       1/2
    #     marks                                 5/2 of 3   1 of 3     1 of 3
    won, available = dict.fromkeys(tied, Fraction(0)), dict.fromkeys(tied, 0)
    for _, board in lines.drop_nulls(["score_ns", "board", "top"]).group_by("field", "board"):
        rows = [row for row in board.iter_rows(named=True) if _who(row) in won]
        for row in rows:
            marks = _marks_on_board(row, rows)
            won[_who(row)] += sum(marks, Fraction(0))
            available[_who(row)] += len(marks)
    if not all(available.values()):
        return None
    return {who: won[who] / available[who] for who in tied}


def _marks_on_board(row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[Fraction]:
    """Compare a pair with those that sat the same way; else with the average, where several sat the other way."""
    same_way = [other for other in rows if other is not row and other["sat"] == row["sat"]]
    if same_way or len(rows) < 3:
        return [_compare(row, other) for other in same_way]
    return [_mark(2 * row["numerator"] - row["top"] * row["denominator"])]


def opponents_totals(matches: Matches, totals: Totals, tied: Sequence[Who]) -> Marks | None:
    """Add the final totals of all opponents met, as often as they were met; None for no matches."""
    by_name = {who[-1]: total.points for who, total in totals.items()}
    if matches.is_empty():
        return None
    return {who: sum((by_name[name] for name in _opponents(matches, who)), Fraction(0)) for who in tied}


def match_imps(matches: Matches, tied: Sequence[Who]) -> Marks | None:
    """Add what was won and lost in all matches before victory points; None for no matches."""
    if matches.is_empty():
        return None
    marks = dict.fromkeys(tied, Fraction(0))
    for match in matches.iter_rows(named=True):
        for name, suffix in (("team", ""), ("opponents", "_opponents")):
            who = (None, None, match[name])
            if who in marks:
                marks[who] += Fraction(match[f"numerator{suffix}"], match["denominator"])
    return marks


def imp_quotient(boards: pl.DataFrame, tied: Sequence[Who]) -> Marks | None:
    """Divide what was won, board by board, by what was lost; None where a team lost nothing at all."""
    swings = {who: _swings(boards, who) for who in tied}
    if any(all(swing >= 0 for swing in listed) for listed in swings.values()):
        return None
    return {
        who: sum((s for s in listed if s > 0), Fraction(0)) / -sum((s for s in listed if s < 0), Fraction(0))
        for who, listed in swings.items()
    }


def boards_won(boards: pl.DataFrame, tied: Sequence[Who]) -> Marks | None:
    """Count boards won less boards lost; None for no boards."""
    if boards.is_empty():
        return None
    return {who: Fraction(sum((s > 0) - (s < 0) for s in _swings(boards, who))) for who in tied}


def _earned(lines: Seats, who: Who) -> dict[int, tuple[str, Fraction]]:
    """Look up how a contestant sat and what it earned, by result."""
    same = [pl.col(name).cast(pl.String).eq_missing(pl.lit(value)) for name, value in zip(IDENTITY, who, strict=True)]
    earned_on = lines.filter(*same).drop_nulls("numerator").select("result", "sat", "numerator", "denominator")
    return {result: (sat, Fraction(earned, whole)) for result, sat, earned, whole in earned_on.iter_rows()}


def _decide(marks: Marks, who: Who, other: Who, margin: Fraction) -> None:
    if margin == 0:
        marks[who] += _HALF
        marks[other] += _HALF
    else:
        marks[who if margin > 0 else other] += _WON


def _margins(match: Mapping[str, Any], team: str) -> tuple[Fraction, Fraction]:
    """Return by what the team is ahead in one match: victory points, and IMPs (or matchpoints)."""
    sign = 1 if match["team"] == team else -1
    points = (match["victory_points"] or 0) - (match["victory_points_opponents"] or 0)
    earned = match["numerator"] - match["numerator_opponents"]
    return Fraction(sign * points, UNIT), Fraction(sign * earned, match["denominator"])


def _who(row: Mapping[str, Any]) -> Who:
    return tuple(row[name] for name in IDENTITY)


def _compare(row: Mapping[str, Any], other: Mapping[str, Any]) -> Fraction:
    """Compare two scores of pairs that sat the same way."""
    ahead = row["score_ns"] - other["score_ns"]
    return _mark(ahead if row["sat"] == "NS" else -ahead)


def _mark(ahead: int) -> Fraction:
    if ahead == 0:
        return _HALF
    return _WON if ahead > 0 else _NOTHING


def _opponents(matches: Matches, who: Who) -> list[str]:
    there = [
        matches.filter(pl.col(name) == who[-1])[other] for name, other in (("team", "opponents"), ("opponents", "team"))
    ]
    return [*there[0], *there[1]]


def _swings(boards: pl.DataFrame, who: Who) -> list[Fraction]:
    """List by what a team won (or lost) each of its boards."""
    boards = boards.filter(pl.col("team") == who[-1])
    return [Fraction(won, whole) for won, whole in boards.select("swing", "denominator").iter_rows()]
