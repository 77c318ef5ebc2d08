"""Which files belong together: one rule for scoring, bulletins, seasons, inboxes and archives.

Files of different dates are never one evening. Others are if their names before the dot are equal, without words such
as `-results` at the end. Files of different names are one evening

- that somebody named together: if they hold the same results, or do not state different events;
- that merely are in one folder: if they state the same date, hold the same results and do not state different scoring
  (without any date one has to have all results of the other); or if they state the same date and event, do not state
  different scoring, have some of the same contestants by number and name (where neither names anybody, most of the
  numbers, and the same scoring), and agree on each result that they have in common, as the parts of an evening. Else
  they may be two evenings that are much alike.

Files that hold deals alone go with the results of their name, else of their date, else with the only evening whose
boards they have.

Worked example, of files in one folder that nobody named together. Files with results come first, with a date before
those without:

    Tuesday.pbn        23 November, boards 1-24   begins evening A
    Tuesday-hands.pbn  boards 1-24 dealt only     waits
    copy.csv           23 November, boards 1-24   A: the same date, and all but two of 312 results are those of A
    Tuesday.lin        boards 1-24                A: its name is Tuesday too
    Thursday.csv       25 November, boards 1-24   begins evening B: its date is not that of A
    old.csv            boards 1-24                begins evening C: no date, and its results are neither A's nor B's

Then `Tuesday-hands.pbn` goes with A, as A alone has a file of the name Tuesday.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
    """The content of a file, as far as it shows which evening it belongs to.

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


@dataclass
class _Kind:
    """Files of one evening that state the same dates, events and scoring, as if they were one file; names as in `Held`.

    It grows file by file: merged anew for each file, thousands of files would take the square of their time.
    """

    dates: frozenset[str]
    events: frozenset[str]
    scoring: frozenset[str]
    files: list[Held] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    people: set[tuple[str, str]] = field(default_factory=set)
    players: set[str] = field(default_factory=set)
    played: AbstractSet[int] = frozenset()
    _outcomes: dict[str, str] = field(default_factory=dict)
    _numbers: set[str] = field(default_factory=set)
    _merged: int = 0
    """Of how many files the outcomes are merged: as in `Held`, only when something asks for them."""

    def add(self, file: Held) -> None:
        self.files.append(file)
        self.names.add(file.name)
        self.people |= file.people
        self.players |= file.players
        self.played |= file.played

    def outcomes(self) -> Outcomes:
        for file in self.files[self._merged :]:
            self._outcomes |= file.outcomes()
            self._numbers |= file.numbers
        self._merged = len(self.files)
        return self._outcomes

    @property
    def numbers(self) -> set[str]:
        self.outcomes()
        return self._numbers


@dataclass(frozen=True, eq=False)
class _Evening:
    """The files of one evening that were found so far, by the dates, events and scoring that they state."""

    kinds: dict[object, _Kind] = field(default_factory=dict)

    def add(self, file: Held) -> None:
        stated = (file.dates, file.events, file.scoring)
        self.kinds.setdefault(stated, _Kind(*stated)).add(file)

    @property
    def files(self) -> list[Held]:
        return [file for kind in self.kinds.values() for file in kind.files]


@dataclass(frozen=True)
class _Evenings:
    """The evenings that were found so far, also by name and by day."""

    every: list[_Evening] = field(default_factory=list)
    by_key: dict[tuple[str, str], dict[_Evening, None]] = field(default_factory=dict)

    def add(self, file: Held, evening: _Evening | None) -> None:
        """Add a file to an evening, or as a new one."""
        if evening is None:
            evening = _Evening()
            self.every.append(evening)
        evening.add(file)
        for key in (("name", file.name), *(("day", day) for day in file.dates)):
            self.by_key.setdefault(key, {})[evening] = None

    def of_name(self, file: Held) -> set[_Evening]:
        return set(islice(self.by_key.get(("name", file.name), ()), CROWD))

    def of_days(self, file: Held) -> set[_Evening]:
        return {evening for day in file.dates for evening in islice(self.by_key.get(("day", day), ()), CROWD)}


def group_files(files: Sequence[Held], *, given: bool) -> list[list[Held]]:
    """Return the files of each evening, in the order in which they are listed.

    Args:
        files: what each holds.
        given: whether somebody named them together; otherwise they merely are in one folder.
    """
    evenings = _find_evenings([file for file in files if file.results], given=given)
    alone: dict[str, list[Held]] = {}
    for file in files:
        if not file.results:
            evening = _evening_of_deals(file, evenings, given=given)
            if evening:
                evenings.add(file, evening)
            else:
                alone.setdefault(file.name, []).append(file)
    place = {file.source: number for number, file in enumerate(files)}
    groups = (*(evening.files for evening in evenings.every), *alone.values())
    grouped = [sorted(group, key=lambda file: place[file.source]) for group in groups]
    return sorted(grouped, key=lambda group: place[group[0].source])


def group_results(session: Session, *, given: bool) -> list[list[str]]:
    """Return the files of each evening that has results: `group_files` of a session as `assemble.gather` returns it."""
    groups = group_files(list_held(session), given=given)
    return [[file.source for file in group] for group in groups if any(file.results for file in group)]


def _find_evenings(files: Sequence[Held], *, given: bool) -> _Evenings:
    """Put each file of results with the evening that it fits, else begin a new evening with it."""
    evenings = _Evenings()
    crowded = len({file.name for file in files}) > CROWD
    # Those that state a date first: the others go with them.
    for file in sorted(files, key=lambda file: not file.dates):
        # Files that somebody named together are mostly of few evenings.
        few = len(evenings.every) <= CROWD if given else not crowded
        near = evenings.every if few else evenings.of_name(file) | evenings.of_days(file)
        evenings.add(file, _evening_of(file, near, given=given))
    return evenings


def _evening_of(file: Held, evenings: Iterable[_Evening], *, given: bool) -> _Evening | None:
    """Return the only evening that a file of results fits best; None if it fits none, or several equally well."""
    possible = [evening for evening in evenings if not _any_other_day(file, evening)]
    # The first rule that speaks for any evening decides.
    for rule in (_same_name, _same_results, _same_date, _same_event) if given else (_same_name, _copies, _same_part):
        if fitting := [evening for evening in possible if _fits(file, evening, rule)]:
            return _only(fitting)
    return None


def _fits(file: Held, evening: _Evening, rule: Callable[[Held, _Kind], bool]) -> bool:
    """Return whether a rule speaks for an evening; parts of one say the same of results that they have in common."""
    fits = any(rule(file, kind) for kind in evening.kinds.values())
    return fits and not (rule is _same_part and _contradicts(file, evening))


def _only(fitting: Collection[_Evening]) -> _Evening | None:
    return next(iter(fitting)) if len(fitting) == 1 else None


def _evening_of_deals(file: Held, evenings: _Evenings, *, given: bool) -> _Evening | None:
    """Return the evening whose deals a file without results holds."""
    named, dated = evenings.of_name(file), evenings.of_days(file)
    if found := _only(named) or _only(dated) or _only(named & dated):
        return found
    only = _only(evenings.every)
    if only is None or given:
        return only
    played = frozenset[int]().union(*(kind.played for kind in only.kinds.values()))
    return only if played and played <= file.dealt and not _any_other_day(file, only) else None


def _any_other_day(file: Held, evening: _Evening) -> bool:
    dated = (kind.dates for kind in evening.kinds.values() if kind.dates)
    return bool(file.dates) and any(file.dates.isdisjoint(dates) for dates in dated)


def _same_name(file: Held, kind: _Kind) -> bool:
    return file.name in kind.names


def _same_date(file: Held, kind: _Kind) -> bool:
    return bool(file.dates & kind.dates) and _same_event(file, kind)


def _same_event(file: Held, kind: _Kind) -> bool:
    """Return whether files state an event in common, or some of them no event."""
    return not (file.events and kind.events and file.events.isdisjoint(kind.events))


def _copies(file: Held, kind: _Kind) -> bool:
    """Return whether files of one date hold the same results, and more than a few, scored in the same way.

    Files that do not state dates are copies if one has all results of the other.
    """
    dated = bool(file.dates & kind.dates)
    if not dated and (file.dates or kind.dates):
        return False
    if _strangers(file, kind) or file.played.isdisjoint(kind.played):
        return False
    few = min(len(file.outcomes()), len(kind.outcomes())) < _FEW
    return not few and _same_results(file, kind, all_of_them=not dated)


def _strangers(file: Held, kind: _Kind) -> bool:
    """Return whether files name different people, or state different scoring."""
    others = file.people and kind.people and file.players.isdisjoint(kind.players)
    return bool(others or (file.scoring and kind.scoring and file.scoring != kind.scoring))


def _same_part(file: Held, kind: _Kind) -> bool:
    known = file.scoring and kind.scoring
    if not file.dates & kind.dates or not file.events & kind.events or (known and file.scoring != kind.scoring):
        return False
    if file.people or kind.people:
        return not file.people.isdisjoint(kind.people)
    return file.scoring == kind.scoring and _same_numbers(file, kind)


def _same_numbers(file: Held, kind: _Kind) -> bool:
    """Return whether most contestants of the file or kind with fewer are in the other as well, by number."""
    return len(file.numbers & kind.numbers) > _SAME * min(len(file.numbers), len(kind.numbers))


def _contradicts(file: Held, evening: _Evening) -> bool:
    overlapping = (kind for kind in evening.kinds.values() if not file.played.isdisjoint(kind.played))
    said = (kind.outcomes().get(place, mine) != mine for kind in overlapping for place, mine in file.outcomes().items())
    return any(said)


def _same_results(file: Held, kind: _Kind, *, all_of_them: bool = False) -> bool:
    """Return whether most results of the file or kind with fewer, or all of them, are in the other as well."""
    if file.played.isdisjoint(kind.played):
        return False
    fewer, more = sorted((file.outcomes(), kind.outcomes()), key=len)
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
    dealt = session.records.filter(is_complete(session.records["deal"]))
    of_played = _by_source(played, ("date", "event", "scoring"))
    dates_dealt = _by_source(dealt, ("date",))
    boards, deals = _by_source(results, ("board",)), _by_source(dealt, ("board",))
    with_results = set(results["source"])
    sources = session.sources["source"].unique(maintain_order=True).to_list()
    if len(sources) == 1 and not listed:
        listed = {sources[0]: list_people(session.contestants)}
    people, outcomes = _people_in_games(played), list_outcomes(results)
    return [
        Held(
            source,
            source in with_results,
            frozenset((of_played if source in with_results else dates_dealt).get(("date", source), ())),
            frozenset(of_played.get(("event", source), ())),
            people.get(source, listed.get(source, frozenset())),
            frozenset(map(_method_asked, of_played.get(("scoring", source), ()))),
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
    placed = results.drop_nulls(["board", "ns", "ew"])
    # A score is often left to the reader where the contract is stated.
    points = pl.when(pl.col("level").is_null()).then("stated_score_ns")
    declared = (points, "level", "strain", "doubled", "declarer", "tricks", "award_ns", "award_ew")
    is_stated = pl.any_horizontal(pl.col("stated_score_ns", *declared[1:]).is_not_null())
    stated = placed.with_columns(points).filter(is_stated)
    places = _as_text("board", pl.min_horizontal("ns", "ew"), pl.max_horizontal("ns", "ew"))
    rows = stated.group_by("source", maintain_order=True).agg(
        places.alias("place"), _as_text(*declared).alias("outcome")
    )
    return {source: dict(zip(place, outcome, strict=True)) for source, place, outcome in rows.iter_rows()}


def _as_text(*columns: pl.Expr | str) -> pl.Expr:
    texts = (pl.col(column) if isinstance(column, str) else column for column in columns)
    return pl.concat_str([text.cast(pl.String).fill_null("") for text in texts], separator="\t")
