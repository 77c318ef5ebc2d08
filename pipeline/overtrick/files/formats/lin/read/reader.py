"""One LIN file's text to frames: tokens -> boards -> records."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import cache, partial
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.frames import ITEMS, conform
from overtrick.core.late import Late, change
from overtrick.core.machine import work_ahead
from overtrick.core.problems import Finding, report, report_findings
from overtrick.files.formats.base import Reading
from overtrick.files.formats.lin.read.archive import Batch, cut_batches
from overtrick.files.formats.lin.read.boards import Boards, find_boards
from overtrick.files.formats.lin.read.evening import Places
from overtrick.files.formats.lin.read.pasted import keep_links_in_chat
from overtrick.files.formats.lin.read.records import read_records
from overtrick.files.formats.lin.read.tokens import cut_tokens
from overtrick.files.formats.lin.spelling import get_pattern, list_commands
from overtrick.files.formats.text import TextBlock, in_utf8

SIDE_BY_SIDE: Final = 2
"""Parts of a long text that are read at the same time."""
_PBN: Final = re.compile(rb"^\[[A-Za-z0-9_]+ *\"", re.MULTILINE)


@cache
def _two_commands() -> re.Pattern[bytes]:
    command = get_pattern("COMMAND")
    # Lines of comments are taken whole: cut at any blank, a line of `% % %` could be read in a million ways.
    comments = r"\s*+(?:%[^\n|]*+\n\s*+)*+(?:%[^\n|]*\s)?"
    pattern = rf"(?:\A|[\s|]){command}\|[^|]*+\|{comments}(?:{command}\||\Z)"
    return re.compile(pattern.encode())


def is_lin(head: bytes) -> bool:
    """Return whether a file's beginning is LIN: a command with its value, another one after it, and no PBN."""
    head = in_utf8(head)
    return not head.lstrip().startswith(b"<") and not has_pbn_tag(head) and _two_commands().search(head) is not None


def has_pbn_tag(head: bytes) -> bool:
    """Return whether a file's beginning contains a tag of PBN."""
    return _PBN.search(head) is not None


def read_lin_file(blocks: Iterable[TextBlock], **_for_verifying: object) -> Iterator[Reading]:
    """Read the text of a LIN file of any length.

    Args:
        blocks: the whole text.

    Yields:
        Readings as `read_lin` returns them, batch by batch of whole sessions or boards; at least one batch, and a
        single one for a file of one block. `record` counts from 0 in each; lines are those of the file.
    """
    any_board = False
    for reading, is_last in work_ahead(_read_batch, cut_batches(blocks), SIDE_BY_SIDE):
        any_board = any_board or len(reading.records) > 0
        if is_last and not any_board:
            nothing = report_findings([Finding("file-no-games/text", line=1, column=1)], "")
            yield replace(reading, problems=pl.concat([nothing, reading.problems]))
        else:
            yield reading


def read_lin(text: str) -> Reading:
    r"""Read the text of a LIN file: hands played, a vugraph session, or a lesson, of which only the deals are read.

    Args:
        text: the whole file; every line ends in `\n`.

    Returns:
        The frames. Every command is an item of kind `tag`, named in small letters; other text is a comment, or a stray
        and a problem. Results and contestants are those beside which `ot` is; others are left to `assemble`. Nothing
        raises.
    """
    return _report_empty(_read(text), np.zeros(1, dtype=np.int64))


def read_lin_together(texts: Sequence[str]) -> Reading:
    r"""Read files of sound commands without `qx` and `vg` as `read_lin` reads each, with their lines counted on.

    Args:
        texts: the whole files; every line ends in `\n`.
    """
    lines_before = np.cumsum([0, *(text.count("\n") for text in texts[:-1])])
    tokens = cut_tokens("".join(texts)).mark_files(lines_before)
    boards = find_boards(tokens)
    return _report_empty(_read_boards(boards, lambda: boards), lines_before)


def _report_empty(reading: Reading, lines_before: Places) -> Reading:
    """Report the files without records."""
    file = np.searchsorted(lines_before, reading.records["line"].to_numpy()) - 1
    empty = np.setdiff1d(np.arange(len(lines_before)), file)
    if not len(empty):
        return reading
    nothing = report("file-no-games/text", pl.DataFrame({"line": lines_before[empty] + 1, "column": [1] * len(empty)}))
    return replace(reading, problems=pl.concat([nothing, reading.problems]))


def _move(frame: pl.DataFrame, lines: int) -> pl.DataFrame:
    """Place the rows of a frame that many lines further down."""
    return frame.with_columns(pl.col("line") + lines) if lines and "line" in frame.columns else frame


def _read_batch(batch: Batch) -> tuple[Reading, bool]:
    """Read a batch; return whether it is the last of its file, too."""
    reading = _read(batch.text, keeps_tokens=batch.is_last and not batch.lines_before)
    moved = {
        field.name: change(getattr(reading, field.name), partial(_move, lines=batch.lines_before))
        for field in fields(reading)
    }
    problems = pl.concat([report_findings(batch.findings, ""), moved.pop("problems")])
    return replace(reading, **moved, problems=problems), batch.is_last


def _read(text: str, *, keeps_tokens: bool = True) -> Reading:
    """Read a text of whole boards.

    Args:
        text: the text.
        keeps_tokens: whether the items are listed from the tokens. The text takes a quarter of their memory, and is cut
            again where something asks for the items.
    """
    find = partial(_find_boards, text)
    boards = find()
    return _read_boards(boards, (lambda: boards) if keeps_tokens else find)


def _read_boards(boards: Boards, again: Callable[[], Boards]) -> Reading:
    """Read boards; `again` returns them to list their items."""
    records = read_records(boards)
    number = records.number
    commands = list_commands()
    names = {*boards.tokens.unknown.unique(), *(commands[code] for code in boards.tokens.frame["code"].unique())}
    listed = Late(lambda: _list_items(again(), number), names)
    return Reading(
        change(listed, partial(conform, ITEMS)),
        records.frame,
        records.annotations,
        records.results,
        records.contestants,
        pl.concat([_report_defects(boards, number), records.problems]).sort(
            "line", "column", maintain_order=True, nulls_last=True
        ),
    )


def _find_boards(text: str) -> Boards:
    return find_boards(keep_links_in_chat(cut_tokens(text), text))


def _list_items(boards: Boards, number: pl.Series) -> pl.DataFrame:
    """List the tokens with their `defect`, by the numbers that their records got."""
    items = boards.list_all()
    same = pl.int_range(len(number), eager=True, dtype=pl.UInt32)
    if len(number) and not (number == same).all():
        items = items.with_columns(pl.col("record").replace_strict(same, number, default=None, return_dtype=pl.UInt32))
    return items


def _report_defects(boards: Boards, number: pl.Series) -> pl.DataFrame:
    """Report slips, but not the stray text of lessons, which are full of remarks between commands."""
    if boards.tokens.frame["defect"].null_count() == len(boards.tokens):
        return report_findings([], "")
    items = _list_items(boards, number)
    faulty = items.filter(pl.col("defect").is_not_null()).with_columns(pl.col("text").str.slice(0, 60))
    if boards.film:
        faulty = faulty.filter(pl.col("defect") != "stray-text/lin")
    parts = [report(str(code), rows) for (code,), rows in faulty.group_by(["defect"], maintain_order=True)]
    return pl.concat([report_findings([], ""), *parts])
