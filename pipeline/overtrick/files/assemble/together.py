"""Which files belong together: one rule for scoring, bulletins, seasons, inboxes and archives.

Files of different dates are never one evening. Others are if their names before the dot are equal, without words such
as `-results` at the end. Files of different names are one evening

- that somebody named together: if they hold the same results, or do not state different events;
- that merely are in one folder: if they state the same date, hold the same results and do not state different scoring
  (without any date one has to have all results of the other); or if they state the same date, event and scoring, some
  of the same contestants by number and name (most of the numbers, where neither names anybody), and have no result in
  common, as the parts of an evening. Else they may be two evenings that are much alike.

Files that hold deals alone go with the results of their name, else of their date, else with the only evening whose
boards they have.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.cards import is_complete
from overtrick.core.bridge.methods import METHODS
from overtrick.core.frames import Contestants, Results, Session
from overtrick.core.notation import BETWEEN
from overtrick.files.assemble.beside import SUFFIX, is_corrections
from overtrick.files.assemble.gather import names_of_pair

_ROLES: Final = re.compile(r"([-_. ]+(deals?|hands?|boards?|results?|scores?|contestants?|names?))+$", re.IGNORECASE)
"""Words at the end of a name that describe the content of a file, not its evening."""

_SAME: Final = 0.5
"""The share of the results of both files that must agree for the files to be of one evening."""

_FEW: Final = 6
"""Results that may be the same in two evenings by chance."""

CROWD: Final = 100
"""In a folder with results of more names, which is a collection, only files of one name or day are compared.

Of a day with more evenings, only the first are. So the time does not grow with the square of the files.
"""

People = frozenset[tuple[str, str]]
"""Contestants that have a name, by number, with it."""

Outcomes = Mapping[str, str]
"""By board and sides, what a file says of a result."""


def name_of_evening(path: Path) -> str:
    """Return the part of a file's name that names its evening: `Tuesday` for `Tuesday-results.csv`."""
    stem = path.name[: -len(SUFFIX)] if is_corrections(path) else path.stem
    return _ROLES.sub("", stem) or stem


@dataclass(frozen=True)
class Held:
    """What a file holds, as far as it shows which evening it belongs to.

    Attributes:
        source: the file.
        results: whether it holds results.
        dates: those that its games state.
        events: those that its games state.
        people: those that took part.
        scoring: how it says that it is scored: the methods, or the words where they are of none.
        played: the boards that it has results of.
        dealt: the boards that it has whole deals of.
        outcomes: returns its results; they are needed only if nothing else decides.
    """

    source: str
    results: bool
    dates: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    people: People = frozenset()
    scoring: frozenset[str] = frozenset()
    played: AbstractSet[int] = frozenset()
    dealt: AbstractSet[int] = frozenset()
    outcomes: Callable[[], Outcomes] = field(default=dict, compare=False)

    @cached_property
    def name(self) -> str:
        """The name of its evening, to be compared."""
        return name_of_evening(Path(self.source)).casefold()

    @cached_property
    def players(self) -> frozenset[str]:
        """Who took part, by name: the game that a file shows of a board may not name the pairs of its tables."""
        return frozenset(player.casefold() for _, names in self.people for player in names.split(BETWEEN))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Its contestants, as results name them."""
        return frozenset(side for place in self.outcomes() for side in place.split("\t")[1:])


class _Alike:
    """What those files of an evening hold that state the same dates, events and scoring; names as in `Held`."""

    def __init__(self, file: Held) -> None:
        self.dates, self.events, self.scoring = file.dates, file.events, file.scoring
        self.people: set[tuple[str, str]] = set()
        self.players: set[str] = set()
        self.played: AbstractSet[int] = frozenset()
        self._outcomes: dict[str, str] = {}
        self._numbers: set[str] = set()
        self._unseen: list[Held] = []

    def add(self, file: Held) -> None:
        self.people |= file.people
        self.players |= file.players
        self.played |= file.played
        self._unseen.append(file)

    def outcomes(self) -> Outcomes:
        for file in self._unseen:
            self._outcomes |= file.outcomes()
            self._numbers |= file.numbers
        self._unseen.clear()
        return self._outcomes

    @property
    def numbers(self) -> set[str]:
        self.outcomes()
        return self._numbers


class _Evening:
    """The files of one evening that were found so far."""

    def __init__(self) -> None:
        self.files: list[Held] = []
        self.names: set[str] = set()
        self.dates: set[frozenset[str]] = set()
        self.kinds: dict[object, _Alike] = {}

    def add(self, file: Held) -> None:
        self.files.append(file)
        self.names.add(file.name)
        self.dates |= {file.dates} if file.dates else set()
        stated = (file.dates, file.events, file.scoring)
        self.kinds.setdefault(stated, _Alike(file)).add(file)


class _Evenings:
    """The evenings that were found so far, also by name and by day."""

    def __init__(self) -> None:
        self.every: list[_Evening] = []
        self._by_key: dict[tuple[str, str], dict[_Evening, None]] = {}

    def add(self, file: Held, to: _Evening | None) -> None:
        """Add a file to an evening, or as a new one."""
        if to is None:
            to = _Evening()
            self.every.append(to)
        to.add(file)
        for key in (("name", file.name), *(("day", day) for day in file.dates)):
            self._by_key.setdefault(key, {})[to] = None

    def of_name(self, file: Held) -> Mapping[_Evening, None]:
        return self._first(("name", file.name))

    def of_days(self, file: Held) -> Mapping[_Evening, None]:
        return self._first(*(("day", day) for day in file.dates))

    def near(self, file: Held) -> Mapping[_Evening, None]:
        return {**self.of_name(file), **self.of_days(file)}

    def _first(self, *keys: tuple[str, str]) -> Mapping[_Evening, None]:
        return dict.fromkeys(evening for key in keys for evening in islice(self._by_key.get(key, ()), CROWD))


def group_files(files: Sequence[Held], *, given: bool) -> list[list[Held]]:
    """Return the files of each evening, in the order in which they are listed.

    Args:
        files: what each holds.
        given: whether somebody named them together; otherwise they merely are in one folder.
    """
    evenings = _Evenings()
    with_results = [file for file in files if file.results]
    crowded = len({file.name for file in with_results}) > CROWD
    # Those that state a date first: the others go with them.
    for file in sorted(with_results, key=lambda file: not file.dates):
        # Files that somebody named together are mostly of few evenings.
        few = len(evenings.every) <= CROWD if given else not crowded
        evenings.add(file, _evening_of(file, evenings.every if few else evenings.near(file), given=given))
    others: dict[str, list[Held]] = {}
    for file in files:
        if not file.results:
            found = _evening_of_deals(file, evenings, given=given)
            if found:
                evenings.add(file, found)
            else:
                others.setdefault(file.name, []).append(file)
    place = {file.source: number for number, file in enumerate(files)}
    groups = (*(evening.files for evening in evenings.every), *others.values())
    grouped = [sorted(group, key=lambda file: place[file.source]) for group in groups]
    return sorted(grouped, key=lambda group: place[group[0].source])


def _evening_of(file: Held, evenings: Iterable[_Evening], *, given: bool) -> _Evening | None:
    """Return the only evening that a file of results fits best; None if it fits none, or several equally well."""
    possible = [evening for evening in evenings if not _any_other_day(file, evening)]
    named = [evening for evening in possible if file.name in evening.names]
    if named:
        return _only(named)
    for speaks in (_same_results, _same_date, _same_event) if given else (_copies, _same_part):
        fitting = [evening for evening in possible if any(speaks(file, one) for one in evening.kinds.values())]
        if speaks is _same_part:
            fitting = [evening for evening in fitting if not _shares_results(file, evening)]
        if fitting:
            return _only(fitting)
    return None


def _only(fitting: list[_Evening]) -> _Evening | None:
    return fitting[0] if len(fitting) == 1 else None


def _evening_of_deals(file: Held, evenings: _Evenings, *, given: bool) -> _Evening | None:
    """Return the evening whose deals a file without results holds."""
    named, dated = evenings.of_name(file), evenings.of_days(file)
    for fitting in (named, dated, named.keys() & dated):
        if len(fitting) == 1:
            return next(iter(fitting))
    only = _only(evenings.every)
    if only is None or given:
        return only
    played = frozenset[int]().union(*(one.played for one in only.kinds.values()))
    return only if played and played <= file.dealt and not _any_other_day(file, only) else None


def _any_other_day(file: Held, evening: _Evening) -> bool:
    return bool(file.dates) and any(file.dates.isdisjoint(other) for other in evening.dates)


def _other_event(file: Held, one: _Alike) -> bool:
    return bool(file.events) and bool(one.events) and file.events.isdisjoint(one.events)


def _same_date(file: Held, one: _Alike) -> bool:
    return bool(file.dates & one.dates) and not _other_event(file, one)


def _same_event(file: Held, one: _Alike) -> bool:
    return not _other_event(file, one)


def _copies(file: Held, one: _Alike) -> bool:
    """Return whether files of one date hold the same results, and more than a few, scored in the same way.

    Files that do not state dates are copies if one has all results of the other.
    """
    strangers = file.people and one.people and file.players.isdisjoint(one.players)
    scored_apart = file.scoring and one.scoring and file.scoring != one.scoring
    dated = bool(file.dates & one.dates)
    one_is_dated = bool(file.dates or one.dates) and not dated
    if strangers or scored_apart or one_is_dated or file.played.isdisjoint(one.played):
        return False
    few = min(len(file.outcomes()), len(one.outcomes())) < _FEW
    return not few and _same_results(file, one, all_of_them=not dated)


def _same_part(file: Held, one: _Alike) -> bool:
    if not file.dates & one.dates or not file.events & one.events or file.scoring != one.scoring:
        return False
    if file.people or one.people:
        return not file.people.isdisjoint(one.people)
    return _same_numbers(file, one)


def _same_numbers(file: Held, one: _Alike) -> bool:
    """Return whether most contestants of the one with fewer are in the other as well, by number."""
    return len(file.numbers & one.numbers) > _SAME * min(len(file.numbers), len(one.numbers))


def _shares_results(file: Held, evening: _Evening) -> bool:
    alike = [one for one in evening.kinds.values() if not file.played.isdisjoint(one.played)]
    return any(not file.outcomes().keys().isdisjoint(one.outcomes()) for one in alike)


def _same_results(file: Held, one: _Alike, *, all_of_them: bool = False) -> bool:
    """Return whether most results of the one with fewer, or all of them, are in the other as well."""
    if file.played.isdisjoint(one.played):
        return False
    fewer, more = sorted((file.outcomes(), one.outcomes()), key=len)
    most = 0 if all_of_them else (1 - _SAME) * len(fewer)
    different = (place for place, outcome in fewer.items() if more.get(place) != outcome)
    # Files of two evenings differ at once, and an archive compares many.
    return bool(fewer) and all(count < most for count, _ in enumerate(different, 1))


def list_held(session: Session, listed: Mapping[str, People] = MappingProxyType({})) -> list[Held]:
    """Return what each file of a session holds, in the order of its files.

    Args:
        session: after `assemble.gather`.
        listed: by file, those whom its list of contestants names, if the session is of several files.
    """
    results = session.results
    played = session.records.join(results.select("record").unique(), on="record", how="semi")
    told = _by_source(played, ("date", "event", "scoring"))
    dealt = session.records.filter(is_complete(session.records["deal"]))
    stated = _by_source(dealt, ("date",))
    boards, deals = _by_source(results, ("board",)), _by_source(dealt, ("board",))
    held = set(results["source"])
    sources = session.sources["source"].unique(maintain_order=True).to_list()
    if len(sources) == 1 and not listed:
        listed = {sources[0]: list_people(session.contestants)}
    people, outcomes = _people_in_games(played), list_outcomes(results)
    return [
        Held(
            source,
            source in held,
            frozenset((told if source in held else stated).get(("date", source), ())),
            frozenset(told.get(("event", source), ())),
            people.get(source, listed.get(source, frozenset())),
            frozenset(map(_method_asked, told.get(("scoring", source), ()))),
            frozenset(boards.get(("board", source), ())),
            frozenset(deals.get(("board", source), ())),
            partial(dict, outcomes.get(source, {})),
        )
        for source in sources
    ]


def list_people(contestants: Contestants) -> People:
    """Return those whom a list of contestants names, by number and name."""
    return frozenset(contestants.drop_nulls(["contestant", "names"]).select("contestant", "names").rows())


def _method_asked(scoring: str) -> str:
    """Return the method that a scoring asks for, else its words: parts of an evening may differ in its settings."""
    words = re.findall(r"[a-z0-9-]+", scoring.lower())
    return next((name for name, method in METHODS.items() if any(word in method.pbn for word in words)), scoring)


def _people_in_games(played: pl.DataFrame) -> dict[str, People]:
    """Return by file who sat down to its games, by number and name; files whose games name nobody are left out."""
    sides = (("pair_ns", "north", "south"), ("pair_ew", "east", "west"))
    rows = [
        played.select("source", pl.col(number).alias("contestant"), names_of_pair(first, second).alias("names"))
        for number, first, second in sides
    ]
    named = pl.concat(rows).drop_nulls("names").with_columns(pl.coalesce("contestant", "names")).unique()
    groups = named.group_by("source").agg("contestant", "names")
    return {source: frozenset(zip(*who, strict=True)) for source, *who in groups.iter_rows()}


def _by_source(rows: pl.DataFrame, names: Sequence[str]) -> dict[tuple[str, str], list[Any]]:
    """Return the different values of columns, by column and file."""
    every = rows.group_by("source").agg(pl.col(name).drop_nulls().unique() for name in names)
    return {(name, row["source"]): row[name] for row in every.iter_rows(named=True) for name in names}


def list_outcomes(results: Results) -> dict[str, Outcomes]:
    r"""Return by file what it says of each result, by board and sides, whichever way these sat.

    For example `7\t12\t3` is board 7, pairs 12 and 3, and `\t4\tS\t\tN\t10\t\t` is 4S by N with ten tricks.
    """
    own = results.drop_nulls(["board", "ns", "ew"])
    # A score is often left to the reader where the contract is stated.
    points = pl.when(pl.col("level").is_null()).then("stated_score_ns")
    declared = (points, "level", "strain", "doubled", "declarer", "tricks", "award_ns", "award_ew")
    stated = own.with_columns(points).filter(pl.any_horizontal(pl.col("stated_score_ns", *declared[1:]).is_not_null()))
    places = _as_text("board", pl.min_horizontal("ns", "ew"), pl.max_horizontal("ns", "ew"))
    rows = stated.group_by("source", maintain_order=True).agg(
        places.alias("place"), _as_text(*declared).alias("outcome")
    )
    return {source: dict(zip(place, outcome, strict=True)) for source, place, outcome in rows.iter_rows()}


def _as_text(*columns: pl.Expr | str) -> pl.Expr:
    texts = (pl.col(one) if isinstance(one, str) else one for one in columns)
    return pl.concat_str([text.cast(pl.String).fill_null("") for text in texts], separator="\t")
