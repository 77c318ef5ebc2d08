"""Text that was encoded twice: one value in UTF-8 read as Windows-1252 and stored as UTF-8 again, beside sound ones."""

from typing import Final

import polars as pl

_SUSPECT: Final = r"[\u{C2}-\u{F4}][^\x00-\x7F]"
_UNASSIGNED: Final = "\x81\x8d\x8f\x90\x9d"
_BROKEN_BY_RS: Final = r"\nrs$"


def clean(values: pl.Series) -> pl.Series:
    """Give names, chat and explanations as they were meant: encoded once, and whole where `rs` broke the line."""
    joined = values.str.replace(_BROKEN_BY_RS, "rs")
    suspect = joined.filter(joined.str.contains(_SUSPECT)).unique().to_list()
    return joined.replace(suspect, [_once(text) for text in suspect]) if suspect else joined


def _once(text: str) -> str:
    try:
        return b"".join(map(_byte, text)).decode("utf-8")
    except UnicodeError:
        return text


def _byte(letter: str) -> bytes:
    """Give the byte that was read as this letter: five of them are none in Windows-1252 and stay what they are."""
    return letter.encode("latin-1" if letter in _UNASSIGNED else "cp1252")
