"""A file's text as entries: each tag, section line, comment and escape line in its place, none lost.

The coarse layer of reading. The grammar's `file` decides what stands where; runs of plain lines (its terminal PLAIN)
are taken apart as columns, everything else token by token. Both give the same rows.
"""

import re
from concurrent.futures import ThreadPoolExecutor
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

Kinds: `tag`, `body` (a piece of a section; its text is null, `start` and `end` say where it is), `comment`, `escape`,
`blank` (ends a game), `stray`. `defect` is the code of the problem that the entry itself is, null for a sound one.
"""


class _Run(NamedTuple):
    """Lines that follow each other, and where they stand in the file's text."""

    text: str
    start: int
    line: int


Offsets = npt.NDArray[np.int64]

_TAG, _BODY, _ESCAPE, _BLANK = (KIND.categories.to_list().index(kind) for kind in ("tag", "body", "escape", "blank"))
_TAG_PARTS: Final = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*(?:"(.*)"|(.*?))\s*\]\Z', re.DOTALL)
_OPEN_TAG_PARTS: Final = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"(.*?)"?\s*\]?\s*\Z', re.DOTALL)
_SPACED_TAG: Final = re.compile(r'\[\w+(?:[ \t]+\w+)+[ \t]*"[^"\n]*"[ \t]*\]\Z', re.ASCII)
_BLANKS: Final = " \t\f\v"
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
        with ThreadPoolExecutor(1) as beside:
            plain = beside.submit(all_plain, text)
            found = _plain_entries([_Run(text, 0, 1)])
        if plain.result():
            return _with_merged_lines(found)
    pieces = tokens(text, "file", shortcut=shortcut)
    fine = _fine_entries([token for token in pieces if token.type not in {"PLAIN", "NEWLINE"}])
    runs = [_Run(token, token.start_pos or 0, token.line or 1) for token in pieces if token.type == "PLAIN"]
    return _with_merged_lines(pl.concat([_plain_entries(runs), fine]).sort("start") if runs else fine)


def all_plain(text: str) -> bool:
    """Say whether a text is nothing but lines of the plain form, the grammar's PLAIN."""
    return bool(pl.Series([text]).str.contains(for_columns("PLAIN"))[0])


def _plain_entries(runs: list[_Run]) -> pl.DataFrame:
    """Take runs of plain lines apart, all lines of all runs at once.

    Section lines that follow each other are one entry, and so are empty lines.
    """
    text = "".join(run.text for run in runs)
    data = text.encode()
    texts = pl.read_lines(data)["line"]
    starts = _starts(texts.str.len_bytes())
    kind = _kinds(texts, np.frombuffer(data, dtype=np.uint8)[starts])
    lines_before = np.cumsum([0, *(run.text.count("\n") for run in runs[:-1])])
    opens = (kind == _TAG) | (kind == _ESCAPE) | np.concatenate([[True], kind[1:] != kind[:-1]])
    opens[lines_before] = True
    at = np.flatnonzero(opens)
    if not text.isascii():
        starts = _starts(texts.str.len_chars())
    opened = np.diff(np.searchsorted(at, [*lines_before, len(opens)]))
    shift = np.repeat([run.start for run in runs] - starts[lines_before], opened)
    frame = pl.DataFrame(
        {
            "line": (at + np.repeat([run.line for run in runs] - lines_before, opened)).astype(np.uint32),
            "start": starts[at] + shift,
            "end": np.append(starts[at[1:]], len(text)) - 1 + shift,
            "kind": pl.Series(kind[at]).cat.to(KIND),
            "text": texts.filter(pl.Series(opens)),
        }
    )
    return _with_names(frame)


def _starts(lengths: pl.Series) -> Offsets:
    """Give where lines of these lengths start, each ended by one character."""
    starts = np.zeros(len(lengths), dtype=np.int64)
    np.cumsum(lengths.to_numpy()[:-1] + 1, out=starts[1:])
    return starts


def _kinds(texts: pl.Series, first: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Tell the kinds of lines by the byte that each begins with, which is the line's end for an empty one."""
    kind = np.full(len(first), _BODY, dtype=np.uint8)
    kind[first == ord("[")] = _TAG
    kind[first == ord("%")] = _ESCAPE
    kind[first == ord("\n")] = _BLANK
    led = np.flatnonzero(np.isin(first, [ord(character) for character in _BLANKS]))
    if len(led):
        kind[led[(texts.gather(pl.Series(led)).str.strip_chars(_BLANKS) == "").to_numpy()]] = _BLANK
    return kind


def _with_names(frame: pl.DataFrame) -> pl.DataFrame:
    """Split `[Name "value"]` into its two; an escape line is its own text, and section text is left where it stands."""
    kind, tag = pl.col("kind"), pl.col("tag")
    # Slices share the bytes of the line; polars counts the place of a find in bytes, and names are ASCII.
    quote = pl.col("tag").str.find(' "', literal=True)
    inside = frame.with_columns(pl.when(kind == "tag").then("text").alias("tag")).with_columns(quote.alias("quote"))
    return inside.select(
        "line",
        pl.lit(1, pl.UInt32).alias("column"),
        "start",
        "end",
        "kind",
        tag.str.slice(1, pl.col("quote") - 1).alias("name"),
        pl.when(kind == "escape").then("text").otherwise(tag.str.slice(pl.col("quote") + 2).str.head(-2)).alias("text"),
        pl.lit(None, DEFECT).alias("defect"),
    )


def _with_merged_lines(frame: pl.DataFrame) -> pl.DataFrame:
    """Make one entry of section lines that follow each other with nothing between, and one of such empty lines."""
    code = frame["kind"].to_physical().to_numpy()
    merged = ((code == _BODY) & frame["defect"].is_null().to_numpy()) | (code == _BLANK)
    joins = merged[1:] & merged[:-1] & (code[1:] == code[:-1])
    opens = ~np.concatenate([[False], joins]) if len(code) else merged
    if opens.all():
        return frame
    closes = np.append(np.flatnonzero(opens)[1:], len(code)) - 1
    ends = frame["end"].gather(pl.Series(closes))
    return frame.filter(pl.Series(opens)).with_columns(ends)


def _fine_entries(pieces: list[Token]) -> pl.DataFrame:
    rows = []
    for token in pieces:
        kind = _KINDS[token.type]
        if kind == "body" and not token.strip(_BLANKS):
            continue
        name, text = _tag_parts(token) if kind == "tag" else (None, _own_text(token, kind))
        end = (token.start_pos or 0) + len(token.rstrip("\n"))
        rows.append((token.line, token.column, token.start_pos, end, kind, name, text, _defect(token)))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _defect(token: Token) -> str | None:
    return "pbn-tag-spaced" if _SPACED_TAG.match(token) else _DEFECTS.get(token.type)


def _own_text(token: Token, kind: str) -> str | None:
    return None if kind in {"body", "blank"} else str(token)


def _tag_parts(token: Token) -> tuple[str, str]:
    pattern = _OPEN_TAG_PARTS if token.type == "OPEN_TAG" else _TAG_PARTS
    match = pattern.match(token)
    if match is None:
        raise AssertionError(f"the grammar calls {token!r} a tag")
    if token.type == "TAG":
        return match[1], _ESCAPED.sub(r"\1", match[2])
    return match[1], match[match.lastindex or 2] or ""
