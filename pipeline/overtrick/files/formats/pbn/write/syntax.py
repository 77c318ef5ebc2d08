"""How PBN spells things: tags, line lengths, characters (PBN 2.2, 2.3, 3.1)."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

import polars as pl

LINE_LIMIT: Final = 253
"""Characters of a line without its end: 255 with the two of that (2.3)."""

FOREIGN: Final = r"[^\n -~\x{a0}-\x{ff}]"
"""A character that export form cannot hold: beyond ISO 8859-1, or one of its controls (2.2)."""

_TO_ESCAPE: Final = re.compile(r'"|\\(?=["\\]|\Z)')
_SPELLED: Final = str.maketrans(
    {
        **dict.fromkeys("\t\v\f", " "),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", "''"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict(zip("♠♥♦♣♤♡♢♧", "SHDCSHDC", strict=True)),
        **dict(zip("łŁđĐıħĦŋŊŧŦ", "lLdDihHnNtT", strict=True)),
        "œ": "oe",
        "Œ": "OE",
        "€": "EUR",
        "•": "\xb7",
        "\ufeff": "",
    }
)


def map_texts(texts: pl.Series, pattern: str, change: Callable[[str], str]) -> pl.Series:
    """Change the texts that match `pattern`, each distinct one once; the others stay."""
    distinct = texts.filter(texts.str.contains(pattern)).unique()
    if distinct.is_empty():
        return texts
    return texts.replace(distinct, pl.Series([change(text) for text in distinct.to_list()], dtype=pl.String))


def escape(value: str) -> str:
    r"""Return the value of a tag as it is between quotes: `\"` for a quote."""
    return _TO_ESCAPE.sub(r"\\\g<0>", value)


def write_tags(names: pl.Series, values: pl.Series) -> pl.Series:
    r"""Write tags: `[Name "value"]`, with `\"` for a quote; a backslash is doubled where it would escape something."""
    escaped = map_texts(values, r'["\\]', escape)
    return pl.select(pl.format('[{} "{}"]', names, escaped)).to_series()


def respell(text: str) -> str:
    """Write a text in the characters of ISO 8859-1: `Kovář` as `Kovár`, one without a near letter as `U+4E2D`."""
    return "".join(char if _fits(char) else _near(char) for char in text.translate(_SPELLED))


def _fits(char: str) -> bool:
    return char == "\n" or " " <= char <= "~" or "\xa0" <= char <= "\xff"


def _near(char: str) -> str:
    if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Mn"}:
        return ""
    near = "".join(part for part in unicodedata.normalize("NFKD", char) if _fits(part))
    return near or f"U+{ord(char):04X}"


def wrap(comment: str) -> str:
    """Break the long lines of a comment at blanks (2.3); a `;` comment continues as another one."""
    lead = "; " if comment.startswith(";") else ""
    lines = comment.split("\n")
    return "\n".join(piece for line in lines for piece in _broken(line, lead))


def _broken(line: str, lead: str) -> list[str]:
    pieces = []
    while len(line) > LINE_LIMIT:
        # Where a brace is never closed, the comment ends before a line that begins with a bracket.
        blanks = (match.start() for match in re.finditer(r"(?<=\S) (?![\[ ])", line[: LINE_LIMIT + 2]))
        at = max((blank for blank in blanks if len(lead) < blank <= LINE_LIMIT), default=0)
        if not at:
            break
        pieces.append(line[:at])
        line = lead + line[at + 1 :]
    return [*pieces, line]
