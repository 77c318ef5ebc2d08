"""How people write a contestant: `3`, `3 NS`, `NS3`, `A3 EW`, or names; and whom they may mean.

A contestant is section, line and number. Commands, forms, settings and corrections files all find one here. Two
players are told apart here too, whatever stands between their names.
"""

import re
from functools import cache, lru_cache
from typing import Final

import polars as pl

from overtrick.core.frames import Contestants, Seats
from overtrick.core.notation import BETWEEN
from overtrick.core.words import Club, all_words, fold_letters

_LINE: Final = r"(NS|EW|N-S|E-W|N/S|E/W)"
_FORM: Final = re.compile(rf"(?:{_LINE}[\s:]*)?(.*?)(?:\s*{_LINE})?", re.IGNORECASE)


def find_contestants(text: str, listed: Contestants) -> Contestants:
    """Return the rows of contestants that a text may mean, each once; several if it fits several.

    Args:
        text: a number, alone or with line and section; or names or a part of them, in small or capital letters.
        listed: all contestants.
    """
    known = listed.unique(["contestant", "section", "direction"], keep="first", maintain_order=True)
    written = " ".join(text.split())
    same = known.filter(pl.col("contestant") == written)
    if len(same):
        return same
    first, number, last = _match(written)
    numbered = _find_by_number(number, known)
    if numbered.is_empty():
        return _find_by_names(written, known)
    line = re.sub("[-/]", "", first or last or "").upper()
    return numbered.filter(pl.col("direction").is_null() | (pl.col("direction").cast(pl.String) == line) | (line == ""))


def _find_by_number(number: str, known: Contestants) -> Contestants:
    """Return the contestants of a number, or of a section and a number: `A3`."""
    in_section = pl.concat_str(pl.col("section").fill_null(""), "contestant").str.to_lowercase()
    is_number = pl.col("contestant").str.to_lowercase() == number.lower()
    return known.filter(is_number | (in_section == number.replace(" ", "").lower()))


def _find_by_names(written: str, known: Contestants) -> Contestants:
    """Return the contestants whose names fit best: whole names before parts, words of one player before two."""
    asked, names = _fold(written), [_fold(name or "") for name in known["names"]]
    words = asked.replace(" - ", " ").split()
    fits = (
        lambda name: name == asked,
        lambda name: asked in name,
        lambda name: any(all(word in player for word in words) for player in name.split(" - ")),
        lambda name: all(word in name for word in words),
    )
    found = ([fit(name) for name in names] for fit in fits if words)
    return known.filter(next((each for each in found if any(each)), [False] * len(names)))


def _match(text: str) -> tuple[str | None, str, str | None]:
    found = _FORM.fullmatch(text)
    return (None, text, None) if found is None else (found[1], (found[2] or "").strip(), found[3])


def _fold(text: str) -> str:
    return " ".join(fold_letters(text).split())


def is_told_apart(listed: Contestants, by: str) -> bool:
    """Return whether one number is that of several contestants, in different sections or directions (`by`)."""
    within = ["contestant", "section"] if by == "direction" else ["contestant"]
    ways = listed.group_by(within).agg(pl.col(by).drop_nulls().n_unique())
    return bool((ways[by] > 1).any())


def name_contestant() -> pl.Expr:
    """Return how messages name a row of contestants: `A3 NS`; section and line are left out where they are null."""
    return pl.concat_str("section", "contestant", pl.lit(" ") + pl.col("direction").cast(pl.String), ignore_nulls=True)


def by_line(seated: Seats) -> Seats:
    """Return seats with the line by which each contestant is listed as its `direction`, in place of where it sat."""
    if "listed" not in seated.columns or seated["listed"].null_count() == len(seated):
        return seated
    return seated.with_columns(pl.coalesce("listed", "direction").alias("direction"))


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
