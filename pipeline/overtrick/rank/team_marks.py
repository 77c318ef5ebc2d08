"""What parts teams with the same total: their opponents, their IMPs, and the boards they won and lost."""

from collections.abc import Sequence
from fractions import Fraction

import polars as pl

from overtrick.score.totals import Totals, Who

Marks = dict[Who, Fraction]


def opponents_totals(matches: pl.DataFrame, totals: Totals, tied: Sequence[Who]) -> Marks | None:
    """Add the final totals of all opponents met, as often as they were met; None for no matches."""
    by_name = {who[-1]: total.points for who, total in totals.items()}
    if matches.is_empty():
        return None
    return {who: sum((by_name[name] for name in _opponents(matches, who)), Fraction(0)) for who in tied}


def imps(matches: pl.DataFrame, tied: Sequence[Who]) -> Marks | None:
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


def _opponents(matches: pl.DataFrame, who: Who) -> list[str]:
    there = [
        matches.filter(pl.col(name) == who[-1])[other] for name, other in (("team", "opponents"), ("opponents", "team"))
    ]
    return [*there[0], *there[1]]


def _swings(boards: pl.DataFrame, who: Who) -> list[Fraction]:
    """List by what a team won (or lost) each of its boards."""
    own = boards.filter(pl.col("team") == who[-1])
    return [Fraction(won, whole) for won, whole in own.select("swing", "denominator").iter_rows()]
