"""Artificial adjusted scores (Law 12C2): average plus, average, average minus, or a percentage."""

from typing import Final

import polars as pl

WHOLE: Final = 10**8
"""Parts of a full top that shares are counted in: percentages with up to six decimals are whole numbers of them."""

IMPS_AVERAGE_PLUS: Final = 3
"""IMPs for average plus (Law 12C2b); average minus loses as many."""

_PERCENT: Final = WHOLE // 100
_BY_LETTER: Final = {"A+": 60 * _PERCENT, "A": 50 * _PERCENT, "A-": 40 * _PERCENT}


def share(award: pl.Expr) -> pl.Expr:
    """Return the share of the top that an award is worth, in parts of `WHOLE`, Int64.

    Null for null, and for what is neither `A+`, `A`, `A-` nor a percentage from 0 to 100.
    """
    number = award.str.extract_groups(r"^([0-9]{1,3})(?:\.([0-9]{1,6}))?%$").struct
    decimals = number.field("2").fill_null("").str.pad_end(6, "0")
    percentage = number.field("1").cast(pl.Int64) * _PERCENT + decimals.cast(pl.Int64)
    by_letter = award.replace_strict(_BY_LETTER, default=None, return_dtype=pl.Int64)
    return pl.coalesce(by_letter, pl.when(percentage <= WHOLE).then(percentage))


def average_sign(award: pl.Expr) -> pl.Expr:
    """Return 1 for average plus, 0 for average and -1 for average minus, by letter or as 60, 50 or 40 %; else null."""
    signs = {_BY_LETTER["A+"]: 1, _BY_LETTER["A"]: 0, _BY_LETTER["A-"]: -1}
    return share(award).replace_strict(signs, default=None, return_dtype=pl.Int64)
