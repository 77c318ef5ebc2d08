"""Lost and doubled pipes: where commands and values stop taking turns, and what the text says there.

The terminals of the grammar's `file` define all repairs. This module finds the places where they apply and reads the
commands in the text that each matches.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from overtrick.core.grammar import matcher, terminal
from overtrick.files.formats.lin.read.pieces import Pieces, Places

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


def mend(pieces: Pieces) -> Mended:
    r"""Separate commands from values in a whole text.

    Worked example, `mb|1C|mb|p an|weak|pg||` and a line end; `fits` marks pieces that end in a command:

        piece   0   1   2   3     4     5   6  7
        text    mb  1C  mb  p an  weak  pg     \n
        fits    x       x   x           x

    The run that begins at piece 0 reaches piece 4, which should be a command and is not. From the run's last command,
    piece 2, the terminals match `mb|p an|weak|` as JOINED_APART: the run is cut to pieces 0 and 1, and two commands are
    made from pieces 2 to 4. The next run begins at piece 5 and reaches the last piece.
    """
    mended, last, piece = Mended(), pieces.last, 0
    misfits: dict[int, Places] = {}
    while piece <= last:
        parity = piece % 2
        if parity not in misfits:
            misfits[parity] = np.flatnonzero(~pieces.fits[parity::2])
        at = int(np.searchsorted(misfits[parity], piece // 2))
        stop = 2 * int(misfits[parity][at]) + parity if at < len(misfits[parity]) else last + 1
        name, first, text = _match(pieces, piece, stop)
        if first > piece:
            mended.runs.append((piece, first))
        start = pieces.start(first)
        # A character for each byte, so that places are those of the bytes.
        mended.tokens += [token.shifted(start) for token in TERMINALS[name](text.decode("latin-1"))]
        piece = first + text.count(b"|") if stop < last and text.endswith(b"|") else last + 1
    return mended


def _match(pieces: Pieces, piece: int, stop: int) -> tuple[str, int, bytes]:
    """Return the terminal that ends a run of sound commands, the piece it begins with and its text.

    Args:
        pieces: the whole text.
        piece: where the run begins.
        stop: the first piece that should be a command and is not.
    """
    if stop >= pieces.last:
        first = min(stop, 2 * pieces.last - stop)
        return "REST" if stop == pieces.last else "OPEN_TOKEN", first, pieces.data[pieces.start(first) :]
    for first in (stop - 2, stop):
        match = _slips().match(pieces.data, pieces.start(first)) if first >= piece else None
        if match and match.lastgroup in TERMINALS:
            return match.lastgroup, first, match[0]
    raise AssertionError("the grammar's PASSED_OVER matches any piece")


@cache
def _slips() -> re.Pattern[bytes]:
    """Compile the terminals for bytes, in the order in which lark's lexer tries them; a sound command is not a slip."""
    names = list(TERMINALS)
    names.insert(names.index("OPEN_TOKEN"), "COMMAND_BEFORE_ARGUMENT")
    patterns = (f"(?P<{name}>{terminal(name, language='lin')})" for name in names)
    return re.compile("|".join(patterns).encode())


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
        yield Token(at, at, at + len(inner), None, "lin-stray-text", "stray")


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
