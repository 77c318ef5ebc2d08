"""Links that people paste into chat with the pipes in them: their commands are words of the chat, not of the board."""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl

from overtrick.files.formats.base import put_in
from overtrick.files.formats.lin.read.evening import Places
from overtrick.files.formats.lin.read.tokens import Tokens
from overtrick.files.formats.lin.spelling import list_commands

_TEXTS: Final = ("nt", "at", "an")
_OPENS: Final = "[?&;]lin="
_SETS_UP: Final = ("vg", "rs", "pn", "pw", "mp", "bn", "qx", "mn", "st", "rh", "md", "ah", "sv", "sk")
"""Commands of a board before its first call."""


def keep_links_in_chat(tokens: Tokens, text: str) -> Tokens:
    """Return the tokens with each link in a text of chat as part of that text, up to where the link ends.

    A file with nothing but such links keeps them as boards.

    Args:
        tokens: all tokens of the text.
        text: the whole text.
    """
    if "lin=" not in text:
        return tokens
    found = _Rows(tokens, text)
    spans, end = [], 0
    for row in found.chats.tolist():
        stop = found.find_end(row) if row >= end else 0
        if stop > row + 1:
            spans.append((row, stop))
            end = stop
    inside = np.zeros(len(tokens), dtype=np.bool_)
    for row, stop in spans:
        inside[row + 1 : stop] = True
    own_boards = not inside[found.boards].all()
    return found.join(spans, ~inside) if spans and own_boards else tokens


@dataclass(frozen=True)
class _Rows:
    """Rows of tokens by what they say, each in the order of the text."""

    tokens: Tokens
    text: str

    @cached_property
    def line(self) -> Places:
        return self.tokens.frame["line"].to_numpy().astype(np.int64)

    @cached_property
    def at(self) -> Places:
        """Where each token begins, in characters, and the end of the text."""
        lines = np.array([0, *(match.end() for match in re.finditer("\n", self.text))], dtype=np.int64)
        begin = lines[self.line - 1] + self.tokens.frame["column"].to_numpy() - 1
        return np.append(begin, len(self.text))

    @cached_property
    def boards(self) -> Places:
        return self.find("qx", "md", "vg")

    @cached_property
    def deals(self) -> Places:
        return self.find("md")

    @cached_property
    def pages(self) -> Places:
        return self.find("pg")

    @cached_property
    def others(self) -> Places:
        """The rows that do not set a board up."""
        return np.setdiff1d(np.arange(len(self.tokens)), self.find(*_SETS_UP))

    @cached_property
    def stray(self) -> np.typing.NDArray[np.bool_]:
        return self.tokens.frame.select(pl.col("kind") != "tag").to_series().to_numpy()

    def find(self, *names: str) -> Places:
        """Find the rows that are one of these commands."""
        codes = [list_commands().index(name) for name in names]
        return np.flatnonzero(np.isin(self.tokens.frame["code"].to_numpy(), codes))

    @cached_property
    def closers(self) -> Places:
        """Stray texts that end in a pipe: it closes the chat that a whole link is in."""
        ends = [row for row in np.flatnonzero(self.stray).tolist() if "|" in self.text[self.at[row] : self.at[row + 1]]]
        return np.array(ends, dtype=np.int64)

    @cached_property
    def chats(self) -> Places:
        """Texts that break off in a link: `nt|..?lin=` before `pn|`, or `nt|..?lin=st|` before a stray pipe."""
        rows = self.find(*_TEXTS)
        defect = self.tokens.frame["defect"]
        text = self.tokens.get_texts(rows)
        joined = (defect[rows] == "lin-pipe-missing").fill_null(value=False) & text.str.contains(f"{_OPENS}$")
        doubled = np.isin(rows + 1, self.closers) & text.str.contains(f"{_OPENS}..$").to_numpy()
        begun: Places = rows[joined.to_numpy() | doubled]
        return begun

    def find_end(self, chat: int) -> int:
        """Return the row after the link in a chat.

        A link stays on its line and shows one board. It ends at a pipe too many, since the chat has one of its own; in
        a line that begins with the chat, at the last `pg`; elsewhere at the first `pg`, or where calls begin.
        """
        line_end = int(np.searchsorted(self.line, self.line[chat + 1], side="right"))
        limit = _first(self.boards, _first(self.deals, chat, line_end), line_end)
        closer = _first(self.closers, chat + 1, limit)
        if closer < limit:
            return closer + 1
        alone = limit == line_end and (chat == 0 or self.line[chat - 1] < self.line[chat])
        pages = self.pages[slice(*np.searchsorted(self.pages, [chat + 1, limit]))]
        end = limit if alone else _first(self.others, chat, limit)
        if len(pages):
            end = int(pages[-1 if alone else 0])
        while end - 1 > chat and self.stray[end - 1]:
            end -= 1
        return end

    def join(self, spans: list[tuple[int, int]], stays: np.typing.NDArray[np.bool_]) -> Tokens:
        """Make one token of each chat and its link, the rows after the first up to the second of each pair."""
        words = self.tokens.words
        first = np.array([row for row, _ in spans], dtype=np.int64)
        values = [self._read_value(row, stop) for row, stop in spans]
        frame = self.tokens.frame.with_columns(
            put_in(self.tokens.frame["word"], first, range(len(words), len(words) + len(first))),
            put_in(self.tokens.frame["defect"], first, ["lin-link-in-chat"] * len(first)),
        )
        nameless = frame.select((pl.col("kind") == "tag") & (pl.col("code") == 0)).to_series().to_numpy()
        return replace(
            self.tokens,
            frame=frame.filter(stays),
            words=pl.concat([words, pl.Series(values, dtype=pl.String)]),
            unknown=self.tokens.unknown.filter(stays[nameless]),
        )

    def _read_value(self, chat: int, stop: int) -> str:
        begin, end = int(self.at[chat]) + len("nt|"), int(self.at[stop])
        unclosed = self.tokens.frame["defect"][stop - 1] == "lin-value-unclosed"
        return self.text[begin:end].rstrip() if unclosed else self.text[begin : self.text.rfind("|", 0, end)]


def _first(rows: Places, after: int, otherwise: int) -> int:
    """Return the first row after this one, or the other if it comes first."""
    found = int(np.searchsorted(rows, after, side="right"))
    return min(int(rows[found]), otherwise) if found < len(rows) else otherwise
