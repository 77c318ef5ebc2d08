"""A LIN text as tokens: each `cc|value|` in its place, and everything between them, nothing lost.

The text is cut at its pipes, all at once. `evening` or, for a long text, `archive` says where commands and values take
turns, which is nearly everywhere: there tokens are columns over these pieces.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.frames import ColumnType
from overtrick.core.grammar import LONGEST_EVENING
from overtrick.core.words import Dialect
from overtrick.files.formats.base import put_in
from overtrick.files.formats.lin.read.archive import mend
from overtrick.files.formats.lin.read.evening import Pieces, Places, Token, cut_pieces, find_byte, lots, parse_structure
from overtrick.files.formats.lin.spelling import BROKEN_BY_RS, CARD, find_dialect, list_commands

KIND: Final = pl.Enum(["tag", "comment", "stray"])
SCHEMA: Final[dict[str, ColumnType]] = {
    "line": pl.UInt32,
    "column": pl.UInt32,
    "kind": KIND,
    "code": pl.UInt8,
    "word": pl.UInt32,
    "defect": pl.String,
}
"""Tokens: place (line and column from 1), kind, the command's code (its place in `commands.list_commands`; 0 for an
unknown one), the value (its place in `Tokens.words`). Text that is not a command is of kind `comment` if it begins with
`%`, else `stray`. `defect` is the code of the problem that a token is, null for a sound one."""

_OWN: Final = ("kind", "code", "word", "defect")
_NEWLINE: Final = b"\n"[0]
_CONTINUES: Final = 0x80
"""The first two bits of a byte of UTF-8 that is not the first of its character."""


@dataclass(frozen=True)
class Tokens:
    """The tokens of a text. Most values are one of a few, such as a card: these are stored once."""

    frame: pl.DataFrame
    """One row a token in the order of the text: `SCHEMA`."""
    words: pl.Series
    """Values as written. Equal values of up to two bytes are one word."""
    unknown: pl.Series
    """The names of the unknown commands, in small letters, in their order."""
    breaks: Places = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Where several files were joined, the row at which each file after the first begins."""

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.frame)

    def mark_files(self, lines_before: Places) -> "Tokens":
        """Return the tokens of files that were joined, with `breaks`, from the number of lines before each file."""
        return replace(self, breaks=np.searchsorted(self.frame["line"].to_numpy(), lines_before[1:] + 1))

    def find_files(self, at: Places) -> Places:
        """Return the file that each of these rows is in, from 0."""
        return np.searchsorted(self.breaks, at, side="right")

    def get_texts(self, at: Places) -> pl.Series:
        """Return the values of some rows."""
        return self.words[self.frame["word"].to_numpy()[at]]

    def get_rows(self, at: Places) -> pl.DataFrame:
        """Return some rows: `line column text`."""
        line, column = (self.frame[name].to_numpy()[at] for name in ("line", "column"))
        return pl.DataFrame({"line": line, "column": column, "text": self.get_texts(at)})

    @cached_property
    def dialect(self) -> Dialect:
        """The dialect of the text's calls, cards and results."""
        word, code = self.frame["word"], self.frame["code"]
        return find_dialect(lambda name: self.words[word.filter(code == list_commands().index(name)).unique()])

    def list_all(self) -> pl.DataFrame:
        """List all tokens: `line column kind name text defect`; the name is the command's, null for other text."""
        code = self.frame["code"]
        name = pl.Series([None, *list_commands()[1:]])[code]
        if len(self.unknown):
            rows = self.frame.select((pl.col("kind") == "tag") & (pl.col("code") == 0)).to_series().arg_true()
            name = put_in(name, rows, self.unknown)
        text = self.words[self.frame["word"]]
        return self.frame.drop("code", "word").with_columns(name.alias("name"), text.alias("text"))


def cut_tokens(text: str) -> Tokens:
    r"""Cut a text into tokens. Together they hold all of it but pipes and white space.

    Lark parses the structure of a text of up to `LONGEST_EVENING` characters; columns find that of a longer one.

    Args:
        text: the whole text; lines end in `\n`.
    """
    cut = cut_pieces(text.encode())
    mended = parse_structure(cut) if len(text) <= LONGEST_EVENING else mend(cut)
    frame, words, begin = _sound(cut, mended.runs)
    unsound = sorted((*mended.tokens, *_between(cut, begin, frame["at"].to_numpy())), key=lambda token: token.at)
    if unsound:
        frame = pl.concat([frame, _unsound(unsound, len(words)).cast(frame.schema)]).sort("at", maintain_order=True)
        values = [cut.data[token.begin : token.end].decode() for token in unsound]
        words = pl.concat([words, pl.Series(values, dtype=pl.String)])
    names = [token.name for token in unsound if token.name and token.name not in list_commands()]
    line, column = _find_lines_and_columns(cut.data, frame["at"].to_numpy())
    placed = frame.select(pl.Series("line", line), pl.Series("column", column), pl.col(_OWN))
    return Tokens(placed, words, pl.Series(names, dtype=pl.String))


def _sound(cut: Pieces, runs: Sequence[tuple[int, int]]) -> tuple[pl.DataFrame, pl.Series, Places]:
    """Return the tokens of the pieces that take turns, their words, and where the piece of each command begins.

    Worked example, the text of `cut_pieces`, of which pieces 0 to 7 are one run:

        commands    0   2   4   6
        their code  pn  mb  pc  pg    `code` without CARD
        values      1   3   5   7     where they begin: 3, 11, 17, 23
        at          0   8   14  20    three before the value: the command's first character
    """

    def every_second(values: npt.NDArray[Any], after: int) -> npt.NDArray[Any]:
        found = [values[start + after : stop + after : 2] for start, stop in runs]
        return found[0] if len(found) == 1 else np.concatenate([values[:0], *found])

    value = every_second(cut.starts, 1)
    word, words = _words(cut.data, value, every_second(cut.starts, 2), every_second(cut.pair, 1))
    code = every_second(cut.code, 0) & (CARD - 1)
    frame = pl.DataFrame({"at": value - 3, "code": code, "word": word}).with_columns(
        pl.lit("tag", KIND).alias("kind"), pl.lit(None, pl.String).alias("defect")
    )
    broken = words.str.ends_with(BROKEN_BY_RS)
    if broken.any():
        defect = pl.when(broken).then(pl.lit("lin-value-broken")).otherwise(None)
        frame = frame.with_columns(pl.select(defect).to_series().gather(frame["word"]).alias("defect"))
    return frame.select("at", *_OWN), words, every_second(cut.starts, 0)


def _words(
    data: bytes, begin: Places, after: Places, pair: npt.NDArray[np.uint16]
) -> tuple[npt.NDArray[np.uint32], pl.Series]:
    """Return the word of each value, and the words.

    A value of up to two bytes is the number that `pair` holds, so equal ones share a word. Worked example:

        value    SA      p       Ada   (empty)  SA
        pair     0x5341  0x0070  'da'  0        0x5341
        short    yes     yes     no    yes      yes
        word     2       1       3     0        2        the numbers in use are 0, 0x70 and 0x5341
        words    (empty), p, SA, Ada

    Args:
        data: the text.
        begin: where each value begins.
        after: the place after its pipe.
        pair: the two bytes that it ends with.
    """
    short = np.empty(len(begin), dtype=np.bool_)
    there = np.zeros(1 << 16, dtype=np.bool_)
    for lot in lots(len(begin)):
        # A value that begins with the byte 0 has the number of a shorter one, so it is not short.
        short[lot] = after[lot] - begin[lot] - 1 == (pair[lot] > 0).astype(np.uint8) + (pair[lot] > 0xFF)
        there[pair[lot][short[lot]]] = True
    known = np.flatnonzero(there)
    number = np.zeros(len(there), dtype=np.uint32)
    number[known] = np.arange(len(known))
    word = np.empty(len(begin), dtype=np.uint32)
    for lot in lots(len(begin)):
        word[lot] = number.take(pair[lot], mode="clip")
    others = np.flatnonzero(~short)
    word[others] = np.arange(len(known), len(known) + len(others))
    texts = [value.to_bytes(2).lstrip(b"\0").decode() for value in known.tolist()]
    cuts = map(slice, begin[others].tolist(), after[others].tolist())
    values = pl.Series([b"".join(map(data.__getitem__, cuts)).decode()]).str.split("|").explode().head(len(others))
    return word, pl.concat([pl.Series(texts, dtype=pl.String), values])


def _between(cut: Pieces, begin: Places, end: Places) -> Iterator[Token]:
    """Yield the text before each command of a run in its piece, without the white space around it."""
    octets = np.frombuffer(cut.data, dtype=np.uint8)
    rows = np.flatnonzero(end > begin)
    rows = rows[(end[rows] - begin[rows] > 1) | (octets[begin[rows]] != _NEWLINE)]
    for first, last in zip(begin[rows].tolist(), end[rows].tolist(), strict=True):
        text = cut.data[first:last].decode()
        inner = text.strip()
        if inner:
            at = first + len(text[: text.index(inner)].encode())
            remark = inner.startswith("%")
            defect, kind = (None, "comment") if remark else ("stray-text/lin", "stray")
            yield Token(at, at, at + len(inner.encode()), None, defect, kind)


def _unsound(unsound: list[Token], first_word: int) -> pl.DataFrame:
    code = {name: code for code, name in enumerate(list_commands())}
    rows = [
        (token.at, token.kind, code.get(token.name or "", 0), word, token.defect)
        for word, token in enumerate(unsound, start=first_word)
    ]
    schema = {"at": pl.Int64, **{name: SCHEMA[name] for name in _OWN}}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _find_lines_and_columns(data: bytes, at: Places) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Return line and column, in characters, of places in the bytes; places are in order.

    Worked example, commands at 0, 8, 14 and 20 of a text whose first line ends at 7:

        first   0, 8, 25        where lines begin
        sizes   1, 3, 0         places in each line
        line    1   2   2   2
        column  1   1   7   13  the place less the line's beginning, from 1; bytes inside a character do not count
    """
    first = np.concatenate([[0], find_byte(_NEWLINE, data) + 1]).astype(at.dtype)
    sizes = np.diff(np.concatenate([np.searchsorted(at, first), [len(at)]]))
    line = np.repeat(np.arange(1, len(first) + 1, dtype=np.uint32), sizes)
    first = np.repeat(first - 1, sizes)
    column = np.subtract(at, first, dtype=np.uint32, casting="unsafe")
    if not data.isascii():
        octets = np.frombuffer(data, dtype=np.uint8)
        continues = np.flatnonzero((octets & 0xC0) == _CONTINUES)
        column -= (np.searchsorted(continues, at) - np.searchsorted(continues, first + 1)).astype(np.uint32)
    return line, column
