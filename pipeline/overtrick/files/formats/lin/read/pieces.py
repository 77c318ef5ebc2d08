"""A LIN text cut at its pipes, all at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from overtrick.files.formats.lin.spelling import CARD, tabulate_codes

Places = npt.NDArray[np.signedinteger]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

_PIPE: Final = b"|"[0]
_IS_WHITE: Final = np.isin(np.arange(256), list(b"\t\n\v\f\r "))
_LOT: Final = 1 << 17
"""Bytes that are processed together: few enough for the processor's cache, and their memory is used again."""


@dataclass(frozen=True)
class Pieces:
    """A text cut at its pipes: piece i ends at pipe i, the last piece at the end of the text."""

    data: bytes
    starts: Places
    """Where each piece begins, and at the end the place after the text's end."""
    pair: npt.NDArray[np.uint16]
    """The two bytes that a piece ends with, 256 times the first plus the second; 0 for a byte that is not there."""
    code: Bytes
    """The code of these two bytes, as `commands.tabulate_codes` has it."""
    fits: Mask
    """Whether a piece ends in a command, as the terminal `_HEAD` of the grammar defines it."""


def cut_pieces(data: bytes) -> Pieces:
    r"""Cut a text at its pipes, and look up the command that each piece ends with.

    Worked example, `pn|Ada|\nmb|1C|pc|SA|pg||` and a line end:

        piece   0     1      2     3     4     5     6     7    8
        text    pn    Ada    \nmb  1C    pc    SA    pg         \n
        starts  0     3      7     11    14    17    20    23   24    and 26, the place after the end
        pair    'pn'  'da'   'mb'  '1C'  'pc'  'SA'  'pg'  0    '\n'
        code    pn    0      mb    0     pc    sa+C  pg    0    0
        fits    yes   no     yes   no    yes   no    yes   no   no

    Piece 5 looks like a card (C), and the piece two after it is not a command. The last piece has no pipe.
    """
    octets = np.frombuffer(data or b"\n", dtype=np.uint8)
    counts = [0, *(data.count(_PIPE, lot.start, lot.stop) for lot in lots(len(octets)))]
    count = sum(counts) + 1
    starts: Places = np.zeros(count + 1, dtype=np.int32 if len(data) < np.iinfo(np.int32).max else np.int64)
    pair, code = np.empty(count, dtype=np.uint16), np.empty(count, dtype=np.uint8)
    known = np.empty(count, dtype=np.bool_)

    def look_up(first: int, begin: int, pipes: Places) -> None:
        """Fill in the pieces that end at these pipes; the first of them begins at `begin`."""
        lot = slice(first, first + len(pipes))
        starts[first + 1 : lot.stop + 1] = pipes + 1
        lengths = np.diff(pipes, prepend=begin - 1) - 1
        third, second, last = (octets.take(pipes - back, mode="clip") for back in (3, 2, 1))
        pair[lot] = second * (lengths > 1) * np.uint16(256) + last * (lengths > 0)
        code[lot] = tabulate_codes().take(pair[lot], mode="clip")
        known[lot] = (code[lot] > 0) & ((lengths == 2) | _IS_WHITE.take(third))

    def look_up_lot(first: int, lot: slice) -> None:
        pipes = np.flatnonzero(octets[lot] == _PIPE) + lot.start
        look_up(first, data.rfind(_PIPE, 0, lot.start) + 1, pipes)

    for first, lot in zip(accumulate(counts), lots(len(octets)), strict=False):
        look_up_lot(first, lot)
    look_up(count - 1, int(starts[-2]), np.array([len(data)]))
    known[-1] = False
    cards = np.flatnonzero(code >= CARD)
    next_one = np.minimum(cards + 2, count - 1)
    known[cards] &= known[next_one] & (code[next_one] < CARD)
    return Pieces(data, starts, pair, code, known)


def lots(count: int) -> Iterator[slice]:
    """Yield slices that cut this many rows into lots."""
    for begin in range(0, count, _LOT):
        yield slice(begin, begin + _LOT)


def find_byte(octet: int, data: bytes) -> Places:
    """Find all places of a byte in a text."""
    octets = np.frombuffer(data, dtype=np.uint8)
    found = [np.flatnonzero(octets[lot] == octet) + lot.start for lot in lots(len(data))]
    return np.concatenate([*found, np.zeros(0, dtype=np.int64)])
