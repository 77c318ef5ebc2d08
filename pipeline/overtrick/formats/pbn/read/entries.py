"""A file's text as entries: each tag, section line, comment and escape line in its place, none lost.

The coarse layer of reading. The grammar's `file` decides what stands where; runs of plain lines (its terminal PLAIN)
are taken apart as columns, everything else token by token. Both give the same rows.
"""

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from lark import Token
from polars._typing import PolarsDataType

from overtrick.grammar import for_columns, tokens

KIND: Final = pl.Enum(["tag", "body", "comment", "escape", "blank", "stray"])
DEFECT: Final = pl.Enum(
    [
        "pbn-tag-unquoted",
        "pbn-tag-unclosed",
        "pbn-tag-broken",
        "pbn-tag-spaced",
        "pbn-comment-unclosed",
        "pbn-string-unclosed",
        "pbn-stray-text",
    ]
)
SCHEMA: Final[dict[str, PolarsDataType]] = {
    "line": pl.UInt32,
    "column": pl.UInt32,
    "start": pl.Int64,
    "end": pl.Int64,
    "kind": KIND,
    "name": pl.String,
    "text": pl.String,
    "defect": DEFECT,
}
"""Entries: place in the text (line and column from 1, character offsets), kind, tag name, tag value or text as written.

Kinds: `tag`, `body` (a piece of a section), `comment`, `escape`, `blank` (ends a game; its text is null), `stray`.
`defect` is the code of the problem that the entry itself is, null for a sound one.
"""


class _Run(NamedTuple):
    """Lines that follow each other, and where they stand in the file's text."""

    text: str
    start: int
    line: int


Offsets = npt.NDArray[np.int32] | npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

_TAG, _BODY, _ESCAPE, _BLANK = (KIND.categories.to_list().index(kind) for kind in ("tag", "body", "escape", "blank"))
_NEWLINE, _QUOTE, _SPACE, _CLOSE = (ord(sign) for sign in '\n" ]')
_TAG_HEAD: Final = re.compile(r'\[\s*+([A-Za-z0-9_]++)\s*+"?')
_SPACED_TAG: Final = re.compile(r'\[\w+(?:[ \t]+\w+)+[ \t]*"[^"\n]*"[ \t]*\]\s*\Z', re.ASCII)
_BLANKS: Final = " \t\f\v"
_AT_ONCE: Final = 50_000
"""Tokens that are made into columns at a time."""

_ESCAPED: Final = re.compile(r'\\(["\\])')

_KINDS: Final = {
    "SEPARATOR": "blank",
    "ESCAPE": "escape",
    "TAG": "tag",
    "BARE_TAG": "tag",
    "OPEN_TAG": "tag",
    "BROKEN_TAG": "stray",
    "COMMENT": "comment",
    "OPEN_COMMENT": "comment",
    "REST_COMMENT": "comment",
    "BODY": "body",
    "OPEN_STRING": "body",
    "BRACE": "stray",
}
_DEFECTS: Final = {
    "BARE_TAG": "pbn-tag-unquoted",
    "OPEN_TAG": "pbn-tag-unclosed",
    "BROKEN_TAG": "pbn-tag-broken",
    "OPEN_COMMENT": "pbn-comment-unclosed",
    "OPEN_STRING": "pbn-string-unclosed",
    "BRACE": "pbn-stray-text",
}


def entries(text: str, *, shortcut: bool = True) -> pl.DataFrame:
    r"""Cut a file's text into entries.

    Args:
        text: the whole text; every line ends in `\n`.
        shortcut: false sends every line through the fine terminals; the result is the same.

    Returns:
        A frame of `SCHEMA` in the order of the text. Together the entries hold all of it but white space. Lines of
        section text that follow each other are one entry.
    """
    if shortcut and text:
        # Nearly every text is plain: it is taken apart while another core makes sure.
        data = text.encode()
        whole = pl.Series([data])
        with ThreadPoolExecutor(1) as beside:
            plain = beside.submit(_is_plain, whole)
            found = _plain_entries(data, whole, [_Run(text, 0, 1)])
        if plain.result():
            return found
    runs: list[_Run] = []
    found = _fine_entries(_with_runs_apart(tokens(text, "file", shortcut=shortcut), runs))
    if runs:
        data = "".join(run.text for run in runs).encode()
        found = pl.concat([_plain_entries(data, pl.Series([data]), runs), found]).sort("start")
    return _with_merged_lines(found, text)


def all_plain(text: str) -> bool:
    """Say whether a text is nothing but lines of the plain form, the grammar's PLAIN."""
    return _is_plain(pl.Series([text.encode()]))


def _is_plain(whole: pl.Series) -> bool:
    return bool(whole.cast(pl.String).str.contains(for_columns("PLAIN"))[0])


def _plain_entries(data: bytes, whole: pl.Series, runs: list[_Run]) -> pl.DataFrame:
    """Take runs of plain lines apart, all lines of all runs at once, by the places of their ends and quotes.

    Section lines that follow each other are one entry, and so are empty lines.

    Args:
        data: the text of the runs in UTF-8.
        whole: the same, as the one value of a series.
        runs: the runs.
    """
    buffer = np.frombuffer(data, dtype=np.uint8)
    edge = np.flatnonzero((buffer == _NEWLINE) | (buffer == _QUOTE)).astype(np.int32)
    closing = np.flatnonzero(buffer[edge] == _NEWLINE).astype(np.int32)
    ends = edge[closing]
    begin = _after(ends)
    kind = _kinds(whole, buffer[begin], begin, ends)
    lines_before = np.cumsum([0, *(run.text.count("\n") for run in runs[:-1])])
    opens = (kind == _TAG) | (kind == _ESCAPE) | np.concatenate([[True], kind[1:] != kind[:-1]])
    opens[lines_before] = True
    at = np.flatnonzero(opens)
    kind, begin, quote = kind[at], begin[at].astype(np.int64), edge[_after(closing)[at]]
    end = np.append(begin[1:], len(buffer)) - 1
    # A text that proves not to be plain in the end may hold anything, and is cut between characters too.
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


def _after(places: Offsets) -> Offsets:
    """Give the place that each begins at, of what ends at these places and follows each other."""
    begin = np.zeros_like(places)
    np.add(places[:-1], 1, out=begin[1:])
    return begin


def _kinds(whole: pl.Series, first: Bytes, begin: Offsets, end: Offsets) -> Bytes:
    """Tell the kinds of lines by the byte that each begins with, which is the line's end for an empty one."""
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
    """Cut pieces out of a text, null where there is none."""
    size = pl.Series(np.maximum(end - start, 0))
    return pl.lit(whole).bin.slice(pl.Series(start).set(~pl.Series(among), None), size).cast(pl.String)


def _with_merged_lines(frame: pl.DataFrame, text: str) -> pl.DataFrame:
    """Make one entry of section lines that follow each other with nothing between, and one of such empty lines."""
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
    return longer.with_columns(longer["text"].scatter(grown, raw))


def _with_runs_apart(pieces: Iterable[Token], runs: list[_Run]) -> Iterator[Token]:
    """Put the runs of plain lines into their list, and give the other tokens."""
    for token in pieces:
        if token.type == "PLAIN":
            runs.append(_Run(token, token.start_pos or 0, token.line or 1))
        elif token.type != "NEWLINE":
            yield token


def _fine_entries(pieces: Iterable[Token]) -> pl.DataFrame:
    rows = (row for token in pieces if (row := _fine_entry(token)))
    # Frames are made as the tokens come: as objects they would outweigh the text many times.
    parts = [pl.DataFrame(some, schema=SCHEMA, orient="row") for some in iter(lambda: list(islice(rows, _AT_ONCE)), [])]
    return pl.concat([pl.DataFrame(schema=SCHEMA), *parts])


def _fine_entry(token: Token) -> tuple[object, ...] | None:
    kind = _KINDS[token.type]
    if kind == "body" and not token.strip(_BLANKS):
        return None
    name, text = _tag_parts(token) if kind == "tag" else (None, _own_text(token, kind))
    end = (token.start_pos or 0) + len(token.rstrip("\n"))
    return token.line, token.column, token.start_pos, end, kind, name, text, _defect(token)


def _defect(token: Token) -> str | None:
    spaced = token.type == "BROKEN_TAG" and _SPACED_TAG.match(token)
    return "pbn-tag-spaced" if spaced else _DEFECTS.get(token.type)


def _own_text(token: Token, kind: str) -> str | None:
    return None if kind == "blank" else token.rstrip("\n")


def _tag_parts(token: Token) -> tuple[str, str]:
    """Give name and value of a tag. What ends it is taken off its end: a search would try each blank of a long gap."""
    head = _TAG_HEAD.match(token)
    if head is None:
        raise AssertionError(f"the grammar calls {token!r} a tag")
    value = token[head.end() :].rstrip().removesuffix("]").rstrip()
    if token.type == "BARE_TAG":
        return head[1], value
    value = value.removesuffix('"')
    return head[1], _ESCAPED.sub(r"\1", value) if token.type == "TAG" else value
