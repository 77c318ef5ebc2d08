"""Who wins a trick (Laws 44 and 45)."""

from typing import Final

import numpy as np
import numpy.typing as npt

from overtrick.core.bridge.cards import UNKNOWN

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]

_SUIT: Final = np.append(np.repeat(np.arange(4), 13), [UNKNOWN] * 204).astype(np.uint8)
_RANK: Final = np.append(np.tile(np.arange(13), 4), [0] * 204).astype(np.uint8)
"""By byte, the suit and the rank of a card."""


def winning_places(cards: Bytes, trump: Places) -> Places:
    """Return which card of each trick wins it.

    Args:
        cards: codes of `bridge.cards` in the order played, shape (tricks, 4); the first one is led.
        trump: the strain of each trick, 4 for notrump.

    Returns:
        Places 0-3; an unknown card wins only a trick of unknown cards, and then the first one does.
    """
    led, trumps = _SUIT.take(cards[:, 0]), trump.astype(np.uint8)
    best = np.zeros(len(cards), dtype=np.uint8)
    places = np.zeros(len(cards), dtype=np.int64)
    for place in range(4):
        card = cards[:, place]
        suit, rank = _SUIT.take(card), _RANK.take(card)
        worth = 1 + (suit == led) * (rank + np.uint8(13)) + (suit == trumps) * (rank + np.uint8(26))
        worth *= card != UNKNOWN
        places[worth > best] = place
        best = np.maximum(best, worth)
    return places
