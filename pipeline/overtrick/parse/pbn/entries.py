"""A file's text as entries: each tag, section line, comment and escape line in its place, none lost.

The coarse layer of reading. The grammar's `file` decides what stands where; runs of plain lines (its terminal PLAIN) are
taken apart as columns, everything else token by token. Both give the same rows.
"""

import re
from typing import Final

import numpy as np
import polars as pl
from lark import Token

from overtrick.parse.pbn.grammar import tokens

SCHEMA: Final = pl.Schema(
    {
        "line": pl.UInt32,
        "column": pl.UInt32,
        "start": pl.Int64,
        "end": pl.Int64,
        "kind": pl.String,
        "name": pl.String,
        "text": pl.String,
        "defect": pl.String,
    }
)
"""Entries: place in the text (line and column from 1, character offsets), kind, tag name, tag value or text as written.

Kinds: `tag`, `body` (a piece of a section), `comment`, `escape`, `blank` (ends a game), `stray`. `defect` is the code of
the problem that the entry itself is, null for a sound one.
"""

_PLAIN_TAG: Final = r'^\[([A-Za-z0-9_]+) "(.*)"\]$'
_TAG_PARTS: Final = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*(?:"(.*)"|(.*?))\s*\]\Z', re.DOTALL)
_OPEN_TAG_PARTS: Final = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"(.*?)"?\s*\]?\s*\Z', re.DOTALL)
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
    """Cut a file's text into entries.

    Args:
        text: the whole text; every line ends in `\\n`.
        shortcut: false sends every line through the fine terminals; the result is the same.

    Returns:
        A frame of `SCHEMA` in the order of the text. Together the entries hold all of it but white space.
    """
    pieces = tokens(text, "file", shortcut=shortcut)
    plain = _plain_entries([token for token in pieces if token.type == "PLAIN"])
    fine = _fine_entries([token for token in pieces if token.type not in {"PLAIN", "NEWLINE"}])
    if fine.is_empty():
        return plain
    return pl.concat([plain, fine]).sort("start") if len(plain) else fine


def _plain_entries(runs: list[Token]) -> pl.DataFrame:
    """Take runs of plain lines apart, all lines of all runs at once."""
    if not runs:
        return pl.DataFrame(schema=SCHEMA)
    lines = pl.Series("text", ["".join(runs)[:-1]]).str.split("\n").explode()
    length = lines.str.len_chars().to_numpy().astype(np.int64) + 1
    count = np.array([run.count("\n") for run in runs], dtype=np.int64)
    first = np.cumsum(count) - count
    before = np.cumsum(length) - length
    start = before + np.repeat(np.array([run.start_pos for run in runs]) - before[first], count)
    line = np.arange(len(lines)) + np.repeat(np.array([run.line for run in runs]) - first, count)
    begins = pl.col("text").str.slice(0, 1)
    return (
        pl.DataFrame({"line": line, "start": start, "end": start + length - 1, "text": lines})
        .with_columns(
            pl.when(begins == "[")
            .then(pl.lit("tag"))
            .when(begins == "%")
            .then(pl.lit("escape"))
            .when(pl.col("text").str.strip_chars() == "")
            .then(pl.lit("blank"))
            .otherwise(pl.lit("body"))
            .alias("kind"),
            pl.col("text").str.extract_groups(_PLAIN_TAG).alias("parts"),
        )
        .select(
            pl.col("line").cast(pl.UInt32),
            pl.lit(1, pl.UInt32).alias("column"),
            "start",
            "end",
            "kind",
            pl.col("parts").struct.field("1").alias("name"),
            pl.coalesce(pl.col("parts").struct.field("2"), "text").alias("text"),
            pl.lit(None, pl.String).alias("defect"),
        )
    )


def _fine_entries(pieces: list[Token]) -> pl.DataFrame:
    rows = []
    for token in pieces:
        kind = _KINDS[token.type]
        if kind == "body" and not token.strip():
            continue
        name, text = _tag_parts(token) if kind == "tag" else (None, token.rstrip("\n"))
        end = (token.start_pos or 0) + len(token.rstrip("\n"))
        rows.append((token.line, token.column, token.start_pos, end, kind, name, text, _DEFECTS.get(token.type)))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _tag_parts(token: Token) -> tuple[str, str]:
    pattern = _OPEN_TAG_PARTS if token.type == "OPEN_TAG" else _TAG_PARTS
    match = pattern.match(token)
    if match is None:
        raise AssertionError(f"the grammar calls {token!r} a tag")
    if token.type == "TAG":
        return match[1], _ESCAPED.sub(r"\1", match[2])
    return match[1], match[match.lastindex or 2] or ""
