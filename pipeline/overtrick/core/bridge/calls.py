"""Calls as numbers: 0 pass, 1 double, 2 redouble, then the 35 bids from 3 (one club) to 37 (seven notrump)."""

from typing import Final

from overtrick.core.bridge.cards import STRAIN_SIGNS, STRAINS

PASS: Final = 0
DOUBLE: Final = 1
REDOUBLE: Final = 2
FIRST_BID: Final = 3

CALLS: Final = ("Pass", "X", "XX", *(f"{level}{strain}" for level in range(1, 8) for strain in STRAINS))
"""Names of the 38 calls by code, as PBN writes them."""

CALL_SIGNS: Final = (
    "pass",
    "double",
    "redouble",
    *(f"{level}{sign}" for level in range(1, 8) for sign in STRAIN_SIGNS),
)
"""The 38 calls by code as a sentence writes them: `1♣`."""


def bid(level: int, strain: int) -> int:
    """Return the code of a bid: `bid(1, 0)` is one club, 3."""
    return FIRST_BID + 5 * (level - 1) + strain
