"""Series: the table of a competition over many evenings. What counts, what is dropped, and who is ahead."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, get_args

import polars as pl

from overtrick.core.config.people import Series, Weekday
from overtrick.core.notation import BETWEEN
from overtrick.judge.people.evening import Evening
from overtrick.judge.people.identity import fold_name
from overtrick.judge.people.season import Season

BETWEEN_KEYS: Final = " & "
_EXACT: Final = 9
"""Decimals of totals that are compared: the rest is the noise of floats."""


@dataclass(frozen=True)
class Score:
    """What a contestant earned on an evening.

    Attributes:
        points: in the unit of the series, with the handicap.
        counts: whether the total holds it.
        substitute: whether one of the pair played with a substitute.
        partners: keys of the partners of a player.
    """

    points: float
    counts: bool = True
    substitute: bool = False
    partners: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """A contestant in a series.

    Attributes:
        key: of the person, or of both of a pair with ` & ` between.
        scores: by the number of the evening.
        total: mean of percentages, or sum of the scores that count; on a ladder the rung.
        rank: place; None if the contestant is not ranked yet.
        rank_last: the last of the places that are shared.
        before: the place before the latest evening; None if not ranked then.
        evenings_short: the evenings missing for a place.
        partners_short: the partners missing for a place.
        to_beat: the lowest score that counts, if each further evening replaces it; None if evenings are still added.
    """

    key: str
    scores: Mapping[int, Score]
    total: float
    rank: int | None = None
    rank_last: int | None = None
    before: int | None = None
    evenings_short: int = 0
    partners_short: int = 0
    to_beat: float | None = None

    @property
    def keys(self) -> list[str]:
        """The keys of the players."""
        return self.key.split(BETWEEN_KEYS)


@dataclass(frozen=True)
class Table:
    """A series after its latest evening.

    Attributes:
        series: its settings.
        evenings: the numbers of its evenings, the oldest first.
        rows: the ranked contestants in order, then the others by their totals.
        clubs: the ranking within each club, if wanted.
        unknown: names of `pairs` and `start` that are nobody's.
    """

    series: Series
    evenings: tuple[int, ...]
    rows: tuple[Row, ...]
    clubs: tuple[tuple[str, tuple[Row, ...]], ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def left(self) -> int | None:
        """How many evenings are to come; None if the series has no last one."""
        return None if self.series.of is None else self.series.of - len(self.evenings)


def make_table(season: Season, series: Series) -> Table:
    """Return the table of a series as if it ended with its latest evening."""
    chosen = choose_evenings(season.evenings, series)
    names = _Names(season)
    scores = _score(season, series, chosen, names)
    if series.scoring == "ladder":
        rows = _climb(scores, chosen, [names.find(text) or "" for text in series.start], names.sort_key)
    else:
        now = _rank(scores, chosen, series, names.sort_key)
        places = {row.key: row.rank for row in _rank(scores, chosen[:-1], series, names.sort_key)}
        rows = [replace(row, before=places.get(row.key)) for row in now]
    # Of everybody's club: that of the latest evening.
    clubs: dict[str, list[Row]] = defaultdict(list)
    if series.within_clubs:
        home = _find_clubs(season, chosen, series)
        for row in rows:
            if row.key in home:
                clubs[home[row.key]].append(row)
    within = tuple((club, tuple(_close_up(clubs[club]))) for club in sorted(clubs))
    return Table(series, tuple(chosen), tuple(rows), within, tuple(names.unknown))


def choose_evenings(evenings: Sequence[Evening], series: Series) -> list[int]:
    """Return the numbers of the evenings that belong to a series, the oldest first."""
    found = [number for number, evening in enumerate(evenings) if _belongs(evening, series)]
    return found[: series.of] if series.of else found


def _belongs(evening: Evening, series: Series) -> bool:
    day = find_day(evening)
    clubs = {fold_name(club) for club in series.clubs}
    here = {fold_name(club) for club in [evening.site or "", *evening.entries["club"].drop_nulls().unique()]}
    return all(
        (
            series.title is None or fold_name(series.title) in fold_name(evening.title),
            series.tag is None or series.tag in evening.folder,
            series.weekday is None or (day is not None and get_args(Weekday)[day.weekday()] == series.weekday),
            series.since is None or (day is not None and day >= series.since),
            series.until is None or (day is not None and day <= series.until),
            not series.evenings or evening.folder in series.evenings,
            not clubs or bool(clubs & here),
        )
    )


def find_day(evening: Evening) -> dt.date | None:
    """Return the day of an evening; None unless year, month and day are known."""
    try:
        return dt.date.fromisoformat((evening.date or "").replace(".", "-"))
    except ValueError:
        return None


class _Names:
    """People by their names; the names that are nobody's are kept."""

    def __init__(self, season: Season) -> None:
        self._people = season.identities.people
        self._keys: dict[str, set[str]] = defaultdict(set)
        self.unknown: list[str] = []
        for key, person in season.identities.people.items():
            for name in (person.name, *person.spellings, *(person.member.names if person.member else ())):
                self._keys[fold_name(name)].add(key)

    def sort_key(self, key: str) -> str:
        """Return the names of a contestant, to sort by."""
        return fold_name(" ".join(self._people[one].name for one in key.split(BETWEEN_KEYS)))

    def find(self, text: str) -> str | None:
        """Return the key of a player or a pair; None for a name that is nobody's or that of two."""
        found = [self._keys.get(fold_name(name), set()) for name in text.split(BETWEEN)]
        if any(len(keys) != 1 for keys in found):
            self.unknown.append(text)
            return None
        return BETWEEN_KEYS.join(sorted(next(iter(keys)) for keys in found))


def _score(season: Season, series: Series, chosen: Sequence[int], names: _Names) -> dict[str, dict[int, Score]]:
    """Return the score of each contestant on each evening."""
    played = season.played.filter(pl.col("evening").is_in(chosen)).with_columns(_points(season, series).alias("points"))
    clubs = {fold_name(club) for club in series.clubs}
    found: dict[str, dict[int, list[Score]]] = defaultdict(lambda: defaultdict(list))
    listed = [pair for text in series.pairs if (pair := names.find(text))]
    of_pair = {key: pair for pair in listed for key in pair.split(BETWEEN_KEYS)}
    columns = ("evening", "person", "partner", "pair", "seat", "points", "club")
    for evening, person, partner, pair, seat, points, club in played.select(columns).iter_rows():
        if points is None or (clubs and club and fold_name(club) not in clubs):
            continue
        if series.contestants == "players":
            found[person][evening].append(Score(points, partners=(partner,) if partner else ()))
        elif (pair and not listed) or (pair and pair in listed):
            if seat == 0:
                found[pair][evening].append(Score(points))
        elif person in of_pair and partner not in of_pair:
            most = series.substitute_most
            found[of_pair[person]][evening].append(
                Score(points if most is None else min(points, most), substitute=True)
            )
    return {
        key: {evening: _together(scores, _handicap(season, series, key), series) for evening, scores in at.items()}
        for key, at in found.items()
        if not series.members_only or all(season.person(one).member for one in key.split(BETWEEN_KEYS))
    }


def _points(season: Season, series: Series) -> pl.Expr:
    unit = pl.col("evening").replace_strict(
        {number: one.unit for number, one in enumerate(season.evenings)}, default=None, return_dtype=pl.String
    )
    if series.scoring in {"percentage", "ladder"}:
        return pl.col("percentage")
    if series.scoring == "points":
        return pl.struct("rank", "rank_last").map_elements(
            lambda row: share_places(series.places, row["rank"], row["rank_last"]), return_dtype=pl.Float64
        )
    return pl.when(unit == {"vps": "VP", "imps": "IMP"}[series.scoring]).then("total")


def share_places(points: Sequence[float], first: int, last: int) -> float:
    """Return the mean of the points of the places from `first` to `last`; places beyond the list earn nothing."""
    places = range(first, max(first, last) + 1)
    return sum(points[place - 1] if place <= len(points) else 0 for place in places) / len(places)


def _handicap(season: Season, series: Series, key: str) -> float:
    """Return what a contestant receives on each evening: the mean of its players' handicaps."""
    if not series.handicap:
        return 0.0
    members = [season.person(one).member for one in key.split(BETWEEN_KEYS)]
    return sum((member.handicap or 0.0) if member else 0.0 for member in members) / len(members)


def _together(scores: Sequence[Score], handicap: float, series: Series) -> Score:
    """Return one score for the evening of a contestant who played in several rankings: the mean; of points the sum."""
    own = [score for score in scores if not score.substitute] or scores
    points = sum(score.points for score in own)
    if series.scoring not in {"vps", "imps", "points"}:
        points /= len(own)
    partners = tuple(dict.fromkeys(partner for score in own for partner in score.partners))
    return Score(points + handicap, substitute=own[0].substitute, partners=partners)


def _rank(
    scores: Mapping[str, Mapping[int, Score]], evenings: Sequence[int], series: Series, by_name: Callable[[str], str]
) -> list[Row]:
    """Rank all contestants by the given evenings."""
    rows = []
    for key, at in scores.items():
        here = {evening: at[evening] for evening in evenings if evening in at}
        if here:
            rows.append(_make_row(key, here, evenings, series))
    ready = [row for row in rows if not (row.evenings_short or row.partners_short)]
    others = [row for row in rows if row.evenings_short or row.partners_short]
    ordered: list[Row] = []
    for tied in _group_ties(ready, series, by_name):
        first = len(ordered) + 1
        ordered += [replace(row, rank=first, rank_last=first + len(tied) - 1) for row in tied]
    return [*ordered, *sorted(others, key=lambda row: (-round(row.total, _EXACT), by_name(row.key)))]


def _make_row(key: str, scores: Mapping[int, Score], evenings: Sequence[int], series: Series) -> Row:
    """Decide what counts for a contestant, and add it up."""
    recent = set(evenings[-series.last :] if series.last else evenings)
    best = sorted((at for at in scores if at in recent), key=lambda at: (-round(scores[at].points, _EXACT), at))
    counting: list[int] = []
    substitutes = 0
    for at in best:
        if scores[at].substitute:
            if series.substitutes is not None and substitutes >= series.substitutes:
                continue
            substitutes += 1
        if series.best is None or len(counting) < series.best:
            counting.append(at)
    total = sum(scores[at].points for at in counting)
    if series.scoring == "percentage" and counting:
        total /= len(counting)
    partners = {partner for score in scores.values() for partner in score.partners}
    return Row(
        key=key,
        scores={at: replace(score, counts=at in counting) for at, score in scores.items()},
        total=total,
        evenings_short=max(0, series.minimum - len(scores)) if counting else max(1, series.minimum - len(scores)),
        partners_short=max(0, series.partners - len(partners)) if series.partners > 1 else 0,
        to_beat=min(scores[at].points for at in counting) if series.best and len(counting) == series.best else None,
    )


def _group_ties(rows: Sequence[Row], series: Series, by_name: Callable[[str], str]) -> list[list[Row]]:
    """Return the rows in order, in groups that share their places."""
    groups: dict[float, list[Row]] = defaultdict(list)
    for row in rows:
        groups[round(row.total, _EXACT)].append(row)
    ordered = [sorted(groups[total], key=lambda row: by_name(row.key)) for total in sorted(groups, reverse=True)]
    for rule in series.tie_breaks:
        ordered = [part for group in ordered for part in _break_tie(group, rule)]
    return ordered


def _break_tie(tied: list[Row], rule: str) -> list[list[Row]]:
    """Split contestants that are tied by one rule."""
    if len(tied) < 2 or (rule == "head-to-head" and len(tied) != 2):
        return [tied]
    parts: dict[tuple[float, ...], list[Row]] = defaultdict(list)
    for row in tied:
        parts[_RULES[rule](row, tied)].append(row)
    return [parts[key] for key in sorted(parts, reverse=True)]


def _ahead(row: Row, tied: Sequence[Row]) -> tuple[float, ...]:
    """Count the evenings on which a contestant was ahead of the other one."""
    other = next(one for one in tied if one is not row)
    both = row.scores.keys() & other.scores.keys()
    return (float(sum(row.scores[at].points > other.scores[at].points for at in both)),)


def _points_of(row: Row, *, counting: bool) -> tuple[float, ...]:
    found = (score.points for score in row.scores.values() if score.counts == counting)
    return tuple(sorted((round(points, _EXACT) for points in found), reverse=True))


def _latest(row: Row, tied: Sequence[Row]) -> tuple[float, ...]:
    latest = max(at for one in tied for at in one.scores)
    return (row.scores[latest].points,) if latest in row.scores else ()


_RULES: Final[Mapping[str, Callable[[Row, Sequence[Row]], tuple[float, ...]]]] = {
    "head-to-head": _ahead,
    "best-evening": lambda row, _: _points_of(row, counting=True),
    "dropped": lambda row, _: _points_of(row, counting=False),
    "evenings": lambda row, _: (float(len(row.scores)),),
    "latest": _latest,
}
"""By rule, what it compares: the higher is ahead."""


def _climb(
    scores: Mapping[str, Mapping[int, Score]],
    evenings: Sequence[int],
    start: Iterable[str],
    by_name: Callable[[str], str],
) -> list[Row]:
    """Return a ladder from the top: on each evening, those who play share out the rungs they hold by their scores.

    Newcomers begin below all others, in the order of their scores, and of their names if these are equal. Others keep
    their order if their scores are equal.
    """
    ladder = [key for key in dict.fromkeys(start) if key]
    before: dict[str, int] = {}
    for evening in evenings:
        before = {key: rung for rung, key in enumerate(ladder, 1)}
        playing = [key for key in scores if evening in scores[key]]
        points = {key: round(scores[key][evening].points, _EXACT) for key in playing}
        new = sorted((key for key in playing if key not in before), key=lambda key: (-points[key], by_name(key)))
        ladder += new
        rungs = [rung for rung, key in enumerate(ladder) if key in points]
        for rung, key in zip(
            rungs, sorted((ladder[rung] for rung in rungs), key=lambda key: -points[key]), strict=True
        ):
            ladder[rung] = key
    chosen = set(evenings)
    return [
        Row(
            key=key,
            scores={at: score for at, score in scores.get(key, {}).items() if at in chosen},
            total=float(rung),
            rank=rung,
            rank_last=rung,
            before=before.get(key),
        )
        for rung, key in enumerate(ladder, 1)
    ]


def _find_clubs(season: Season, chosen: Sequence[int], series: Series) -> dict[str, str]:
    """Return the club of each contestant: as its entry of the latest evening states it, else that of the evening."""
    who = "person" if series.contestants == "players" else "pair"
    sites = {number: season.evenings[number].site for number in chosen}
    rows = season.played.filter(pl.col("evening").is_in(chosen)).sort("evening", maintain_order=True)
    found = ((key, club or sites[evening]) for key, evening, club in rows.select(who, "evening", "club").iter_rows())
    return {key: club for key, club in found if key and club}


def _close_up(rows: Sequence[Row]) -> list[Row]:
    """Rank the contestants of a part of the table among themselves."""
    ranks = [row.rank for row in rows if row.rank is not None]
    return [
        row
        if row.rank is None
        else replace(
            row,
            rank=1 + sum(rank < row.rank for rank in ranks),
            rank_last=sum(rank <= row.rank for rank in ranks),
        )
        for row in rows
    ]
