"""Pipes that are lost or doubled: which pieces between pipes are commands, and which are values.

A lost pipe would turn all that follows around. Reading goes on as long as commands stand where they should; where one
does not, the first repair of `_REPAIRS` that makes the next command fit is taken, and the token says so.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from overtrick.formats.lin.commands import commands
from overtrick.formats.lin.read.pieces import Pieces, Places
from overtrick.grammar import matcher

_VALUED: Final = frozenset("vg rs pn md ah sv mb an pc mc nt at qx".split())
"""Commands that say nothing without a value."""
_GLUED: Final = re.compile(rb"\s*(mb|pc|sv|mc|md|qx)(\S[^|]*)", re.IGNORECASE)
_APART: Final = re.compile(rb"(?:.*\s)?([A-Za-z0-9])\s+([A-Za-z0-9#^<>])", re.DOTALL)
_TWO_CHARACTERS: Final = re.compile(rb"(?:.*\s)?([A-Za-z0-9][A-Za-z0-9#^<>])", re.DOTALL)


@dataclass(frozen=True)
class Token:
    """A token with places in the bytes: where it begins, and from where to where its value goes."""

    at: int
    begin: int
    end: int
    name: str | None
    defect: str | None
    kind: str = "tag"


@dataclass
class Mended:
    """What a text consists of."""

    runs: list[tuple[int, int]] = field(default_factory=list)
    """Pieces from and up to which every second one is a command, and the others are values."""
    tokens: list[Token] = field(default_factory=list)
    """What is not in the runs."""


def mend(pieces: Pieces) -> Mended:
    """Tell commands from values in the whole text."""
    walk = _Walk(pieces)
    piece = 0
    while piece < pieces.last:
        piece = walk.run(piece)
        if piece < pieces.last:
            piece = next(after for repair in _REPAIRS if (after := repair(walk, piece)) is not None)
    if piece == pieces.last:
        walk.between(pieces.start(piece), pieces.end(piece))
    return walk.mended


class _Walk:
    """The way through the pieces, and what was found on it."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self.mended = Mended()
        self._breaks: dict[int, Places] = {}
        self._value = -1
        """The piece that is the value of the token before."""

    def run(self, piece: int) -> int:
        """Go on as long as every second piece is a command; give the first that is none."""
        parity = piece % 2
        if parity not in self._breaks:
            self._breaks[parity] = np.flatnonzero(~self.pieces.fits[parity::2])
        breaks = self._breaks[parity]
        at = int(np.searchsorted(breaks, piece // 2))
        stop = 2 * int(breaks[at]) + parity if at < len(breaks) else self.pieces.last + 1
        unclosed = stop > self.pieces.last
        self._take(piece, stop - 2 if unclosed else stop)
        if unclosed:
            self.add(stop - 2, self.pieces.name(stop - 2), stop - 1, "lin-value-unclosed")
        return stop

    def _take(self, piece: int, stop: int) -> None:
        if stop > piece:
            self.mended.runs.append((piece, stop))
            self._value = stop - 1

    def add(self, piece: int, name: str, value: int, defect: str | None) -> None:
        """Add a token whose command ends one piece and whose value is another."""
        begin, at = self.pieces.start(piece), self.pieces.end(piece) - 2
        self.between(begin, at)
        first, last = self.pieces.start(value), self.pieces.end(value)
        if value == self.pieces.last:
            last = first + len(self.pieces.of(value).rstrip())
        self.put(Token(at, first, last, name, defect), value)

    def put(self, token: Token, value: int) -> None:
        """Add a token whose value is that piece, or part of it."""
        self.mended.tokens.append(token)
        self._value = value

    def between(self, begin: int, end: int, defect: str = "lin-stray-text") -> None:
        """Add text that is no command, without the white space around it."""
        text = self.pieces.data[begin:end]
        inner = text.strip()
        if inner:
            begin += text.index(inner)
            self.mended.tokens.append(Token(begin, begin, begin + len(inner), None, defect, "stray"))
            self._value = -1

    def before(self, piece: int) -> Token | None:
        """Give the token whose value ends where this piece begins, as one that can be amended."""
        if self._value < 0 or self._value != piece - 1:
            return None
        if self.mended.runs and self.mended.runs[-1][1] == piece:
            start, stop = self.mended.runs.pop()
            self._take(start, stop - 2)
            self.add(stop - 2, self.pieces.name(stop - 2), stop - 1, None)
        return self.mended.tokens[-1]

    def amend(self, token: Token) -> None:
        """Put another in the place of the last token."""
        self.mended.tokens[-1] = token


def _joined_apart(walk: _Walk, piece: int) -> int | None:
    """Mend `mb|p mb|1C|`: the value before ends in a command that stands alone, and its own pipe is lost."""
    return _joined(walk, piece) if walk.pieces.apart(piece - 1) else None


def _joined(walk: _Walk, piece: int) -> int | None:
    """Mend `mb|2D!an|shows|`: the value before ends in a command, and its own pipe is lost."""
    pieces = walk.pieces
    if not pieces.name(piece - 1) or not pieces.goes_on(piece + 1):
        return None
    at = pieces.end(piece - 1) - 2
    before = walk.before(piece)
    if before is None or at < before.begin:
        return None
    end = before.begin + len(pieces.data[before.begin : at].rstrip())
    walk.amend(replace(before, end=end, defect="lin-pipe-missing"))
    name = pieces.name(piece - 1)
    walk.put(Token(at, pieces.start(piece), pieces.end(piece), name, None), piece)
    return piece + 1


def _lost_board(walk: _Walk, piece: int) -> int | None:
    """Mend `o33|md|...`: a board and room without `qx|`."""
    text = walk.pieces.of(piece)
    if (
        not matcher("ROOM", start="piece", language="lin").fullmatch(text.strip().decode())
        or not walk.pieces.fits[piece + 1]
    ):
        return None
    begin = walk.pieces.start(piece) + text.index(text.strip())
    walk.put(Token(begin, begin, begin + len(text.strip()), "qx", "lin-board-without-qx"), piece)
    return piece + 1


def _extra_pipe(walk: _Walk, piece: int) -> int | None:
    """Mend `pn|...,NAME||pg||`: a pipe too many after a value."""
    if walk.pieces.of(piece).strip() or not walk.pieces.goes_on(piece + 1):
        return None
    at = walk.pieces.end(piece)
    walk.between(at, at + 1, "lin-pipe-extra")
    return piece + 1


def _doubled_before_value(walk: _Walk, piece: int) -> int | None:
    """Mend `mb||p|`: a pipe too many before a value."""
    pieces = walk.pieces
    if pieces.of(piece - 1) or pieces.of(piece).startswith(b"\n") or not pieces.goes_on(piece + 1):
        return None
    before = walk.before(piece)
    if before is None or before.name not in _VALUED:
        return None
    walk.amend(replace(before, begin=pieces.start(piece), end=pieces.end(piece), defect="lin-pipe-extra"))
    return piece + 1


def _glued(walk: _Walk, piece: int) -> int | None:
    """Mend `pcSA|pc|SK|`: the pipe between command and value is lost."""
    match = _GLUED.fullmatch(walk.pieces.of(piece))
    if match is None or not walk.pieces.goes_on(piece + 1):
        return None
    start = walk.pieces.start(piece)
    begin, end = (start + place for place in match.span(2))
    walk.put(Token(start + match.start(1), begin, end, match[1].decode().lower(), "lin-pipe-missing"), piece)
    return piece + 1


def _unknown_command(walk: _Walk, piece: int) -> int | None:
    """Take two characters that are no known command for one when the next command fits."""
    match = _TWO_CHARACTERS.fullmatch(walk.pieces.of(piece))
    if match is None or piece + 1 > walk.pieces.last or not walk.pieces.goes_on(piece + 2):
        return None
    defect = None if walk.pieces.name(piece) else "lin-command-unknown"
    walk.add(piece, match[1].decode().lower(), piece + 1, defect)
    return piece + 2


def _torn_command(walk: _Walk, piece: int) -> int | None:
    """Mend `q⏎x|o1|`: white space between the two characters of a command."""
    match = _APART.fullmatch(walk.pieces.of(piece))
    if match is None or piece + 1 > walk.pieces.last or not walk.pieces.goes_on(piece + 2):
        return None
    name = (match[1] + match[2]).decode().lower()
    if name not in commands():
        return None
    start, value = walk.pieces.start(piece), piece + 1
    walk.between(start, start + match.start(1))
    begin, end = walk.pieces.start(value), walk.pieces.end(value)
    walk.put(Token(start + match.start(1), begin, end, name, "lin-command-torn"), value)
    return piece + 2


def _passed_over(walk: _Walk, piece: int) -> int:
    """Pass over all up to the next command."""
    fitting = walk.pieces.fitting
    at = int(np.searchsorted(fitting, piece + 1))
    after = int(fitting[at]) if at < len(fitting) else walk.pieces.last
    begin, end = walk.pieces.start(piece), walk.pieces.end(after - 1)
    if walk.pieces.data[begin:end].strip():
        walk.between(begin, end)
    else:
        walk.between(end, end + 1, "lin-pipe-extra")
    return after


_REPAIRS: Final[tuple[Callable[[_Walk, int], int | None], ...]] = (
    _joined_apart,
    _doubled_before_value,
    _lost_board,
    _extra_pipe,
    _joined,
    _glued,
    _torn_command,
    _unknown_command,
    _passed_over,
)
"""In the order in which they are tried at a piece that should be a command and is none. The last one always helps."""
