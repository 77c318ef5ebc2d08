"""A LIN text as tokens: each `cc|value|` in its place, and all that stands between, none lost.

The text is cut at its pipes, all at once. Where commands and values take turns, which is nearly everywhere, tokens are
columns over these pieces; where they do not, `mending` says what the pieces are.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product
from string import ascii_lowercase, digits
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl
from polars._typing import PolarsDataType

from overtrick.grammar import matcher
from overtrick.parse.lin.mending import Mended, Pieces, mend

KIND: Final = pl.Enum(["tag", "comment", "stray"])
SCHEMA: Final[dict[str, PolarsDataType]] = {
    "line": pl.UInt32,
    "column": pl.UInt32,
    "kind": KIND,
    "code": pl.UInt8,
    "name": pl.String,
    "text": pl.String,
    "defect": pl.String,
}
"""Tokens: place (line and column from 1), kind, command as its place in `commands` (0 for an unknown one) and in small
letters, value as written; what is no command has the kind `comment` (it begins with `%`) or `stray`. `defect` is the
code of the problem that a token is, null for a sound one."""

Places = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint8]

_PIPE, _NEWLINE = b"|"[0], b"\n"[0]
_BLANK: Final = np.isin(np.arange(256), list(b"\t\n\v\f\r "))
_BROKEN_BY_RS: Final = "\nrs"


@cache
def commands() -> tuple[str, ...]:
    """List the commands of the grammar in small letters; the first stands for none."""
    letters = ascii_lowercase + digits + "#^<>"
    known = matcher("COMMAND", start="piece", language="lin")
    return ("", *(pair for pair in map("".join, product(letters, repeat=2)) if known.fullmatch(pair)))


def tokens(text: str) -> pl.DataFrame:
    r"""Cut a text into tokens.

    Args:
        text: the whole text; lines end in `\n`.

    Returns:
        A frame of `SCHEMA` in the order of the text. Together the tokens hold all of it but pipes and white space.
    """
    data = text.encode()
    pieces = _pieces(text, data)
    mended = mend(pieces)
    sound, between = _sound(pieces, mended)
    others = [rows for rows in (_mended(pieces, mended), between) if len(rows)]
    frame = pl.concat([sound, *others]).sort("at", maintain_order=True) if others else sound
    line, column = _line_and_column(data, frame["at"].to_numpy())
    return frame.select(
        pl.Series("line", line), pl.Series("column", column), *(pl.col(name).cast(SCHEMA[name]) for name in _OWN)
    )


_OWN: Final = ("kind", "code", "name", "text", "defect")
_PLACED: Final[dict[str, PolarsDataType]] = {"at": pl.Int64, **{name: SCHEMA[name] for name in _OWN}}


def _pieces(text: str, data: bytes) -> Pieces:
    """Cut a text at its pipes, and tell for each piece the command that it ends with."""
    # Columns on one core, arrays on another: both let go of the interpreter's lock.
    with ThreadPoolExecutor(1) as beside:
        texts = beside.submit(lambda: pl.Series("text", [text]).str.split("|").explode())
        octets = np.frombuffer(data, dtype=np.uint8)
        pipes = np.flatnonzero(octets == _PIPE)
        starts = np.concatenate([[0], pipes + 1])
        lengths = np.append(pipes, len(data)) - starts
        ends = starts + lengths
        led = np.concatenate([np.zeros(3, dtype=np.uint8), octets])
        pair = led[ends + 1].astype(np.uint16) << 8 | led[ends + 2]
        code = _codes()[pair] * (lengths >= 2)
        apart = (lengths == 2) | _BLANK[led[ends]]
        return Pieces(texts.result(), data, starts, ends, code, apart, _cards()[pair], commands())


@cache
def _codes() -> Codes:
    """Give the place in `commands` by two bytes (256 times the first), 0 for what is no command."""
    table = np.zeros((256, 256), dtype=np.uint8)
    for code, name in enumerate(commands()[1:], start=1):
        for one, other in product(*({letter, letter.upper()} for letter in name)):
            table[ord(one), ord(other)] = code
    return table.ravel()


@cache
def _cards() -> npt.NDArray[np.bool_]:
    """Say by two bytes whether they are a command written as a card is."""
    table = np.zeros((256, 256), dtype=np.bool_)
    known = matcher("CARD_COMMAND", start="piece", language="lin")
    for one, other in product("SHDCshdc", "TJQKA"):
        table[ord(one), ord(other)] = known.fullmatch(one + other) is not None
    return table.ravel()


def _sound(pieces: Pieces, mended: Mended) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make the tokens of the pieces that take turns, and the tokens of what stands between them."""
    at = np.concatenate([np.arange(start, stop, 2) for start, stop in mended.runs] or [np.zeros(0, dtype=np.int64)])
    text = _gather(pieces.text, at + 1)
    frame = pl.DataFrame(
        {
            "at": pieces.ends[at] - 2,
            "code": pieces.code[at],
            "name": pl.Series(pieces.commands).gather(pl.Series(pieces.code[at])),
            "text": text,
        }
    ).with_columns(
        pl.lit("tag", KIND).alias("kind"),
        pl.when(text.str.ends_with(_BROKEN_BY_RS)).then(pl.lit("lin-value-broken")).alias("defect"),
    )
    led = at[pieces.ends[at] - pieces.starts[at] > 2]
    return frame.select(_PLACED.keys()), _between(_gather(pieces.text, led).str.head(-2), pieces.starts[led])


def _gather(text: pl.Series, at: Places) -> pl.Series:
    """Take pieces; from first to last in even steps without looking each one up."""
    if len(at) and at[-1] - at[0] == 2 * (len(at) - 1):
        return text.slice(int(at[0]), 2 * len(at) - 1).gather_every(2)
    return text.gather(pl.Series(at))


def _between(text: pl.Series, starts: Places) -> pl.DataFrame:
    """Make tokens of what is not white space: comments where it begins with `%`, else strays."""
    frame = pl.DataFrame({"text": text, "at": starts}).filter(text.str.strip_chars() != "")
    indent = pl.col("text").str.len_bytes() - pl.col("text").str.strip_chars_start().str.len_bytes()
    frame = frame.with_columns(pl.col("at") + indent.cast(pl.Int64), pl.col("text").str.strip_chars())
    remark = pl.col("text").str.starts_with("%")
    return frame.select(
        "at",
        pl.when(remark).then(pl.lit("comment")).otherwise(pl.lit("stray")).cast(KIND).alias("kind"),
        pl.lit(0, pl.UInt8).alias("code"),
        pl.lit(None, pl.String).alias("name"),
        "text",
        pl.when(~remark).then(pl.lit("lin-stray-text")).alias("defect"),
    )


def _mended(pieces: Pieces, mended: Mended) -> pl.DataFrame:
    code = {name: code for code, name in enumerate(pieces.commands)}
    rows = [
        (
            token.at,
            token.kind,
            code.get(token.name or "", 0),
            token.name,
            pieces.data[token.begin : token.end].decode(),
            token.defect,
        )
        for token in mended.tokens
    ]
    return pl.DataFrame(rows, schema=_PLACED, orient="row")


def _line_and_column(data: bytes, at: Places) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Give line and column, in characters, of places in the bytes."""
    octets = np.frombuffer(data, dtype=np.uint8)
    newlines = np.flatnonzero(octets == _NEWLINE)
    line = np.cumsum(np.bincount(np.searchsorted(at, newlines), minlength=len(at) + 1))[: len(at)]
    first = np.concatenate([[0], newlines + 1])[line]
    if not data.isascii():
        characters = np.cumsum((octets & 0xC0) != 0x80)
        at, first = characters[at], characters[first]
    return (line + 1).astype(np.uint32), (at - first + 1).astype(np.uint32)
