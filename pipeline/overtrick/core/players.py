"""The players whom a text names, whatever files write between two of them."""

import re
from functools import cache, lru_cache
from typing import Final

from overtrick.core.notation import BETWEEN
from overtrick.core.words import Club, all_words

_WITHIN_NAMES: Final = re.compile(r"(?<=\S)\s*[-\u2010-\u2012\u2212,]\s*(?=\S)|(?<=\S)\s{2,}(?=\S)")
"""What also stands between two players, but in names too: `Ann Smith-Jones`, `Ash, Ann`."""


@cache
def _between_players() -> re.Pattern[str]:
    # What is in no name: a sign, a dash, or `and` in any language.
    joined = "|".join(word for word, meaning in all_words("joined", Club()).items() if meaning == "and")
    dash = r"\s+[-\u2010-\u2015\u2212]\s+|\s*[\u2013-\u2015]\s*"
    return re.compile(rf"\s*[&+;|/\\·•~\t\n]\s*|\s+(?:{joined})\s+|{dash}", re.IGNORECASE)


@lru_cache(maxsize=65536)
def split_players(text: str) -> tuple[str, ...]:
    """Return the players whom a text names: `Ann Ash` and `Bo Beck` of `Ann Ash & Bo Beck`; an unknown one is empty.

    A hyphen, a comma or a wide gap parts players only if both have two words or more, so `Ann Smith-Jones` and
    `Ash, Ann` are one player each.
    """
    if BETWEEN in text:
        return tuple(text.split(BETWEEN))
    parts = tuple(filter(None, map(str.strip, _between_players().split(text))))
    if len(parts) > 1:
        return parts
    pieces = [piece.strip() for piece in text.split(",")]
    if len(pieces) == 4 and all(len(piece.split()) == 1 for piece in pieces):
        return f"{pieces[0]}, {pieces[1]}", f"{pieces[2]}, {pieces[3]}"
    for found in _WITHIN_NAMES.finditer(text):
        first, second = text[: found.start()], text[found.end() :]
        if len(first.split()) > 1 < len(second.split()):
            return *split_players(first), *split_players(second)
    return parts


def join_players(text: str) -> str:
    """Return the players of a text with ` - ` between them, as frames have them."""
    return BETWEEN.join(split_players(text))
