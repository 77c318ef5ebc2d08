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

_VALUE: Final = "(?s:.*?)"


def translate_message(language: str, code: str, message: str) -> str:
    """Return the sentence of a problem in a language: `plateau 7 : la donne ...`; in English where there is none."""
    said = open_texts(language).get(code)
    found = said and _form(CODES[code].sentence).fullmatch(message)
    if not said or not found:
        return message
    return said[0].format_map(found.groupdict())


def translate_hint(language: str, code: str, hint: str) -> str:
    """Return the hint of a problem in a language, if it is the one that the code has; in English where there is none."""
    said = open_texts(language).get(code)
    return said[1] if said and hint == CODES[code].hint else hint


@cache
def open_texts(language: str) -> Mapping[str, tuple[str, str]]:
    """Return the sentence and the hint of each code in a language; nothing for English."""
    path = resource("templates", "languages", f"problems.{language}.toml")
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
