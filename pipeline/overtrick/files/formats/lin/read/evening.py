"""The structure of a text that lark parses whole: where commands and values take turns, and what lost pipes hide.

The methods of `_Structure` are named after the rules of `grammars/lin.lark`. What a terminal of its `slip` matched is
read by the function beside that terminal in `TERMINALS`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from lark import Token as Matched
from lark import Transformer, v_args

from overtrick.core.grammar import grammar, matcher
from overtrick.files.formats.lin.read.pieces import Pieces

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
