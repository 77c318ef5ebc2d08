"""A text that lark parses whole: the pieces between its pipes, their structure, and what lost pipes hide.

The methods of `_Structure` are named after the rules of `grammars/lin.lark`. What a terminal of its `slip` matched is
read by the function beside that terminal in `TERMINALS`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, chain
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from lark import Token as Matched
from lark import Transformer, v_args

from overtrick.core.grammar import grammar, matcher
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


_WHITE: Final = "\t\n\v\f\r "
"""White space in ASCII, in which characters and bytes agree."""


class Token(NamedTuple):
    """A command, a remark or stray text, with its places in a text."""

    at: int
    """Where the command begins."""
    begin: int
    end: int
    """Where its value begins and ends."""
    name: str | None
    """The command in small letters, None for text that is not a command."""
    defect: str | None
    kind: str = "tag"

    def shifted(self, by: int) -> "Token":
        """Return the token with its places moved."""
        return self._replace(at=self.at + by, begin=self.begin + by, end=self.end + by)


@dataclass
class Mended:
    """The parts of a text: sound commands, and everything else."""

    runs: list[tuple[int, int]] = field(default_factory=list)
    """Pieces from and up to which every second one is a command and the others are values."""
    tokens: list[Token] = field(default_factory=list)
    """Everything else, with places in the bytes."""


def _text_before(head: str) -> Iterator[Token]:
    """Read what is before a command that is mended."""
    return _remark(head, 0, len(head) - 2)


def _remark(text: str, begin: int, end: int) -> Iterator[Token]:
    """Read text that belongs to no command: a remark if it begins with `%`, else stray."""
    for token in _stray(text, begin, end):
        is_remark = text.startswith("%", token.begin)
        yield token._replace(kind="comment", defect=None) if is_remark else token


def _stray(text: str, begin: int, end: int) -> Iterator[Token]:
    inner = text[begin:end].strip(_WHITE)
    if inner:
        at = text.index(inner, begin)
        yield Token(at, at, at + len(inner), None, "stray-text/lin", "stray")


def _unclosed(text: str) -> Iterator[Token]:
    """Read `an|a relay` at the end of the text."""
    head, _, value = text.partition("|")
    yield from _text_before(head)
    begin, length = len(head) + 1, len(value.rstrip(_WHITE))
    yield Token(len(head) - 2, begin, begin + length, head[-2:].lower(), "lin-value-unclosed")


def _joined(text: str) -> Iterator[Token]:
    """Read `mb|2D!an|shows|` as `mb|2D!|an|shows|`."""
    head, value, other, _ = text.split("|")
    yield from _text_before(head)
    begin = len(head) + 1
    length = len(value[:-2].rstrip(_WHITE))
    yield Token(len(head) - 2, begin, begin + length, head[-2:].lower(), "lin-pipe-missing")
    after = begin + len(value) + 1
    yield Token(after - 3, after, after + len(other), value[-2:].lower(), None)


def _doubled(text: str) -> Iterator[Token]:
    """Read `mb||p|` as `mb|p|`."""
    head = text.partition("|")[0]
    yield from _text_before(head)
    yield Token(len(head) - 2, len(head) + 2, len(text) - 1, head[-2:].lower(), "lin-pipe-extra")


def _label(text: str) -> Iterator[Token]:
    """Read `o33|` as `qx|o33|`."""
    label = text[:-1].strip(_WHITE)
    at = text.index(label)
    yield Token(at, at, at + len(label), "qx", "lin-board-without-qx")


def _extra_pipe(text: str) -> Iterator[Token]:
    """Read a pipe, and white space before it."""
    yield Token(len(text) - 1, len(text) - 1, len(text), None, "lin-pipe-extra", "stray")


def _glued(text: str) -> Iterator[Token]:
    """Read `pcSA|` as `pc|SA|`."""
    at = len(text) - len(text.lstrip(_WHITE))
    yield Token(at, at + 2, len(text) - 1, text[at : at + 2].lower(), "lin-pipe-missing")


def _torn(text: str) -> Iterator[Token]:
    """Read `q⏎x|o1|` as `qx|o1|`."""
    head, _, value = text.partition("|")
    at = len(head[:-1].rstrip(_WHITE)) - 1
    yield from _remark(head, 0, at)
    begin = len(head) + 1
    length = len(value.removesuffix("|"))
    yield Token(at, begin, begin + length, (head[at] + head[-1]).lower(), "lin-command-torn")


def _unknown(text: str) -> Iterator[Token]:
    """Read `qq|new|`; a command that looks like a card is known."""
    head, _, value = text.partition("|")
    yield from _text_before(head)
    known = matcher("COMMAND", language="lin").fullmatch(head[-2:])
    length = len(value) - 1 if value.endswith("|") else len(value.rstrip(_WHITE))
    begin = len(head) + 1
    yield Token(len(head) - 2, begin, begin + length, head[-2:].lower(), None if known else "lin-command-unknown")


def _passed_over(text: str) -> Iterator[Token]:
    """Read `a|b|c|` as stray text; where there is only white space, the pipe after it is one too many."""
    return _stray(text, 0, len(text) - 1) if text[:-1].strip(_WHITE) else _extra_pipe(text)


TERMINALS: Final[dict[str, Callable[[str], Iterator[Token]]]] = {
    "JOINED_APART": _joined,
    "DOUBLED": _doubled,
    "JOINED": _joined,
    "OPEN_TOKEN": _unclosed,
    "REST": lambda text: _remark(text, 0, len(text)),
    "LABEL_ALONE": _label,
    "EXTRA_PIPE": _extra_pipe,
    "GLUED": _glued,
    "TORN": _torn,
    "UNKNOWN": _unknown,
    "PASSED_OVER": _passed_over,
}
"""By terminal of the grammar's `slip`, in the order in which they are tried, what reads the commands and stray texts in
what it matched: tokens in the order of the text, with places in it."""

_Part = tuple[int, int, Matched | None]
"""Where a part begins and ends; the terminal of a slip, None for sound commands."""


@v_args(inline=True)
class _Structure(Transformer[Matched, list[_Part]]):
    """Notes where the commands of each rule are, as soon as the rule is complete."""

    def file(self, *parts: list[_Part]) -> list[_Part]:
        return list(chain.from_iterable(parts))

    above = board = file

    def commands(self, run: Matched) -> list[_Part]:
        return [(run.start_pos or 0, run.end_pos or 0, None)]

    label = hands = calls = cards = page = film = commands

    def command(self, name: Matched, argument: Matched) -> list[_Part]:
        return [(name.start_pos or 0, argument.end_pos or 0, None)]

    def slip(self, terminal: Matched) -> list[_Part]:
        return [(terminal.start_pos or 0, terminal.end_pos or 0, terminal)]


_STRUCTURE: Final = _Structure()


def parse_structure(pieces: Pieces) -> Mended:
    """Separate commands from arguments in a whole text, as `archive.mend` does.

    Args:
        pieces: the text. Lark reads a character for each byte, so that places are those of the bytes.
    """
    parts: list[_Part] = grammar("file", language="lin", transformer=_STRUCTURE).parse(pieces.data.decode("latin-1"))  # type: ignore[assignment]
    slips = [(start, terminal) for start, _, terminal in parts if terminal is not None]
    sound = np.array([(start, end) for start, end, terminal in parts if terminal is None], dtype=np.int64)
    # Parts that touch are one run: [0 8] [8 20] [25 30] are the runs 0 to 20 and 25 to 30.
    begin, end = sound.reshape(-1, 2).T
    apart = begin[1:] != end[:-1]
    first, last = begin[np.append(True, apart)[: len(begin)]], end[np.append(apart, True)[: len(end)]]
    runs = zip(*(np.searchsorted(pieces.starts, places).tolist() for places in (first, last)), strict=True)
    tokens = [token.shifted(start) for start, slip in slips for token in TERMINALS[slip.type](slip)]
    return Mended(list(runs), tokens)
