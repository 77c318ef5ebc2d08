"""A LIN text cut at its pipes, all at once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from overtrick.formats.lin.commands import CARD, codes, commands

Places = npt.NDArray[np.signedinteger]

_PIPE: Final = b"|"[0]
_BLANK: Final = np.isin(np.arange(256), list(b"\t\n\v\f\r "))
_LOT: Final = 1 << 17
"""Bytes that are looked at together: few enough to stay beside the processor, and their memory is used again."""


@dataclass(frozen=True)
class Pieces:
    """A text cut at its pipes: piece i ends at pipe i, the last one at the end of the text."""

    data: bytes
    starts: Places
    """Where each piece begins, and last the place after the text's end."""
    pair: npt.NDArray[np.uint16]
    """The two bytes that a piece ends with, 256 times the first and the second; 0 for one that is not there."""
    code: npt.NDArray[np.uint8]
    """Place in `commands` of these two, `CARD` added where they are written as a card is; 0 for none."""
    fits: npt.NDArray[np.bool_]
    """Whether a piece can be taken for a command: one that looks like a card only before another command."""

    @property
    def last(self) -> int:
        """The piece after the last pipe."""
        return len(self.pair) - 1

    def name(self, piece: int) -> str:
        """Give the command that a piece ends with, empty for none."""
        return commands()[int(self.code[piece]) & (CARD - 1)]

    @cached_property
    def fitting(self) -> Places:
        """The pieces that can be taken for commands."""
        return np.flatnonzero(self.fits)

    def start(self, piece: int) -> int:
        """Say where a piece begins."""
        return int(self.starts[piece])

    def end(self, piece: int) -> int:
        """Say where the pipe behind a piece is."""
        return int(self.starts[piece + 1]) - 1

    def apart(self, piece: int) -> bool:
        """Say whether the two characters that a piece ends with stand alone or after white space."""
        end = self.end(piece)
        return end - self.start(piece) == 2 or bool(_BLANK[self.data[max(end - 3, 0)]])

    def of(self, piece: int) -> bytes:
        """Give a piece as bytes; empty beyond the end."""
        return self.data[self.start(piece) : self.end(piece)] if piece <= self.last else b""

    def goes_on(self, piece: int) -> bool:
        """Say whether a command can be at this piece, or the text is over."""
        return piece > self.last or bool(self.fits[piece]) or (piece == self.last and not self.of(piece).strip())


def pieces(data: bytes) -> Pieces:
    """Cut a text at its pipes, and tell for each piece the command that it ends with."""
    octets = np.frombuffer(data or b"\n", dtype=np.uint8)
    counts = [0, *(data.count(_PIPE, lot.start, lot.stop) for lot in lots(len(octets)))]
    count = sum(counts) + 1
    starts = np.zeros(count + 1, dtype=place_type(data))
    pair, code = np.empty(count, dtype=np.uint16), np.empty(count, dtype=np.uint8)
    known = np.empty(count, dtype=np.bool_)

    def look_at(first: int, begin: int, pipes: Places) -> None:
        """Fill in the pieces that end at these pipes, of which the first begins there."""
        lot = slice(first, first + len(pipes))
        starts[first + 1 : lot.stop + 1] = pipes + 1
        lengths = np.diff(pipes, prepend=begin - 1) - 1
        third, second, last = (octets.take(pipes - back, mode="clip") for back in (3, 2, 1))
        pair[lot] = second * (lengths > 1) * np.uint16(256) + last * (lengths > 0)
        code[lot] = codes().take(pair[lot], mode="clip")
        known[lot] = (code[lot] > 0) & ((lengths == 2) | _BLANK.take(third))

    def look_at_lot(first: int, lot: slice) -> None:
        pipes = np.flatnonzero(octets[lot] == _PIPE) + lot.start
        look_at(first, data.rfind(_PIPE, 0, lot.start) + 1, pipes)

    # Arrays let go of the interpreter's lock.
    with ThreadPoolExecutor(2) as both:
        list(both.map(look_at_lot, accumulate(counts), lots(len(octets))))
    look_at(count - 1, int(starts[-2]), np.array([len(data)]))
    known[-1] = False
    cards = np.flatnonzero(code >= CARD)
    next_one = np.minimum(cards + 2, count - 1)
    known[cards] &= known[next_one] & (code[next_one] < CARD)
    return Pieces(data, starts, pair, code, known)


def lots(count: int) -> Iterator[slice]:
    """Give so many rows in lots."""
    for begin in range(0, count, _LOT):
        yield slice(begin, begin + _LOT)


def place_type(data: bytes) -> type[np.signedinteger]:
    """Give the smallest type that holds all places in a text and differences of them."""
    return np.int32 if len(data) < np.iinfo(np.int32).max else np.int64


def places_of(octet: int, data: bytes) -> Places:
    """Find a byte in a text."""
    octets = np.frombuffer(data, dtype=np.uint8)
    found = [np.flatnonzero(octets[lot] == octet) + lot.start for lot in lots(len(data))]
    return np.concatenate([*found, np.zeros(0, dtype=np.int64)])
