"""Deals as two bits a card in binary records: what RZD, CDS and deal libraries share."""

from typing import Final

import numpy as np
import numpy.typing as npt

from overtrick.bridge.cards import Bytes
from overtrick.formats.dealing_machines.dealt import DECK

HAND: Final = 13
_OF_TEXTS: Final = b"\t\n\r\x1a" + bytes(range(32, 127))
SHIFTS: Final = np.array([0, 2, 4, 6], dtype=np.uint8)

Bools = npt.NDArray[np.bool_]


def seats_by_rank(block: Bytes) -> Bytes:
    """Return the codes of the cards in records of a byte a rank from the ace down, spades in the highest bits.

    Args:
        block: shape (deals, 13).

    Returns:
        Shape (deals, 52), by card code: the club two first.
    """
    # A byte 0b00_01_10_11 for the aces has the spade ace with 0, the heart ace with 1, the diamond ace with 2 and the
    # club ace with 3. Turned round, ranks go up from the two and suits from clubs.
    by_rank = block[:, ::-1, None] >> SHIFTS & 3
    return by_rank.transpose(0, 2, 1).reshape(-1, DECK).astype(np.uint8)


def rank_bytes(seats: Bytes) -> Bytes:
    """Return the bytes of a deal, a rank each from the ace down: the other way round of `seats_by_rank`.

    Args:
        seats: by machine number, the spade ace first, shape (deals, 52).
    """
    by_suit = seats.reshape(-1, 4, HAND).astype(np.uint8) << SHIFTS[::-1, None]
    packed: Bytes = by_suit.sum(axis=1, dtype=np.uint8)
    return packed


def is_text(head: bytes) -> bool:
    """Report whether all bytes may be those of a text in ASCII: `pn|A,B,C,D|md|` deals 13 cards to each seat too."""
    return not head.translate(None, _OF_TEXTS)


def are_deals(block: Bytes) -> Bools:
    """Return for each record of 13 bytes, two bits a card, whether it gives 13 cards to each of four codes."""
    codes = (block[:, :, None] >> SHIFTS & 3).reshape(len(block), DECK)
    # What three codes leave is the fourth.
    sound: Bools = np.logical_and.reduce([(codes == code).sum(axis=1) == HAND for code in range(3)])
    return sound
