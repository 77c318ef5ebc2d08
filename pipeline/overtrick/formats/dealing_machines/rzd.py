"""RZD, of the Polish Kops machine: thirteen bytes a deal, a byte a rank from the ace down, two bits a suit.

Spades are the highest bits, North is 0. The first thirteen bytes hold the number of deals, the low byte first, and
blanks. Deals have no board numbers and count from 1.
"""

from typing import Final

import numpy as np

from overtrick.formats.base import Reading
from overtrick.formats.dealing_machines.dealt import DECK, Dealt, cut_blocks, make_reading, number_blocks
from overtrick.problems import Finding

BLOCK: Final = 13

_COUNT: Final = 2
_BLANKS: Final = b" " * (BLOCK - _COUNT)
_SHIFTS: Final = np.array([0, 2, 4, 6], dtype=np.uint8)


def is_rzd(head: bytes) -> bool:
    """Report whether a file begins with a number of deals and eleven blanks, followed by bytes that are not text."""
    first = head[BLOCK : 2 * BLOCK]
    return head[_COUNT:BLOCK] == _BLANKS and (
        not first or any(byte < 9 or byte > 126 for byte in head[:_COUNT] + first)
    )


def read_rzd(data: bytes) -> Reading:
    """Read an RZD file."""
    read = cut_blocks(data, BLOCK, skip=BLOCK)
    block, findings = read.rows, read.findings
    stated = int.from_bytes(data[:_COUNT], "little")
    if stated != len(block):
        findings.append(Finding("deal-file-header", values={"stated": f"{stated} deals", "found": str(len(block))}))
    # The first byte of a deal holds the aces: 0b00_01_10_11 has the spade ace with North, the heart ace with East, the
    # diamond ace with South and the club ace with West. Turned round, ranks go up from the two and suits from clubs.
    by_rank = block[:, ::-1, None] >> _SHIFTS & 3
    owner = by_rank.transpose(0, 2, 1).reshape(-1, DECK).astype(np.uint8)
    hexadecimal = [row.tobytes().hex() for row in block]
    return make_reading(Dealt(owner, number_blocks(read.starts, hexadecimal), extras=read.rest, findings=findings))
