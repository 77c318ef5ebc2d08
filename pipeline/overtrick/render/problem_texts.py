"""Problems in the language of the pages: `templates/languages/problems.CODE.toml` has a sentence and a hint by code.

A problem is data in English (`frames.PROBLEMS`). Its values are found again in its sentence, and the translation places
them. Some values are parts of a sentence themselves: `parts.CODE.toml` has them. A sentence of another form, such as
one of a plugin, stays English.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from string import Formatter
from typing import Any, Final

from overtrick.machine import resource
from overtrick.problems import CODES
from overtrick.render.languages import Language, open_language
from overtrick.render.sentences import translate_sentence

_VALUE: Final = "(?s:.*?)"
_VALUES: Final = {"at": r"(?s:(?:\D.*?)?)"}
"""What a value can be: in `round 12, section B` the end follows a number."""
_OF_THE_GAME: Final = frozenset(
    """
    caller contract dealer declarer direction due first fits holder leader meeting other_side outcome pairs player seat
    second side strain turn unit what
    """.split()
)
"""Placeholders whose values are seats, sides, meetings and contracts; others quote the file."""
_PARTS: Final = frozenset({"at", "expected", "fault", "named", "reason"})
"""Placeholders whose values are parts of a sentence: `there is no bid yet`."""
_REMEMBERED: Final = 1024
_LONGEST: Final = 2000
"""Characters of a sentence that is taken apart."""


def translate_message(language: str, message: str, code: str) -> str:
    """Return the sentence of a problem in a language: `plateau 7 : la donne ...`; in English where there is none."""
    said = open_texts(language).get(code) if len(message) <= _LONGEST else None
    found = said and _form(CODES[code].sentence).fullmatch(message)
    if not said or not found:
        return message
    return said[0].format_map(_say_all(open_language(language), found.groupdict()))


def _say_all(spoken: Language, values: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a sentence in a language, by placeholder."""
    said = dict(values)
    for name, value in values.items():
        if name in _PARTS:
            said[name] = _say_part(spoken.code, value)
        elif name in _OF_THE_GAME:
            said[name] = _say(spoken, value)
    return said


@lru_cache(_REMEMBERED)
def _say_part(language: str, value: str) -> str:
    """Return a part of a sentence in a language: `il n’y a pas encore d’enchère`; in English where there is none."""
    for english, said in open_parts(language).items():
        if len(value) <= _LONGEST and (found := _form(english).fullmatch(value)):
            return said.format_map(_say_all(open_language(language), found.groupdict()))
    return value


def _say(spoken: Language, value: str) -> str:
    """Return a value of the game in a language: `Ouest`, `3 contre 4`, `4♠ par N, 10 levées`."""
    said = translate_sentence(spoken, value)
    return said if said != value else spoken.translate_terms(spoken.translate(value))


def translate_hint(language: str, hint: str, code: str) -> str:
    """Return the hint of a problem in a language; in English where there is none, or if it is not that of the code."""
    said = open_texts(language).get(code)
    return said[1] if said and hint == CODES[code].hint else hint


@cache
def open_texts(language: str) -> Mapping[str, tuple[str, str]]:
    """Return the sentence and the hint of each code in a language; nothing for English."""
    return {code: (sentence, hint) for code, (sentence, hint) in _read("problems", language).items()}


@cache
def open_parts(language: str) -> Mapping[str, str]:
    """Return the parts of sentences in a language, by the English; nothing for English."""
    return _read("parts", language)


def _read(name: str, language: str) -> dict[str, Any]:
    path = resource("templates", "languages") / f"{name}.{language}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


@cache
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
