"""How people write a contestant: `3`, `3 NS`, `NS3`, `A3 EW`, or names; and whom they may mean.

A contestant is section, line and number. Commands, forms, settings and corrections files all find one here.
"""

import re
import unicodedata
from typing import Final

import polars as pl

from overtrick.core.frames import Contestants

_LINE: Final = r"(NS|EW|N-S|E-W|N/S|E/W)"
_FORM: Final = re.compile(rf"(?:{_LINE}[\s:]*)?(.*?)(?:\s*{_LINE})?", re.IGNORECASE)


def find_contestants(text: str, listed: Contestants) -> Contestants:
    """Return the rows of contestants that a text may mean, each once; several if it fits several.

    Args:
        text: a number, with the line or the section or not; or names, or a part of them, in any case.
        listed: all contestants.
    """
    known = listed.unique(["contestant", "section", "direction"], keep="first", maintain_order=True)
    written = " ".join(text.split())
    same = known.filter(pl.col("contestant") == written)
    if len(same):
        return same
    first, number, last = _match(written)
    line = (first or last or "").upper().translate({ord("-"): None, ord("/"): None}) or None
    in_section = pl.concat_str(pl.col("section").fill_null(""), "contestant").str.to_lowercase()
    is_number = pl.col("contestant").str.to_lowercase() == number.lower()
    numbered = known.filter(is_number | (in_section == number.replace(" ", "").lower()))
    if line and len(numbered):
        return numbered.filter(pl.col("direction").is_null() | (pl.col("direction").cast(pl.String) == line))
    if len(numbered):
        return numbered
    parts = set(_fold(written).replace(" - ", " ").split())
    names = [_fold(name or "") for name in known["names"]]
    exact = [name == _fold(written) for name in names]
    inside = [bool(parts) and all(part in name for part in parts) for name in names]
    return known.filter(exact if any(exact) else inside)


def _match(text: str) -> tuple[str | None, str, str | None]:
    found = _FORM.fullmatch(text)
    return (None, text, None) if found is None else (found[1], (found[2] or "").strip(), found[3])


def _fold(text: str) -> str:
    letters = unicodedata.normalize("NFKD", " ".join(text.split()).casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def is_told_apart(listed: Contestants, by: str) -> bool:
    """Return whether one number is that of several contestants, in different sections or directions (`by`)."""
    within = ["contestant", "section"] if by == "direction" else ["contestant"]
    ways = listed.group_by(within).agg(pl.col(by).drop_nulls().n_unique())
    return bool((ways[by] > 1).any())


def name_contestant() -> pl.Expr:
    """Return how messages name a row of contestants: `A3 NS`; section and line are left out where they are null."""
    return pl.concat_str("section", "contestant", pl.lit(" ") + pl.col("direction").cast(pl.String), ignore_nulls=True)
