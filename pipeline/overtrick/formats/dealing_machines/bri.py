"""BRI, of the first Duplimate machines: a block of 128 bytes a deal, 39 card numbers and then blanks.

The two-digit numbers are the cards of North, East and South; West has the rest. Blocks have no board numbers and
count from 1.
"""

import re
from typing import Final

import numpy as np

from overtrick.bridge.cards import UNKNOWN, Bytes
from overtrick.formats.base import Reading, Written
from overtrick.formats.dealing_machines.dealt import (
    Deals,
    Dealt,
    cut_blocks,
    decode_rows,
    holds_block,
    make_reading,
    number_blocks,
    owners_by_number,
    select_deals,
)
from overtrick.frames import Session

BLOCK: Final = 128
NUMBERS: Final = 78

_RECOGNISED: Final = re.compile(rb"(?s)[0-9]{78}(?:[ \x00]{50}|[ \x00]{0,49}\Z)")


def is_bri(head: bytes) -> bool:
    """Report whether a file has blocks of 39 card numbers and blanks."""
    return holds_block(head, BLOCK, _RECOGNISED)


def read_bri(data: bytes) -> Reading:
    """Read a BRI file."""
    read = cut_blocks(data, BLOCK)
    numbers = read.rows[:, :NUMBERS]
    owner, faults = owners_by_number(card_numbers(numbers))
    return make_reading(
        Dealt(owner, number_blocks(read.starts, decode_rows(numbers)), faults, read.rest, read.findings)
    )


def card_numbers(digits: Bytes) -> Bytes:
    """Read pairs of ASCII digits, shape (deals, 2 n), as numbers, shape (deals, n); `UNKNOWN` for other bytes."""
    tens, ones = digits[:, ::2], digits[:, 1::2]
    written = (tens >= ord("0")) & (tens <= ord("9")) & (ones >= ord("0")) & (ones <= ord("9"))
    value = 10 * (tens.astype(np.int64) - ord("0")) + ones - ord("0")
    return np.where(written, value, UNKNOWN).astype(np.uint8)


def write_bri(session: Session) -> Written:
    """Write 128 bytes a deal: the numbers of North's, East's and South's cards, 32 blanks and 18 zero bytes."""
    deals = select_deals(session)
    return deals.to_file(b"".join(numbers + b" " * 32 + bytes(18) for numbers in format_numbers(deals)))


def format_numbers(deals: Deals) -> list[bytes]:
    """Return the 78 digits of each deal."""
    return ["".join(f"{number:02}" for number in row).encode() for row in deals.cards[:, : NUMBERS // 2].tolist()]
