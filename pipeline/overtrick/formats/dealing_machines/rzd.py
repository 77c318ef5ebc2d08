"""RZD, of the Polish Kops machine: thirteen bytes a deal, a byte a rank from the ace down, two bits a suit.

Spades are the highest bits, North is 0. The first thirteen bytes hold the number of deals, the low byte first, and
blanks. Deals have no board numbers and count from 1.
"""

from typing import Final

from overtrick.formats.base import Reading, Written
from overtrick.formats.dealing_machines.dealt import Dealt, cut_blocks, make_reading, number_blocks, select_deals
from overtrick.formats.dealing_machines.two_bits import rank_bytes, seats_by_rank
from overtrick.frames import Session
from overtrick.problems import Finding

BLOCK: Final = 13

_COUNT: Final = 2
_BLANKS: Final = b" " * (BLOCK - _COUNT)
_MOST: Final = 0xFFFF


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
    hexadecimal = [row.tobytes().hex() for row in block]
    boards = number_blocks(read.starts, hexadecimal)
    return make_reading(Dealt(seats_by_rank(block), boards, extras=read.rest, findings=findings))


def write_rzd(session: Session) -> Written:
    """Write the number of deals, and thirteen bytes for each of them."""
    deals = select_deals(session)
    count = min(len(deals.boards), _MOST)
    return deals.to_file(count.to_bytes(_COUNT, "little") + _BLANKS + rank_bytes(deals.seats[:count]).tobytes())
