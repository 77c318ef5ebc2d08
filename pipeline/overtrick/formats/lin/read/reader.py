"""One LIN file's text to frames: tokens -> boards -> records."""

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from functools import cache
from typing import Final

import polars as pl

from overtrick.formats.base import Reading
from overtrick.formats.lin.read.batches import batches
from overtrick.formats.lin.read.boards import Boards, boards
from overtrick.formats.lin.read.records import records
from overtrick.formats.lin.read.tokens import tokens
from overtrick.formats.text import TextBlock, in_utf8
from overtrick.frames import CONTESTANTS, ITEMS, RESULTS, conform, empty
from overtrick.grammar import terminal
from overtrick.problems import Finding, report, report_findings

_PBN: Final = re.compile(rb"^\[[A-Za-z0-9_]+ *\"", re.MULTILINE)


@cache
def _two_commands() -> re.Pattern[bytes]:
    command = terminal("COMMAND", start="piece", language="lin")
    pattern = rf"(?:\A|[\s|])(?:{command})\|[^|]*\|\s*(?:%[^\n|]*\s+)*(?:(?:{command})\||\Z)"
    return re.compile(pattern.encode())


def is_lin(head: bytes) -> bool:
    """Say whether a file's beginning holds LIN: a command with its value and another one behind it, and no PBN."""
    head = in_utf8(head)
    return not head.lstrip().startswith(b"<") and not has_pbn_tag(head) and _two_commands().search(head) is not None


def has_pbn_tag(head: bytes) -> bool:
    """Say whether a file's beginning holds a tag of PBN."""
    return _PBN.search(head) is not None


def read_lin_file(blocks: Iterable[TextBlock]) -> Iterator[Reading]:
    """Read the text of a LIN file of any length.

    Yields:
        What `read_lin` gives, batch by batch of whole sessions or boards; at least one batch, and one alone for a file
        of one block. `record` counts from 0 in each; lines are those of the file.
    """
    any_board = False
    for batch in batches(blocks):
        reading = _read(batch.text)
        any_board = any_board or len(reading.records) > 0
        before = batch.lines_before
        moved = {
            field.name: frame.with_columns(pl.col("line") + before) if before and "line" in frame.columns else frame
            for field in fields(reading)
            for frame in [getattr(reading, field.name)]
        }
        findings = list(batch.findings)
        if batch.is_last and not any_board:
            findings.append(Finding("file-no-games", line=1, column=1))
        problems = pl.concat([report_findings(findings, ""), moved.pop("problems")])
        yield replace(reading, **moved, problems=problems)


def read_lin(text: str) -> Reading:
    r"""Read the text of a LIN file: hands played, a vugraph session, or a lesson, of which only the deals are read.

    Args:
        text: the whole file; every line ends in `\n`.

    Returns:
        The frames. Every command is an item of kind `tag`, named in small letters; what is none is a comment or a stray
        and a problem. Results and contestants follow from the records. Nothing raises.
    """
    reading = _read(text)
    if len(reading.records):
        return reading
    nothing = report("file-no-games", pl.DataFrame({"line": [1], "column": [1]}))
    return replace(reading, problems=pl.concat([nothing, reading.problems]))


def _read(text: str) -> Reading:
    placed = boards(tokens(text))
    # Arrays and columns let go of the interpreter's lock.
    with ThreadPoolExecutor(1) as beside:
        listed = beside.submit(placed.listed)
        read = records(placed)
    items = listed.result()
    number = pl.col("record").replace_strict(
        pl.int_range(len(read.number), eager=True, dtype=pl.UInt32), read.number, default=None, return_dtype=pl.UInt32
    )
    renumbered = read.number.is_empty() or bool((read.number == pl.int_range(len(read.number), eager=True)).all())
    items = items if renumbered else items.with_columns(number)
    problems = [_defects(placed, items), read.problems]
    return Reading(
        conform(ITEMS, items),
        read.frame,
        read.annotations,
        empty(RESULTS),
        empty(CONTESTANTS),
        pl.concat(problems).sort("line", "column", maintain_order=True, nulls_last=True),
    )


def _defects(placed: Boards, items: pl.DataFrame) -> pl.DataFrame:
    """Report what is not as it should be; lessons are full of remarks between commands."""
    faulty = items.filter(pl.col("defect").is_not_null()).with_columns(pl.col("text").str.slice(0, 60))
    if placed.film:
        faulty = faulty.filter(pl.col("defect") != "lin-stray-text")
    parts = [report(str(code), rows) for (code,), rows in faulty.group_by(["defect"], maintain_order=True)]
    return pl.concat([report_findings([], ""), *parts])
