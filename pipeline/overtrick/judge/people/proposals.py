"""Proposals of who may be the same person, with the evidence. A person decides; nothing here merges anybody."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Final

from overtrick.judge.people.identity import Identities, Person
from overtrick.judge.people.near import Likeness, compare_names, list_candidates

ENOUGH: Final = 0.6
"""The score from which two people are proposed as one."""

_SAME_PARTNER: Final = 0.15
_NO_SAME_PARTNER: Final = 0.05
_NEW_SURNAME: Final = 0.5
"""Added to the score by a common partner for a new surname, if the old name is not seen after the new one."""

Seat = tuple[str, str, str]
"""A player on an evening: the evening (which sorts by date), the player's key, and the partner's; empty if unknown."""


@dataclass(frozen=True)
class Proposal:
    """Two people who may be one.

    Attributes:
        name: the person whose name stays: the member, else the one who played more often.
        other: the name that would become a spelling.
        score: from 0 to 1.
        kind: what differs, as `near.KINDS` lists it.
        evidence: in plain words: common partners, and on which evenings each played.
    """

    name: str
    other: str
    score: float
    kind: str
    evidence: str


@dataclass
class _Played:
    """The evenings and partners of a person over a season."""

    evenings: set[str]
    partners: Counter[str]


def propose(identities: Identities, seats: Iterable[Seat]) -> list[Proposal]:
    """Return who may be the same person, the most likely first.

    Two people who played on the same evening are two, and so are two rows of `members.csv`. Of several proposals for a
    name only the best is kept, unless they are equally good.

    Args:
        identities: from `identity.identify`.
        seats: who played with whom on each evening.
    """
    played: dict[str, _Played] = defaultdict(lambda: _Played(set(), Counter()))
    for evening, key, partner in seats:
        played[key].evenings.add(evening)
        if partner:
            played[key].partners[partner] += 1
    people = identities.people
    proposals = []
    for pair, likeness in _list_alike(people, played).items():
        two = [people[key] for key in sorted(pair)]
        score = _judge(likeness, *(played[person.key] for person in two))
        if score >= ENOUGH and _may_be_one(two, played):
            proposals.append(_make(score, likeness.kind, two, played, people))
    return _keep_best(proposals)


def _list_alike(people: Mapping[str, Person], played: Mapping[str, _Played]) -> dict[frozenset[str], Likeness]:
    """Return by the keys of two people how the most similar of their names agree, if any do."""
    by_name: dict[str, set[str]] = defaultdict(set)
    for key, person in people.items():
        for name in person.names:
            by_name[name].add(key)
    best: dict[frozenset[str], Likeness] = {}
    same = ((name, name) for name, keys in by_name.items() if len(keys) > 1)
    for name, other in chain(list_candidates(by_name), same, _list_new_surnames(people, played)):
        likeness = compare_names(name, other)
        for two in product(by_name[name], by_name[other]):
            pair = frozenset(two)
            if len(pair) == 2 and likeness.score > best.get(pair, Likeness(0.0, "")).score:
                best[pair] = likeness
    return best


def _list_new_surnames(people: Mapping[str, Person], played: Mapping[str, _Played]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of names that share a word and a usual partner: one may have taken a new surname."""
    named: dict[tuple[str, str], set[str]] = defaultdict(set)
    for key in sorted(played.keys() & people.keys()):
        partners = played[key].partners
        for partner, count in partners.items():
            if 2 * count >= partners.total():
                for name in people[key].names:
                    for word in name.split():
                        named[partner, word].add(name)
    for names in named.values():
        yield from combinations(sorted(names), 2)


def _may_be_one(two: list[Person], played: Mapping[str, _Played]) -> bool:
    if all(person.member for person in two) or all(person.key.startswith("number ") for person in two):
        return False
    first, second = (played[person.key].evenings for person in two)
    return not first & second


def _judge(likeness: Likeness, person: _Played, other: _Played) -> float:
    """Return how likely two people are one: by their names, their partners, and when they played."""
    score = likeness.score
    common = person.partners.keys() & other.partners.keys()
    if likeness.kind == "surname":
        first, then = sorted((person, other), key=lambda played: min(played.evenings, default=""))
        follows = bool(first.evenings and then.evenings) and max(first.evenings) < min(then.evenings)
        return score + _NEW_SURNAME if common and follows and _is_usual(common, first, then) else 0.0
    if common:
        score += _SAME_PARTNER
    elif person.partners and other.partners:
        score -= _NO_SAME_PARTNER
    return min(score, 0.99)


def _is_usual(common: Iterable[str], person: _Played, other: _Played) -> bool:
    """Return whether a common partner is a usual one of both: with the name that changed, the partner did not."""
    return any(
        2 * person.partners[who] >= person.partners.total() and 2 * other.partners[who] >= other.partners.total()
        for who in common
    )


def _make(
    score: float, kind: str, two: list[Person], played: Mapping[str, _Played], people: Mapping[str, Person]
) -> Proposal:
    stays, goes = sorted(
        two,
        key=lambda person: (person.member is None, -len(played[person.key].evenings), -len(person.name), person.name),
    )
    mine, others = played[stays.key], played[goes.key]
    common = sorted(people[key].name for key in mine.partners.keys() & others.partners.keys() if key in people)
    partners = f"both with {', '.join(common[:3])}" if common else "no common partner"
    count = f"{len(mine.evenings)} and {len(others.evenings)} evenings, never the same"
    spelling = goes.spellings[0] if goes.spellings else goes.name
    return Proposal(stays.name, spelling, round(score, 2), kind, f"{partners}; {count}")


def _keep_best(proposals: list[Proposal]) -> list[Proposal]:
    best: dict[str, float] = {}
    for proposal in proposals:
        best[proposal.other] = max(best.get(proposal.other, 0.0), proposal.score)
    likely = [proposal for proposal in proposals if proposal.score == best[proposal.other]]
    return sorted(likely, key=lambda proposal: (-proposal.score, proposal.name, proposal.other))
