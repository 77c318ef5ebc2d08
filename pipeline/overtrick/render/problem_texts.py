"""Problems in the language of the pages: `templates/languages/problems.CODE.toml` has a sentence and a hint by code.

A problem is data in English (`frames.PROBLEMS`). Its values are found again in its sentence, and the translation places
them. A sentence of another form, such as one of a plugin, stays English.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import Final

from overtrick.machine import resource
from overtrick.problems import CODES
from overtrick.render.languages import Language, open_language
from overtrick.render.sentences import translate_sentence

_VALUE: Final = "(?s:.*?)"
_OF_THE_GAME: Final = frozenset(
    """
    caller contract dealer declarer direction due first fits holder leader meeting other_side outcome pairs player seat
    second side strain turn unit what
    """.split()
)
"""Placeholders whose values are seats, sides, meetings and contracts; others quote the file."""
_LONGEST: Final = 2000
"""Characters of a sentence that is taken apart."""


def translate_message(language: str, message: str, code: str) -> str:
    """Return the sentence of a problem in a language: `plateau 7 : la donne ...`; in English where there is none."""
    said = open_texts(language).get(code) if len(message) <= _LONGEST else None
    found = said and _form(CODES[code].sentence).fullmatch(message)
    if not said or not found:
        return message
    spoken = open_language(language)
    values = {name: _say(spoken, value) if name in _OF_THE_GAME else value for name, value in found.groupdict().items()}
    return said[0].format_map(values)


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
    path = resource("templates", "languages") / f"problems.{language}.toml"
    if not path.is_file():
        return {}
    return {code: (sentence, hint) for code, (sentence, hint) in tomllib.loads(path.read_text("utf-8")).items()}


@cache
def _form(sentence: str) -> re.Pattern[str]:
    """Return a pattern with a group for each placeholder; a placeholder that comes again has the same value."""
    parts: list[str] = []
    known: set[str] = set()
    for text, name, _, _ in Formatter().parse(sentence):
        parts.append(re.escape(text))
        if name:
            parts.append(f"(?P={name})" if name in known else f"(?P<{name}>{_VALUE})")
            known.add(name)
    return re.compile("".join(parts))
