"""Near misses: which people are proposed as one, and how often that is right."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from random import Random
from string import ascii_lowercase

import pytest

from overtrick.core.config.members import Member
from overtrick.judge.people.identity import Identities, fold_name, identify
from overtrick.judge.people.near import compare_names, count_slips, list_candidates, list_keys
from overtrick.judge.people.proposals import Proposal, Seat, propose

GIVEN = (
    "Ada Ben Carla Dora Eli Fay Gus Hanna Ivo Jana Karl Lena Milo Nora Oskar Paula Rita Sven Tara Uwe Vera Walter Zoe "
    "Alice Bruno Clara David Edith Felix Greta Hugo Irene Jonas Klara Lukas Marta Nils Olga Peter Rosa Simon Thea "
    "Viktor Wanda Anna Boris Celia Dennis Ellen Frank Gerda Harald Inga Jakob Katrin Leonard Maria Norbert Otto Petra"
).split()
SURNAMES = (
    "Quill Moss Reed Lane Thorne Vale Finch Stone Birch Marsh Heath Fern Holm Lind Berg Dahl Carver Mason Fletcher "
    "Turner Cooper Walker Palmer Archer Barker Chandler Draper Farmer Gardner Harper Keeler Miller Naylor Parker "
    "Sawyer Tanner Weaver Whitlock Ashdown Blackwood Copeland Dunmore Eastgate Fairburn Greenhalgh Hollins Ingram "
    "Jessop Kirkby Langley Merton Norwood Oakley Pemberton Rushton Stanhope Thornbury Underhill Wakefield Yardley"
).split()
ACCENTED = {"a": "á", "e": "é", "i": "í", "o": "ö", "u": "ü", "n": "ñ", "c": "ç", "s": "š", "l": "ł"}


@dataclass(frozen=True)
class Season:
    """Made-up pairs on evenings in their order: everybody once an evening, with a usual partner."""

    evenings: dict[str, list[tuple[str, str]]]

    def identities(self, members: tuple[Member, ...] = ()) -> Identities:
        names = ((evening, (name, "")) for evening, pairs in self.evenings.items() for pair in pairs for name in pair)
        return identify(names, members)

    def proposals(self, members: tuple[Member, ...] = ()) -> list[Proposal]:
        known = self.identities(members)
        seats: list[Seat] = []
        for evening, pairs in self.evenings.items():
            for pair in pairs:
                one, other = (known.keys[name, ""] for name in pair)
                seats += [(evening, one, other), (evening, other, one)]
        return propose(known, seats)


def people(lot: Random, count: int) -> list[str]:
    """Choose names as a club has them: some share a first name, some a surname."""
    names: dict[str, None] = {}
    while len(names) < count:
        names[f"{lot.choice(GIVEN)} {lot.choice(SURNAMES)}"] = None
    return list(names)


def evenings(lot: Random, names: list[str], count: int = 12) -> dict[str, list[tuple[str, str]]]:
    """Let everybody play most evenings, as a rule with the usual partner."""
    usual = [(names[n], names[n + 1]) for n in range(0, len(names) - 1, 2)]
    season = {}
    for n in range(count):
        here = [pair for pair in usual if lot.random() < 0.8]
        if lot.random() < 0.5 and len(here) > 1:
            (a, b), (c, d) = lot.sample(here, 2)
            here = [pair for pair in here if pair not in {(a, b), (c, d)}] + [(a, d), (c, b)]
        season[f"2026-{n + 1:02}"] = here
    return season


def slip(lot: Random, name: str) -> str:
    """Make one typing slip: a letter too much, missing, wrong, or two swapped."""
    at = lot.choice([n for n in range(1, len(name)) if name[n] != " " and name[n - 1] != " "])
    letter = lot.choice(ascii_lowercase)
    return lot.choice(
        [
            name[:at] + letter + name[at:],
            name[:at] + name[at + 1 :],
            name[:at] + letter + name[at + 1 :],
            name[: at - 1] + name[at] + name[at - 1] + name[at + 1 :],
        ]
    )


def accented(name: str) -> str:
    return "".join(ACCENTED.get(letter, letter) for letter in name)


def variant(lot: Random, kind: str, name: str) -> str:
    given, surname = name.split()
    if kind == "slip":
        return next(new for new in iter(lambda: slip(lot, name), None) if fold_name(new) != fold_name(name))
    if kind == "married":
        return f"{given} {lot.choice([one for one in SURNAMES if one != surname])}"
    others = {"initials": f"{given[0]}. {surname}", "swapped": f"{surname} {given}", "accents": accented(name)}
    return others[kind]


KINDS = ("slip", "initials", "swapped", "married", "accents")


def rename(season: dict[str, list[tuple[str, str]]], old: str, new: str, chosen: set[str]) -> None:
    for evening in chosen:
        season[evening] = [(new if a == old else a, new if b == old else b) for a, b in season[evening]]


def try_variants(seed: int) -> tuple[Counter[str], Counter[str], int]:
    """Write 20 names otherwise on some evenings: right and all by kind, and the wrong proposals."""
    lot = Random(seed)
    names = people(lot, 60)
    season = evenings(lot, names)
    right: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    meant: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for n, name in enumerate(lot.sample(names, 20)):
        kind = KINDS[n % len(KINDS)]
        played = [evening for evening, pairs in season.items() if any(name in pair for pair in pairs)]
        new = variant(lot, kind, name)
        if new in names or new in meant:
            new = variant(lot, kind, name)
        chosen = set(played[len(played) // 2 :]) if kind == "married" else set(lot.sample(played, 2))
        rename(season, name, new, chosen)
        meant[new], kinds[new] = name, kind
        tried[kind] += 1
    found = Season(season)
    known = found.identities()
    proposed = found.proposals()
    best = {frozenset((one.name, one.other)) for one in proposed}
    for new, name in meant.items():
        kind = kinds[new]
        same = known.keys[new, ""] == known.keys[name, ""]
        about = [pair for pair in best if new in pair]
        # Right is one proposal, of the right name. With accents aside the two are one already.
        right[kind] += same or about == [frozenset((new, name))]
    true = {frozenset(pair) for pair in meant.items()}
    return right, tried, len(best - true)


def test_of_200_variants_95_percent_are_proposed_rightly_and_few_others_are() -> None:
    right: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    wrong = 0
    for seed in range(10):
        one, all_of, others = try_variants(seed)
        right, tried, wrong = right + one, tried + all_of, wrong + others
    assert 200 == tried.total()
    assert right.total() >= 190, (right, tried)
    assert wrong <= 6


def test_a_season_without_variants_has_hardly_a_proposal() -> None:
    wrong = sum(len(Season(evenings(lot, people(lot, 100))).proposals()) for lot in map(Random, range(10)))
    assert wrong <= 3


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Ada Quill", "Ada Quil", "slip"),
        ("Ada Quill", "Quill, Ada", "order"),
        ("Ada Quill", "A. Quill", "initials"),
        ("Ada Quill", "Ada M Quill", "middle name"),
        ("Alex Moss", "Alexander Moss", "short form"),
        ("Jörg Müller", "Joerg Mueller", "accents"),
        ("Ada Quill", "AdaQuill", "joined"),
        ("Ada Quill", "Ada Moss", "surname"),
        ("Ada Quill", "Quil, A", "initials"),
    ],
)
def test_names_that_may_be_one(one: str, other: str, kind: str) -> None:
    assert kind == compare_names(fold_name(one), fold_name(other)).kind


@pytest.mark.parametrize(("one", "other"), [("Ada Quill", "Ben Moss"), ("A Quill", "E Quill"), ("A B", "A C")])
def test_names_that_are_not_alike(one: str, other: str) -> None:
    assert 0 == compare_names(fold_name(one), fold_name(other)).score


@pytest.mark.parametrize(("other", "slips"), [("moss", 0), ("mos", 1), ("omss", 1), ("mossy", 1), ("mast", 2)])
def test_typing_slips_are_counted(other: str, slips: int) -> None:
    assert slips == count_slips("moss", other, 2)


def test_two_people_on_one_evening_are_two() -> None:
    assert [] == Season({"1": [("Ada Quill", "Ben Moss"), ("Ada Quil", "Gus Lane")]}).proposals()


def test_two_members_are_two() -> None:
    apart = Season({"1": [("Ada Quill", "Ben Moss")], "2": [("Ada Quil", "Ben Moss")]})
    assert ["Ada Quil"] == [one.other for one in apart.proposals()]
    assert [] == apart.proposals((Member("Ada Quill", line=2), Member("Ada Quil", line=3)))


def test_a_proposal_names_the_member_and_the_evidence() -> None:
    season = Season(
        {"1": [("Ada Quil", "Ben Moss")], "2": [("Ada Quill", "Ben Moss")], "3": [("Ada Quil", "Gus Lane")]}
    )
    (found,) = season.proposals((Member("Ada Quill", line=2),))
    assert ("Ada Quill", "Ada Quil") == (found.name, found.other)
    assert "both with Ben Moss; 1 and 2 evenings, never the same" == found.evidence


def test_a_new_surname_is_proposed_only_with_the_usual_partner_and_afterwards() -> None:
    before, after = ("Ada Quill", "Ben Moss"), ("Ada Moss", "Ben Moss")
    assert ["surname"] == [one.kind for one in Season({"1": [before], "2": [after]}).proposals()]
    assert [] == Season({"1": [before], "2": [after], "3": [before]}).proposals()
    assert [] == Season({"1": [before], "2": [("Ada Moss", "Gus Lane")]}).proposals()

    others = [(f"Ada {name}", "Gus Lane") for name in SURNAMES if name not in {"Quill", "Moss"}]
    many = {"1": [before, *others], "2": [after, *others]}
    found = {frozenset({one.name, one.other}): one.kind for one in Season(many).proposals()}
    assert found.get(frozenset({"Ada Quill", "Ada Moss"})) == "surname"


def crowd(lot: Random, count: int, given: list[str], letters: str, most: int) -> set[str]:
    """Make folded names of two or three words, some with slips, initials or short forms, in any order."""
    stems = [f"{stem}{''.join(lot.choices(letters, k=lot.randint(0, most)))}" for stem in ("smit", "mos", "ash", "q")]
    names = set[str]()
    while len(names) < count:
        words = [lot.choice(given), *lot.choices(stems, k=lot.choice([1, 1, 2]))]
        words = [fold_name(slip(lot, word)) if len(word) > 3 and lot.random() < 0.5 else word for word in words]
        name = " ".join(lot.sample(words, len(words)) if lot.random() < 0.2 else words)
        names.add(name.replace(" ", "", 1) if lot.random() < 0.05 else name)
    return names


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_of_many_names_that_share_a_word_all_that_are_alike_are_compared(seed: int) -> None:
    lot = Random(seed)
    names = crowd(lot, 150, ["anna"] if seed % 2 else ["anna", "annabel", "a", "hanna", "mueller"], "abcdeiou", 4)
    shared = {pair for pair in combinations(sorted(names), 2) if list_keys(pair[0]) & list_keys(pair[1])}
    alike = {pair for pair in shared if compare_names(*pair).kind not in {"", "surname"}}
    compared = [(min(pair), max(pair)) for pair in list_candidates(names)]
    assert len(compared) == len(set(compared))
    assert alike <= set(compared) <= shared


def test_a_first_name_alone_is_no_reason_to_compare_names() -> None:
    lot = Random(1)
    names = {f"anna smit{''.join(lot.choices(ascii_lowercase, k=6))}" for _ in range(1000)}
    assert sum(1 for _ in list_candidates(names)) < 2 * len(names)
