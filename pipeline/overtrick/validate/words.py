"""Codes as the words of a message, for whole columns."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import polars as pl

from overtrick.bridge.auction import Places
from overtrick.bridge.cards import SEAT_NAMES, SEATS, UNKNOWN, Bytes


def named(codes: Bytes, names: Sequence[str]) -> pl.Series:
    """Give the name of each code, null for a code without one."""
    return _table(tuple(names)).gather(pl.Series(codes, dtype=pl.UInt8).cast(pl.UInt32))


@cache
def _table(names: tuple[str, ...]) -> pl.Series:
    return pl.Series([*names, *[None] * (UNKNOWN + 1 - len(names))], dtype=pl.String)


def seat_name(column: str) -> pl.Expr:
    """Give the name of each seat of a column; null stays null."""
    return pl.col(column).cast(pl.String).replace_strict(SEATS, SEAT_NAMES, return_dtype=pl.String, default=None)


def turned(seats: Bytes, steps: Bytes | Places | int) -> Bytes:
    """Give the seats that many steps clockwise; one that is not known stays so."""
    return np.where(seats == UNKNOWN, UNKNOWN, (seats + steps) % 4).astype(np.uint8)
