"""BER, of the Bernasconi machine: a digit a card from the spade ace to the club two, 1 for North to 4 for West.

The deals follow one another with nothing between, or a line each. They have no board numbers and count from 1.
"""

import re
from typing import Final

import numpy as np
import polars as pl

from overtrick.bridge.cards import UNKNOWN
from overtrick.formats.base import Reading, Written
from overtrick.formats.dealing_machines.dealt import (
    DECK,
    Dealt,
    is_mostly,
    make_reading,
    reverse_deck,
    select_deals,
    strip_filling,
)
from overtrick.frames import Session

_BEGINS: Final = re.compile(rb"\s*[1-4]{52}(?![0-9])|\s*(?:[1-4]{52}){2}")
_RECOGNISED: Final = re.compile(rb"[1-4]{40}")
_FOREIGN: Final = re.compile(rb"[^\s1-4]")
_RUN: Final = re.compile(r"\S{1,52}")


def is_ber(head: bytes) -> bool:
    """Report whether a file begins with deals in the digits of the seats, or holds hardly anything else."""
    return is_mostly(head, _BEGINS, _RECOGNISED, _FOREIGN)


def read_ber(data: bytes) -> Reading:
    """Read a BER file."""
    rows = [
        {"board": 0, "line": number, "column": run.start() + 1, "text": run.group()}
        for number, line in enumerate(strip_filling(data).decode("latin-1").splitlines(), start=1)
        for run in _RUN.finditer(line)
    ]
    schema = {"board": pl.Int32, "line": pl.UInt32, "column": pl.UInt32, "text": pl.String}
    boards = pl.DataFrame(rows, schema=schema).with_columns(pl.int_range(1, pl.len() + 1).cast(pl.Int32).alias("board"))
    written = "".join(text.ljust(DECK) for text in boards["text"])
    digits = np.frombuffer(written.encode("latin-1"), dtype=np.uint8).reshape(-1, DECK)
    seats = np.where((digits >= ord("1")) & (digits <= ord("4")), digits - ord("1"), UNKNOWN).astype(np.uint8)
    return make_reading(Dealt(reverse_deck(seats), boards))


def write_ber(session: Session) -> Written:
    """Write a digit a card, 1 for North to 4 for West, with nothing between the deals."""
    deals = select_deals(session)
    return deals.to_file((deals.seats + ord("1")).astype(np.uint8).tobytes())
