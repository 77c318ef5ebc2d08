"""Lines and characters (PBN 2.2 and 2.3)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.frames import PROBLEMS, empty
from overtrick.core.problems import Finding, report
from overtrick.files.formats.pbn.read.games import Games
from overtrick.files.formats.text import TextBlock

LONGEST: Final = 255
"""Characters of a line with its end (2.3)."""

_ALLOWED: Final = bytes([*b"\t\n\v", *range(0x20, 0x7F), *range(0xA0, 0x100)])
_SHOWN: Final = 5


def check_lines_and_characters(
    block: TextBlock, encoding: str, *, first_line: int = 1, first: bool = True
) -> list[Finding]:
    """Report lines that are too long or end oddly, and characters that PBN does not have.

    Args:
        block: a file, or some lines of it.
        encoding: the one it was read with.
        first_line: the number of its first line in the file.
        first: whether all blocks before it are ASCII: the encoding is reported once.
    """
    text = block.content
    # One byte a character whatever the text holds: places are counted in characters.
    data = text.encode("latin-1", "replace")
    findings = [
        *(_check_character_set(text, encoding) if first else ()),
        *_check_line_lengths(data, LONGEST - block.line_end),
    ]
    extra = "" if text.isascii() or encoding.startswith("utf") else _beyond_latin_1(text)
    if extra or data.translate(None, _ALLOWED):
        findings += _check_characters(text, extra)
    placed = [replace(finding, line=(finding.line or 1) + first_line - 1) for finding in findings]
    return placed + ([Finding("pbn-line-ends", block.odd_end, 1)] if block.odd_end else [])


def _check_character_set(text: str, encoding: str) -> Iterator[Finding]:
    """Report the first character of a file in UTF-8 that reads differently in the standard's character set."""
    if text.isascii() or not encoding.startswith("utf"):
        return
    at = next(index for index, character in enumerate(text) if not character.isascii())
    line, column = _place(text, at)
    yield Finding("pbn-character-set", line, column, values={"encoding": encoding})


def _check_line_lengths(data: bytes, longest: int) -> Iterator[Finding]:
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
    lengths = np.diff(ends, prepend=-1) - 1
    for row in np.flatnonzero(lengths > longest).tolist():
        start = int(ends[row] - lengths[row])
        if data[start] != ord("%"):
            yield Finding("pbn-line-length", row + 1, longest + 1, values={"length": int(lengths[row])})


def _beyond_latin_1(text: str) -> str:
    """List the characters that ISO 8859-1 does not have: in the file they were bytes from 0x80 to 0x9F."""
    return "".join(sorted(character for character in set(text) if ord(character) > 0xFF))


def _check_characters(text: str, extra: str) -> Iterator[Finding]:
    """Report the odd characters of each line together, at the first of them."""
    allowed = _ALLOWED.decode("latin-1")
    odd = {c for c in set(text) if c not in allowed and (ord(c) <= 0xFF or c in extra)}
    for number, line in enumerate(text.split("\n"), 1):
        if odd.isdisjoint(line):
            continue
        here = [c for c in dict.fromkeys(line) if c in odd]
        shown = ", ".join(f"U+{ord(c):04X}" for c in here[:_SHOWN]) + (", ..." if len(here) > _SHOWN else "")
        yield Finding("pbn-character", number, line.index(here[0]) + 1, values={"characters": shown})


def check_tabs(games: Games) -> pl.DataFrame:
    """Report tabs in strings (3.2)."""
    if not any(tab in games.text for tab in "\t\v"):
        return empty(PROBLEMS)
    tabbed = games.tags.filter(pl.col("text").str.contains("[\t\v]"))
    return report("pbn-string-tab", tabbed.rename({"game": "record"}))


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
