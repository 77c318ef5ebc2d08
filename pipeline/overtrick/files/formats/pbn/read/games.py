"""Entries to games: which entry belongs to which game, and which lines make up which section.

A game is a block of entries between semi-empty lines that holds at least one tag (PBN 3). A long file
is cut into batches of whole games first, so that it is read in bounded memory.

"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.frames import ITEM_KIND, ITEM_KINDS
from overtrick.core.grammar import LONGEST_EVENING
from overtrick.core.problems import Finding
from overtrick.core.words import all_words, current_club, plain
from overtrick.files.formats.base import put_in
from overtrick.files.formats.pbn import tags as known
from overtrick.files.formats.pbn.read.archive import cut_archive
from overtrick.files.formats.pbn.read.evening import DEFECT, KIND, cut_evening
from overtrick.files.formats.text import TextBlock, with_last

_SAYS: Final = {"Auction": 1, "Play": 2, "Dealer": 4, "Deal": 4, "Event": 8, "Board": 8}
_PLAYED: Final = np.uint8(3)
_DEALT: Final = np.uint8(4)
"""Bits for what a block holds: which sections, what was dealt, and what only begins a game."""

_LOOSE: Final = ["comment", "escape", "stray"]
_UNLISTED: Final = np.array([kind in {"body", "blank"} for kind in KIND.categories])
_ITEM_KIND: Final = np.array(
    [0 if kind == "blank" else ITEM_KINDS.index("section" if kind == "body" else kind) for kind in KIND.categories],
    dtype=np.uint8,
)
"""By kind of an entry, the kind of its item; a blank line is not an item."""

STANDARD: Final = frozenset(tag.name for tag in known.TAGS.values() if tag.section)
"""Tags that the standard describes; all others are private."""

Bits = npt.NDArray[np.uint8]
Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Games:
    """The games of one file. Frames are in the order of the text; `game` counts from 0."""

    count: int
    entries: pl.DataFrame
    """All entries, each with its `game` and, as `head`, the row of the last tag of its block up to it; null without."""
    tags: pl.DataFrame
    """game, line, column, start, name, text: one row a tag."""
    by_name: dict[str, Rows]
    """The rows of `tags` of each name, in order."""
    defects: pl.DataFrame
    """game, line, column, defect, name, text: entries with a defect."""
    text: str
    """The text that was grouped."""
    misspelt: pl.DataFrame
    """record, line, column, name, correct: tags in the wrong case. All other frames have their correct names."""
    tables: dict[str, Any] = field(default_factory=dict)
    """By name, the tables that `table_rows.cut_tables` has cut."""

    @cached_property
    def sections(self) -> pl.DataFrame:
        """game, line, column, start, name, value (the tag's), text (raw), mixed: one row a section with data.

        `mixed` says that comments or escape lines stand between its lines.
        """
        return _sections(self.entries, self.text)

    @cached_property
    def items(self) -> pl.DataFrame:
        """game, line, column, kind, name, text: everything, sections as one row."""
        return _items(self.entries, self.sections)


# Seven entries, and what `group_games` makes of them (`blank` adds one to the block, tags number the blocks as games):
#
#     row  entry           block  game  head
#     0    % PBN 2.1       0      null  null   a block without tags is not a game
#     1    (empty line)    1      0     null
#     2    [Board "1"]     1      0     2
#     3    [Play "W"]      1      0     3
#     4    SA S2           1      0     3      the section of the tag in row 3
#     5    (empty line)    2      1     null
#     6    [Board "2"]     2      1     6
def group_games(entries: pl.DataFrame, text: str) -> Games:
    """Group the entries of a file (`entries.cut_entries`) into games."""
    kind = entries["kind"]
    is_tag = (kind == "tag").to_numpy()
    by_name = _list_by_name(entries, is_tag)
    entries, misspelt = _correct_case(entries, by_name)
    if len(misspelt):
        by_name = _list_by_name(entries, is_tag)
    block = np.cumsum((kind == "blank").to_numpy())
    block -= _count_reunions(entries, is_tag, block)
    block += _count_extra_games(entries, is_tag, block, by_name)
    tagged = block[is_tag]
    with_tags = tagged[_changes(tagged)]
    game_of_block = np.full(int(block[-1]) + 1 if len(block) else 0, -1, dtype=np.int64)
    game_of_block[with_tags] = np.arange(len(with_tags))
    placed = entries.with_columns(
        row_or_null(game_of_block[block]).cast(pl.UInt32).alias("game"),
        row_or_null(_heads(is_tag, block)).alias("head"),
    )
    tags = placed.select("game", "line", "column", "start", "name", "text").filter(pl.Series(is_tag)).rechunk()
    placed = _mark_strays(placed)
    misspelt = misspelt.with_columns(placed["game"].gather(misspelt["row"]).alias("record")).drop("row")
    return Games(len(with_tags), placed, tags, by_name, _defects(placed), text, misspelt)


def _list_by_name(entries: pl.DataFrame, is_tag: Mask) -> dict[str, Rows]:
    """Return the rows of the tags of each name, counted among the tags: of Board, Event, Board [0, 2] and [1]."""
    names = entries["name"].filter(pl.Series(is_tag))
    if names.is_empty():
        return {}
    codes = names.cast(pl.Categorical).to_physical().to_numpy()
    # Numpy sorts numbers of 16 bits far faster than longer ones.
    order = (codes.astype(np.uint16) if codes.max() < 2**16 else codes).argsort(kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)
    return {names[int(rows[0])]: rows for rows in groups}


def _correct_case(entries: pl.DataFrame, names: Iterable[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Write the names of tags as the standard does, where only the case is wrong and the block lacks the correct tag.

    The tag of a section may be in another language.

    Returns:
        The entries, and what was corrected: `row line column name correct`.
    """
    correct = {plain(name): name for name in STANDARD} | {**all_words("section", current_club())}
    odd = {name: correct[plain(name)] for name in names if name not in STANDARD and plain(name) in correct}
    if not odd:
        return entries, entries.select("line", "column", "name", row="start", correct="name").clear()
    rows = entries.select("line", "column", "name", "kind", block=(pl.col("kind") == "blank").cum_sum())
    suspects = rows.with_row_index("row").filter((pl.col("kind") == "tag") & pl.col("name").is_in(list(odd)))
    suspects = suspects.with_columns(correct=pl.col("name").replace(odd))
    stated = rows.filter((pl.col("kind") == "tag") & pl.col("name").is_in(list(odd.values())))
    wrong = suspects.join(stated, left_on=["block", "correct"], right_on=["block", "name"], how="anti")
    return entries.with_columns(put_in(entries["name"], wrong["row"], wrong["correct"])), wrong.drop("block", "kind")


def row_or_null(rows: Rows) -> pl.Series:
    """Return numbers of rows as a column, null for -1."""
    missing = rows < 0
    return pl.Series(rows).set(pl.Series(missing), None) if missing.any() else pl.Series(rows)


def _changes(values: Rows) -> Mask:
    """Mark each value that differs from the one before it: 0 0 1 1 2 gives T F T F T."""
    return np.concatenate([[True], values[1:] != values[:-1]]) if len(values) else np.zeros(0, dtype=np.bool_)


def _heads(is_tag: Mask, block: Rows) -> Rows:
    """Return the row of the last tag up to each entry, -1 where its block has none so far."""
    row = np.maximum.accumulate(np.where(is_tag, np.arange(len(is_tag)), -1)) if len(is_tag) else np.zeros(0, np.int64)
    return np.where((row >= 0) & (block[row] == block), row, -1)


# Five blocks of tags. `holds` has the bits of `_SAYS` for all tags of a block, and the last column is what comes of it:
#
#     block  tags                holds  first tag  belongs to
#     0      Board Dealer Deal   12     Board      itself
#     1      Auction Note        1      Auction    block 0, which says what was dealt and has no auction (`direct`)
#     2      Play                2      Play       block 0, past block 1 that went there and has no play (`after`)
#     3      Board Deal          12     Board      itself
#     4      Auction Dealer      5      Auction    itself, for it says what was dealt in its own game
def _count_reunions(entries: pl.DataFrame, is_tag: Mask, block: Rows) -> Rows:
    """Count, up to each entry, the empty lines that only cut an auction or a play off its game.

    Such a block begins with the section and holds no deal. It belongs to the block before it if that one says what was
    dealt and has no such section yet; an auction and a play may follow one after the other. A block of private tags
    alone belongs to the game before it too.
    """
    rows = np.flatnonzero(is_tag)
    first = np.flatnonzero(_changes(block[rows]))
    begins = entries["name"].gather(rows[first])
    if not (begins.is_in(known.names(heads="part")) | ~begins.is_in(STANDARD)).any():
        return np.zeros(len(entries), dtype=np.int64)
    names = entries["name"].gather(rows)
    standard = np.logical_or.reduceat(names.is_in(STANDARD).to_numpy(), first)
    reunited = ~standard & np.logical_or.accumulate(standard)
    says = names.replace_strict(_SAYS, default=0, return_dtype=pl.UInt8).to_numpy()
    reunited[standard] = _go_on(says[first][standard], np.bitwise_or.reduceat(says, first)[standard])
    begins_none = np.zeros(len(rows) + 1, dtype=np.bool_)
    begins_none[first[reunited]] = True
    next_tag: Rows = np.cumsum(is_tag) - is_tag
    return np.cumsum(_changes(block) & begins_none[next_tag])


def _go_on(says: Bits, holds: Bits) -> Mask:
    """Return which blocks are an auction or a play of the game before, by the bits of their first and of all tags."""
    before, earlier = (np.append(np.zeros(back, dtype=np.uint8), holds)[: len(holds)] for back in (1, 2))
    loose = (says > 0) & (holds & ~_PLAYED == 0)
    direct = loose & (before & _DEALT > 0) & (holds & before & _PLAYED == 0)
    after = np.append(False, direct)[: len(direct)] & loose & (holds & (before | earlier) & _PLAYED == 0)
    goes_on: Mask = direct | after
    return goes_on


def _count_extra_games(entries: pl.DataFrame, is_tag: Mask, block: Rows, by_name: Mapping[str, Rows]) -> Rows:
    """Count, up to each entry, the games that begin without an empty line: hand-merged files run two boards together.

    A second Board tag of another number in one block begins a game, at the Event tag before it when there is one.
    """
    extra = np.zeros(len(entries), dtype=np.int64)
    rows = np.flatnonzero(is_tag)
    boards = rows[by_name.get("Board", [])]
    crowded = boards[1:][block[boards[1:]] == block[boards[:-1]]]
    for number in np.unique(block[crowded]).tolist():
        board, event = None, None
        for row in rows[np.searchsorted(block[rows], number) : np.searchsorted(block[rows], number, "right")].tolist():
            name, value = entries["name"][row], entries["text"][row]
            if name == "Event":
                event = row
            elif name == "Board":
                if board is not None and value != board:
                    extra[row if event is None else event] += 1
                board, event = value, None
    return np.cumsum(extra)


def _mark_strays(placed: pl.DataFrame) -> pl.DataFrame:
    """Mark section text as stray that is below no tag, or below one that heads no section (5.1)."""
    body = placed["kind"] == "body"
    head = placed["name"].gather(placed["head"].filter(body))
    below_plain = head.is_in(known.names(heads="nothing")).fill_null(value=True)
    if not below_plain.any():
        return placed
    stray = np.zeros(len(placed), dtype=np.bool_)
    stray[body.to_numpy()] = below_plain.to_numpy()
    is_stray = pl.Series(stray)
    return placed.with_columns(
        pl.when(is_stray).then(pl.lit("stray", KIND)).otherwise("kind").alias("kind"),
        pl.when(is_stray & placed["defect"].is_null())
        .then(pl.lit("stray-text/pbn", DEFECT))
        .otherwise("defect")
        .alias("defect"),
    )


def _sections(placed: pl.DataFrame, text: str) -> pl.DataFrame:
    """Join the pieces of each section, with the comments and escape lines between them."""
    row = np.flatnonzero((placed["kind"] == "body").to_numpy())
    head = placed["head"][row].to_numpy()
    opens = _changes(head)
    first, last = row[opens], row[np.append(opens[1:], np.ones(len(head[:1]), dtype=np.bool_))]
    mixed = first != last
    start, end = placed["start"][first], placed["end"][last]
    whole = [text[start[at] : end[at]] for at in np.flatnonzero(mixed).tolist()]
    named = placed.select("name", pl.col("text").alias("value"))[head[opens]]
    return placed.select("game", "line", "column")[first].with_columns(
        pl.Series("row", first),
        start,
        end,
        pl.Series("head", head[opens], dtype=pl.Int64),
        *named.get_columns(),
        put_in(placed["text"][first], np.flatnonzero(mixed), whole),
        pl.Series("mixed", mixed),
    )


def _items(placed: pl.DataFrame, sections: pl.DataFrame) -> pl.DataFrame:
    """List everything once: a section is one item, and comments inside it are not listed again."""
    kind = placed["kind"].to_physical().to_numpy()
    listed = ~_UNLISTED[kind]
    listed[sections["row"].to_numpy()] = True
    text = placed["text"]
    if sections["mixed"].any():
        mixed = sections.filter("mixed")
        listed &= ~_inside(placed, mixed)
        text = put_in(text, mixed["row"], mixed["text"])
    return placed.select(
        "game",
        "line",
        "column",
        pl.Series("kind", _ITEM_KIND[kind]).cat.to(ITEM_KIND),
        pl.when(kind="body").then(pl.col("name").forward_fill()).otherwise("name").alias("name"),
        text,
    ).filter(pl.Series(listed))


def _inside(placed: pl.DataFrame, mixed: pl.DataFrame) -> Mask:
    """Mark comments, escape lines and strays between the lines of these sections."""
    begin, end = np.zeros(len(placed), dtype=np.int64), np.zeros(len(placed), dtype=np.int64)
    heads = mixed["head"].to_numpy()
    begin[heads], end[heads] = mixed["start"].to_numpy(), mixed["end"].to_numpy()
    head, start = placed["head"].fill_null(0).to_numpy(), placed["start"].to_numpy()
    inside: Mask = (start >= begin[head]) & (start < end[head]) & placed["kind"].is_in(_LOOSE).to_numpy()
    return inside


def _defects(placed: pl.DataFrame) -> pl.DataFrame:
    return placed.filter(pl.col("defect").is_not_null()).select("game", "line", "column", "defect", "name", "text")


LONGEST_GAME: Final = 16 * 1024 * 1024
"""Characters that a game may have before it is read in pieces."""
_LAST_ENTRIES: Final = 1000
"""Entries at the end of a text that are searched first for a game's beginning."""


class Batch(NamedTuple):
    """Some whole games of a file."""

    text: str
    entries: pl.DataFrame
    """`evening.SCHEMA`; `start` and `end` count from the batch's first character, `line` from that of the file."""
    first_line: int
    line_end: int
    """Characters of a line's end in the file: 2 for CR LF."""
    findings: tuple[Finding, ...]
    is_last: bool = True
    odd_end: int | None = None
    """A line that does not end as the first of the file does (`TextBlock.odd_end`)."""


def cut_entries(text: str) -> pl.DataFrame:
    """Cut a text into entries (`evening.SCHEMA`): lark parses an evening whole, columns cut a longer text."""
    return cut_evening(text) if len(text) <= LONGEST_EVENING else cut_archive(text)


def cut_batches(blocks: Iterable[TextBlock]) -> Iterator[Batch]:
    """Cut a file's text into batches that end where a game does.

    Args:
        blocks: the text; cut into other blocks, it gives the same games.

    Yields:
        At least one batch. A game longer than `LONGEST_GAME` is cut, and the problem `file-too-long` says so.
    """
    left, first_line = "", 1
    findings: tuple[Finding, ...] = ()
    odd_end: int | None = None
    for block, is_last in with_last(blocks, TextBlock("")):
        text, line_end = left + block.content, block.line_end
        findings += block.findings
        odd_end = odd_end or block.odd_end
        del block
        cut = cut_entries(text)
        end = len(text) if is_last else _end_of_games(cut, text)
        if not end and len(text) >= LONGEST_GAME:
            end = len(text)
            findings += (Finding("file-too-long/game", first_line + text.count("\n"), 1),)
        left = text[end:]
        if end:
            count = int(cut["start"].search_sorted(end, "left")) if left else len(cut)
            moved = move_lines(cut.head(count), first_line - 1)
            yield Batch(text[:end], moved, first_line, line_end, findings, is_last, odd_end)
            findings, odd_end = (), None
            if not is_last:
                # The first entry that is left is on the first line that is left.
                first_line += int(cut["line"][count]) - 1 if count < len(cut) else text.count("\n", 0, end)


def _end_of_games(cut: pl.DataFrame, text: str) -> int:
    """Return where the games end that no further text can change; the last entries nearly always show it."""
    open_comment = _open_comment(cut, text)
    count = _LAST_ENTRIES
    while True:
        starts = _find_starts(cut.tail(count))
        starts = starts if open_comment is None else starts.filter(starts <= open_comment)
        if len(starts) or count >= len(cut):
            return text.rfind("\n", 0, int(starts[-1]) if len(starts) else 0) + 1
        count *= 16


def _find_starts(cut: pl.DataFrame) -> pl.Series:
    """Return where games begin for sure: with a tag or escape line after an empty line.

    An auction or play after an empty line may belong to the game before it, and so may private tags alone, and escape
    lines above them. Text after an open comment may turn out to be part of the comment.
    """
    kind = cut["kind"]
    begins = kind.is_in(["tag", "escape"]) & (kind.shift() == "blank") & cut["defect"].is_null()
    standard = pl.col("name").is_in(STANDARD).fill_null(value=False)
    begins &= cut.select(standard.any().over((pl.col("kind") == "blank").cum_sum())).to_series()
    next_tag = pl.when(pl.col("kind") == "tag").then("name").backward_fill()
    begins &= cut.select(~next_tag.is_in(known.names(heads="part")).fill_null(value=True)).to_series()
    return cut["start"].filter(begins)


def _open_comment(cut: pl.DataFrame, text: str) -> int | None:
    """Return where the first comment without an end begins: the grammar ends one at the next `{` or line with a tag."""
    if cut["defect"].null_count() == len(cut):
        return None
    unclosed = cut.filter(pl.col("defect") == "pbn-comment-unclosed").select("start", "end")
    for start, end in unclosed.iter_rows():
        if "{" not in text[start + 1 :] or not text[end:].strip():
            return int(start)
    return None


def move_lines(rows: pl.DataFrame, lines: int) -> pl.DataFrame:
    """Return entries as many lines further down."""
    return rows.with_columns((pl.col("line") + lines).cast(pl.UInt32)) if lines else rows
