"""Problems in the language of the pages.

A problem is data in English (`frames.PROBLEMS`). Its values are found again in its sentence, and the translation places
them. Some values are parts of a sentence themselves. The catalogues of the languages have sentences, hints and parts;
what they lack stays English, and so does a sentence of another form, such as one of a plugin.
"""

import re
from collections.abc import Mapping
from string import Formatter
from typing import Final

from overtrick.core.languages import Language, open_language
from overtrick.core.problems import CODES
from overtrick.show.text.sentences import translate_sentence

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
    sentences = (CODES[code].sentence, CODES[code].habit) if code in CODES and len(message) <= _LONGEST else ()
    for sentence in filter(None, sentences):
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
            said[name] = _say(spoken, value)
    return said


def _say_part(language: str, value: str) -> str:
    """Return a part of a sentence in a language: `il n’y a pas encore d’enchère`; in English where there is none."""
    spoken = open_language(language)
    for english, said in spoken.parts.items():
        if len(value) <= _LONGEST and (found := _form(english).fullmatch(value)):
            return said.format_map(_say_all(spoken, found.groupdict()))
    return value


def _say(spoken: Language, value: str) -> str:
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
