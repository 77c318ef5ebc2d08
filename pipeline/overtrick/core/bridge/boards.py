"""Dealer and vulnerability by board number (Law 2): boards repeat every sixteen."""

from typing import Final

import polars as pl

from overtrick.core.bridge.cards import SEATS, code

VULNERABILITIES: Final = ("None", "NS", "EW", "All")

_PATTERN: Final = "ONEBNEBOEBONBONE"
_NAMES: Final = {"O": "None", "N": "NS", "E": "EW", "B": "All"}
_BY_BOARD: Final = [_NAMES[letter] for letter in _PATTERN]


def board_dealer(board: pl.Expr) -> pl.Expr:
    """Return the dealer of each board number (Law 2): `N E S W` in turn; null for a null number."""
    return _by_cycle(board, ["N", "E", "S", "W"])


def board_vulnerability(board: pl.Expr) -> pl.Expr:
    """Return the vulnerability of each board number (Law 2): `None NS EW All`; null for a null number."""
    return _by_cycle(board, _BY_BOARD)


def side_vulnerable(vulnerable: pl.Expr, seat: pl.Expr) -> pl.Expr:
    """Return whether the side of `seat` is vulnerable, as a boolean; null where either is unknown."""
    # The index of a vulnerability is two bits, 1 for N-S and 2 for E-W; the low bit of a seat's index is set for E-W.
    sides, of_ew = code(vulnerable, VULNERABILITIES), code(seat, SEATS) % 2
    return pl.when(of_ew == 0).then((sides & 1) == 1).when(of_ew == 1).then(sides >= 2)


def _by_cycle(board: pl.Expr, values: list[str]) -> pl.Expr:
    place = (board.cast(pl.Int64) - 1) % len(values)
    return pl.lit(pl.Series(values)).gather(place.cast(pl.UInt32))
