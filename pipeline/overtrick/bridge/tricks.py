"""Who wins a trick (Laws 44 and 45)."""

import numpy as np
import numpy.typing as npt

from overtrick.bridge.cards import UNKNOWN

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]


def winning_places(cards: Bytes, trump: Places) -> Places:
    """Say which card of each trick wins it.

    Args:
        cards: codes of `bridge.cards` in the order played, shape (tricks, 4); the first one is led.
        trump: the strain of each trick, 4 for notrump.

    Returns:
        Places 0-3; a card that is not known wins nothing but a trick of such cards.
    """
    suit, rank = np.divmod(cards.astype(np.int64), 13)
    worth = np.where(suit == suit[:, :1], rank + 13, 0) + np.where(suit == trump[:, None], rank + 26, 0)
    places: Places = np.where(cards == UNKNOWN, -1, worth).argmax(axis=1)
    return places
