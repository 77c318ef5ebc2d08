"""Tokens to boards: which token belongs to which record.

A record begins with `qx`, or with `md` where there is no `qx`, and with the names right before it.
Which board, room and session it is says its label (`qx`), else its title (`ah`), never its place in the file.

"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.problems import report
from overtrick.files.formats.lin.read.deals import mark_deals
from overtrick.files.formats.lin.read.evening import Mask, Places
from overtrick.files.formats.lin.read.tokens import Tokens
from overtrick.files.formats.lin.spelling import get_pattern, list_commands

FILM: Final = ("bt", "at", "lb", "ih")
"""Commands of lessons; a file with a session header may hold them as well."""
_HEADING: Final = ("pn", "mn", "st", "rh", "ah", "sv", "sk")
"""Commands that may come before the `qx` or `md` that they belong to."""
_NAMES: Final = ("pn", "mn")
PLAY: Final = ("mb", "pc", "mc")
"""Commands that are counted where a record is dealt again."""
_OWN: Final = "ot"
"""The command that overtrick writes beside a result, also of a board without cards (`lin.read.own`)."""


@dataclass(frozen=True)
class Boards:
    """The tokens of a file with the record that each belongs to."""

    tokens: Tokens
    record: Places
    """The record of each token, from 0; -1 before and between records."""
    film: bool
    """Whether the file is a lesson: its deals are read, its auctions and plays are not those of a table."""
    count: int
    """How many records there are."""
    headers: Places
    """The rows of session headers (`vg`); a record belongs to the last one before it."""

    def find(self, *names: str) -> Places:
        """Find the rows of `tokens` that are one of these commands."""
        return np.flatnonzero(_are(self.tokens, *names))

    def list_all(self) -> pl.DataFrame:
        """List the tokens, as `Tokens.list_all` does, with their `record`: null before and between records."""
        return self.tokens.list_all().insert_column(0, pl.Series("record", self.record).cast(pl.UInt32, strict=False))

    @cached_property
    def begins(self) -> Places:
        """The first row of each record."""
        return np.flatnonzero((np.diff(self.record, prepend=-1) != 0) & (self.record >= 0))

    @cached_property
    def session(self) -> Places:
        """The session of each record, from 1; 0 before any header."""
        return np.searchsorted(self.headers, self.begins, side="right")

    @cached_property
    def deals(self) -> Places:
        """The rows of `md` that deal anew."""
        at = self.find("md")
        dealt = mark_deals(self.tokens.get_texts(at)).to_numpy()
        return at[dealt & (self.record[at] >= 0)]

    def get_first(self, *names: str) -> pl.DataFrame:
        """Return the first token of each record that is one of these commands: `record at line column text`."""
        return self.get_first_of(self.find(*names))

    def get_first_of(self, at: Places) -> pl.DataFrame:
        """Return the first of these rows of each record, as `get_rows` does; thousands of rows may share a text."""
        _, first = np.unique(self.record[at], return_index=True)
        return self.get_rows(at[np.sort(first)])

    def get_rows(self, at: Places) -> pl.DataFrame:
        """Return those of these rows that belong to a record: `record at line column text`."""
        at = at[self.record[at] >= 0]
        return self.get_places(at).with_columns(self.tokens.get_texts(at).alias("text"))

    def get_places(self, at: Places) -> pl.DataFrame:
        """Return the places of rows of records: `record at line column`."""
        line, column = (self.tokens.frame[name][at] for name in ("line", "column"))
        numbers = {"record": self.record[at].astype(np.uint32), "at": at.astype(np.int64)}
        return pl.DataFrame({**numbers, "line": line, "column": column})


def find_boards(tokens: Tokens) -> Boards:
    """Find the records of a file's tokens, or of files without `qx` and `vg` that were joined: each ends with its file.

    Worked example:

        row      0   1   2   3   4   5   6   7   8   9
        command  vg  pn  qx  md  mb  qx  pg  pn  qx  md
        dealt                x                       x
        anchors          x   x       x           x   x   each `qx` and each new deal
        opens            x           x           x       both deals are the first ones of their `qx`
        begins   x   x               x       x           with the names before; a header ends what is before it
        holds    no  yes             no      yes         whether a deal, a call or a card is in it
        number   -1  0               -1      1
        record   -1  0   0   0   0   -1  -1  1   1   1
    """
    headers = np.flatnonzero(_are(tokens, "vg"))
    film = bool(_are(tokens, *FILM).any() and not len(headers))
    at = np.flatnonzero(_are(tokens, "md"))
    dealt = np.zeros(len(tokens), dtype=np.bool_)
    dealt[at] = mark_deals(tokens.get_texts(at)).to_numpy()
    anchors = dealt if film else dealt | _are(tokens, "qx")
    opens = _find_openers(tokens, dealt, anchors, film=film)
    sure = np.union1d(_find_headings(tokens, anchors, opens), headers)
    begins = np.union1d(sure, tokens.breaks)
    data = dealt if film else dealt | _are(tokens, *PLAY, _OWN)
    holds = np.logical_or.reduceat(data, begins) if len(begins) else np.zeros(0, dtype=np.bool_)
    if len(tokens.breaks):
        # What is before the first board of a file is not a board.
        holds &= np.isin(begins, sure)
    number = np.where(holds, np.cumsum(holds) - 1, -1).astype(np.int32)
    record = np.repeat(np.append(np.int32(-1), number), np.diff(begins, prepend=0, append=len(tokens)))
    return Boards(tokens, record, film, int(holds.sum()), headers)


def _are(tokens: Tokens, *names: str) -> Mask:
    """Mark the tokens that are one of these commands."""
    code = tokens.frame["code"].to_numpy()
    mask: Mask = np.logical_or.reduce([code == list_commands().index(name) for name in names])
    return mask


def _find_openers(tokens: Tokens, dealt: Mask, anchors: Mask, *, film: bool) -> Places:
    """Find the rows where records open: each `qx`, and each new deal that is not the first one of its `qx`.

    The same deal repeated below one `qx`, or in one lesson, with no names between, is the same record begun anew.
    Worked example of anchors, with A and B for deals:

        anchor          qx  A   A   B   qx  B   B
        is_label        x               x
        first_of_label      x               x
        same                    x               x   as the anchor before, which does not count as `first_of_label`
        last_sure       0   0   0   3   4   4   4   the last anchor that is neither
        again                   x               x   same, and `last_sure` is a label
        opens           x           x   x
    """
    rows = np.flatnonzero(anchors)
    is_label = ~dealt[rows]
    first_of_label = ~is_label & np.concatenate([[False], is_label])[:-1]
    text = tokens.get_texts(rows)
    # Both counts only grow, so their sum stays the same where neither grows.
    named = np.searchsorted(np.flatnonzero(_are(tokens, *_NAMES)), rows) + tokens.find_files(rows)
    same = (text == text.shift(1)).fill_null(value=False).to_numpy() & ~is_label & ~first_of_label
    same &= named == np.concatenate([[-1], named])[:-1]
    last_sure = np.maximum.accumulate(np.where(~same & ~first_of_label, np.arange(len(rows)), 0))
    again = same & (is_label[last_sure] | film)
    opens: Places = rows[~first_of_label & ~again]
    return opens


def _find_headings(tokens: Tokens, anchors: Mask, opens: Places) -> Places:
    """Find the row where each record begins, its names and titles included.

    What comes right before an opener heads it, back to anything that ends a board. Where that is another opener, which
    may have its titles after it, the line decides, and on one line names begin a board. Worked example:

        row      0   1   2   3   4   5   6   7
        line     1   1   1   1   1   1   2   2
        command  pn  md  pg  pn  md  ah  st  md
        opens        x           x           x
        first    0           3       5   5        for each heading, where its run of headings begins
        before       -1          2           4    the row before the run that ends at the opener
        result       0           3           6    row 4 is an anchor, so line 2 decides for the opener in row 7
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
    start = np.append(0, tokens.breaks)[tokens.find_files(opens)]
    follows = np.maximum(before + 1, start)
    begins: Places = np.where((before >= start) & anchors[before], np.maximum(by_line, follows), follows)
    return begins


def _read_labels(boards: Boards) -> pl.DataFrame:
    """Read what is stated of the board that each record is.

    Returns:
        One row a record: `record line`, `label` (of `qx`), `title` (of `ah`), `letter` (of the room), `label_number`,
        `title_number`, `session` (from 1, 0 before any header).
    """
    label, title = pl.col("label"), pl.col("title").str.split("\\").list.first()
    begun = pl.DataFrame(
        {"record": np.arange(boards.count, dtype=np.uint32), "session": boards.session.astype(np.uint32)}
    )
    stated_label = boards.get_first("qx").select("record", label=pl.col("text"))
    stated_title = boards.get_first("ah").select("record", title=pl.col("text"))
    number = pl.coalesce(title.str.extract(get_pattern(name)) for name in ("BOARD_TITLE", "FIRST_NUMBER"))
    room_and_board = f"^{get_pattern('BOARD_LABEL')}"
    return (
        begun.with_columns(boards.tokens.frame["line"][boards.begins])
        .join(stated_label, on="record", how="left", maintain_order="left")
        .join(stated_title, on="record", how="left", maintain_order="left")
        .with_columns(
            label.str.extract(room_and_board, 1).str.to_lowercase().replace("", None).alias("letter"),
            label.str.extract(room_and_board, 2).cast(pl.Int32).alias("label_number"),
            number.cast(pl.Int32).alias("title_number"),
        )
    )


def number_boards(boards: Boards) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Number the records of a file by their labels, else by their titles.

    Returns:
        One row a record: `record line session board board_label room`, and `md` with `md_line md_column`: its deal as
        written, in a session that of the other room where it has none; and the problems.
    """
    dealt = boards.get_rows(boards.deals).unique("record", keep="last", maintain_order=True)
    dealt = dealt.select("record", md="text", md_line="line", md_column="column")
    frame = _read_labels(boards).join(dealt, on="record", how="left", maintain_order="left")
    label, title = pl.col("label_number"), pl.col("title_number")
    if boards.film:
        frame = frame.with_columns(label=pl.lit(None, pl.String), label_number=pl.lit(None, pl.Int32))
    deals = pl.col("md").n_unique().over("session", "letter", "label_number")
    frame = frame.with_columns((label != title).fill_null(value=False).alias("differs"))
    stuck = pl.col("differs") & (deals > 1) if frame["differs"].any() else pl.lit(value=False)
    frame = frame.with_columns(stuck.alias("stuck")).with_columns(
        pl.when("stuck").then(title).otherwise(pl.coalesce(label, title)).alias("board")
    )
    frame = frame.with_columns(pl.when(pl.col("board") > 0).then("board").alias("board"))
    counted = frame.with_columns(deals.alias("count")).filter("stuck")
    problems = [
        report(
            "lin-board-stuck", counted.unique(["session", "letter", "label_number"], keep="first", maintain_order=True)
        ),
        report("lin-board-differs", frame.filter(pl.col("differs") & ~pl.col("stuck"))),
    ]
    in_room = (pl.col("session") > 0) & pl.col("letter").is_not_null()
    room = pl.when(pl.col("letter") == "o").then(pl.lit("Open")).otherwise(pl.lit("Closed"))
    words = pl.coalesce(pl.col("title", "label").str.strip_chars().replace("", None))
    frame = frame.with_columns(
        pl.coalesce(pl.col("board").cast(pl.String), words).alias("board_label"),
        pl.when(in_room).then(room).alias("room"),
    )
    return fill_from_other_room(frame, "md", "md_line", "md_column"), pl.concat(problems)


def fill_from_other_room(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Fill these columns of a session's records from another record of the board where the first of them is null."""
    lacks = (pl.col("session") > 0) & pl.col("board").is_not_null() & pl.col(names[0]).is_null()
    if not frame.select(lacks.any()).item():
        return frame
    return frame.with_columns(
        pl.when(lacks).then(pl.col(name).drop_nulls().first().over("session", "board")).otherwise(name).alias(name)
        for name in names
    )
