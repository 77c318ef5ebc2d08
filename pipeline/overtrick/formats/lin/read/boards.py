"""Tokens to boards: which token belongs to which record, and which board and room that is.

A record begins with `qx`, or with `md` where no `qx` does, and with the names that stand right before it.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.formats.lin.commands import commands
from overtrick.formats.lin.read.deals import is_deal
from overtrick.formats.lin.read.tokens import Tokens

Places = npt.NDArray[np.signedinteger]
Mask = npt.NDArray[np.bool_]

_FILM: Final = ("bt", "at", "lb", "ih")
"""Commands of lessons; a file with a session header may hold them as well."""
_HEADING: Final = ("pn", "mn", "st", "rh", "ah", "sv", "sk")
"""What may stand before the `qx` or `md` that it belongs to."""
_NAMES: Final = ("pn", "mn")
_PLAY: Final = ("mb", "pc", "mc")

_LABEL: Final = r"^\s*([A-Za-z]?)\s*([0-9]{1,9})"
_TITLE_AFTER_WORD: Final = r"(?i)\b(?:board|deal|hand|example|diagram)\s+([0-9]{1,9})"
_TITLE_NUMBER: Final = r"(?:^|\s)([0-9]{1,9})"


def within(record: Places) -> Places:
    """Count up from 0 within each record; rows of a record stand together."""
    first = np.flatnonzero(np.diff(record, prepend=-2)).astype(np.int32)
    return np.arange(len(record), dtype=np.int32) - np.repeat(first, np.diff(first, append=len(record)))


@dataclass(frozen=True)
class Boards:
    """The tokens of a file with the record that each belongs to, and what is said of which board a record is."""

    tokens: Tokens
    record: Places
    """The record of each token, from 0; -1 before and between records."""
    film: bool
    """Whether the file is a lesson: its deals are read, its auctions and plays are not those of a table."""
    sessions: int
    """Session headers (`vg`); a record belongs to the last one before it."""
    frame: pl.DataFrame
    """One row a record: `record line`, `label` (of `qx`), `title` (of `ah`), `letter` (of the room), `label_number`,
    `title_number`, `session` (from 1, 0 before any header)."""

    def places(self, *names: str) -> Places:
        """Give the rows of `tokens` that are one of these commands."""
        return np.flatnonzero(_are(self.tokens, *names))

    def listed(self) -> pl.DataFrame:
        """Write the tokens out, as `Tokens.listed` does, with their `record`: null before and between records."""
        record = pl.Series("record", self.record)
        known = record.cast(pl.UInt32) if (self.record >= 0).all() else record.set(record < 0, None).cast(pl.UInt32)
        return self.tokens.listed().insert_column(0, known)

    def played(self, *names: str) -> Places:
        """Give the rows that are one of these commands of a record; where it is dealt again, of its `told` part."""
        at = self.places(*names)
        first, last = self.told
        record = self.record[at]
        if (record >= 0).all() and (first < 0).all():
            return at
        return at[(record >= 0) & (at > first[record]) & (at < last[record])]

    def left_out(self) -> pl.DataFrame:
        """Give the first call, card or claim of each record that is not of its `told` part, as `rows` does."""
        first, last = self.told
        if (first < 0).all():
            return self.rows(np.zeros(0, dtype=np.int64))
        at = self.places(*_PLAY)
        record = self.record[at]
        others = at[(at < first[record]) | (at > last[record])]
        return self.rows(others).unique("record", keep="first", maintain_order=True)

    @cached_property
    def told(self) -> tuple[Places, Places]:
        """For each record the rows between which its auction and play stand.

        Where it is dealt again, these are the rows of the deal behind which most is told, the last of equals.
        """
        first = np.full(len(self.frame) + 1, -1, dtype=np.int64)
        last = np.full(len(self.frame) + 1, len(self.tokens), dtype=np.int64)
        record = self.record[self.deals]
        again = np.flatnonzero(np.bincount(record) > 1)
        if not len(again):
            return first, last
        play = self.places(*_PLAY)
        deal = np.searchsorted(self.deals, play) - 1
        told = (deal >= 0) & (record[deal] == self.record[play])
        size = self.tokens.text(play[told]).str.len_chars().to_numpy()
        sizes = np.bincount(deal[told], size, minlength=len(record))
        fullest = np.zeros(len(first), dtype=np.int64)
        order = np.lexsort((np.arange(len(record)), sizes, record))
        fullest[record[order]] = order
        first[again] = self.deals[fullest[again]]
        last[again] = np.append(self.deals, len(self.tokens))[fullest[again] + 1]
        return first, last

    @cached_property
    def begins(self) -> Places:
        """The first row of each record."""
        return np.flatnonzero((np.diff(self.record, prepend=-1) != 0) & (self.record >= 0))

    def counts_from(self, rows: Places) -> Places:
        """Give for each row the first one of its record where no call or card stands before it there, else itself."""
        record = self.record[rows]
        if (record < 0).all():
            return rows
        play = self.places(*_PLAY)
        before = np.append(play, -1)[np.searchsorted(play, rows) - 1]
        heads = (record >= 0) & (before < self.begins[record])
        return np.where(heads, self.begins[record], rows)

    @cached_property
    def deals(self) -> Places:
        """The rows of `md` that deal anew."""
        at = self.places("md")
        dealt = is_deal(self.tokens.text(at)).to_numpy()
        return at[dealt & (self.record[at] >= 0)]

    def once(self, *names: str) -> pl.DataFrame:
        """Give the first token of each record that is one of these commands: `record at line column text`."""
        return self.rows(self.places(*names)).unique("record", keep="first", maintain_order=True)

    def rows(self, at: Places) -> pl.DataFrame:
        """Give rows of `tokens` that belong to a record: `record at line column text`."""
        at = at[self.record[at] >= 0]
        own = pl.DataFrame({"record": self.record[at].astype(np.uint32), "at": at.astype(np.int64)})
        return own.hstack(self.tokens.rows(at))

    def last_before(self, rows: Places, at: Places) -> Places:
        """Give for each row of `at` the place, within its record, of the last of `rows` up to it; -1 for none."""
        first = np.searchsorted(self.record[rows], self.record[at])
        place: Places = np.searchsorted(rows, at, side="right") - first - 1
        return place


def boards(tokens: Tokens) -> Boards:
    """Find the records of a file's tokens."""
    headers = _are(tokens, "vg")
    film = bool(_are(tokens, *_FILM).any() and not headers.any())
    at = np.flatnonzero(_are(tokens, "md"))
    dealt = np.zeros(len(tokens), dtype=np.bool_)
    dealt[at] = is_deal(tokens.text(at)).to_numpy()
    anchors = dealt if film else dealt | _are(tokens, "qx")
    opens = _openers(tokens, dealt, anchors, film=film)
    # A session's header ends the board before it, and what it says belongs to none.
    begins = np.union1d(_with_headings(tokens, anchors, opens), np.flatnonzero(headers))
    data = dealt if film else dealt | _are(tokens, *_PLAY)
    holds = np.logical_or.reduceat(data, begins) if len(begins) else np.zeros(0, dtype=np.bool_)
    number = np.where(holds, np.cumsum(holds) - 1, -1).astype(np.int32)
    record = np.repeat(np.append(np.int32(-1), number), np.diff(begins, prepend=0, append=len(tokens)))
    own = pl.DataFrame({"record": np.arange(holds.sum(), dtype=np.uint32)})
    found = Boards(tokens, record, film, int(headers.sum()), own)
    return replace(found, frame=_frame(found, np.flatnonzero(headers)))


def _are(tokens: Tokens, *names: str) -> Mask:
    """Say which tokens are one of these commands."""
    code = tokens.frame["code"].to_numpy()
    mask = np.zeros(len(code), dtype=np.bool_)
    for name in names:
        mask |= code == commands().index(name)
    return mask


def _openers(tokens: Tokens, dealt: Mask, anchors: Mask, *, film: bool) -> Places:
    """Give the rows where records open: each `qx`, and each new deal that is not the first one of its `qx`.

    A deal that stands again below one `qx`, or in a lesson, with no names between, is the same record begun anew.
    """
    rows = np.flatnonzero(anchors)
    is_label = ~dealt[rows]
    first_of_label = ~is_label & np.concatenate([[False], is_label])[:-1]
    text = tokens.text(rows)
    named = np.searchsorted(np.flatnonzero(_are(tokens, *_NAMES)), rows)
    same = (text == text.shift(1)).fill_null(value=False).to_numpy() & ~is_label & ~first_of_label
    same &= named == np.concatenate([[-1], named])[:-1]
    last_sure = np.maximum.accumulate(np.where(~same & ~first_of_label, np.arange(len(rows)), 0))
    again = same & (is_label[last_sure] | film)
    opens: Places = rows[~first_of_label & ~again]
    return opens


def _with_headings(tokens: Tokens, anchors: Mask, opens: Places) -> Places:
    """Give the row where each record begins, its names and titles included.

    What stands right before an opener heads it, back to anything that ends a board. Where that is another opener, which
    may have its titles behind it, the line decides, and on one line names begin a board.
    """
    if not len(opens):
        return opens
    line = tokens.frame["line"].to_numpy()
    heading = np.concatenate([[-2], np.flatnonzero(_are(tokens, *_HEADING))])
    first = np.maximum.accumulate(np.where(np.diff(heading, prepend=-4) > 1, heading, -2))
    last = np.searchsorted(heading, opens) - 1
    before = np.where(heading[last] == opens - 1, first[last], opens) - 1
    names = np.append(np.flatnonzero(_are(tokens, *_NAMES)), len(anchors))
    name = names[np.searchsorted(names, before, side="right")]
    same_line = line[before] == line[opens]
    by_line = np.where(same_line, np.minimum(name, opens), np.searchsorted(line, line[opens]))
    return np.where((before >= 0) & anchors[before], np.maximum(by_line, before + 1), before + 1)


def _frame(boards: Boards, headers: Places) -> pl.DataFrame:
    """Say what is stated of the board that each record is."""
    label, title = pl.col("label"), pl.col("title").str.split("\\").list.first()
    first = boards.begins
    session = pl.Series("session", np.searchsorted(headers, first, side="right"), dtype=pl.UInt32)
    return (
        boards.frame.with_columns(boards.tokens.frame["line"][first], session)
        .join(boards.once("qx").select("record", label=pl.col("text")), on="record", how="left", maintain_order="left")
        .join(boards.once("ah").select("record", title=pl.col("text")), on="record", how="left", maintain_order="left")
        .with_columns(
            label.str.extract(_LABEL, 1).str.to_lowercase().replace("", None).alias("letter"),
            label.str.extract(_LABEL, 2).cast(pl.Int32).alias("label_number"),
            pl.coalesce(title.str.extract(_TITLE_AFTER_WORD), title.str.extract(_TITLE_NUMBER))
            .cast(pl.Int32)
            .alias("title_number"),
        )
    )
