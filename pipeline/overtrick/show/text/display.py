"""How values read on pages and terminals: names, numbers with a true minus sign, dates, file names."""

import re
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from pathlib import PurePath
from typing import Final

import polars as pl

from overtrick.core.notation import BETWEEN, clean

MINUS: Final = "\u2212"

FIELDS: Final = {"NS": "North-South", "EW": "East-West", "all": "All contestants"}
"""Titles of the fields that the names of rankings end in."""

MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DATE: Final = re.compile(r"([0-9]{4})[.-]([0-9][0-9]|\?\?)[.-]([0-9][0-9]|\?\?)")
_GAP: Final = 2
_SHORT: Final = 4
_ROOM: Final = 120
"""Characters that a table has room for, beside names; `_GAP` of them part two cells."""
_NOISE: Final = Decimal("1e-9")
_BEYOND: Final = 1e15


def format_names(text: str | None) -> str:
    """Return the players of a pair as pages show them: `Ann Berg – Carl Dahl`."""
    return " – ".join(clean(text).split(BETWEEN))


@lru_cache(maxsize=4096)
def format_number(value: float, places: int = 0) -> str:
    """Return a number with `places` decimals: halves round away from zero, and zero has no sign.

    Float noise below a billionth is removed first, so that 62.125 computed as 62.12499999999999 reads 62.13. NaN,
    infinities and numbers beyond any score read `?`.
    """
    if not abs(value) < _BEYOND:
        return "?"
    exact = Decimal(value).quantize(_NOISE)
    rounded = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{abs(rounded):f}"
    return f"{MINUS}{text}" if rounded < 0 else text


def format_signed(value: float, places: int = 0) -> str:
    """Return a number with its sign: `+620`, `−3`, `0`."""
    text = format_number(value, places)
    return f"+{text}" if value > 0 and text.strip("0.?") else text


def parse_number(text: str) -> float:
    """Return the number that `format_number` or `format_signed` wrote."""
    return float(text.replace(MINUS, "-"))


def format_percentage(value: float | None, places: int = 1) -> str:
    """Return a percentage without the per cent sign; empty for None."""
    return "" if value is None else format_number(value, places)


def format_count(count: int, one: str, many: str) -> str:
    """Return a count with its noun: `1 board`, `2,800 boards`."""
    return f"{count:,} {one if count == 1 else many}"


def format_place(place: int | None, last: int | None) -> str:
    """Return a place: `3`, `4=` when it is shared down to a later one; empty for a contestant that is not ranked."""
    if place is None:
        return ""
    return f"{place}=" if (last or place) > place else str(place)


def count_decimals(values: Sequence[pl.Series]) -> int:
    """Return how many decimals show all these numbers exactly: 0, 1, or 2 where more would be needed."""
    # Most tables are short: Python is faster than columns here.
    known = [value for series in values for value in series.cast(pl.Float64).to_list() if value is not None]
    exact = (places for places in (0, 1) if all(round(value * 10**places, 6) % 1 == 0 for value in known))
    return next(exact, 2)


def format_date(stated: str | None) -> tuple[str, str]:
    """Return a date `YYYY.MM.DD` (PBN 3.4.3, `?` for unknown digits) for machines and for people.

    Returns:
        The ISO form, empty unless year, month and day are known; and the text to read: `1 March 2026`, `March 2026`,
        `2026`. A date of any other form is returned as the file states it.
    """
    text = clean(stated)
    match = _DATE.fullmatch(text)
    if not match:
        return "", text
    year, month, day = match.groups()
    if month == "??" or not 1 <= int(month) <= 12:
        return ("", year) if month == "??" else ("", text)
    if day == "??":
        return "", f"{MONTHS[int(month) - 1]} {year}"
    if not 1 <= int(day) <= 31:
        return "", text
    return f"{year}-{month}-{day}", f"{int(day)} {MONTHS[int(month) - 1]} {year}"


def shorten_paths(paths: Sequence[str]) -> dict[str, str]:
    """Return the name of each file for a public page: its path without the folders that all files share.

    `-` is standard input.
    """
    parts = {path: PurePath(path).parts for path in paths if path != "-"}
    folders = [names[:-1] for names in parts.values()]
    shared = 0
    while folders and all(len(f) > shared and f[shared] == folders[0][shared] for f in folders):
        shared += 1
    named = {path: clean("/".join(names[shared:])) for path, names in parts.items()}
    return {path: named.get(path, "standard input") for path in paths}


def choose_sheet(lines: Iterable[Sequence[str]]) -> str:
    """Return how pages show a sheet of cells beside names: classes of the style sheet, an empty text for the usual one.

    `broad` cells have no room in a table on a screen of 1,280 pixels; `roomy` ones hold long texts.
    """
    lines = list(lines)
    longest = max((len(cell) for line in lines for cell in line), default=0)
    broad = (longest + _GAP) * max(map(len, lines), default=0) > _ROOM
    return " ".join(name for name, there in (("roomy", longest > _SHORT), ("broad", broad)) if there)
