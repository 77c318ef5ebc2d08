"""What words stand for: `SA` for notrump, `Passe` for a pass, `O` for West. `grammars/words.toml` holds them, as data.

A text is read in English first. What that leaves unread decides its dialect, once for the whole text: the one in which
most of its values can be read. So `C` is clubs beside `4S` and hearts beside `4T`, and never both in one file.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Final, Literal

from overtrick.core.machine import resource

Kind = Literal[
    "strain", "rank", "seat", "call", "vulnerability", "section", "outcome", "joined", "column", "month", "weekday"
]
Form = Literal["contract", "seat", "card", "call", "vulnerability", "column"]
"""What a value is: a contract or a denomination, a seat, a card, a call, sides, or the header of a column."""
DayOrder = Literal["day-first", "month-first"]
"""What comes first in a date such as 1/3/2026."""
Words = Mapping[str, str]
"""The meaning of each word. Words are in capitals without accents, meanings as overtrick writes them."""

_EVERY: Final = "every"
_CLUBS_OWN: Final = "club"
_LONGEST: Final = 40
"""Letters of two words, at most."""
_LEVELS: Final = tuple("1234567")
_TRICKS: Final = re.compile(r"([^0-9]*?)\s*([0-9]{0,2})\s*([^0-9]*)")
_BRACKETS: Final = str.maketrans("()", "  ")
_SIGNS: Final = str.maketrans({"\u00d7": "X", **dict.fromkeys("−–—", "-"), **dict.fromkeys("\ufe0e\ufe0f", "")})
_UNDIVIDED: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i", "ħ": "h", "ŧ": "t"}
)
"""Letters that Unicode does not take apart into a letter and an accent."""


def fold_letters(text: str) -> str:
    """Return a text in lower case without accents, with all other signs: `lucja & zoe` for `Łucja & Zoë`."""
    if text.isascii():
        return text.lower()
    letters = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return letters.casefold().translate(_UNDIVIDED)


def plain(text: str) -> str:
    """Return a text as words are compared: in capitals, without accents, with single spaces and a plain minus."""
    upper = " ".join(text.upper().split())
    return upper if upper.isascii() else fold_letters(upper.translate(_SIGNS)).upper()


@cache
def _rows() -> list[tuple[Kind, str, str, list[str]]]:
    """Return the table: kind, meaning, dialect and spellings as written."""
    table = resource("grammars", "words.toml").read_text("utf-8")
    kinds: dict[Any, dict[str, dict[str, str]]] = tomllib.loads(table)
    return [
        (kind, meaning, dialect, re.split(r",\s*", listed))
        for kind, meanings in kinds.items()
        for meaning, dialects in meanings.items()
        for dialect, listed in dialects.items()
    ]


@cache
def dialects() -> tuple[str, ...]:
    """Return the names of the dialects, English first."""
    return tuple(dict.fromkeys(["english", *(dialect for _, _, dialect, _ in _rows() if dialect != _EVERY)]))


@cache
def shipped(kind: Kind, dialect: str = "english") -> Words:
    """Return the words that a dialect of the table has for itself."""
    chosen = [(meaning, words) for its, meaning, name, words in _rows() if its == kind and name in {dialect, _EVERY}]
    return {plain(word): meaning for meaning, words in chosen for word in words}


@cache
def _shared(kind: Kind) -> Words:
    """Return the words of two letters or more that mean the same in all dialects that have them."""
    found: dict[str, set[str]] = {}
    for word, meaning in chain.from_iterable(shipped(kind, dialect).items() for dialect in dialects()):
        found.setdefault(word, set()).add(meaning)
    return {word: meanings.pop() for word, meanings in found.items() if len(word) > 1 and len(meanings) == 1}


@dataclass(frozen=True)
class Club:
    """The club's own words.

    They are a dialect too, over the words of the club's language, and every other dialect has those of them that it has
    no meaning of its own for.

    Attributes:
        language: the dialect that a text is in where it leaves that open.
        words: kind, word and meaning of each.
        dates: what comes first in dates that leave it open.
        pages: the dialect of the language of the pages, in which people type if `language` does not say another one.
    """

    language: str | None = None
    words: tuple[tuple[str, str, str], ...] = ()
    dates: DayOrder | None = None
    pages: str | None = None

    def of(self, kind: Kind) -> Words:
        """Return the words of a kind."""
        return {plain(word): meaning for its, word, meaning in self.words if its == kind}

    def names(self) -> tuple[str, ...]:
        """Return the names of all dialects, this one the last."""
        return (*dialects(), *([_CLUBS_OWN] if self.words else []))

    def own(self, kind: Kind, dialect: str) -> Words:
        """Return the words that a dialect has for itself."""
        return (
            {**shipped(kind, self.language or "english"), **self.of(kind)}
            if dialect == _CLUBS_OWN
            else shipped(kind, dialect)
        )

    def preferred(self) -> str | None:
        """Return the dialect that a text is in where it leaves that open."""
        return _CLUBS_OWN if self.language and self.words else self.language


_CLUB: ContextVar[Club] = ContextVar("club", default=Club())  # noqa: B039 - nothing changes it


@contextmanager
def spoken(club: Club) -> Iterator[None]:
    """Add a club's own words to every dialect while files are read."""
    token = _CLUB.set(club)
    try:
        yield
    finally:
        _CLUB.reset(token)


@dataclass(frozen=True)
class Dialect:
    """What the words of one text mean.

    Attributes:
        names: the dialects that it may be in, the likeliest first. A word that means different things in them means
            nothing. Without any, the words are those of the standards alone.
        club: the club's own words.
    """

    names: tuple[str, ...] = ()
    club: Club = Club()

    @cache  # noqa: B019 - there are few dialects
    def words(self, kind: Kind) -> Words:
        """Return the meaning of each word: its own, else that of English, the shared one, or the club's."""
        if not self.names:
            return shipped(kind)
        own = chain.from_iterable(self.club.own(kind, name).items() for name in reversed(self.names))
        known = {**self.club.of(kind), **_shared(kind), **shipped(kind), **dict(own)}
        unsure = self.unsure(kind)
        return {word: meaning for word, meaning in known.items() if word not in unsure}

    def own_word(self, kind: Kind, meaning: str) -> str:
        """Return the first word that the likeliest dialect itself has for a meaning; the meaning where it has none."""
        own = self.club.own(kind, self.names[0]) if self.names else {}
        return next((word for word, of in own.items() if of == meaning), meaning)

    def unsure(self, kind: Kind) -> dict[str, dict[str, str]]:
        """Return what each word that the dialects disagree on means in them."""
        found: dict[str, dict[str, str]] = {}
        for name in self.names[: len(self.names) > 1 and None]:
            for word, meaning in self.club.own(kind, name).items():
                found.setdefault(word, {})[name] = meaning
        return {word: by for word, by in found.items() if len({*by.values()}) > 1}

    def spellings(self, kind: Kind, *meanings: str) -> tuple[str, ...]:
        """Return the words with some meanings, else all of a kind, the longest first: in this order to be tried."""
        chosen = [word for word, meaning in self.words(kind).items() if not meanings or meaning in meanings]
        return tuple(sorted(chosen, key=len, reverse=True))

    def pattern(self, kind: Kind, *meanings: str) -> str:
        """Return `spellings` as a regular expression for texts in capitals, or in any case with the flag for that."""
        return f"(?:{'|'.join(map(re.escape, self.spellings(kind, *meanings)))})"

    def result_pattern(self) -> str:
        """Return the regular expression of a contract, with declarer, tricks and lead, for texts in capitals."""
        return _result(*(tuple(self.words(kind).items()) for kind in _OF_RESULTS)).pattern

    def read(self, form: Form, text: str) -> str | None:
        """Return a value in overtrick's own spelling, `4SX` for `4P*`; None for what cannot be read.

        Args:
            form: what the value is.
            text: the value.
        """
        said = plain(text.translate(_BRACKETS)) if form == "contract" else plain(text)
        return _respell(form, said, {kind: self.words(kind) for kind in _KINDS[form]})

    def readings(self, form: Form, text: str) -> dict[str, str]:
        """Return what a value would be in each dialect that the text may be in; nothing where there is no doubt."""
        if len(self.names) < 2 or self.read(form, text) is not None:
            return {}
        read = {name: Dialect((name,), self.club).read(form, text) for name in self.names}
        return {name: value for name, value in read.items() if value is not None}

    def terminals(self) -> str:
        """Return the terminals that match words, as a grammar writes them: `STRAIN: /NT|N|S|H|D|C/i`."""
        words = {name: self.spellings(kind, *meanings) for name, (kind, meanings) in _TERMINALS.items()}
        return "".join(f"{name}: /{'|'.join(map(re.escape, listed))}/i\n" for name, listed in words.items())


ENGLISH: Final = Dialect()
"""What the readers of columns use: the words of the standards, and nothing else to try."""

_TERMINALS: Final[Mapping[str, tuple[Kind, tuple[str, ...]]]] = {
    "PASS": ("call", ("Pass",)),
    "DOUBLE": ("call", ("X",)),
    "REDOUBLE": ("call", ("XX",)),
    "STRAIN": ("strain", ()),
    "SUIT": ("strain", ("S", "H", "D", "C")),
    "RANK": ("rank", ()),
    "SEAT_WORD": ("seat", ()),
}
"""By terminal of the grammars, the words that it matches."""
_OF_RESULTS: Final[tuple[Kind, ...]] = ("strain", "seat", "call", "joined", "outcome")
"""The kinds of words in a contract with its declarer and tricks, as `_result` takes them."""
_KINDS: Final[Mapping[Form, tuple[Kind, ...]]] = {
    "contract": ("strain", "outcome", "seat", "call", "joined", "rank"),
    "seat": ("seat",),
    "card": ("strain", "rank"),
    "call": ("strain", "call"),
    "vulnerability": ("vulnerability",),
    "column": ("column",),
}
"""By what a value is, the kinds of words in it."""


def _respell(form: Form, text: str, of: Mapping[Kind, Words]) -> str | None:
    match form:
        case "card":
            return _respell_card(text, of)
        case "contract":
            is_pass = of["outcome"].get(text) == "passed out" or of["call"].get(text) == "Pass"
            return "Pass" if is_pass else _respell_result(text, of)
        case "call" if text not in of["call"]:
            strain = of["strain"].get(text[1:].lstrip()) if text[:1] in _LEVELS else None
            return strain and text[0] + strain
        case "seat" if text.startswith("^"):
            seat = of["seat"].get(text[1:].strip())
            return seat and "^" + seat
    return of[_KINDS[form][-1]].get(text.strip())


def _respell_card(text: str, of: Mapping[Kind, Words]) -> str | None:
    for at in range(1, min(len(text), _LONGEST)):
        suit, rank = of["strain"].get(text[:at].rstrip()), of["rank"].get(text[at:].lstrip())
        if suit and rank and suit != "NT":
            return suit + rank
    return None


def _respell_result(text: str, of: Mapping[Kind, Words]) -> str | None:
    """Respell a denomination, a contract, or one with declarer, tricks and lead: `4SX N +1 DK` for `4S* +1 by N DK`."""
    found = _result(*(tuple(of[kind].items()) for kind in _OF_RESULTS)).fullmatch(text)
    if not found:
        return None
    said = found.groupdict(default="")
    level, doubled, lead = said["level"], said["doubled"] + said["then_doubled"], said["lead"] + said["last_lead"]
    seat, tricks = said["seat"] + said["last_seat"], said["tricks"] + said["first_tricks"]
    card = _respell_card(lead, of) if lead else ""
    won = respell_tricks(tricks, level, of["outcome"]) if tricks else ""
    is_twice = (said["doubled"] and said["then_doubled"]) or (said["first_seat"] and seat)
    if card is None or won is None or (seat and not level) or is_twice:
        return None
    crosses, seat = of["call"].get(doubled) or doubled.replace("*", "X"), seat or said["first_seat"]
    parts = [level + of["strain"][said["strain"]] + crosses, of["seat"].get(seat, ""), won, card]
    return " ".join(filter(None, parts))


def respell_tricks(text: str, level: str, outcomes: Words) -> str | None:
    """Respell tricks: `-1` for `1 off`, `=` for `made`, in a contract of four `+1` for `made 5`, `10` for `made 10`.

    Returns:
        None for a text that says none of these, or may mean two things: `made 7` in a contract below seven.
    """
    found = _TRICKS.fullmatch(text)
    word = found and (found[1] or found[3])
    if not found or (found[1] and found[3]):
        return None
    outcome, number = outcomes.get(word or "", word), found[2]
    if outcome != "=" or not number:
        return f"{outcome}{number}" if outcome == "=" or (number and outcome in {"", "+", "-"}) else None
    if int(number) > 7:
        return number
    over = int(number) - int(level or 7)
    return f"+{over}" if over >= 0 and (number != "7" or level == "7") else None


@cache
def _result(*words: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """Compile what a contract may be written with: the words for strains, seats, calls, and "by"."""

    def match(listed: tuple[tuple[str, str], ...], *meanings: str) -> str:
        chosen = [word for word, meaning in listed if not meanings or (meaning in meanings and len(word) > 1)]
        return "|".join(map(re.escape, sorted(chosen, key=len, reverse=True)))

    strains, seats, calls, joined, outcomes = words
    crosses = rf"XX|X|\*\*|\*|{match(calls, 'X', 'XX')}"
    by, seat = rf"[\s,;/]*(?:(?:{match(joined, 'by')})\s+|-\s*)?", match(seats)
    made, sign, number, lead = match(outcomes, "="), match(outcomes, "+", "-"), "[0-9]{1,2}", "[^\\s0-9=+-].*"
    tricks = rf"(?=[A-Z])(?:{made})\s*{number}|=|{made}|(?:[+-]|{sign})\s*{number}|{number}\s*(?:{sign})|{number}"
    return re.compile(
        rf"(?:(?P<first_seat>{seat})[\s,;/:]*(?=[1-7]))?"
        rf"(?P<level>[1-7]?)\s*(?P<strain>{match(strains)})\s*(?P<doubled>{crosses})?"
        rf"(?:\s*(?P<first_tricks>{tricks}){by}(?P<last_seat>{seat})(?:[\s,]+(?P<last_lead>{lead}))?"
        rf"|(?:{by}(?P<seat>{seat})(?:\s*(?P<then_doubled>{crosses}))?[\s,;/]*)?"
        rf"(?:\s*(?P<tricks>{tricks})(?:\s*,?\s*(?P<lead>{lead}))?)?)"
    )


def decide(values: Mapping[Form, Iterable[str]]) -> Dialect:
    """Return the dialect of a text, from all of its values: the one in which most distinct ones can be read.

    The headers of its columns, then the club's language, decide between dialects that read as many. Where these leave
    it open, it is English, unless another one reads what English does not: then what they disagree on stays unread.

    Args:
        values: the text's values by what they are.
    """
    club = _CLUB.get()
    found = {form: {plain(text) for text in texts} for form, texts in values.items()}
    headers: dict[Form, set[str]] = {"column": found.pop("column", set())}
    best = {name: _find_read(name, club, found) for name in club.names()}
    for counted in (best, {name: _find_read(name, club, headers) for name in best}):
        most = max(len(counted[name]) for name in best)
        best = {name: read for name, read in best.items() if len(counted[name]) == most}
    if (preferred := club.preferred()) in best:
        return Dialect((str(preferred),), club)
    no_other_reads_more = "english" in best and all(read <= best["english"] for read in best.values())
    return Dialect(("english",) if no_other_reads_more else tuple(best), club)


def _find_read(dialect: str, club: Club, values: Mapping[Form, set[str]]) -> set[tuple[Form, str]]:
    """Return the values that a dialect reads with words of its own."""
    of = {kind: club.own(kind, dialect) for form in values for kind in _KINDS[form]}
    each = ((form, text) for form, texts in values.items() for text in texts)
    return {(form, text) for form, text in each if _respell(form, text, of) is not None}


def list_readings(read: Mapping[str, str]) -> str:
    """Return what `Dialect.readings` found, for a message: `4H in French, 4C in English`."""
    return ", ".join(f"{value} in {name.capitalize()}" for name, value in read.items())


def current_club() -> Club:
    """Return the words of the club whose files are read."""
    return _CLUB.get()


@cache
def club_dialect(club: Club) -> Dialect:
    """Return what a single value means that somebody of the club types."""
    return Dialect((club.preferred() or club.pages or "english",), club)


@cache
def all_words(kind: Kind, club: Club) -> Words:
    """Return the words of all dialects and the club's own, for a kind whose words mean the same in all."""
    every = chain.from_iterable(shipped(kind, name).items() for name in reversed(dialects()))
    return {**dict(every), **club.of(kind)}
