"""What the contestants of a series still need: the score on the next evening for each place, and who can't be caught.

The next evening is looked at for each contestant alone: it scores, and the totals of all others change only as far as
older evenings drop out of the `last` ones. It plays without a substitute, and with a new partner if it lacks one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Final

from overtrick.core.config.file import exact
from overtrick.core.config.series import Series
from overtrick.judge.people.season import Season
from overtrick.judge.people.series import Row, Score, Table, find_handicap, group_ties, make_row, rank_rows

_STEPS: Final = 100
"""Scores are asked for in hundredths, as they are shown."""
_NEW_PARTNER: Final = ("?",)


@dataclass(frozen=True)
class Need:
    """The lowest score on the next evening, without the handicap, that brings a place, shared or not.

    Attributes:
        place: the place.
        score: in the unit of the series; None if any score does.
    """

    place: int
    score: Fraction | None


@dataclass(frozen=True)
class Outlook:
    """What may still become of a contestant.

    Attributes:
        needs: the places within reach on the next evening, the best first.
        new_partner: whether they are only within reach with a partner that the player has not had yet.
        is_safe: whether none of those below can come level any more, whatever the evenings left bring.
        handicap: what the contestant receives on each evening.
    """

    needs: tuple[Need, ...] = ()
    new_partner: bool = False
    is_safe: bool = False
    handicap: Fraction = Fraction(0)


def look_ahead(table: Table, season: Season) -> dict[str, Outlook]:
    """Return the outlook of each contestant by its key: without needs on a ladder and after the last evening."""
    series = table.series
    handicaps = {row.key: find_handicap([season.person(key).member for key in row.keys], series) for row in table.rows}
    if series.scoring == "ladder" or table.left == 0:
        return {key: Outlook(handicap=handicap) for key, handicap in handicaps.items()}
    following = len(season.evenings)
    evenings = [*table.evenings, following]
    scores = {row.key: row.scores for row in table.rows}
    field = _Field([row for row in rank_rows(scores, evenings, series, str) if row.is_ready])
    safe = _list_safe(table, handicaps, season, following)
    found = {}
    for row in table.rows:
        place = _placing(row, handicaps[row.key], evenings, series, field)
        needs = () if place is None else _list_needs(place, *_possible(row, field, series))
        found[row.key] = Outlook(needs, row.partners_short == 1, row.key in safe, handicaps[row.key])
    return found


class _Field:
    """The ranked contestants after an evening on which nobody scores."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.totals = sorted(row.total for row in rows)
        self.own = {row.key: row.total for row in rows}
        self._level: dict[Fraction, list[Row]] = {}
        for row in rows:
            self._level.setdefault(row.total, []).append(row)

    def ahead(self, total: Fraction, but: str) -> int:
        """Return how many have a higher total, without one contestant."""
        own = self.own.get(but)
        return len(self.totals) - bisect_right(self.totals, total) - (own is not None and own > total)

    def level(self, total: Fraction, but: str) -> list[Row]:
        """Return those with a total, without one contestant."""
        return [row for row in self._level.get(total, []) if row.key != but]


def _placing(
    row: Row, handicap: Fraction, evenings: Sequence[int], series: Series, field: _Field
) -> Callable[[Fraction], int] | None:
    """Return the function from a score on the next evening to the place; None if nobody could rank the contestant.

    Args:
        row: the contestant.
        handicap: what it receives on each evening.
        evenings: those of the series and the next.
        series: its settings.
        field: all who are ranked without it.
    """

    def after(score: Fraction) -> Row:
        at = Score(score + handicap, partners=_NEW_PARTNER)
        return make_row(row.key, {**row.scores, evenings[-1]: at}, evenings, series)

    every = {**row.scores, evenings[-1]: Score(handicap, partners=_NEW_PARTNER)}
    following = make_row(row.key, every, evenings, series.model_copy(update={"best": None}))
    if following.evenings_short or row.partners_short > 1:
        return None
    counting = [at.points for number, at in following.scores.items() if not at.left_out and number != evenings[-1]]
    counting.sort(reverse=True)
    kept = counting[: series.best - 1] if series.best else counting
    lowest = counting[len(kept)] if len(counting) > len(kept) else None
    base, number = sum(kept, Fraction(0)), len(kept) + 1 if series.scoring == "percentage" else 1

    @cache
    def place(score: Fraction) -> int:
        points = score + handicap
        total = (base + (points if lowest is None else max(points, lowest))) / number
        level = field.level(total, row.key) if series.tie_breaks else []
        groups = group_ties([after(score), *level], series, str, evenings[-1:]) if level else []
        before = next((at for at, group in enumerate(groups) if any(one.key == row.key for one in group)), 0)
        return 1 + field.ahead(total, row.key) + sum(map(len, groups[:before]))

    return place


def _possible(row: Row, field: _Field, series: Series) -> tuple[int, Callable[[int], Fraction]]:
    """Return how many scores an evening may bring, and the function that gives each, the lowest first.

    Of VPs and IMPs these are no more than any place takes.
    """
    if series.scoring == "points":
        points = sorted({Fraction(0), *map(exact, series.places)})
        return len(points), points.__getitem__
    if series.scoring == "percentage":
        return 100 * _STEPS + 1, lambda step: Fraction(step, _STEPS)
    most = ceil(
        max(map(abs, field.totals), default=Fraction(0)) + sum(abs(at.points) for at in row.scores.values()) + 1
    )
    return 2 * most * _STEPS + 1, lambda step: Fraction(step, _STEPS) - most


def _list_needs(place: Callable[[Fraction], int], number: int, score: Callable[[int], Fraction]) -> tuple[Need, ...]:
    """Return the places that the possible scores bring, the best first, each with the lowest score that does."""
    needs: list[Need] = []
    step = number
    while step:
        wanted = place(score(step - 1))
        step = bisect_left(range(step), -wanted, key=lambda at: -place(score(at)))
        needs.append(Need(wanted, score(step) if step else None))
    return tuple(needs)


def _list_safe(table: Table, handicaps: Mapping[str, Fraction], season: Season, following: int) -> set[str]:
    """Return the contestants whom nobody below can come level with in the evenings left."""
    series, left = table.series, table.left
    highest = {"percentage": Fraction(100), "points": max(map(exact, series.places), default=Fraction(0))}
    most = highest.get(series.scoring)
    if left is None or most is None:
        return set()
    to_come = [following + number for number in range(left)]
    evenings = [*table.evenings, *to_come]

    def after(key: str, at: Mapping[int, Score], played: Sequence[int], score: Fraction) -> Row:
        new = {number: Score(score + handicaps.get(key, bonus), partners=(f"?{number}",)) for number in played}
        return make_row(key, {**at, **new}, evenings, series)

    def worst(row: Row) -> Fraction | None:
        """Return the lowest total after evenings with nothing; None if the contestant may lose its place."""
        rows = [after(row.key, row.scores, to_come[left - played :], Fraction(0)) for played in range(left + 1)]
        return min(row.total for row in rows) if all(row.is_ready for row in rows) else None

    bonus = max((find_handicap([member], series) for member in season.wishes.register), default=Fraction(0))
    newcomer: list[tuple[str, Mapping[int, Score]]] = (
        [] if series.pairs and len(series.pairs) <= len(table.rows) else [("", {})]
    )
    rivals = [*newcomer, *((row.key, row.scores) for row in reversed(table.rows))]
    reach = [row.total if row.is_ready else None for row in (after(*rival, to_come, most) for rival in rivals)]
    safe: set[str] = set()
    best = reach.pop(0) if newcomer else None
    for row, own in zip(reversed(table.rows), reach, strict=True):
        may_be = row.rank is not None and row is not table.rows[-1] and (best is None or _bound(row, series) > best)
        least = worst(row) if may_be else None
        if least is not None and (best is None or least > best):
            safe.add(row.key)
        best = own if best is None or (own is not None and own > best) else best
    return safe


def _bound(row: Row, series: Series) -> Fraction:
    """Return a total that a contestant never exceeds without playing: quickly found, it rules most of them out."""
    points = [score.points for score in row.scores.values()]
    return max(points) if series.scoring == "percentage" else sum((max(at, Fraction(0)) for at in points), Fraction(0))
