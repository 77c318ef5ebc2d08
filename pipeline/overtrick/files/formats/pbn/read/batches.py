"""A file's text in batches of whole games, so that a file of any length is read in bounded memory."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import polars as pl

from overtrick.core.grammar import LONGEST_EVENING
from overtrick.core.problems import Finding
from overtrick.files.formats.pbn import tags as known
from overtrick.files.formats.pbn.read.archive import cut_archive
from overtrick.files.formats.pbn.read.evening import cut_evening
from overtrick.files.formats.pbn.read.games import STANDARD
from overtrick.files.formats.text import TextBlock, with_last

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
        At least one batch. A game longer than `LONGEST_GAME` is cut, and the problem `file-game-cut` says so.
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
            findings += (Finding("file-game-cut", first_line + text.count("\n"), 1),)
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
