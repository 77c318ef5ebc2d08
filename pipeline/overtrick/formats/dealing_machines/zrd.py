"""ZRD, a library of solved deals: 23 bytes a deal, two bits a card from the spade ace on, then twenty tricks.

The first bits of a record are the lowest ones of its first byte. West is 0 and South is 3. The tricks are four bits
each, in notrump, spades, hearts, diamonds and clubs, of West, North, East and South. Deals have no board numbers and
count from 1.
"""

from typing import Final

import numpy as np
import polars as pl

from overtrick.bridge.cards import Bytes
from overtrick.formats.base import Reading
from overtrick.formats.dealing_machines.dealt import (
    DECK,
    Dealt,
    cut_blocks,
    cut_rows,
    make_reading,
    number_blocks,
    reverse_deck,
)
from overtrick.formats.dealing_machines.two_bits import HAND, SHIFTS, are_deals, is_text
from overtrick.frames import ITEMS, conform
from overtrick.problems import Finding

BLOCK: Final = 23

_LOOKED_AT: Final = 32
_TRICKS: Final = 13
_HEXADECIMAL: Final = np.frombuffer(b"0123456789abcd??", dtype=np.uint8)
_ORDER: Final = np.array([4 * strain + seat for seat in (1, 3, 2, 0) for strain in range(5)])
"""Where each digit of PBN's `DoubleDummyTricks` is: North, South, East and West, each in NT S H D C."""


def is_zrd(head: bytes) -> bool:
    """Report whether a file begins with records whose first 13 bytes deal 13 cards to each seat."""
    first = head[: BLOCK * _LOOKED_AT]
    if is_text(first):
        return False
    rows = cut_rows(first, BLOCK)
    if not len(rows):
        return False
    sound = are_deals(rows[:, :HAND]) & (_nibbles(rows).max(axis=1) <= _TRICKS)
    return bool(sound[0]) or 2 * int(sound.sum()) > len(rows)


def _nibbles(rows: Bytes) -> Bytes:
    """Return the twenty numbers of tricks of each record, shape (deals, 20)."""
    packed = rows[:, HAND:]
    return np.stack([packed & 15, packed >> 4], axis=2).reshape(len(rows), 2 * (BLOCK - HAND))


def read_zrd(data: bytes) -> Reading:
    """Read a library of solved deals; the tricks become double-dummy tables as files state them."""
    read = cut_blocks(data, BLOCK)
    codes = (read.rows[:, :HAND, None] >> SHIFTS & 3).reshape(-1, DECK).astype(np.uint8)
    tricks = _nibbles(read.rows)
    boards = number_blocks(read.starts, [row.tobytes().hex() for row in read.rows])
    wrong = np.flatnonzero((tricks > _TRICKS).any(axis=1)).tolist()
    findings = [*read.findings, *(_finding(row, int(read.starts[row])) for row in wrong)]
    digits = _HEXADECIMAL[tricks[:, _ORDER]]
    tables = pl.DataFrame(
        {
            "record": np.arange(len(read.rows), dtype=np.uint32),
            "kind": ["tag"] * len(read.rows),
            "name": ["DoubleDummyTricks"] * len(read.rows),
            "text": [row.tobytes().decode() for row in digits],
        }
    )
    extras = pl.concat([conform(ITEMS, read.rest), conform(ITEMS, tables)])
    # West 0 to South 3 there; North 0 to West 3 here.
    return make_reading(Dealt(reverse_deck((codes + 3) % 4), boards, extras=extras, findings=findings))


def _finding(row: int, byte: int) -> Finding:
    place = f"deal {row + 1} (byte {byte})"
    return Finding("deal-file-tricks", record=row, board=str(row + 1), values={"place": place})
