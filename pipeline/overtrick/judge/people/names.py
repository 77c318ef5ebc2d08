"""Names of players as they are compared: without case, accents and signs."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from overtrick.core.notation import BETWEEN

_LETTERS: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i", "ħ": "h", "ŧ": "t"}
)
"""Letters that Unicode does not take apart into a letter and an accent."""

_SIGNS: Final = re.compile("['`\u2019\u2018\u00b4\u02bc]")
_OTHER: Final = re.compile(r"[^\w]+|_+")
_NOBODY: Final = re.compile(
    r"(?:pair|player|team|table|ghost|phantom|sit ?out|bye|sub|substitute|robot|gib|unknown|nobody|guest|visitor|dummy"
    r"|north|south|east|west|ns|ew|n|s|e|w|a|b)(?: ?[0-9]+)?|[0-9]+|",
)
"""What programs write in place of a name."""


@lru_cache(maxsize=65536)
def fold_name(name: str) -> str:
    """Return a name for comparison: lower case, no accents, no apostrophes, words between single blanks.

    `Łucja  O’Neill-Šimić` becomes `lucja oneill simic`.
    """
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(_OTHER.sub(" ", _SIGNS.sub("", letters)).split())


def fold_number(number: str) -> str:
    """Return a membership number for comparison: no blanks, no leading zeros; empty for one that is only zeros."""
    return "".join(number.split()).casefold().lstrip("0")


def is_person(name: str) -> bool:
    """Return whether a text names somebody, unlike `Pair 3` or `?`."""
    return not _NOBODY.fullmatch(fold_name(name))


def split_pair(names: str | None, numbers: str | None) -> Iterator[tuple[str, str]]:
    """Yield name and number of each player of a pair; an unknown one is empty.

    Args:
        names: `Ada Quill - Ben Moss`.
        numbers: `12 - 7`; not used unless there is one for each name.
    """
    people = names.split(BETWEEN) if names else []
    listed = numbers.split(BETWEEN) if numbers else []
    # A number of the pair without its names is that of nobody in particular.
    if len(listed) != len(people):
        listed = [""] * len(people)
    for name, number in zip(people, listed, strict=True):
        yield name, fold_number(number)
