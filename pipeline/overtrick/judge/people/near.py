"""How likely two names are spellings of one: a measure from 0 to 1, and the names worth comparing.

The measure looks at a name as a person would: word by word, in either order, with initials and short forms. A general
similarity of texts can't tell `A Quill` from `E Quill`, and few names share enough letters to be compared at all, so
the distance below has little work.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final

from overtrick.core.notation import is_number

_SPELT: Final = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"), ("ss", "s"))
"""Two letters for one with an accent: `Mueller` for `Müller`."""

_TITLES: Final = frozenset(
    "mr mrs ms miss mister mme mlle madame monsieur dr prof sir lady lord herr frau pan pani sr sra jr"
    " sub subst substitute for guest td director captain capt npc".split()
)
"""Words beside a name."""

_MOST_WORDS: Final = 4
"""Names of more words are compared in their own order only."""


@dataclass(frozen=True)
class Likeness:
    """How two names agree.

    Attributes:
        score: from 0 to 1.
        kind: what differs, as `KINDS` lists it.
    """

    score: float
    kind: str


KINDS: Final = ("order", "accents", "slip", "slips", "initials", "short form", "middle name", "surname", "joined")

_NOT_ALIKE: Final = Likeness(0.0, "")


def count_slips(text: str, other: str, most: int) -> int:
    """Return how many typing slips make one text the other: a letter too much, missing, wrong, or two swapped.

    Returns:
        The number; `most + 1` for any larger number (optimal string alignment).
    """
    if abs(len(text) - len(other)) > most:
        return most + 1
    # What both begin and end with changes nothing, and most names that are compared share much of it.
    while text and other and text[0] == other[0]:
        text, other = text[1:], other[1:]
    while text and other and text[-1] == other[-1]:
        text, other = text[:-1], other[:-1]
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(text, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == text[i - 2]:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return min(last[-1], most + 1)


def compare_names(name: str, other: str) -> Likeness:
    """Return how two folded names agree (`names.fold_name`); 0 for names that nothing connects."""
    a, b = name.split(), other.split()
    if sorted(a) == sorted(b):
        return Likeness(0.97, "order")
    if _respell(name) == _respell(other):
        return Likeness(0.95, "accents")
    if name.replace(" ", "") == other.replace(" ", ""):
        return Likeness(0.95, "joined")
    short, long = sorted((a, b), key=len)
    if len(short) < 2 or len(long) > _MOST_WORDS:
        return _compare_whole(name, other)
    found = [
        _compare_words(short, [long[n] for n in order], len(long))
        for order in permutations(range(len(long)), len(short))
    ]
    if len(a) != len(b):
        found.append(_compare_whole(name, other))
    return max(found, key=lambda likeness: likeness.score)


def _respell(name: str) -> str:
    for two, letter in _SPELT:
        name = name.replace(two, letter)
    return name


def _compare_whole(name: str, other: str) -> Likeness:
    """Compare names letter by letter, over the ends of words too: `Ad aQuill`."""
    a, b = name.replace(" ", ""), other.replace(" ", "")
    slips = count_slips(a, b, 2)
    longest = max(len(a), len(b))
    if slips == 1 and longest >= 5:
        return Likeness(0.85, "slip")
    return Likeness(0.7, "slips") if slips == 2 and longest >= 10 else _NOT_ALIKE


def _compare_words(a: list[str], b: list[str], longest: int) -> Likeness:
    """Compare as many words of two names, one by one. Other words of the longer name are middle names."""
    compared = [_compare_word(x, y) for x, y in zip(a, b, strict=True)]
    kinds, slips = {kind for kind, _ in compared}, sum(slips for _, slips in compared)
    if "" in kinds:
        # A new surname beside the same first name: only other evidence can say more.
        return Likeness(0.3, "surname") if len(a) == 2 and a[0] == b[0] and len(a[0]) > 2 else _NOT_ALIKE
    shortened = [kind for kind in ("initials", "short form") if kind in kinds]
    only_initials = "initials" in kinds and not {"same", "slip"} & kinds
    if only_initials or slips > 2 or (slips == 2 and sum(map(len, a)) < 8):
        return _NOT_ALIKE
    score = 1.0
    for _ in shortened:
        score -= 0.2
    kind = [("middle name", "slip", "slips")[slips], *shortened][-1]
    return Likeness(score - 0.13 * slips - 0.07 * (longest - len(a)), kind)


def _compare_word(a: str, b: str) -> tuple[str, int]:
    """Return how two words agree, and the typing slips; an empty kind if they do not."""
    if a == b:
        return "same", 0
    if 1 in {len(a), len(b)}:
        return ("initials", 0) if a[0] == b[0] else ("", 0)
    short, long = sorted((a, b), key=len)
    if 3 <= len(short) < len(long) - 1 and long.startswith(short):
        return "short form", 0
    if _respell(a) == _respell(b):
        return "slip", 0
    most = 1 if len(short) < 5 else 2
    slips = count_slips(a, b, most)
    # Of a word of two letters, a wrong one leaves nothing to recognise.
    return ("slip", slips) if slips <= most and len(long) > 2 else ("", 0)


def strip_titles(name: str) -> str:
    """Return a folded name without titles, numbers and remarks: `ann ash` of `mrs ann ash 1001 sub`."""
    words = name.split()
    return " ".join(word for word in words if word not in _TITLES and not is_number(word)) or name


def is_near(name: str, other: str) -> bool:
    """Return whether a folded name may be another's: more words, one slip, an initial, or the surname alone.

    Two who share a surname are not near: `otto ash`, `ann ash`. Nor are names whose words begin with other letters.
    """
    words, others = name.split(), other.split()
    if len(words) == 1:
        return len(name) > 1 and (name in others or name == other.replace(" ", ""))
    if set(others) <= set(words):
        return True
    short, long = sorted((Counter(word[0] for word in words), Counter(word[0] for word in others)), key=Counter.total)
    return short <= long and compare_names(name, other).score > 0.79


_FEW: Final = 40
"""Names that share a word and are all compared with each other."""


def list_candidates(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of folded names that `compare_names` may find alike, each pair once.

    Two names share a word, or a word but for one letter. Of many names that share one, the other words decide too: a
    pair that only has a first name in common is left out.
    """
    by_key: dict[str, list[str]] = defaultdict(list)
    for name in sorted(set(names)):
        for key in sorted(list_keys(name)):
            by_key[key].append(name)
    seen: set[tuple[str, str]] = set()
    groups = {tuple(same): key for key, same in by_key.items() if len(same) > 1}
    for same, key in groups.items():
        for pair in combinations(same, 2) if len(same) <= _FEW else _list_close(same, key):
            if pair not in seen:
                seen.add(pair)
                yield pair


def _list_close(names: Sequence[str], key: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of names of a group that agree in more than the word of the group.

    If two names are alike, each word of the shorter one is like a word of the longer one, or the names without blanks
    are alike. So a word that is not the one that all share has to be like a word of the other name.
    """
    # Three of many names that share "anna". Beside it, "smith" and "smyth" have "smth" in common:
    #
    #     name           looked up                          found by
    #     anna smith     smith, mith, sith, smth, ...       anna, nna, ..., smith, mith, sith, smth, ...
    #     anna smyth     smyth, myth, syth, smth, ...       anna, nna, ..., smyth, myth, syth, smth, ...
    #     anna ottoboni  ottoboni, ttoboni, ...             anna, nna, ..., ottoboni, ttoboni, ...
    found_by: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in names:
        for mark in {mark for word in name.split() for mark in _mark(word)} | _mark_whole(name):
            found_by[mark].append(name)
    for name in names:
        words = name.split()
        shared = [word for word in words if key in list_keys(word)]
        rest = [word for word in words if len(shared) != 1 or word != shared[0]]
        for mark in {mark for word in rest for mark in _look_up(word)} | _mark_whole(name):
            for other in found_by.get(mark, ()):
                if other != name:
                    yield min(name, other), max(name, other)


def _mark(word: str) -> Iterator[tuple[str, str]]:
    """Yield the marks by which words that are like this one find it: with two slips, as initial, as short form."""
    yield from (("slips", text) for text in _shorten(word))
    yield "slips", _respell(word)
    yield ("initial" if len(word) == 1 else "word"), word[0]
    yield "word", word
    yield from (("short", word[:end]) for end in range(3, len(word) - 1))


def _look_up(word: str) -> Iterator[tuple[str, str]]:
    """Yield the marks of words that are like this one."""
    yield from (("slips", text) for text in _shorten(word))
    yield "slips", _respell(word)
    yield ("word" if len(word) == 1 else "initial"), word[0]
    yield "short", word
    yield from (("word", word[:end]) for end in range(3, len(word) - 1))


def _mark_whole(name: str) -> set[tuple[str, str]]:
    """Return the marks that a name shares with one of the same letters but for two slips."""
    whole = name.replace(" ", "")
    return {("whole", text) for text in (*_shorten(whole), _respell(whole))}


def _shorten(word: str) -> set[str]:
    """Return a word, and it with one letter left out, and with two: words with two slips have one of these in common.

    Words of fewer than five letters may have one slip.
    """
    texts = {word}
    for _ in range(1 if len(word) < 4 else 2):
        texts |= {text[:at] + text[at + 1 :] for text in texts for at in range(len(text))}
    return texts


def list_keys(name: str) -> set[str]:
    """Return the words of a name, and each with any one letter left out: words with one slip share a key."""
    words = {word for word in name.split() if len(word) > 1} | {name.replace(" ", "")}
    shorter = {word[:n] + word[n + 1 :] for word in words if len(word) > 3 for n in range(len(word))}
    return words | shorter | {_respell(word) for word in words}
