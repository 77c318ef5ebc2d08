"""Series: the table of a competition over many evenings, with the scores that count, and who is ahead.

The notes of an evening hold floats. Each becomes the fraction that it was made from, so that totals are exact and only
equal ones tie.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, Literal, get_args

import polars as pl

from overtrick.core.config.file import exact
from overtrick.core.config.members import Member
from overtrick.core.config.series import Series, SeriesTie, Weekday
from overtrick.core.notation import BETWEEN
from overtrick.judge.people.identity import fold_name
from overtrick.judge.people.season import Evening, Season

BETWEEN_KEYS: Final = " & "
LeftOut = Literal["older", "substitute", "lower"]
"""Why a score does not count: it is older than the latest evenings that count, one with a substitute too many, or lower
than the best that count.
"""

_LARGEST: Final = 10**6
"""The largest denominator of a score: two fractions with smaller ones are further apart than the noise of a float."""


@dataclass(frozen=True)
class Score:
    """The score of a contestant on an evening.

    Attributes:
        points: in the unit of the series, with the handicap.
        substitute: whether one of the pair played with a substitute.
        partners: keys of the partners of a player.
        left_out: why the total does not hold it; None if it does.
    """

    points: Fraction
    substitute: bool = False
    partners: tuple[str, ...] = ()
    left_out: LeftOut | None = None


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
        decided_by: the rules that separated the contestant from others with the same total.
    """

    key: str
    scores: Mapping[int, Score]
    total: Fraction
    rank: int | None = None
    rank_last: int | None = None
    before: int | None = None
    evenings_short: int = 0
    partners_short: int = 0
    decided_by: tuple[SeriesTie, ...] = ()

    @property
    def keys(self) -> list[str]:
        """The keys of the players."""
        return self.key.split(BETWEEN_KEYS)

    @property
    def is_ready(self) -> bool:
        """Whether nothing is missing for a place."""
        return not (self.evenings_short or self.partners_short)


@dataclass(frozen=True)
class Table:
    """A series after its latest evening.

    Attributes:
        series: its settings.
        evenings: the numbers of its evenings, the oldest first.
        rows: the ranked contestants in order, then the others by their totals.
        clubs: the ranking within each club, if wanted.
        mistakes: sentences about names of `pairs` and `start` that are nobody's, players in two pairs, and a table that
            one evening can lead.
    """

    series: Series
    evenings: tuple[int, ...]
    rows: tuple[Row, ...]
    clubs: tuple[tuple[str, tuple[Row, ...]], ...] = ()
    mistakes: tuple[str, ...] = ()

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
        now = rank_rows(scores, chosen, series, names.sort_key)
        places = {row.key: row.rank for row in rank_rows(scores, chosen[:-1], series, names.sort_key)}
        rows = [replace(row, before=places.get(row.key)) for row in now]
    # Of everybody's club: that of the latest evening.
    clubs: dict[str, list[Row]] = defaultdict(list)
    if series.within_clubs:
        home = _find_clubs(season, chosen, series)
        for row in rows:
            if row.key in home:
                clubs[home[row.key]].append(row)
    within = tuple((club, tuple(_close_up(clubs[club]))) for club in sorted(clubs))
    lax = series.best and series.best > 1 and series.minimum == 1 and series.scoring == "percentage"
    mistakes = [*names.mistakes, *(["best without minimum: a single good evening can lead"] if lax else [])]
    return Table(series, tuple(chosen), tuple(rows), within, tuple(mistakes))


def choose_evenings(evenings: Sequence[Evening], series: Series) -> list[int]:
    """Return the numbers of the evenings that belong to a series, the oldest first."""
    found = [number for number, evening in enumerate(evenings) if _belongs(evening, series)]
    return found[: series.of] if series.of else found


def _belongs(evening: Evening, series: Series) -> bool:
    return (
        (series.title is None or fold_name(series.title) in fold_name(evening.title))
        and (series.tag is None or series.tag in evening.folder)
        and (not series.evenings or evening.folder in series.evenings)
        and _fits_clubs([evening.site, *evening.entries["club"].drop_nulls().unique()], series)
        and _fits_day(evening.day, series)
    )


def _fits_clubs(clubs: Iterable[str | None], series: Series) -> bool:
    """Return whether any of some clubs is one of the series; all are where it names none."""
    named = {fold_name(club) for club in series.clubs}
    return not named or any(fold_name(club or "") in named for club in clubs)


def _fits_day(day: dt.date | None, series: Series) -> bool:
    """Return whether a series has evenings on a day; an unknown day fits where it asks for none."""
    if day is None:
        return series.weekday is None and series.since is None and series.until is None
    first, last = series.since or dt.date.min, series.until or dt.date.max
    return first <= day <= last and series.weekday in {None, get_args(Weekday)[day.weekday()]}


class _Names:
    """People by their names; the names that are nobody's are kept."""

    def __init__(self, season: Season) -> None:
        self._people = season.identities.people
        self._keys: dict[str, set[str]] = defaultdict(set)
        self.mistakes: list[str] = []
        for key, person in season.identities.people.items():
            for name in person.names:
                self._keys[name].add(key)

    def sort_key(self, key: str) -> str:
        """Return the names of a contestant, to sort by."""
        return fold_name(" ".join(self._people[player].name for player in key.split(BETWEEN_KEYS)))

    def find(self, text: str) -> str | None:
        """Return the key of a player or a pair; None for a name that is nobody's or that of two."""
        found = [self._keys.get(fold_name(name), set()) for name in text.split(BETWEEN)]
        if any(len(keys) != 1 for keys in found):
            self.mistakes.append(f"{text!r} is nobody in this season")
            return None
        return BETWEEN_KEYS.join(sorted(next(iter(keys)) for keys in found))

    def find_pairs(self, listed: Mapping[str, str]) -> dict[str, str]:
        """Return the pair of each player; a player of two has none, because nothing says for whom a substitute plays.

        Args:
            listed: the pairs by their keys, as the settings write them.
        """
        of: dict[str, list[str]] = defaultdict(list)
        for pair in listed:
            for player in pair.split(BETWEEN_KEYS):
                of[player].append(pair)
        for player, pairs in of.items():
            if len(pairs) > 1:
                both = " and ".join(repr(listed[pair]) for pair in pairs)
                self.mistakes.append(f"{self._people[player].name!r} is in two pairs: {both}")
        return {player: pairs[0] for player, pairs in of.items() if len(pairs) == 1}


def _score(season: Season, series: Series, chosen: Sequence[int], names: _Names) -> dict[str, dict[int, Score]]:
    """Return the score of each contestant on each evening."""
    found: dict[str, dict[int, dict[str, list[Score]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for key, evening, player, score in _list_scores(season, series, chosen, names):
        found[key][evening][player].append(score)
    members = {key: [season.person(player).member for player in key.split(BETWEEN_KEYS)] for key in found}
    return {
        key: {evening: _together(scores, find_handicap(members[key], series), series) for evening, scores in at.items()}
        for key, at in found.items()
        if not series.members_only or all(members[key])
    }


def _list_scores(
    season: Season, series: Series, chosen: Sequence[int], names: _Names
) -> Iterator[tuple[str, int, str, Score]]:
    """Yield contestant, evening, player (of a pair that plays as such, its key) and score of each entry that counts."""
    listed = {pair: text for text in series.pairs if (pair := names.find(text))}
    of_pair = names.find_pairs(listed)
    for row in season.played.filter(pl.col("evening").is_in(chosen)).iter_rows(named=True):
        points = _points(row, season.evenings[row["evening"]].unit, series)
        key = _find_contestant(row, series, listed, of_pair)
        if points is None or key is None or (row["club"] and not _fits_clubs([row["club"]], series)):
            continue
        substitute = key not in {row["person"], row["pair"]}
        if substitute and series.substitute_most is not None:
            points = min(points, exact(series.substitute_most))
        partners = (row["partner"],) if key == row["person"] and row["partner"] else ()
        yield key, row["evening"], row["person"] if substitute else key, Score(points, substitute, partners)


def _find_contestant(
    row: Mapping[str, Any], series: Series, listed: Collection[str], of_pair: Mapping[str, str]
) -> str | None:
    """Return the player or the pair whose score an entry of a player is; None for nobody, or if the partner has it.

    Args:
        row: of `Season.played`.
        series: its settings.
        listed: the pairs that take part; empty for all.
        of_pair: the pair of each player who takes part.
    """
    if series.contestants == "players":
        return str(row["person"])
    if row["pair"] and (not listed or row["pair"] in listed):
        return str(row["pair"]) if row["seat"] == 0 else None
    return None if row["partner"] in of_pair else of_pair.get(row["person"])


def _points(row: Mapping[str, Any], unit: str, series: Series) -> Fraction | None:
    """Return the score of an entry in the unit of the series; None where the evening has another unit."""
    match series.scoring:
        case "points":
            return share_places(series.places, row["rank"], row["rank_last"])
        case "percentage" | "ladder":
            number = row["percentage"]
        case "vps" | "imps":
            number = row["total"] if unit == {"vps": "VP", "imps": "IMP"}[series.scoring] else None
    return None if number is None else Fraction(number).limit_denominator(_LARGEST)


def share_places(points: Sequence[float], first: int, last: int) -> Fraction:
    """Return the mean of the points of the places from `first` to `last`; places beyond the list earn nothing."""
    shared = max(first, last) + 1 - first
    return sum(map(exact, points[first - 1 :][:shared]), Fraction(0)) / shared


def find_handicap(members: Sequence[Member | None], series: Series) -> Fraction:
    """Return what a contestant receives on each evening: the mean of its players' handicaps."""
    handicaps = [exact(member.handicap or 0) for member in members if member and series.handicap]
    return sum(handicaps, Fraction(0)) / len(members)


def _together(scores: Mapping[str, Sequence[Score]], handicap: Fraction, series: Series) -> Score:
    """Return one score for the evening of a contestant who played in several rankings: the mean; of points the sum.

    Of a pair of whom both played with substitutes it is the mean of the two.

    Args:
        scores: by who played: the contestant itself, or a player of a pair who had a substitute for a partner.
        handicap: of the contestant.
        series: its settings.
    """
    own = {player: of for player, of in scores.items() if not of[0].substitute} or scores
    mean = series.scoring in {"percentage", "ladder"}
    each = [_add_up([score.points for score in of], mean=mean) for of in own.values()]
    counted = [score for of in own.values() for score in of]
    partners = tuple(dict.fromkeys(partner for score in counted for partner in score.partners))
    return Score(_add_up(each, mean=True) + handicap, counted[0].substitute, partners)


def _add_up(points: Sequence[Fraction], *, mean: bool) -> Fraction:
    """Return the sum of some points, or their mean; 0 for none."""
    total = sum(points, Fraction(0))
    return total / len(points) if mean and points else total


def rank_rows(
    scores: Mapping[str, Mapping[int, Score]], evenings: Sequence[int], series: Series, by_name: Callable[[str], str]
) -> list[Row]:
    """Rank all contestants by the given evenings."""
    rows = [make_row(key, at, evenings, series) for key, at in scores.items() if at.keys() & set(evenings)]
    waiting = [row for row in rows if not row.is_ready]
    ordered: list[Row] = []
    for tied in group_ties([row for row in rows if row.is_ready], series, by_name, evenings[-1:]):
        first = len(ordered) + 1
        ordered += [replace(row, rank=first, rank_last=first + len(tied) - 1) for row in tied]
    return [*ordered, *sorted(waiting, key=lambda row: (-row.total, by_name(row.key)))]


def make_row(key: str, at: Mapping[int, Score], evenings: Sequence[int], series: Series) -> Row:
    """Decide which scores of a contestant count on some evenings, and add them up."""
    played = {evening: at[evening] for evening in evenings if evening in at}
    reasons = _choose_counting(played, evenings[-series.last :] if series.last else evenings, series)
    scores = {evening: replace(score, left_out=reasons[evening]) for evening, score in played.items()}
    points = [score.points for score in scores.values() if not score.left_out]
    return Row(
        key=key,
        scores=scores,
        total=_add_up(points, mean=series.scoring == "percentage"),
        evenings_short=max(0 if points else 1, series.minimum - _count_evenings(scores.values(), series)),
        partners_short=_count_missing_partners(scores.values(), series),
    )


def _count_evenings(scores: Collection[Score], series: Series) -> int:
    """Return the number of evenings of a contestant, with no more substitutes than are allowed."""
    with_substitute = sum(score.substitute for score in scores)
    too_many = 0 if series.substitutes is None else max(0, with_substitute - series.substitutes)
    return len(scores) - too_many


def _count_missing_partners(scores: Iterable[Score], series: Series) -> int:
    partners = {partner for score in scores for partner in score.partners}
    return max(0, series.partners - len(partners)) if series.partners > 1 else 0


def _choose_counting(scores: Mapping[int, Score], recent: Collection[int], series: Series) -> dict[int, LeftOut | None]:
    """Return by evening why its score does not count; None where it does.

    What counts are the best of the recent scores, with no more substitutes than are allowed.
    """
    # The best three of 70 60 55 50, of which 70 and 60 are with a substitute and one substitute may count: 70 55 50.
    # Floats compare fast, and the exact scores decide where they are equal.
    best_first = sorted(scores, key=lambda at: (-float(scores[at].points), -scores[at].points, at))
    reasons: dict[int, LeftOut | None] = {at: None if at in recent else "older" for at in best_first}
    with_substitute = [at for at in best_first if scores[at].substitute and not reasons[at]]
    too_many = [] if series.substitutes is None else with_substitute[series.substitutes :]
    reasons.update(dict.fromkeys(too_many, "substitute"))
    lower = [] if series.best is None else [at for at in best_first if not reasons[at]][series.best :]
    return reasons | dict.fromkeys(lower, "lower")


def group_ties(
    rows: Sequence[Row], series: Series, by_name: Callable[[str], str], latest: Sequence[int]
) -> list[list[Row]]:
    """Return the rows in order, in groups that share their places; `latest` holds the latest evening of the series."""
    ordered = _part(sorted(rows, key=lambda row: by_name(row.key)), lambda row: row.total)
    for rule in series.tie_breaks:
        ordered = [part for group in ordered for part in _break_tie(group, rule, latest)]
    return ordered


def _break_tie(tied: list[Row], rule: SeriesTie, latest: Sequence[int]) -> list[list[Row]]:
    """Split contestants that are tied by one rule."""
    if len(tied) < 2 or (rule == "head-to-head" and len(tied) != 2):
        return [tied]
    parts = _part(tied, lambda row: _RULES[rule](row, tied, latest))
    if len(parts) == 1:
        return parts
    return [[replace(row, decided_by=(*row.decided_by, rule)) for row in part] for part in parts]


def _part(rows: Iterable[Row], value: Callable[[Row], Any]) -> list[list[Row]]:
    """Return groups of rows with equal values, the highest value first."""
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[value(row)].append(row)
    return [groups[key] for key in sorted(groups, reverse=True)]


def _ahead(row: Row, tied: Sequence[Row], _: Sequence[int]) -> int:
    """Count the evenings on which a contestant was ahead of the other one."""
    other = next(rival for rival in tied if rival is not row)
    both = row.scores.keys() & other.scores.keys()
    return sum(row.scores[at].points > other.scores[at].points for at in both)


def _points_of(row: Row, *, counting: bool) -> tuple[Fraction, ...]:
    found = (score.points for score in row.scores.values() if counting == (score.left_out is None))
    return tuple(sorted(found, reverse=True))


_RULES: Final[Mapping[SeriesTie, Callable[[Row, Sequence[Row], Sequence[int]], Any]]] = {
    "head-to-head": _ahead,
    "best-evening": lambda row, *_: _points_of(row, counting=True),
    "dropped": lambda row, *_: _points_of(row, counting=False),
    "evenings": lambda row, *_: len(row.scores),
    "latest": lambda row, _, latest: tuple(row.scores[at].points for at in latest if at in row.scores),
}
"""By rule, what it compares: the higher is ahead."""


def _climb(
    scores: Mapping[str, Mapping[int, Score]],
    evenings: Sequence[int],
    start: Iterable[str],
    by_name: Callable[[str], str],
) -> list[Row]:
    """Return a ladder from the top: on each evening, those who play share out the rungs they hold by their scores.

    Newcomers begin below all others, in the order of their scores, and of their names if these are equal; they share
    from their second evening on. Others keep their order if their scores are equal.
    """
    ladder = [key for key in dict.fromkeys(start) if key]
    before: dict[str, int] = {}
    for evening in evenings:
        before = {key: rung for rung, key in enumerate(ladder, 1)}
        points = {key: at[evening].points for key, at in scores.items() if evening in at}
        by_points = sorted(points, key=lambda key: (-points[key], by_name(key)))
        ladder = [*dict.fromkeys([*_share_out(ladder, points), *by_points])]
    return [
        Row(key, scores.get(key, {}), total=Fraction(rung), rank=rung, rank_last=rung, before=before.get(key))
        for rung, key in enumerate(ladder, 1)
    ]


def _share_out(ladder: Sequence[str], points: Mapping[str, Fraction]) -> list[str]:
    """Return a ladder on which those with points share out their rungs."""
    # Bob 40, Dan 60 and Eve 50 hold the rungs 2, 4 and 5:
    #
    #     before  Ann  Bob  Cas  Dan  Eve
    #     after   Ann  Dan  Cas  Eve  Bob
    playing = [key for key in ladder if key in points]
    best_first = iter(sorted(playing, key=lambda key: -points[key]))
    return [next(best_first) if key in points else key for key in ladder]


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
            row, rank=1 + sum(rank < row.rank for rank in ranks), rank_last=sum(rank <= row.rank for rank in ranks)
        )
        for row in rows
    ]
