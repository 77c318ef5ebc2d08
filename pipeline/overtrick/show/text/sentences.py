"""Sentences about changes, entries and problems, in the language of the pages.

Corrections, published histories and problems keep them in English (`correct.words`, `frames.PROBLEMS`); pages translate
them part by part, and the values in a sentence are found again in it. A text that is not in a known form, such as a
name or the sentence of a plugin, stays as it is.
"""

import re
from collections.abc import Mapping
from string import Formatter
from typing import Final

from overtrick.core.languages import Language, open_language
from overtrick.core.problems import CODES
from overtrick.show.text.display import capitalise

_CONTRACT: Final = "[1-7](?:NT|[♣♦♥♠])X{0,2}"
FORMS: Final[tuple[tuple[str, str], ...]] = (
    (
        r"expected a score for each side, such as 60/40 or A\+/A-, got (?P<text>.+)",
        "expected a score for each side, such as 60/40 or A+/A-, got %(text)s",
    ),
    *(
        (f"expected the {lacks} too, such as (?P<result>.+)", f"expected the {lacks} too, such as %(result)s")
        for lacks in ("tricks", "declarer and the tricks")
    ),
    (
        r"expected = or a sign: (?P<one>[^,]+), (?P<other>.+) for (?P<number>[0-9]+) tricks",
        "expected = or a sign: %(one)s, or %(other)s for %(number)s tricks",
    ),
    (r"(?P<result>[1-7].+) if (?P<number>[1-7]) was made", "%(result)s if %(number)s was made"),
    (r"(?P<result>[1-7].+) for overtricks", "%(result)s for overtricks"),
    (rf"(?P<contract>{_CONTRACT}) (?P<seat>[NESW]) = or -1", "%(contract)s %(seat)s = or -1"),
    (rf"(?P<contract>{_CONTRACT}) (?P<seat>[NESW]) (?P<made>=|[+-][0-9]+)", "%(contract)s %(seat)s %(made)s"),
    *(
        (f"expected a {kind}, got (?P<text>.+)", f"expected a {kind}, got %(text)s")
        for kind in ("number", "whole number")
    ),
    *((f"{word}: (?P<what>.+)", f"{word}: %(what)s") for word in "removed added title date club names".split()),
    (
        r"fouled: (?P<pairs>.+) N-S are compared only with each other",
        "fouled: %(pairs)s N-S are compared only with each other",
    ),
    (r"cards: (?P<cards>.+)", "cards: %(cards)s"),
    (r"(?P<name>.+) is not the name of a file", "%(name)s is not the name of a file"),
    (r"(?P<name>.+): a file can't have this name; rename it", "%(name)s: a file can't have this name; rename it"),
    (r"names of (?P<who>[^:]+): (?P<what>.+)", "names of %(who)s: %(what)s"),
    (r"scored as (?P<what>.+)", "scored as %(what)s"),
    *((f"(?P<count>[0-9]+) results {how}", f"%(count)s results {how}") for how in ("changed", "removed", "added")),
    (r"(?P<new>[^:]+) in place of (?P<old>[^:]+): (?P<what>.+)", "%(new)s in place of %(old)s: %(what)s"),
    (r"(?P<one>[^:]+) against (?P<other>[^:]+): (?P<what>.+)", "%(one)s against %(other)s: %(what)s"),
    (r"(?P<new>.+) in place of (?P<old>.+)", "%(new)s in place of %(old)s"),
    (r"(?P<contract>[1-7][^:]+): (?P<what>[0-9]+ tricks?)", "%(contract)s: %(what)s"),
    (r"(?P<one>.+) sat N-S and (?P<other>.+) E-W", "%(one)s sat N-S and %(other)s E-W"),
    (r"(?P<who>.+) loses (?P<amount>[^ ]+(?: points?| of a top)?)", "%(who)s loses %(amount)s"),
    (r"(?P<who>.+) brings (?P<amount>.+) from an earlier stage", "%(who)s brings %(amount)s from an earlier stage"),
    (r"(?P<who>.+) has a handicap of (?P<amount>[^ ]+)", "%(who)s has a handicap of %(amount)s"),
    (r"(?P<who>.+) wins the tie by lot", "%(who)s wins the tie by lot"),
    (r"(?P<who>.+) wins the tie on extra boards, (?P<score>.+)", "%(who)s wins the tie on extra boards, %(score)s"),
    (r"(?P<who>.+) wins the tie on extra boards", "%(who)s wins the tie on extra boards"),
    (
        r"(?P<one>.+) played for (?P<other>.+) on boards? (?P<boards>[0-9 ,-]+)",
        "%(one)s played for %(other)s: %(boards)s",
    ),
    (r"(?P<one>.+) played for (?P<other>.+)", "%(one)s played for %(other)s"),
    (r"(?P<ns>[^ ]+) for N-S and (?P<ew>[^ ]+) for E-W", "%(ns)s for N-S and %(ew)s for E-W"),
    (r"(?P<one>[0-9]+/[0-9]+ of .+) and (?P<other>[0-9]+/[0-9]+ of .+)", "%(one)s and %(other)s"),
    (r"(?P<points>[+-]?[0-9/]+(?: of [+-][0-9]+)?) for N-S", "%(points)s for N-S"),
    (r"(?P<weight>[0-9]+/[0-9]+) of (?P<score>[+-][0-9]+)", "%(weight)s of %(score)s"),
    (r"(?P<contract>[1-7][^,]+), (?P<what>[0-9]+ tricks?|[+-][0-9]+ for N-S)", "%(contract)s, %(what)s"),
    (rf"(?P<contract>{_CONTRACT}) by (?P<seat>[NESW])", "%(contract)s by %(seat)s"),
    (r"lead (?P<card>[♣♦♥♠].+)", "lead %(card)s"),
    (r"(?P<one>[^ ]+(?: - .+)?) against (?P<other>.+)", "%(one)s against %(other)s"),
    (r"(?P<card>[♣♦♥♠][^ ]+) to (?P<seat>North|East|South|West)", "%(card)s to %(seat)s"),
    (r"(?P<one>.+ to (?:North|East|South|West)) and (?P<other>.+)", "%(one)s and %(other)s"),
    (r"(?P<amount>[0-9.]+) points?", "%(amount)s points"),
    (r"(?P<amount>[0-9.]+) of a top", "%(amount)s of a top"),
    (r"(?P<amount>[0-9.]+) of top (?P<top>[0-9.]+)", "%(amount)s of top %(top)s"),
    *((f"{kind} (?P<number>[^ ]+)", f"{kind} %(number)s") for kind in ("pair", "team", "player")),
)
"""The forms of sentences and their parts, each with its English as catalogues have it; the first that fits counts."""

PHRASES: Final = (
    *("passed out", "not played", "bye", "no result", "nothing", "other cards", "scored by other rules"),
    *("a name was corrected", "other settings, or another version of overtrick", "entered wrongly"),
    *("North", "East", "South", "West", "expected a board", "expected the pairs that sat N-S and E-W"),
    "expected contract, declarer and tricks such as 4SN+1, or P, NP, 60/40, -100",
    "type NP for a board that was not played; to remove a result, open it",
    "say why: open the result and give the reason for this score",
)
"""Parts that are translated as a whole."""

_FORMS: Final = tuple((re.compile(form), english) for form, english in FORMS)
_FIRST: Final = re.compile("(?:removed|added|fouled|cards|title|date|club|names|scored|lead|pair|team|player)[: ]")
_TRICKS: Final = re.compile(r"([0-9]+) tricks?")
_CALL: Final = re.compile(f"{_CONTRACT}|[NESW]")


def translate_sentence(spoken: Language, text: str) -> str:
    """Return a sentence about a change in another language: `4♠ par N : 10 levées au lieu de 9`."""
    if spoken.code == "en":
        return text
    lower = text[:1].lower() + text[1:]
    if lower == text or not (lower in PHRASES or _FIRST.match(lower)):
        return _say(spoken, text)
    # Only sentences without a board begin with a capital letter.
    return capitalise(_say(spoken, lower))


def _say(spoken: Language, text: str) -> str:
    if text in PHRASES:
        return spoken.translate(text)
    if _CALL.fullmatch(text):
        return spoken.translate_terms(text)
    if found := _TRICKS.fullmatch(text):
        return spoken.format_count(int(found[1]), "%(num)s trick", "%(num)s tricks")
    for form, english in _FORMS:
        if found := form.fullmatch(text):
            parts = {name: _say(spoken, part) for name, part in found.groupdict().items()}
            return spoken.translate(english) % parts
    return text


_VALUE: Final = "(?s:.*?)"
_VALUES: Final = {"at": "(?s:(?:[^0-9].*?)?)"}
"""The patterns of values: in `round 12, section B` the end follows a number."""
_OF_THE_GAME: Final = frozenset(
    """
    caller contract dealer declarer direction due first fits holder leader meeting other_side outcome pairs player seat
    second side strain turn unit what
    """.split()
)
"""Placeholders whose values are seats, sides, meetings and contracts; others quote the file."""
_PARTS: Final = frozenset({"at", "expected", "fault", "named", "reason"})
"""Placeholders whose values are parts of a sentence: `there is no bid yet`."""
_LONGEST: Final = 2000
"""Characters of a sentence that is taken apart."""


def translate_message(spoken: Language, message: str, code: str) -> str:
    """Return the sentence of a problem in a language: `plateau 7 : la donne ...`; in English where there is none."""
    if code not in CODES or len(message) > _LONGEST:
        return message
    # A longer sentence of a code can begin like a shorter one, whose last value would be all of its end.
    for sentence in sorted((CODES[code].habit, *(text.sentence for text in CODES[code].texts)), key=len, reverse=True):
        said, found = spoken.problems.get(sentence), _form(sentence).fullmatch(message)
        if said and found:
            return said.format_map(_say_all(spoken, found.groupdict()))
    return message


def _say_all(spoken: Language, values: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a sentence in a language, by placeholder."""
    said = dict(values)
    for name, value in values.items():
        if name in _PARTS:
            said[name] = _say_part(spoken.code, value)
        elif name in _OF_THE_GAME:
            said[name] = _say_value(spoken, value)
    return said


def _say_part(language: str, value: str) -> str:
    """Return a part of a sentence in a language: `il n’y a pas encore d’enchère`; in English where there is none."""
    spoken = open_language(language)
    for english, said in spoken.parts.items():
        if len(value) <= _LONGEST and (found := _form(english).fullmatch(value)):
            return said.format_map(_say_all(spoken, found.groupdict()))
    return value


def _say_value(spoken: Language, value: str) -> str:
    """Return a value of the game in a language: `Ouest`, `3 contre 4`, `4♠ par N, 10 levées`."""
    said = translate_sentence(spoken, value)
    return said if said != value else spoken.translate_terms(spoken.translate(value))


def _form(sentence: str) -> re.Pattern[str]:
    """Return a pattern with a group for each placeholder; a placeholder that comes again has the same value."""
    parts: list[str] = []
    known: set[str] = set()
    for text, name, _, _ in Formatter().parse(sentence):
        parts.append(re.escape(text))
        if name:
            parts.append(f"(?P={name})" if name in known else f"(?P<{name}>{_VALUES.get(name, _VALUE)})")
            known.add(name)
    return re.compile("".join(parts))
