"""A LIN text as tokens: each `cc|value|` in its place, and all that stands between, none lost.

The text is cut at its pipes, all at once. Where commands and values take turns, which is nearly everywhere, tokens are
columns over these pieces; where they do not, `mending` says what the pieces are.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl
from polars._typing import PolarsDataType

from overtrick.formats.lin.commands import CARD, commands
from overtrick.formats.lin.read.mending import Mended, Token, mend
from overtrick.formats.lin.read.pieces import Pieces, Places, lots, pieces, places_of

KIND: Final = pl.Enum(["tag", "comment", "stray"])
SCHEMA: Final[dict[str, PolarsDataType]] = {
    "line": pl.UInt32,
    "column": pl.UInt32,
    "kind": KIND,
    "code": pl.UInt8,
    "word": pl.UInt32,
    "defect": pl.String,
}
"""Tokens: place (line and column from 1), kind, command as its place in `commands` (0 for an unknown one), value as its
place in `Tokens.words`; what is no command has the kind `comment` (it begins with `%`) or `stray`. `defect` is the code
of the problem that a token is, null for a sound one."""

_NEWLINE: Final = b"\n"[0]
_CONTINUES: Final = 0x80
"""The first two bits of a byte of UTF-8 that is not the first of its character."""
_BROKEN_BY_RS: Final = "\nrs"


@dataclass(frozen=True)
class Tokens:
    """The tokens of a text. Most values are one of few, such as a card: these are written down once."""

    frame: pl.DataFrame
    """One row a token in the order of the text: `SCHEMA`."""
    words: pl.Series
    """Values as written. Equal values of up to two bytes are one word."""
    unknown: pl.Series
    """The names of tokens that are no known command, in small letters and in order."""

    def __len__(self) -> int:
        """Count the tokens."""
        return len(self.frame)

    def text(self, at: Places) -> pl.Series:
        """Give the values of some rows."""
        return self.words[self.frame["word"].to_numpy()[at]]

    def rows(self, at: Places) -> pl.DataFrame:
        """Give some rows: `line column text`."""
        line, column = (self.frame[name].to_numpy()[at] for name in ("line", "column"))
        return pl.DataFrame({"line": line, "column": column, "text": self.text(at)})

    def listed(self) -> pl.DataFrame:
        """Write all tokens out: `line column kind name text defect`; the name is that of the command, null for none."""
        code = self.frame["code"]
        name = pl.Series([None, *commands()[1:]])[code]
        if len(self.unknown):
            rows = self.frame.select((pl.col("kind") == "tag") & (pl.col("code") == 0)).to_series().arg_true()
            name = name.scatter(rows, self.unknown)
        text = self.words[self.frame["word"]]
        return self.frame.drop("code", "word").with_columns(name.alias("name"), text.alias("text"))


def tokens(text: str) -> Tokens:
    r"""Cut a text into tokens. Together they hold all of it but pipes and white space.

    Args:
        text: the whole text; lines end in `\n`.
    """
    cut = pieces(text.encode())
    mended = mend(cut)
    frame, words, begin = _sound(cut, mended)
    unsound = sorted((*mended.tokens, *_between(cut, begin, frame["at"].to_numpy())), key=lambda token: token.at)
    if unsound:
        frame = pl.concat([frame, _unsound(unsound, len(words)).cast(frame.schema)]).sort("at", maintain_order=True)
        values = [cut.data[token.begin : token.end].decode() for token in unsound]
        words = pl.concat([words, pl.Series(values, dtype=pl.String)])
    names = [token.name for token in unsound if token.name and token.name not in commands()]
    line, column = _line_and_column(cut.data, frame["at"].to_numpy())
    placed = frame.select(pl.Series("line", line), pl.Series("column", column), pl.col(_OWN))
    return Tokens(placed, words, pl.Series(names, dtype=pl.String))


_OWN: Final = ("kind", "code", "word", "defect")


def _sound(cut: Pieces, mended: Mended) -> tuple[pl.DataFrame, pl.Series, Places]:
    """Make the tokens of the pieces that take turns, their words, and where the piece of each command begins."""

    def every_second(values: npt.NDArray[Any], behind: int) -> npt.NDArray[Any]:
        runs = [values[start + behind : stop + behind : 2] for start, stop in mended.runs]
        return runs[0] if len(runs) == 1 else np.concatenate([values[:0], *runs])

    value = every_second(cut.starts, 1)
    word, words = _words(cut.data, value, every_second(cut.starts, 2), every_second(cut.pair, 1))
    code = every_second(cut.code, 0) & (CARD - 1)
    frame = pl.DataFrame({"at": value - 3, "code": code, "word": word}).with_columns(
        pl.lit("tag", KIND).alias("kind"), pl.lit(None, pl.String).alias("defect")
    )
    broken = words.str.ends_with(_BROKEN_BY_RS)
    if broken.any():
        defect = pl.when(broken).then(pl.lit("lin-value-broken")).otherwise(None)
        frame = frame.with_columns(pl.select(defect).to_series().gather(frame["word"]).alias("defect"))
    return frame.select("at", *_OWN), words, every_second(cut.starts, 0)


def _words(
    data: bytes, begin: Places, behind: Places, pair: npt.NDArray[np.uint16]
) -> tuple[npt.NDArray[np.uint32], pl.Series]:
    """Give the word of each value and what the words are.

    Args:
        data: the text.
        begin: where each value begins.
        behind: the place behind its pipe.
        pair: the two bytes that it ends with.
    """
    short = np.empty(len(begin), dtype=np.bool_)
    there = np.zeros(1 << 16, dtype=np.bool_)
    for lot in lots(len(begin)):
        # Of two bytes, or one and none, the number is the value, unless it begins with the byte 0.
        short[lot] = behind[lot] - begin[lot] - 1 == (pair[lot] > 0).astype(np.uint8) + (pair[lot] > 0xFF)
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
    cuts = map(slice, begin[others].tolist(), behind[others].tolist())
    values = pl.Series([b"".join(map(data.__getitem__, cuts)).decode()]).str.split("|").explode().head(len(others))
    return word, pl.concat([pl.Series(texts, dtype=pl.String), values])


def _between(cut: Pieces, begin: Places, end: Places) -> Iterator[Token]:
    """Make tokens of what stands between others and is not white space: comments where it begins with `%`."""
    octets = np.frombuffer(cut.data, dtype=np.uint8)
    rows = np.flatnonzero(end > begin)
    rows = rows[(end[rows] - begin[rows] > 1) | (octets[begin[rows]] != _NEWLINE)]
    for first, last in zip(begin[rows].tolist(), end[rows].tolist(), strict=True):
        text = cut.data[first:last].decode()
        inner = text.strip()
        if inner:
            at = first + len(text[: text.index(inner)].encode())
            remark = inner.startswith("%")
            defect, kind = (None, "comment") if remark else ("lin-stray-text", "stray")
            yield Token(at, at, at + len(inner.encode()), None, defect, kind)


def _unsound(unsound: list[Token], first_word: int) -> pl.DataFrame:
    code = {name: code for code, name in enumerate(commands())}
    rows = [
        (token.at, token.kind, code.get(token.name or "", 0), word, token.defect)
        for word, token in enumerate(unsound, start=first_word)
    ]
    schema = {"at": pl.Int64, **{name: SCHEMA[name] for name in _OWN}}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _line_and_column(data: bytes, at: Places) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Give line and column, in characters, of places in the bytes."""
    first = np.concatenate([[0], places_of(_NEWLINE, data) + 1]).astype(at.dtype)
    sizes = np.diff(np.concatenate([np.searchsorted(at, first), [len(at)]]))
    line = np.repeat(np.arange(1, len(first) + 1, dtype=np.uint32), sizes)
    first = np.repeat(first - 1, sizes)
    column = np.subtract(at, first, dtype=np.uint32, casting="unsafe")
    if not data.isascii():
        octets = np.frombuffer(data, dtype=np.uint8)
        continues = np.flatnonzero((octets & 0xC0) == _CONTINUES)
        column -= (np.searchsorted(continues, at) - np.searchsorted(continues, first + 1)).astype(np.uint32)
    return line, column
