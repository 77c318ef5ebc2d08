"""A long text as entries: the structure of its plain lines is cut by columns, the rest by the grammar's `archive`.

The rows are those of `evening.py`.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.grammar import for_columns
from overtrick.core.machine import beside
from overtrick.files.formats.pbn.read.evening import DEFECT, ENTRIES, KIND, merge_lines


class _Run(NamedTuple):
    """Consecutive lines, and where they begin in the file's text."""

    text: str
    start: int
    line: int


Offsets = npt.NDArray[np.int32] | npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

_TAG, _BODY, _ESCAPE, _BLANK = (KIND.categories.to_list().index(kind) for kind in ("tag", "body", "escape", "blank"))
_NEWLINE, _QUOTE, _SPACE, _CLOSE = (ord(sign) for sign in '\n" ]')
_BLANKS: Final = " \t\f\v"
_PIECE: Final = 256 * 1024
"""Bytes of a long text that are searched at a time."""


def cut_archive(text: str) -> pl.DataFrame:
    r"""Cut a long text into entries, as `evening.cut_evening` does.

    Args:
        text: the whole text, not empty; every line ends in `\n`.
    """
    # Nearly every text is plain: this core takes it apart while another one makes sure.
    data = text.encode()
    whole = pl.Series([data])
    with beside() as other:
        plain = other.submit(_is_plain, data, whole)
        found = _plain_entries(data, whole, [_Run(text, 0, 1)])
    if plain.result():
        return found
    found, tokens = ENTRIES.read(text, "archive")
    if tokens:
        runs = [_Run(run, run.start_pos or 0, run.line or 1) for run in tokens]
        data = "".join(tokens).encode()
        found = pl.concat([_plain_entries(data, pl.Series([data]), runs), found]).sort("start")
    return merge_lines(found, text)


def is_plain(text: str) -> bool:
    """Return whether a text holds only lines of the plain form, the grammar's PLAIN."""
    data = text.encode()
    return _is_plain(data, pl.Series([data]))


def _is_plain(data: bytes, whole: pl.Series) -> bool:
    """Look at a few lines at a time: of a long text, a search takes four times the memory and twice the time."""
    ends = [0]
    while ends[-1] < len(data):
        ends.append(data.find(b"\n", ends[-1] + _PIECE) + 1 or len(data))
    cut = np.array(ends)
    pieces = pl.select(_slices(whole, cut[:-1], cut[1:], np.ones(len(cut) - 1, dtype=np.bool_))).to_series()
    return bool(pieces.str.contains(rf"\A{for_columns('PLAIN')}\z").all())


# The text on the left, a line of it a row, and what `_plain_entries` makes of each line:
#
#     text             begin end  kind    opens  entry
#     [Board "1"]       0     11  tag     yes    tag  Board  1
#     [Auction "N"]    12     25  tag     yes    tag  Auction  N
#     1C Pass          26     33  body    yes    body "1C Pass\nAP"
#     AP               34     36  body    no     (part of the entry above)
#     (empty)          37     37  blank   yes    blank
#
# `edge` lists the ends and the quotes of all lines: 7 9 11 | 21 23 25 | 33 | 36 | 37. `closing` says which of them are
# ends of lines (2 5 6 7 8), so the edge after the one that closed the line before is a line's first quote: 7 and 21 are
# where the names of the two tags stop, a space before them.
def _plain_entries(data: bytes, whole: pl.Series, runs: list[_Run]) -> pl.DataFrame:
    """Take runs of plain lines apart, all lines of all runs at once, by the places of their ends and quotes.

    Consecutive section lines are one entry, and so are consecutive empty lines.

    Args:
        data: the text of the runs in UTF-8.
        whole: the same, as the one value of a series.
        runs: the runs.
    """
    buffer = np.frombuffer(data, dtype=np.uint8)
    edge = _find_edges(buffer)
    closing = np.flatnonzero(buffer[edge] == _NEWLINE).astype(np.int32)
    ends = edge[closing]
    begin = _following(ends)
    kind = _kinds(whole, buffer[begin], begin, ends)
    lines_before = np.cumsum([0, *(run.text.count("\n") for run in runs[:-1])])
    opens = (kind == _TAG) | (kind == _ESCAPE) | np.concatenate([[True], kind[1:] != kind[:-1]])
    opens[lines_before] = True
    at = np.flatnonzero(opens)
    kind, begin, quote = kind[at], begin[at].astype(np.int64), edge[_following(closing)[at]]
    end = np.append(begin[1:], len(buffer)) - 1
    # A text that turns out not to be plain may hold anything; it is then cut in the middle of characters too.
    is_tag = (
        (kind == _TAG)
        & (buffer[quote - 1] == _SPACE)
        & (buffer[end - 1] == _CLOSE)
        & (buffer.take(end - 2, mode="clip") == _QUOTE)
    )
    names = _slices(whole, begin + 1, quote - len(" "), is_tag)
    texts = _slices(whole, np.where(is_tag, quote + 1, begin), end - np.int64(2) * is_tag, kind != _BLANK)
    if not data.isascii():
        more = np.flatnonzero(buffer & 0xC0 == 0x80)
        begin, end = (places - np.searchsorted(more, places) for places in (begin, end))
    opened = np.diff(np.searchsorted(at, [*lines_before, len(opens)]))
    shift = np.repeat([run.start for run in runs] - begin[np.searchsorted(at, lines_before)], opened)
    return pl.select(
        pl.Series("line", (at + np.repeat([run.line for run in runs] - lines_before, opened)).astype(np.uint32)),
        pl.lit(1, pl.UInt32).alias("column"),
        pl.Series("start", begin + shift),
        pl.Series("end", end + shift),
        pl.Series("kind", kind).cat.to(KIND),
        names.alias("name"),
        texts.alias("text"),
        pl.lit(None, DEFECT).alias("defect"),
    )


def _find_edges(buffer: Bytes) -> npt.NDArray[np.int32]:
    """Return the places of all ends of lines and quotes; what a piece of the text takes stays near the processor."""

    def find(start: int) -> npt.NDArray[np.int32]:
        piece = buffer[start : start + _PIECE]
        return np.flatnonzero((piece == _NEWLINE) | (piece == _QUOTE)).astype(np.int32) + np.int32(start)

    return np.concatenate([find(start) for start in range(0, len(buffer), _PIECE)])


def _following(places: Offsets) -> Offsets:
    """Return where each piece begins, given where each ends: 11, 25, 33 give 0, 12, 26."""
    begin = np.zeros_like(places)
    np.add(places[:-1], 1, out=begin[1:])
    return begin


def _kinds(whole: pl.Series, first: Bytes, begin: Offsets, end: Offsets) -> Bytes:
    """Return the kinds of lines by their first bytes; the first byte of an empty line is its end."""
    kind = np.full(len(first), _BODY, dtype=np.uint8)
    kind[first == ord("[")] = _TAG
    kind[first == ord("%")] = _ESCAPE
    kind[first == _NEWLINE] = _BLANK
    led = np.flatnonzero(np.isin(first, list(_BLANKS.encode())))
    if len(led):
        lines = pl.select(_slices(whole, begin[led], end[led], np.ones_like(led, dtype=np.bool_))).to_series()
        kind[led[(lines.str.strip_chars(_BLANKS) == "").to_numpy()]] = _BLANK
    return kind


def _slices(whole: pl.Series, start: Offsets, end: Offsets, among: Mask) -> pl.Expr:
    """Cut pieces out of a text; null where `among` is false."""
    size = pl.Series(np.maximum(end - start, 0))
    return pl.lit(whole).bin.slice(pl.Series(start).set(~pl.Series(among), None), size).cast(pl.String)
