"""The structure of a text that lark parses whole: the methods are named after the rules of `grammars/lin.lark`."""

from functools import cache
from itertools import chain

import numpy as np
from lark import Lark, Token, Transformer, v_args

from overtrick.core.grammar import grammar
from overtrick.files.formats.lin.read.mending import TERMINALS, Mended
from overtrick.files.formats.lin.read.pieces import Pieces

_Part = tuple[int, int, Token | None]
"""Where a part begins and ends; the terminal of a slip, None for sound commands."""


@v_args(inline=True)
class _Structure(Transformer[Token, list[_Part]]):
    """Notes where the commands of each rule are, as soon as the rule is complete."""

    def file(self, *parts: list[_Part]) -> list[_Part]:
        return list(chain.from_iterable(parts))

    above = board = file

    def commands(self, run: Token) -> list[_Part]:
        return [(run.start_pos or 0, run.end_pos or 0, None)]

    label = hands = calls = cards = page = film = commands

    def command(self, name: Token, argument: Token) -> list[_Part]:
        return [(name.start_pos or 0, argument.end_pos or 0, None)]

    def argument(self, token: Token) -> Token:
        return token

    def slip(self, terminal: Token) -> list[_Part]:
        return [(terminal.start_pos or 0, terminal.end_pos or 0, terminal)]


@cache
def _parser() -> Lark:
    return grammar("file", language="lin", transformer=_Structure())


def parse_structure(pieces: Pieces) -> Mended:
    """Separate commands from arguments in a whole text, as `mending.mend` does.

    Args:
        pieces: the text. Lark reads a character for each byte, so that places are those of the bytes.
    """
    parts: list[_Part] = _parser().parse(pieces.data.decode("latin-1"))  # type: ignore[assignment]
    slips = [(start, terminal) for start, _, terminal in parts if terminal is not None]
    sound = np.array([(start, end) for start, end, terminal in parts if terminal is None], dtype=np.int64)
    # Parts that touch are one run: [0 8] [8 20] [25 30] are the runs 0 to 20 and 25 to 30.
    begin, end = sound.reshape(-1, 2).T
    apart = begin[1:] != end[:-1]
    first, last = begin[np.append(True, apart)[: len(begin)]], end[np.append(apart, True)[: len(end)]]
    runs = zip(*(np.searchsorted(pieces.starts, places).tolist() for places in (first, last)), strict=True)
    tokens = [token.shifted(start) for start, slip in slips for token in TERMINALS[slip.type](slip)]
    return Mended(list(runs), tokens)
