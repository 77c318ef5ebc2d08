"""DUP, of the Duplimate: a block of 156 bytes a deal, which is the numbers of BRI, the hands of DGE and ten bytes more.

Those ten are settings of the machine: `Y` or `N` for hands dealt at random, `Y` or `N` for counting backwards, the
lowest board number, the copies of each board, and the highest number (bytes 147 to 156). Files with secret hands have
blanks in their place.
"""

import re
from typing import Final

import numpy as np
import polars as pl

from overtrick.bridge.cards import Bytes
from overtrick.formats.base import Reading, Written
from overtrick.formats.dealing_machines.bri import NUMBERS, card_numbers, format_numbers
from overtrick.formats.dealing_machines.dealt import (
    Dealt,
    cut_blocks,
    decode_rows,
    holds_block,
    make_reading,
    name_place,
    number_blocks,
    owners_by_number,
    select_deals,
)
from overtrick.formats.dealing_machines.dge import HANDS, format_hands, owners_by_hands
from overtrick.frames import ITEMS, Session, conform
from overtrick.notation import is_number
from overtrick.problems import Finding

BLOCK: Final = 156

_SCREEN: Final = slice(NUMBERS, NUMBERS + HANDS)
_TRAILER: Final = slice(NUMBERS + HANDS, BLOCK)
_RECOGNISED: Final = re.compile(
    rb"(?s)[0-9]{78}(?:.{68}[YN]{2}[ 0-9]{8}|(?:\x06.{67}|[ \x00]{68})\x00{10}|\x06.{0,76}\Z)"
)


def is_dup(head: bytes) -> bool:
    """Report whether a file has blocks of 39 card numbers, 68 bytes of hands and the settings of the machine."""
    return holds_block(head, BLOCK, _RECOGNISED)


def read_dup(data: bytes) -> Reading:
    """Read a DUP file. Boards count from the lowest number that the first block states, or backwards if it says so."""
    read = cut_blocks(data, BLOCK)
    block, findings = read.rows, read.findings
    owner, faults = owners_by_number(card_numbers(block[:, :NUMBERS]))
    settings = decode_rows(block[:, _TRAILER])
    lowest, highest = _range(settings[0]) if settings else (1, None)
    boards = number_blocks(read.starts, decode_rows(block[:, :NUMBERS]), lowest)
    if settings and settings[0][1] == "Y":
        boards = boards.with_columns(pl.col("board").reverse())
    findings += _screen(block, owner, faults, boards)
    if highest is not None and len(boards) != highest - lowest + 1:
        stated, found = f"boards {lowest} to {highest}", f"{len(boards)} boards"
        findings.append(Finding("deal-file-header", values={"stated": stated, "found": found}))
    extras = pl.DataFrame({"text": settings}, schema={"text": pl.String}).with_row_index("record")
    kept = conform(ITEMS, extras.with_columns(pl.lit("tag").alias("kind"), pl.lit("DuplimateSettings").alias("name")))
    return make_reading(Dealt(owner, boards, faults, pl.concat([kept, read.rest]), findings))


def _range(settings: str) -> tuple[int, int | None]:
    """Return the lowest and the highest board number; without a lowest number, boards count from 1."""
    lowest, highest = settings[2:5].strip(), settings[7:10].strip()
    return int(lowest) or 1 if is_number(lowest) else 1, int(highest) if is_number(highest) else None


def _screen(block: Bytes, owner: Bytes, faults: dict[int, str], boards: pl.DataFrame) -> list[Finding]:
    """Compare the hands for the screen with the cards for the machine."""
    shown = block[:, _SCREEN]
    visible = ~np.isin(shown, np.frombuffer(b" \x00", dtype=np.uint8)).all(axis=1)
    hands, _ = owners_by_hands(shown)
    different = np.flatnonzero(visible & (hands != owner).any(axis=1)).tolist()
    return [
        Finding(
            "deal-file-two-forms",
            record=row,
            board=str(boards["board"][row]),
            values={"place": name_place(row, boards.row(row, named=True))},
        )
        for row in different
        if row not in faults
    ]


def write_dup(session: Session) -> Written:
    """Write 156 bytes a deal: numbers, hands, and the settings: random hands, forwards, the range, no copies."""
    deals = select_deals(session)
    first = deals.boards[0] if deals.boards else 1
    settings = f"YN{first:<3}0 {first + len(deals.boards) - 1:<3}".encode()
    shown = zip(format_numbers(deals), format_hands(deals), strict=True)
    return deals.to_file(b"".join(numbers + hands + settings for numbers, hands in shown), first)
