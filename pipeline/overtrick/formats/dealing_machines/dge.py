"""DGE, the Duplimate screen's hands: a block of 128 bytes a deal, 68 of them cards with the suit signs of DOS.

Each hand has 17 bytes: spades, hearts, diamonds and clubs, a sign before each suit, void or not. Blocks have no board
numbers and count from 1.
"""

import re
from typing import Final

import numpy as np

from overtrick.bridge.cards import RANKS, UNKNOWN, Bytes
from overtrick.formats.base import Reading, Written
from overtrick.formats.dealing_machines.dealt import (
    Deals,
    Dealt,
    cut_blocks,
    decode_rows,
    holds_block,
    make_reading,
    number_blocks,
    select_deals,
)
from overtrick.frames import Session

BLOCK: Final = 128
HANDS: Final = 68
SUIT_SIGNS: Final = b"\x06\x03\x04\x05"
"""Spade, heart, diamond and club of code page 437."""

_HAND: Final = 17
_RANKS_DOWN: Final = RANKS[::-1].encode()
_SIGNS: Final = np.frombuffer(SUIT_SIGNS, dtype=np.uint8)
_RECOGNISED: Final = re.compile(rb"\x06[2-9TJQKA]*\x03[2-9TJQKA]*\x04[2-9TJQKA]*\x05")
_RANK_OF_BYTE: Final = np.full(256, UNKNOWN, dtype=np.uint8)
_RANK_OF_BYTE[np.frombuffer(RANKS.encode(), dtype=np.uint8)] = np.arange(13, dtype=np.uint8)


def is_dge(head: bytes) -> bool:
    """Report whether a file has blocks that begin with a hand with the suit signs of DOS."""
    return holds_block(head, BLOCK, _RECOGNISED)


def read_dge(data: bytes) -> Reading:
    """Read a DGE file."""
    read = cut_blocks(data, BLOCK)
    hands = read.rows[:, :HANDS]
    owner, faults = owners_by_hands(hands)
    return make_reading(Dealt(owner, number_blocks(read.starts, decode_rows(hands)), faults, read.rest, read.findings))


def owners_by_hands(hands: Bytes) -> tuple[Bytes, dict[int, str]]:
    """Read hands of 17 bytes from North on, shape (deals, 68): seat by card, and by row what is wrong."""
    # A hand of the aces of spades and clubs and three hearts, S for the spade sign: `S A H K Q 2 D C A`.
    #   so_far   1 1 2 2 2 2 3 4 4   the signs up to here
    #   suit     3 3 2 2 2 2 1 0 0   as in `bridge.cards`, clubs 0
    #   rank     - 12 - 11 10 0 - - 12
    n = len(hands)
    by_hand = hands.reshape(n, 4, _HAND)
    sign = np.isin(by_hand, _SIGNS)
    so_far = np.cumsum(sign, axis=2)
    in_order = (sign.sum(axis=2) == 4) & (~sign | (by_hand == _SIGNS[np.clip(so_far - 1, 0, 3)])).all(axis=2)
    suit = 4 - so_far
    rank = _RANK_OF_BYTE[by_hand]
    card = (rank != UNKNOWN) & (suit >= 0) & (suit < 4)
    row, seat, place = np.nonzero(card)
    owner = np.full((n, 52), UNKNOWN, dtype=np.uint8)
    owner[row, 13 * suit[row, seat, place] + rank[row, seat, place]] = seat
    faults = {int(r): "four suits in each hand were expected" for r in np.flatnonzero(~in_order.all(axis=1))}
    return owner, faults


def write_dge(session: Session) -> Written:
    """Write 128 bytes a deal: four hands with the suit signs of DOS, and 60 zero bytes."""
    deals = select_deals(session)
    return deals.to_file(b"".join(hands + bytes(BLOCK - HANDS) for hands in format_hands(deals)))


def format_hands(deals: Deals) -> list[bytes]:
    """Return each deal as the screen shows it: four hands of 17 bytes, the suit signs before the ranks."""
    return [
        b"".join(
            SUIT_SIGNS[suit : suit + 1]
            + bytes(_RANKS_DOWN[(card - 1) % 13] for card in hand if (card - 1) // 13 == suit)
            for hand in (row[13 * seat : 13 * seat + 13] for seat in range(4))
            for suit in range(4)
        )
        for row in deals.cards.tolist()
    ]
