"""CDS, of another dealing machine: a byte for the board, then thirteen bytes as in RZD, but West is 0 and North is 1.

The file has no header. A board above 255 has no place in it.
"""

from typing import Final

import numpy as np
import polars as pl

from overtrick.formats.base import Reading, Written
from overtrick.formats.dealing_machines.dealt import (
    Dealt,
    cut_blocks,
    cut_rows,
    decode_rows,
    make_reading,
    select_deals,
)
from overtrick.formats.dealing_machines.two_bits import are_deals, is_text, rank_bytes, seats_by_rank
from overtrick.frames import Session

BLOCK: Final = 14

_MOST: Final = 255
_LOOKED_AT: Final = 32


def is_cds(head: bytes) -> bool:
    """Report whether a file begins with a board number and thirteen bytes that deal 13 cards to each seat."""
    first = head[: BLOCK * _LOOKED_AT]
    if is_text(first):
        return False
    rows = cut_rows(first, BLOCK)
    if not len(rows):
        return False
    sound = are_deals(rows[:, 1:]) & (rows[:, 0] > 0)
    return bool(sound[0]) or 2 * int(sound.sum()) > len(rows)


def read_cds(data: bytes) -> Reading:
    """Read a CDS file."""
    read = cut_blocks(data, BLOCK)
    # West 0, North 1, East 2, South 3 there; North 0 to West 3 here.
    owner = (seats_by_rank(read.rows[:, 1:]) + 3) % 4
    boards = pl.DataFrame(
        {"board": read.rows[:, 0].astype(np.int32), "byte": read.starts, "text": decode_rows(read.rows)},
        schema={"board": pl.Int32, "byte": pl.Int64, "text": pl.String},
    )
    numbered = boards.with_columns(pl.when(pl.col("board") > 0).then("board").alias("board"))
    return make_reading(Dealt(owner, numbered, extras=read.rest, findings=read.findings))


def write_cds(session: Session) -> Written:
    """Write fourteen bytes a deal."""
    deals = select_deals(session, most=_MOST)
    numbers = np.array(deals.boards, dtype=np.uint8)[:, None]
    return deals.to_file(np.hstack([numbers, rank_bytes((deals.seats + 1) % 4)]).tobytes(), first=None)
