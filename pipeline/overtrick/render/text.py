"""How values read on a page: strangers' texts made harmless, numbers with a true minus sign, dates, files."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from pathlib import PurePath
from typing import Final

import polars as pl

from overtrick.notation import clean

MINUS: Final = "\u2212"

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DATE: Final = re.compile(r"(\d{4})[.-](\d\d|\?\?)[.-](\d\d|\?\?)")
_NOISE: Final = Decimal("1e-9")
_BEYOND: Final = 1e15


def clean_names(text: str | None) -> str:
    """Write players as a page shows them: `Ann Berg – Carl Dahl`."""
    return " – ".join(clean(text).split(" - "))


@lru_cache(maxsize=4096)
def number(value: float, places: int = 0) -> str:
    """Write a number with so many decimal places, halves away from zero, a true minus sign and no minus zero.

    Float noise below a billionth is taken off first, so that 62.125 computed as 62.12499999999999 reads 62.13. What is
    no number, or beyond any score, reads `?`.
    """
    if not abs(value) < _BEYOND:
        return "?"
    exact = Decimal(value).quantize(_NOISE)
    rounded = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{abs(rounded):f}"
    return f"{MINUS}{text}" if rounded < 0 else text


def signed(value: float, places: int = 0) -> str:
    """Write a number with its sign: `+620`, `−3`, `0`."""
    text = number(value, places)
    return f"+{text}" if value > 0 and text.strip("0.?") else text


def places_needed(values: Sequence[pl.Series]) -> int:
    """Count the decimal places that show all these numbers exactly; 2 where more would be needed."""
    known = pl.concat([series.cast(pl.Float64) for series in values]).drop_nulls() if values else pl.Series([0.0])
    for places in (0, 1):
        if bool(((known * 10**places).round(6) % 1 == 0).all()):
            return places
    return 2


def date_texts(stated: str | None) -> tuple[str, str]:
    """Write a date `YYYY.MM.DD` (PBN 3.4.3, `?` for what is unknown) for machines and for people.

    Returns:
        The ISO form, or an empty text when the date is not whole, and the text to read: `1 March 2026`, `March 2026`,
        `2026`. A date of any other form is given as it stands.
    """
    text = clean(stated)
    match = _DATE.fullmatch(text)
    if not match:
        return "", text
    year, month, day = match.groups()
    if month == "??" or not 1 <= int(month) <= 12:
        return ("", year) if month == "??" else ("", text)
    if day == "??":
        return "", f"{_MONTHS[int(month) - 1]} {year}"
    if not 1 <= int(day) <= 31:
        return "", text
    return f"{year}-{month}-{day}", f"{int(day)} {_MONTHS[int(month) - 1]} {year}"


def provisional_until(day: str, days: int | None) -> str:
    """Give the last day on which results may change: so many days after a whole date; empty where either is unknown."""
    if not day or days is None:
        return ""
    try:
        return (date.fromisoformat(day) + timedelta(days)).isoformat()
    except (ValueError, OverflowError):
        return ""


def file_names(paths: Sequence[str]) -> dict[str, str]:
    """Name files on a public page: without the folders that all of them share; `-` is standard input."""
    parts = {path: PurePath(path).parts for path in paths if path != "-"}
    folders = [names[:-1] for names in parts.values()]
    shared = 0
    while folders and all(len(f) > shared and f[shared] == folders[0][shared] for f in folders):
        shared += 1
    named = {path: clean("/".join(names[shared:])) for path, names in parts.items()}
    return {path: named.get(path, "standard input") for path in paths}


def counted(count: int, one: str, many: str) -> str:
    """Write a count with its noun: `1 board`, `2,800 boards`."""
    return f"{count:,} {one if count == 1 else many}"
