"""Lines and characters (PBN 2.2 and 2.3)."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import polars as pl

from overtrick.parse.pbn.batches import Batch
from overtrick.parse.pbn.games import Games
from overtrick.problems import Finding, findings_frame, found

LONGEST: Final = 255
"""Characters of a line with its end (2.3)."""

_ALLOWED: Final = bytes([*b"\t\n\v", *range(0x20, 0x7F), *range(0xA0, 0x100)])
_SHOWN: Final = 5


def lines_and_characters(batch: Batch, encoding: str, games: Games, *, first: bool = True) -> pl.DataFrame:
    """Report lines that are too long, characters that PBN does not know, and tabs in strings.

    Args:
        batch: some games of the file as text.
        encoding: the one it was read with.
        games: these games.
        first: whether no batch before it holds a character beyond ASCII: the encoding is reported once.

    Returns:
        A frame of `frames.PROBLEMS`.
    """
    text = batch.text
    # One byte a character whatever the text holds: places are counted in characters.
    data = text.encode("latin-1", "replace")
    findings = [*(_character_set(text, encoding) if first else ()), *_long_lines(data, LONGEST - batch.line_end)]
    extra = "" if text.isascii() or encoding.startswith("utf") else _beyond_latin_1(text)
    if extra or data.translate(None, _ALLOWED):
        findings += _odd_characters(text, extra)
    placed = findings_frame(findings, "").with_columns(pl.col("line") + (batch.first_line - 1))
    return pl.concat([placed, _line_ends(batch), _tabs(games)])


def _line_ends(batch: Batch) -> pl.DataFrame:
    return findings_frame([Finding("pbn-line-ends", batch.odd_end, 1)] if batch.odd_end else [], "")


def _character_set(text: str, encoding: str) -> Iterator[Finding]:
    """Report a file in UTF-8 that would read differently in the standard's character set, where it first shows."""
    if text.isascii() or not encoding.startswith("utf"):
        return
    at = next(index for index, character in enumerate(text) if not character.isascii())
    line, column = _place(text, at)
    yield Finding("pbn-character-set", line, column, values={"encoding": encoding})


def _long_lines(data: bytes, longest: int) -> Iterator[Finding]:
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
    lengths = np.diff(ends, prepend=-1) - 1
    for row in np.flatnonzero(lengths > longest).tolist():
        start = int(ends[row] - lengths[row])
        if data[start] != ord("%"):
            yield Finding("pbn-line-length", row + 1, longest + 1, values={"length": int(lengths[row])})


def _beyond_latin_1(text: str) -> str:
    """List the characters that ISO 8859-1 has not: in a file of bytes they were those from 0x80 to 0x9F."""
    return "".join(sorted({character for character in text if ord(character) > 0xFF}))


def _odd_characters(text: str, extra: str) -> Iterator[Finding]:
    """Report the odd characters of a line together, at the first of them."""
    allowed = _ALLOWED.decode("latin-1")
    odd = {c for c in set(text) if c not in allowed and (ord(c) <= 0xFF or c in extra)}
    for number, line in enumerate(text.split("\n"), 1):
        if odd.isdisjoint(line):
            continue
        here = [c for c in dict.fromkeys(line) if c in odd]
        shown = ", ".join(f"U+{ord(c):04X}" for c in here[:_SHOWN]) + (", ..." if len(here) > _SHOWN else "")
        yield Finding("pbn-character", number, line.index(here[0]) + 1, values={"characters": shown})


def _tabs(games: Games) -> pl.DataFrame:
    tabbed = games.tags.filter(pl.col("text").str.contains("[\t\v]"))
    return found("pbn-string-tab", tabbed.rename({"game": "record"}))


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
