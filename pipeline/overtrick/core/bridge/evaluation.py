"""High card points, points for distribution, and shapes of hands, for all deals at once."""

from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import SEATS, Bytes, high_card_points, owners
from overtrick.core.bridge.play import Mask

_BALANCED: Final = ("4333", "4432", "5332")
_HAND: Final = 13


def suit_lengths(owner: Bytes) -> Bytes:
    """Count the cards of each suit in each hand.

    Args:
        owner: the matrix of `cards.owners`, shape (deals, 52).

    Returns:
        Cards by seat and suit, clubs first, shape (deals, 4, 4), dtype uint8.
    """
    suits = owner.reshape(-1, 4, 13)
    return np.stack([(suits == seat).sum(axis=2, dtype=np.uint8) for seat in range(4)], axis=1)


def evaluated(deals: pl.Series) -> pl.DataFrame:
    """Evaluate the hands of deals.

    Args:
        deals: canonical deals (`frames.RECORDS["deal"]`).

    Returns:
        One row a deal; null for a hand that is not shown with all thirteen cards. By seat (`n e s w`):

        - `points_n`, UInt8: high card points, 0 to 37
        - `lengths_n`, String: cards in spades, hearts, diamonds and clubs, `5=4=3=1`
        - `shape_n`, String: the same by length, the longest suit first, `5431`
        - `balanced_n`, Boolean: 4333, 4432 or 5332
        - `short_n`, UInt8: points for short suits, 3 for a void, 2 for a singleton, 1 for a doubleton
        - `long_n`, UInt8: points for long suits, 1 for each card after the fourth of a suit

        The two countings of distribution are alternatives: their sum means nothing.
    """
    owner = owners(deals)
    points, lengths = high_card_points(owner), suit_lengths(owner)
    whole = lengths.sum(axis=2) == _HAND
    hands = [_hand(points[:, seat], lengths[:, seat, ::-1], whole[:, seat], SEATS[seat]) for seat in range(4)]
    return pl.concat(hands, how="horizontal")


def _hand(points: Bytes, lengths: Bytes, whole: Mask, seat: str) -> pl.DataFrame:
    """Return the columns of one seat; `lengths` has spades first."""
    suits = {f"suit{place}": lengths[:, place] for place in range(4)}
    longest = {f"long{place}": np.sort(lengths, axis=1)[:, 3 - place] for place in range(4)}
    frame = pl.DataFrame({"points": points, "whole": whole, **suits, **longest})
    name = seat.lower()
    shape = pl.concat_str(list(longest))
    values = {
        f"points_{name}": pl.col("points"),
        f"lengths_{name}": pl.concat_str(list(suits), separator="="),
        f"shape_{name}": shape,
        f"balanced_{name}": shape.is_in(_BALANCED),
        f"short_{name}": pl.sum_horizontal(3 - pl.min_horizontal(pl.col(suit), 3) for suit in suits),
        f"long_{name}": pl.sum_horizontal(pl.max_horizontal(pl.col(suit), 4) - 4 for suit in suits),
    }
    return frame.select(pl.when("whole").then(value).alias(column) for column, value in values.items())
