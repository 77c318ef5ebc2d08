"""A file's text as entries: each tag, section line, comment and escape line in its place, none lost.

This is the coarse layer of reading. The grammar's `file` decides what is what. Runs of plain lines (its terminal PLAIN)
are taken apart as columns, everything else token by token. Both give the same rows.
"""

import re
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.frames import ColumnType
from overtrick.core.grammar import for_columns, matcher, tokens
from overtrick.core.machine import beside
from overtrick.files.formats.base import put_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lark import Token

KIND: Final = pl.Enum(["tag", "body", "comment", "escape", "blank", "stray"])
_KINDS: Final = {
    **dict.fromkeys(("TAG", "BARE_TAG", "OPEN_TAG"), "tag"),
    **dict.fromkeys(("BODY", "OPEN_STRING"), "body"),
    **dict.fromkeys(("COMMENT", "OPEN_COMMENT", "REST_COMMENT"), "comment"),
    **dict.fromkeys(("SPACED_TAG", "BROKEN_TAG", "BRACE"), "stray"),
    "ESCAPE": "escape",
    "SEPARATOR": "blank",
}
_DEFECTS: Final = {
    "BARE_TAG": "pbn-tag-unquoted",
    "OPEN_TAG": "pbn-tag-unclosed",
    "BROKEN_TAG": "pbn-tag-broken",
    "SPACED_TAG": "pbn-tag-spaced",
    "OPEN_COMMENT": "pbn-comment-unclosed",
    "OPEN_STRING": "pbn-string-unclosed",
    "BRACE": "pbn-stray-text",
}
"""By terminal of the grammar."""
DEFECT: Final = pl.Enum(list(_DEFECTS.values()))
SCHEMA: Final[dict[str, ColumnType]] = {
    **dict.fromkeys(("line", "column"), pl.UInt32),
    **dict.fromkeys(("start", "end"), pl.Int64),
    "kind": KIND,
    **dict.fromkeys(("name", "text"), pl.String),
    "defect": DEFECT,
}
"""Entries: place in the text (line and column from 1, character offsets), kind, tag name, tag value or text as written.

Kinds: `tag`, `body` (a piece of a section), `comment`, `escape`, `blank` (ends a game; its text is null), `stray`.
`defect` is the code of the problem that the entry itself is, null for a sound one.
"""


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
_AT_ONCE: Final = 50_000
"""Tokens that become a frame at a time."""

_ESCAPED: Final = re.compile(r'\\(["\\])')


def cut_entries(text: str, *, shortcut: bool = True) -> pl.DataFrame:
    r"""Cut a file's text into entries.

    Args:
        text: the whole text; every line ends in `\n`.
        shortcut: false sends every line through the fine terminals; the result is the same.

    Returns:
        A frame of `SCHEMA` in the order of the text. Together the entries hold all of it but white space. Consecutive
        lines of section text are one entry.
    """
    if shortcut and text:
        # Nearly every text is plain: this core takes it apart while another one makes sure.
        data = text.encode()
        whole = pl.Series([data])
        with beside() as other:
            plain = other.submit(_is_plain, data, whole)
            found = _plain_entries(data, whole, [_Run(text, 0, 1)])
        if plain.result():
            return found
    runs: list[_Run] = []
    found = _fine_entries(_set_runs_aside(tokens(text, "file", shortcut=shortcut), runs))
    if runs:
        data = "".join(run.text for run in runs).encode()
        found = pl.concat([_plain_entries(data, pl.Series([data]), runs), found]).sort("start")
    return _merge_lines(found, text)


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


def _merge_lines(frame: pl.DataFrame, text: str) -> pl.DataFrame:
    """Make one entry of consecutive section lines with nothing between, and one of consecutive empty lines."""
    if frame.is_empty():
        return frame
    code = frame["kind"].to_physical().to_numpy()
    merged = ((code == _BODY) & frame["defect"].is_null().to_numpy()) | (code == _BLANK)
    joins = merged[1:] & merged[:-1] & (code[1:] == code[:-1])
    first = np.flatnonzero(~np.concatenate([[False], joins]))
    if len(first) == len(code):
        return frame
    last = np.append(first[1:], len(code)) - 1
    longer = frame[first].with_columns(frame["end"].gather(last))
    grown = np.flatnonzero((last > first) & (code[first] == _BODY))
    raw = [text[start:end] for start, end in longer[grown].select("start", "end").iter_rows()]
    return longer.with_columns(put_in(longer["text"], grown, raw))


def _set_runs_aside(pieces: "Iterable[Token]", runs: list[_Run]) -> "Iterator[Token]":
    """Collect the runs of plain lines in their list, and yield the other tokens."""
    for token in pieces:
        if token.type == "PLAIN":
            runs.append(_Run(token, token.start_pos or 0, token.line or 1))
        elif token.type != "NEWLINE":
            yield token


def _fine_entries(pieces: "Iterable[Token]") -> pl.DataFrame:
    rows = (row for token in pieces if (row := _fine_entry(token)))
    # Frames are made as the tokens come: as objects they would outweigh the text many times.
    parts = [pl.DataFrame(some, schema=SCHEMA, orient="row") for some in iter(lambda: list(islice(rows, _AT_ONCE)), [])]
    return pl.concat([pl.DataFrame(schema=SCHEMA), *parts])


def _fine_entry(token: "Token") -> tuple[object, ...] | None:
    kind = _KINDS[token.type]
    if kind == "body" and not token.strip(_BLANKS):
        return None
    name, text = _tag_parts(token) if kind == "tag" else (None, None if kind == "blank" else token.rstrip("\n"))
    end = (token.start_pos or 0) + len(token.rstrip("\n"))
    return token.line, token.column, token.start_pos, end, kind, name, text, _DEFECTS.get(token.type)


def _tag_parts(token: "Token") -> tuple[str, str]:
    """Return name and value of a tag. Its end is cut off as a suffix: a search would try each blank of a long gap."""
    head = matcher("TAG_HEAD").match(token)
    if head is None:
        raise AssertionError(f"the grammar calls {token!r} a tag")
    name, value = head[0].removeprefix("[").strip(), token[head.end() :].strip().removesuffix("]").rstrip()
    if token.type == "BARE_TAG":
        return name, value
    value = value.removeprefix('"').removesuffix('"')
    return name, _ESCAPED.sub(r"\1", value) if token.type == "TAG" else value
