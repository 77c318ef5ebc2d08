"""A file's text as entries: each tag, section line, comment and escape line in its place, none lost.

Lark parses the text, and the methods of `Entries` make the rows of each rule of `grammars/pbn.lark`. A text that is
longer than an evening goes to `archive.py`, which makes the same rows.
"""

import re
from threading import local
from typing import Final

import numpy as np
import polars as pl
from lark import Token, Transformer, v_args

from overtrick.core.frames import ColumnType
from overtrick.core.grammar import grammar
from overtrick.files.formats.base import put_in

KIND: Final = pl.Enum(["tag", "body", "comment", "escape", "blank", "stray"])
_DEFECTS: Final = {
    "UNQUOTED": "pbn-tag-unquoted",
    "UNCLOSED": "pbn-tag-unclosed",
    "BROKEN_TAG": "pbn-tag-broken/tag",
    "SPACED_TAG": "pbn-tag-spaced",
    "OPEN_COMMENT": "pbn-comment-unclosed",
    "OPEN_STRING": "pbn-tag-broken/quote",
    "BRACE": "stray-text/pbn",
}
"""By terminal of the grammar that a piece begins with."""
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

_ESCAPED: Final = re.compile(r'\\(["\\])')
_AT_ONCE: Final = 50_000
"""Rows that become a frame at a time: as objects they outweigh the text many times."""


class _Found(local):
    """What a thread has found in a text so far."""

    rows: list[tuple[object, ...]]
    frames: list[pl.DataFrame]
    plain: list[Token]


@v_args(inline=True)
class Entries(Transformer[Token, None]):
    """Makes the rows of each rule of the grammar, in the order of the text."""

    def __init__(self) -> None:
        super().__init__()
        self._found = _Found()

    def read(self, text: str, start: str) -> tuple[pl.DataFrame, list[Token]]:
        """Return a text's entries, and its runs of plain lines where it is read as an archive."""
        found = self._found
        found.rows, found.frames, found.plain = [], [pl.DataFrame(schema=SCHEMA)], []
        grammar(start, transformer=self).parse(text)
        self._make_frame()
        return pl.concat(found.frames), found.plain

    def plain(self, run: Token) -> None:
        """Keep a run of plain lines for `archive.py`."""
        self._found.plain.append(run)

    def tags(self, run: Token) -> None:
        """Add tags in export form, each alone on its line."""
        start, line = run.start_pos or 0, run.line or 1
        for place, tag in enumerate(run[:-1].split("\n")):
            # `[Board "1"]`
            name, _, value = tag[1:-2].partition(' "')
            self._add(line + place, 1, start, start + len(tag), "tag", name, value, None)
            start += len(tag) + 1

    def tag(self, opening: Token, name: Token, *rest: Token) -> None:
        """Add a tag in any other form."""
        value = "".join(rest).strip().removesuffix("]").rstrip()
        if opening.type != "UNQUOTED":
            value = value.removeprefix('"').removesuffix('"')
        if opening.type == "OPEN":
            value = _ESCAPED.sub(r"\1", value)
        place = (opening.line, opening.column, opening.start_pos, rest[-1].end_pos)
        self._add(*place, "tag", str(name), value, _DEFECTS.get(opening.type))

    def line(self, text: Token) -> None:
        """Add text of a section."""
        self._add_text("body", text)

    def comment(self, text: Token) -> None:
        """Add a comment, closed or not."""
        self._add_text("comment", text)

    def escape(self, text: Token) -> None:
        """Add a line that begins with `%`."""
        self._add_text("escape", text)

    def stray(self, text: Token) -> None:
        """Add what is not PBN."""
        self._add_text("stray", text)

    def empty_lines(self, run: Token) -> None:
        """Add the end of a game."""
        start = run.start_pos or 0
        self._add(run.line, run.column, start, start + len(run) - 1, "blank", None, None, None)

    def _add_text(self, kind: str, token: Token) -> None:
        text, start = token.rstrip("\n"), token.start_pos or 0
        defect = _DEFECTS.get(token.type)
        self._add(token.line, token.column, start, start + len(text), kind, None, text, defect)

    def _add(self, *row: object) -> None:
        rows = self._found.rows
        rows.append(row)
        if len(rows) == _AT_ONCE:
            self._make_frame()

    def _make_frame(self) -> None:
        columns = zip(*self._found.rows, strict=True)
        self._found.frames.append(pl.DataFrame(dict(zip(SCHEMA, columns, strict=False)), SCHEMA))
        self._found.rows = []


ENTRIES: Final = Entries()


def cut_evening(text: str) -> pl.DataFrame:
    r"""Cut a file's text into entries by the grammar's `file`.

    Args:
        text: the whole text; every line ends in `\n`.

    Returns:
        A frame of `SCHEMA` in the order of the text. Together the entries hold all of it but white space. Consecutive
        lines of section text are one entry.
    """
    found, _ = ENTRIES.read(text, "file")
    return merge_lines(found, text)


def merge_lines(frame: pl.DataFrame, text: str) -> pl.DataFrame:
    """Make one entry of consecutive section lines with nothing between, and one of consecutive empty lines."""
    if frame.is_empty():
        return frame
    is_body = (frame["kind"] == "body").to_numpy()
    merged = (is_body & frame["defect"].is_null().to_numpy()) | (frame["kind"] == "blank").to_numpy()
    joins = merged[1:] & merged[:-1] & (is_body[1:] == is_body[:-1])
    first = np.flatnonzero(~np.concatenate([[False], joins]))
    if len(first) == len(frame):
        return frame
    last = np.append(first[1:], len(frame)) - 1
    longer = frame[first].with_columns(frame["end"].gather(last))
    grown = np.flatnonzero((last > first) & is_body[first])
    raw = [text[start:end] for start, end in longer[grown].select("start", "end").iter_rows()]
    return longer.with_columns(put_in(longer["text"], grown, raw))
