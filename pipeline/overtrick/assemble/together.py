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
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Final

import polars as pl

from overtrick.assemble.beside import SUFFIX, is_corrections
from overtrick.assemble.gather import names_of_pair
from overtrick.bridge.cards import is_complete
from overtrick.bridge.methods import METHODS
from overtrick.frames import Session
from overtrick.notation import BETWEEN

_ROLES: Final = re.compile(r"([-_. ]+(deals?|hands?|boards?|results?|scores?|contestants?|names?))+$", re.IGNORECASE)
"""Words at the end of a name that describe the content of a file, not its evening."""

_SAME: Final = 0.5
"""The share of the results of both files that must agree for the files to be of one evening."""

_FEW: Final = 6
"""Results that may be the same in two evenings by chance."""

Outcomes = Mapping[tuple[int, str, str], tuple[object, ...]]
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
        people: its contestants that have a name, with it. Those that only a table of the file names are known only if
            the file was read alone.
        scoring: how it says that it is scored: the methods, or the words where they are of none.
        played: the boards that it has results of.
        dealt: the boards that it has whole deals of.
        outcomes: returns its results; they are needed only if nothing else decides.
    """

    source: str
    results: bool
    dates: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    people: frozenset[tuple[str, str]] = frozenset()
    scoring: frozenset[str] = frozenset()
    played: frozenset[int] = frozenset()
    dealt: frozenset[int] = frozenset()
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
        return frozenset(side for _, *sides in self.outcomes() for side in sides)


def group_files(files: Sequence[Held], *, given: bool) -> list[list[Held]]:
    """Return the files of each evening, in the order in which they are listed.

    Args:
        files: what each holds.
        given: whether somebody named them together; otherwise they merely are in one folder.
    """
    evenings: list[list[Held]] = []
    # Those that state a date first: the others go with them.
    for file in sorted((file for file in files if file.results), key=lambda file: not file.dates):
        found = _evening_of(file, evenings, given=given)
        if found is None:
            evenings.append([file])
        else:
            found.append(file)
    others: list[list[Held]] = []
    for file in files:
        if not file.results:
            found = _evening_of_deals(file, evenings, given=given) or _of_name(file, others)
            if found is None:
                others.append([file])
            else:
                found.append(file)
    place = {file.source: number for number, file in enumerate(files)}
    grouped = [sorted(group, key=lambda file: place[file.source]) for group in (*evenings, *others)]
    return sorted(grouped, key=lambda group: place[group[0].source])


def _evening_of(file: Held, evenings: list[list[Held]], *, given: bool) -> list[Held] | None:
    """Return the only evening that a file of results fits best; None if it fits none, or several equally well."""
    possible = [group for group in evenings if not _any_other_day(file, group)]
    for speaks in (_same_name, _same_results, _same_date, _same_event) if given else (_same_name, _copies, _same_part):
        fitting = [group for group in possible if any(speaks(file, one) for one in group)]
        if speaks is _same_part:
            fitting = [group for group in fitting if not any(_share_results(file, one) for one in group)]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None


def _evening_of_deals(file: Held, evenings: list[list[Held]], *, given: bool) -> list[Held] | None:
    """Return the evening whose deals a file without results holds."""
    for group in (evenings, [group for group in evenings if any(file.dates & one.dates for one in group)]):
        named = [one for one in group if any(_same_name(file, other) for other in one)]
        if len(named) == 1:
            return named[0]
        dated = [one for one in group if any(file.dates & other.dates for other in one)]
        if len(dated) == 1:
            return dated[0]
    if len(evenings) != 1:
        return None
    played = frozenset[int]().union(*(one.played for one in evenings[0]))
    return evenings[0] if given or (played and played <= file.dealt and not _any_other_day(file, evenings[0])) else None


def _of_name(file: Held, groups: Iterable[list[Held]]) -> list[Held] | None:
    return next((group for group in groups if any(_same_name(file, one) for one in group)), None)


def _any_other_day(file: Held, group: Iterable[Held]) -> bool:
    return any(_other_day(file, one) for one in group)


def _other_day(one: Held, other: Held) -> bool:
    return bool(one.dates) and bool(other.dates) and not one.dates & other.dates


def _other_event(one: Held, other: Held) -> bool:
    return bool(one.events) and bool(other.events) and not one.events & other.events


def _same_name(one: Held, other: Held) -> bool:
    return one.name == other.name


def _same_date(one: Held, other: Held) -> bool:
    return bool(one.dates & other.dates) and not _other_event(one, other)


def _same_event(one: Held, other: Held) -> bool:
    return not _other_event(one, other)


def _copies(one: Held, other: Held) -> bool:
    """Return whether two files of one date hold the same results, and more than a few, scored in the same way.

    Files that do not state dates are copies if one has all results of the other.
    """
    strangers = one.people and other.people and one.players.isdisjoint(other.players)
    scored_apart = one.scoring and other.scoring and one.scoring != other.scoring
    dated = bool(one.dates & other.dates)
    one_is_dated = bool(one.dates or other.dates) and not dated
    if strangers or scored_apart or one_is_dated or one.played.isdisjoint(other.played):
        return False
    few = min(len(one.outcomes()), len(other.outcomes())) < _FEW
    return not few and _same_results(one, other, all_of_them=not dated)


def _same_part(one: Held, other: Held) -> bool:
    if not one.dates & other.dates or not one.events & other.events or one.scoring != other.scoring:
        return False
    return bool(one.people & other.people) or (not (one.people or other.people) and _same_numbers(one, other))


def _same_numbers(one: Held, other: Held) -> bool:
    """Return whether most contestants of the smaller of two files are in the other as well, by number."""
    return len(one.numbers & other.numbers) > _SAME * min(len(one.numbers), len(other.numbers))


def _share_results(one: Held, other: Held) -> bool:
    return not one.played.isdisjoint(other.played) and not one.outcomes().keys().isdisjoint(other.outcomes())


def _same_results(one: Held, other: Held, *, all_of_them: bool = False) -> bool:
    """Return whether most results of the smaller of two files, or all of them, are in the other as well."""
    if one.played.isdisjoint(other.played):
        return False
    fewer, more = sorted((one.outcomes(), other.outcomes()), key=len)
    most = 0 if all_of_them else (1 - _SAME) * len(fewer)
    different = (key for key, outcome in fewer.items() if more.get(key) != outcome)
    # Files of two evenings differ at once, and an archive compares many.
    return bool(fewer) and all(count < most for count, _ in enumerate(different, 1))


def list_held(session: Session) -> list[Held]:
    """Return what each file of a session holds, in the order of its files.

    Args:
        session: after `assemble.gather`.
    """
    results = session.results
    played = session.records.join(results.select("record").unique(), on="record", how="semi")
    told = _by_source(played, ("date", "event", "scoring"))
    dealt = session.records.filter(is_complete(session.records["deal"]))
    stated = _by_source(dealt, ("date",))
    boards, deals = _by_source(results, ("board",)), _by_source(dealt, ("board",))
    held = set(results["source"])
    named = session.contestants.drop_nulls(["contestant", "names"]).select("contestant", "names").rows()
    listed = frozenset(named if session.sources.height == 1 else ())
    people = _people_in_games(played)
    return [
        Held(
            source,
            source in held,
            frozenset((told if source in held else stated).get(("date", source), ())),
            frozenset(told.get(("event", source), ())),
            people.get(source, listed),
            frozenset(map(_method_asked, told.get(("scoring", source), ()))),
            frozenset(boards.get(("board", source), ())),
            frozenset(deals.get(("board", source), ())),
            cache(partial(list_outcomes, session, source)),
        )
        for source in session.sources["source"].unique(maintain_order=True)
    ]


def _method_asked(scoring: str) -> str:
    """Return the method that a scoring asks for, else its words: parts of an evening may differ in its settings."""
    words = re.findall(r"[a-z0-9-]+", scoring.lower())
    return next((name for name, method in METHODS.items() if any(word in method.pbn for word in words)), scoring)


def _people_in_games(played: pl.DataFrame) -> dict[str, frozenset[tuple[str, str]]]:
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


def list_outcomes(session: Session, source: str) -> Outcomes:
    """Return what a file says of each result, by board and sides, whichever way these sat."""
    own = session.results.filter(pl.col("source") == source).drop_nulls(["board", "ns", "ew"])
    sides = (pl.min_horizontal("ns", "ew"), pl.max_horizontal("ns", "ew"))
    # A score is often left to the reader where the contract is stated.
    points = pl.when(pl.col("level").is_null()).then("stated_score_ns")
    declared = (points, "level", "strain", "doubled", "declarer", "tricks", "award_ns", "award_ew")
    rows = own.select("board", sides[0].alias("one"), sides[1].alias("other"), *declared).iter_rows()
    return {
        (board, one, other): tuple(outcome)
        for board, one, other, *outcome in rows
        if any(value is not None for value in outcome)
    }
