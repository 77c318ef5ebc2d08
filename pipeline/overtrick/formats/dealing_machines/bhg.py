"""BHG, of the Borel machine: a line of 52 letters a deal, `A` the spade ace to `z` the club two.

The thirteen cards of the dealer come first, then those of the next seats clockwise. Lines have no board numbers and
count from 1, so that Law 2 gives the dealer of each.
"""

import re
from typing import Final

import numpy as np
import polars as pl

from overtrick.bridge.cards import UNKNOWN, Bytes
from overtrick.formats.base import Reading, Written
from overtrick.formats.dealing_machines.dealt import (
    DECK,
    Dealt,
    is_mostly,
    make_reading,
    owners_by_number,
    select_deals,
    strip_filling,
)
from overtrick.frames import Session

LETTERS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

_BEGINS: Final = re.compile(rb"\s*[A-Za-z]{52}\s")
_RECOGNISED: Final = re.compile(rb"(?m)^[A-Za-z]{52}\r?$")
_FOREIGN: Final = re.compile(rb"[^\sA-Za-z]")
_LETTERS: Final = np.frombuffer(LETTERS, dtype=np.uint8)
_NUMBER: Final = np.full(256, UNKNOWN, dtype=np.uint8)
_NUMBER[_LETTERS] = np.arange(1, DECK + 1, dtype=np.uint8)


def is_bhg(head: bytes) -> bool:
    """Report whether a file begins with a line of 52 letters, or holds hardly anything but such lines."""
    return is_mostly(head, _BEGINS, _RECOGNISED, _FOREIGN)


def read_bhg(data: bytes) -> Reading:
    """Read a BHG file."""
    lines = enumerate(strip_filling(data).decode("latin-1").splitlines(), start=1)
    rows = [(number, 1, line.strip()) for number, line in lines if line.strip()]
    schema = {"line": pl.UInt32, "column": pl.UInt32, "text": pl.String}
    boards = pl.DataFrame(rows, schema=schema, orient="row")
    boards = boards.with_columns(pl.int_range(1, pl.len() + 1).cast(pl.Int32).alias("board"))
    written = "".join(text[:DECK].ljust(DECK) for text in boards["text"])
    letters = np.frombuffer(written.encode("latin-1"), dtype=np.uint8).reshape(-1, DECK)
    owner, faults = owners_by_number(_from_dealer(_NUMBER[letters]))
    long = boards.with_row_index("row").filter(pl.col("text").str.len_chars() != DECK)
    faults |= {
        row: f"52 letters were expected, there are {len(text)}" for row, text in long.select("row", "text").rows()
    }
    return make_reading(Dealt(owner, boards, faults))


def _from_dealer(cards: Bytes) -> Bytes:
    """Turn rows of four hands that begin with the dealer of boards 1, 2, 3 ... into rows that begin with North."""
    n = len(cards)
    dealer = np.arange(n)[:, None] % 4
    seat = (np.arange(4) - dealer) % 4
    turned: Bytes = cards.reshape(n, 4, 13)[np.arange(n)[:, None], seat].reshape(n, DECK)
    return turned


def write_bhg(session: Session) -> Written:
    """Write a line of letters a deal, the dealer's hand first, below an empty line."""
    deals = select_deals(session)
    n = len(deals.boards)
    seat = (np.arange(4) + np.arange(n)[:, None]) % 4
    cards = deals.cards.reshape(n, 4, 13)[np.arange(n)[:, None], seat].reshape(n, DECK)
    return deals.to_file(b"\r\n" + b"".join(row.tobytes() + b"\r\n" for row in _LETTERS[cards - 1]))
