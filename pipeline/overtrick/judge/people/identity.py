"""Who is who over many evenings: by the membership number, else by the name or an alias. Nobody is merged by guess."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from overtrick.core.config.members import Member
from overtrick.core.config.site import Naming, Privacy
from overtrick.core.contestants import split_players
from overtrick.core.notation import BETWEEN, is_number
from overtrick.core.words import fold_letters
from overtrick.judge.people.near import is_near, list_keys, strip_titles

APOSTROPHES: Final = re.compile("['`\u2019\u2018\u00b4\u02bc]")
_OTHER: Final = re.compile(r"[^\w]+|_+")
_NOBODY: Final = re.compile(
    r"(?:pair|player|team|table|ghost|phantom|sit ?out|bye|sub|substitute|robot|gib|unknown|nobody|guest|visitor|dummy"
    r"|north|south|east|west|ns|ew|n|s|e|w|a|b)(?: ?[0-9]+)?|[0-9]+|"
)
"""Texts that programs write in place of a name."""


@lru_cache(maxsize=65536)
def fold_name(name: str) -> str:
    """Return a name for comparison: lower case, no accents, no apostrophes, words between single blanks.

    `Łucja  O’Neill-Šimić` becomes `lucja oneill simic`.
    """
    return " ".join(_OTHER.sub(" ", APOSTROPHES.sub("", fold_letters(name))).split())


def fold_number(number: str) -> str:
    """Return a membership number for comparison: no blanks, no leading zeros; empty for one that is only zeros."""
    return "".join(number.split()).casefold().lstrip("0")


def is_person(name: str) -> bool:
    """Return whether a text names somebody, unlike `Pair 3` or `?`."""
    return not _NOBODY.fullmatch(fold_name(name))


def split_pair(names: str | None, numbers: str | None) -> Iterator[tuple[str, str]]:
    """Yield name and number of each player of a pair; an unknown one is empty.

    Args:
        names: `Ada Quill - Ben Moss`.
        numbers: `12 - 7`; not used unless there is one for each name.
    """
    people = split_players(names or "")
    listed = numbers.split(BETWEEN) if numbers else []
    # A number of the pair without its names is that of nobody in particular.
    if len(listed) != len(people):
        listed = [""] * len(people)
    for name, number in zip(people, listed, strict=True):
        yield name, fold_number(number)


Mention = tuple[str, str]
"""Name and number of a player as an evening states them; the number is folded, and empty if it is not stated."""


@dataclass(frozen=True)
class Person:
    """One player of a season.

    Attributes:
        key: identity: `member 3` for line 3 of `members.csv`, else `number 1234` or `name ada quill`.
        name: as pages show it: as `members.csv` has it, else the most frequent spelling.
        spellings: all names under which files list the person, the most frequent first.
        member: the row of `members.csv`; None for somebody else.
    """

    key: str
    name: str
    spellings: tuple[str, ...]
    member: Member | None = None

    @property
    def names(self) -> set[str]:
        """All names, folded: as files and `members.csv` have them."""
        return {fold_name(name) for name in (self.name, *self.spellings, *(self.member.names if self.member else ()))}


@dataclass(frozen=True)
class Doubt:
    """A mention that does not fit `members.csv`.

    Attributes:
        kind: `number taken`: the number is that of a member of another name; `same name`: two members have the name,
            and no number says which one it is; `two numbers`: a member's name has several unknown numbers.
        name: as the files state it.
        number: as the files state it; may be empty.
        members: the names of the members concerned.
        evenings: where.
    """

    kind: str
    name: str
    number: str
    members: tuple[str, ...]
    evenings: tuple[str, ...]


@dataclass(frozen=True)
class Identities:
    """The people of a season.

    Attributes:
        people: by key.
        keys: the key of each mention. Mentions that name nobody are missing.
        doubts: what a person has to look at.
    """

    people: Mapping[str, Person]
    keys: Mapping[Mention, str]
    doubts: tuple[Doubt, ...]

    def find(self, name: str, number: str = "") -> Person | None:
        """Return the person of a mention; None if it names nobody."""
        key = self.keys.get((name, number))
        return self.people[key] if key else None


class _Register:
    """Members by number and by name."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = {f"member {member.line}": member for member in members}
        self._by_number: dict[str, set[str]] = defaultdict(set)
        self._by_name: dict[str, set[str]] = defaultdict(set)
        for key, member in self.members.items():
            for number in member.numbers:
                self._by_number[fold_number(number)].add(key)
            for name in member.names:
                self._by_name[fold_name(name)].add(key)

    def with_number(self, number: str) -> str | None:
        """Return the member with a number; None if it is nobody's, or that of two."""
        found = self._by_number.get(number, set()) if number else set()
        return next(iter(found)) if len(found) == 1 else None

    def with_name(self, name: str) -> list[str]:
        """Return the members with a name or an alias."""
        return sorted(self._by_name.get(fold_name(name), ()), key=lambda key: self.members[key].line)

    def names(self, keys: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.members[key].name for key in keys)


def identify(mentions: Iterable[tuple[str, Mention]], members: Sequence[Member]) -> Identities:
    """Find out who is who.

    Args:
        mentions: each player of each evening: the evening, and name and number there.
        members: of `members.csv`; may be empty.

    Returns:
        The people. Members come first, in the order of their file, then all others by name; a member whom no evening
        names is a person too.
    """
    times: Counter[Mention] = Counter()
    where: dict[Mention, dict[str, None]] = defaultdict(dict)
    for evening, mention in mentions:
        if is_person(mention[0]) or mention[1]:
            times[mention] += 1
            where[mention][evening] = None
    register = _Register(members)
    numbers_of: dict[str, set[str]] = defaultdict(set)
    for name, number in times:
        if number and register.with_number(number) is None:
            numbers_of[fold_name(name)].add(number)
    keys: dict[Mention, str] = {}
    doubts = []
    for mention in times:
        keys[mention], kind, about = _decide(mention, register, numbers_of[fold_name(mention[0])])
        if kind:
            doubts.append(Doubt(kind, *mention, register.names(about), tuple(where[mention])))
    doubts.sort(key=lambda doubt: (doubt.kind, doubt.name, doubt.number))
    return Identities(_list_people(keys, times, register), keys, tuple(doubts))


def _decide(mention: Mention, register: _Register, unknown: set[str]) -> tuple[str, str, list[str]]:
    """Return the key of a mention, and what is doubtful about it: a kind of `Doubt`, and the members concerned.

    Args:
        mention: name and number.
        register: the members.
        unknown: the numbers of no member that come with this name.
    """
    name, number = mention
    named = register.with_name(name)
    if numbered := register.with_number(number):
        known = not is_person(name) or numbered in named or not named
        return numbered, "" if known else "number taken", [numbered, *named]
    if len(named) > 1:
        return _by_itself(name, number), "same name", named
    if len(named) == 1:
        # One number beside the name may be that of another list. Two can't both be the member's.
        return (_by_itself(name, number), "two numbers", named) if number and len(unknown) > 1 else (named[0], "", [])
    if not number and len(unknown) == 1:
        return _by_itself(name, next(iter(unknown))), "", []
    return _by_itself(name, number), "", []


def _by_itself(name: str, number: str) -> str:
    return f"number {number}" if number else f"name {fold_name(name)}"


def _list_people(keys: Mapping[Mention, str], times: Mapping[Mention, int], register: _Register) -> dict[str, Person]:
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for mention, key in keys.items():
        if is_person(mention[0]):
            spellings[key][mention[0]] += times[mention]
    people = {}
    others = sorted({*keys.values()} - register.members.keys(), key=lambda key: (min(spellings[key], default=key), key))
    for key in (*register.members, *others):
        times_of = spellings[key]
        # Of two that are as frequent, people like `Ada Quill` better than `ADA QUILL`.
        ordered = tuple(sorted(times_of, key=lambda name: (-times_of[name], name.isupper() or name.islower(), name)))
        member = register.members.get(key)
        name = member.name if member else ordered[0] if ordered else f"No. {key.removeprefix('number ')}"
        people[key] = Person(key, name, ordered, member)
    return people


STRICTEST_FIRST: Final[Sequence[Naming]] = ("hidden", "number", "initials", "full")


class Wishes:
    """The wishes of a club's players."""

    def __init__(self, privacy: Privacy, members: Sequence[Member] = ()) -> None:
        self.usual = privacy.names
        self.register = members
        self._stated = privacy.players
        self._by_name = {fold_name(name): naming for name, naming in privacy.players.items()}
        self._by_number = {fold_number(name): naming for name, naming in privacy.players.items() if _is_number(name)}
        self._members: dict[str, list[Member]] = {}
        for member in members:
            for key in {*map(fold_name, member.names), *(f"#{fold_number(number)}" for number in member.numbers)}:
                self._members.setdefault(key, []).append(member)
        spellings = {name: name for name in privacy.players if not _is_number(name)}
        spellings |= {spelling: member.name for member in members for spelling in member.names}
        found = {name: self._find_exactly(name, "") or "full" for name in spellings}
        self.hidden: Mapping[str, Naming] = {name: naming for name, naming in found.items() if naming != "full"}
        """Every spelling of those who asked not to be named in full, and how to name them."""
        self._owners = spellings
        self._near: dict[str, set[str]] = defaultdict(set)
        for name in self.hidden:
            for key in list_keys(fold_name(name)):
                self._near[key].add(name)

    @property
    def is_plain(self) -> bool:
        """Whether everybody is named in full."""
        wished = (member.privacy for members in self._members.values() for member in members)
        return {self.usual, *self._stated.values(), *wished} <= {"full", None}

    def find(self, name: str, number: str = "") -> Naming:
        """Return how to name a player: the strictest wish of all that the name and the number may mean.

        A name that is near that of somebody who is not named in full is treated alike: nobody knows whose it is.

        Args:
            name: as a file states it.
            number: as a file states it; may be empty.
        """
        return self.find_stated(name, number) or self.usual

    def find_stated(self, name: str, number: str = "") -> Naming | None:
        """Return what anybody said about a player; None if only the club's usual way applies."""
        if stated := self._find_exactly(name, number):
            return stated
        near = [self.hidden[other] for other in self._find_spellings(name)]
        return _strictest([self.usual, *near]) if near else None

    def with_names(self, named: Mapping[str, Naming]) -> "Wishes":
        """Return the wishes with those of more names."""
        return Wishes(Privacy(names=self.usual, players={**named, **self._stated}), self.register)

    def find_near(self, name: str) -> str | None:
        """Return who may be meant by a name that is nobody's: the name of somebody who is not named in full."""
        if self._find_exactly(name, "") or not (near := self._find_spellings(name)):
            return None
        return None if any(_sort(name) == _sort(other) for other in near) else self._owners[near[0]]

    def list_unused(self, mentions: Iterable[Mention]) -> list[str]:
        """Return the keys of `[privacy.players]` that are the name or number of nobody.

        Args:
            mentions: name and number of every player.
        """
        names, numbers = set(), set()
        for name, number in mentions:
            names.add(fold_name(name))
            numbers.add(fold_number(number))
        names |= self._members.keys()
        known = names | {f"#{number}" for number in numbers}
        return [key for key in self._stated if not {fold_name(key), f"#{fold_number(key)}"} & known]

    def _find_exactly(self, name: str, number: str) -> Naming | None:
        """Return what the settings and the list of members say about a name and a number; None if they say nothing."""
        number = fold_number(number)
        by_number = self._members.get(f"#{number}", []) if number else []
        known = [*self._members.get(fold_name(name), []), *by_number]
        stated = [self._by_name.get(fold_name(name)), self._by_number.get(number) if number else None]
        for member in known:
            stated += [self._by_name.get(fold_name(spelling)) for spelling in member.names]
            stated += [self._by_number.get(fold_number(number)) for number in member.numbers]
        wish = _strictest(stated) or _strictest(member.privacy for member in known)
        return wish or (self.usual if known else None)

    def _find_spellings(self, name: str) -> list[str]:
        """Return the names of those who are not named in full that are equal to a name or near it, in any order."""
        if not self.hidden:
            return []
        # In a report of surnames alone, `Ash-Birch` and `Ash, Birch` are two players.
        sides = re.split(r"[-\u2010-\u2015,/]", name)
        several = sides if len(sides) > 1 and all(len(side.split()) == 1 for side in sides) else []
        found: dict[str, None] = {}
        for text in (name, *several):
            words = strip_titles(fold_name(text))
            near = {other for key in list_keys(words) for other in self._near.get(key, ())}
            found |= dict.fromkeys(other for other in sorted(near) if is_near(words, fold_name(other)))
        return list(found)


def show_name(name: str, naming: Naming) -> str:
    """Return a person's name for pages of many evenings, where numbers of pairs mean nothing: `…` in their place."""
    if naming == "full":
        return name
    return " ".join(f"{word[0]}." for word in name.split()) if naming == "initials" else HIDDEN


def list_doubts(wishes: Wishes, names: Iterable[str]) -> list[str]:
    """Return what a scorer should decide: whose the names are that are near that of somebody not named in full."""
    near = ((name, wishes.find_near(name)) for name in dict.fromkeys(names))
    return [
        f'"{name}" may be {other}, who is not named in full, so pages do not show this name. Who is it? Add it to'
        f" the aliases of {other} in members.csv, or list it there as another member."
        for name, other in near
        if other
    ]


HIDDEN: Final = "…"
"""Shown in place of a name that is hidden."""


def _is_number(key: str) -> bool:
    return any(is_number(letter) for letter in key)


def _strictest(wishes: Iterable[Naming | None]) -> Naming | None:
    stated = set(wishes)
    return next((naming for naming in STRICTEST_FIRST if naming in stated), None)


def _sort(name: str) -> list[str]:
    return sorted(strip_titles(fold_name(name)).split())


def digest_wishes(privacy: Privacy, members: Sequence[Member]) -> Mapping[str, str]:
    """Return what decides how people are named on the pages of an evening, by name or number."""
    keys = [(member, {*map(fold_name, member.names), *map(fold_number, member.numbers)}) for member in members]
    stated = {fold(name) for name in privacy.players for fold in (fold_name, fold_number)}
    linked = {key: "linked" for _, known in keys if stated & known for key in known}
    wished = {key: member.privacy for member, known in keys if member.privacy for key in known}
    return dict(sorted((linked | wished).items()))
