"""One LIN file's text to frames: tokens -> boards -> records."""

import re
from dataclasses import replace
from functools import cache
from typing import Final

import polars as pl

from overtrick.frames import CONTESTANTS, ITEMS, RESULTS, conform, empty
from overtrick.grammar import terminal
from overtrick.parse.lin.boards import Boards, boards
from overtrick.parse.lin.records import records
from overtrick.parse.lin.tokens import tokens
from overtrick.parse.reading import Reading, nothing_but
from overtrick.parse.text import decode
from overtrick.problems import Finding, findings_frame, found

_PBN: Final = re.compile(rb"^\[[A-Za-z0-9_]+ *\"", re.MULTILINE)


@cache
def _two_commands() -> re.Pattern[bytes]:
    command = terminal("COMMAND", language="lin")
    pattern = rf"(?:\A|[\s|])(?:{command})\|[^|]*\|\s*(?:%[^\n|]*\s+)*(?:(?:{command})\||\Z)"
    return re.compile(pattern.encode())


def is_lin(head: bytes) -> bool:
    """Say whether a file's beginning holds LIN: a command with its value and another one behind it, and no PBN."""
    return not head.lstrip().startswith(b"<") and not _PBN.search(head) and _two_commands().search(head) is not None


def read_lin_file(data: bytes) -> Reading:
    """Read the bytes of a LIN file (`read_lin`)."""
    text = decode(data)
    if isinstance(text, Finding):
        return nothing_but([text])
    reading = read_lin(text.content)
    return replace(reading, problems=pl.concat([findings_frame(text.findings, ""), reading.problems]))


def read_lin(text: str) -> Reading:
    r"""Read the text of a LIN file: hands played, a vugraph session, or a lesson, of which only the deals are read.

    Args:
        text: the whole file; every line ends in `\n`.

    Returns:
        The frames. Every command is an item of kind `tag`, named in small letters; what is none is a comment or a stray
        and a problem. Results and contestants follow from the records. Nothing raises.
    """
    placed = boards(tokens(text))
    read = records(placed)
    number = pl.col("record").replace_strict(
        pl.int_range(len(read.number), eager=True, dtype=pl.UInt32), read.number, default=None, return_dtype=pl.UInt32
    )
    renumbered = read.number.is_empty() or bool((read.number == pl.int_range(len(read.number), eager=True)).all())
    items = placed.tokens if renumbered else placed.tokens.with_columns(number)
    problems = [_defects(placed, items), read.problems]
    if read.frame.is_empty():
        problems.append(found("file-no-games", pl.DataFrame({"line": [1], "column": [1]})))
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
    parts = [found(str(code), rows) for (code,), rows in faulty.group_by(["defect"], maintain_order=True)]
    return pl.concat([findings_frame([], ""), *parts])
