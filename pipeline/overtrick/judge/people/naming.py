"""How each person wishes to be named: by name or number in `[privacy.players]`, else in `members.csv`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from overtrick.core.config.members import Member
from overtrick.core.config.site import Naming, Privacy
from overtrick.core.notation import is_number
from overtrick.judge.people.identity import Mention, fold_name, fold_number

STRICTEST_FIRST: Final[Sequence[Naming]] = ("hidden", "number", "initials", "full")


class Wishes:
    """The wishes of a club's players."""

    def __init__(self, privacy: Privacy, members: Sequence[Member] = ()) -> None:
        self.usual = privacy.names
        self._stated = privacy.players
        self._by_name = {fold_name(name): naming for name, naming in privacy.players.items()}
        self._by_number = {fold_number(name): naming for name, naming in privacy.players.items() if _is_number(name)}
        self._members: dict[str, list[Member]] = {}
        for member in members:
            for key in {*map(fold_name, member.names), *(f"#{fold_number(number)}" for number in member.numbers)}:
                self._members.setdefault(key, []).append(member)

    @property
    def is_plain(self) -> bool:
        """Whether everybody is named in full."""
        wished = (member.privacy for members in self._members.values() for member in members)
        return {self.usual, *self._stated.values(), *wished} <= {"full", None}

    def find(self, name: str, number: str = "") -> Naming:
        """Return how to name a player: the strictest wish of all that the name and the number may mean.

        Args:
            name: as a file states it.
            number: as a file states it; may be empty.
        """
        number = fold_number(number)
        by_number = self._members.get(f"#{number}", []) if number else []
        known = [*self._members.get(fold_name(name), []), *by_number]
        stated = [self._by_name.get(fold_name(name)), self._by_number.get(number) if number else None]
        for member in known:
            stated += [self._by_name.get(fold_name(spelling)) for spelling in member.names]
            stated += [self._by_number.get(fold_number(number)) for number in member.numbers]
        return _strictest(stated) or _strictest(member.privacy for member in known) or self.usual

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


def show_name(name: str, naming: Naming) -> str:
    """Return a person's name for pages of many evenings, where numbers of pairs mean nothing: `…` in their place."""
    if naming == "full":
        return name
    return " ".join(f"{word[0]}." for word in name.split()) if naming == "initials" else HIDDEN


HIDDEN: Final = "…"
"""Shown in place of a name that is hidden."""


def _is_number(key: str) -> bool:
    return any(is_number(letter) for letter in key)


def _strictest(wishes: Iterable[Naming | None]) -> Naming | None:
    stated = set(wishes)
    return next((naming for naming in STRICTEST_FIRST if naming in stated), None)


def digest_wishes(privacy: Privacy, members: Sequence[Member]) -> Mapping[str, str]:
    """Return what decides how people are named on the pages of an evening, by name or number."""
    keys = [(member, {*map(fold_name, member.names), *map(fold_number, member.numbers)}) for member in members]
    stated = {fold(name) for name in privacy.players for fold in (fold_name, fold_number)}
    linked = {key: "linked" for _, known in keys if stated & known for key in known}
    wished = {key: member.privacy for member, known in keys if member.privacy for key in known}
    return dict(sorted((linked | wished).items()))
