"""Small files that could cost much: sound ones of every format, grown to 100 KB in the ways that hurt readers.

A line is repeated as it is, with numbers that count, with numbers that form a square, and with other first words:
results of one board, contestants without end, rounds without end, tags without end. A sign is repeated in the middle of
a file.
"""

import random
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Final

from tests.support.everything import OF_BYTES, all_files

MOST: Final = 100_000
"""Bytes of each file."""
_NUMBER: Final = re.compile(rb"(?<![A-Za-z0-9.])[0-9]{1,4}(?![0-9])")
_NUMBERS: Final[dict[str, Callable[[int, int], int]]] = {
    "counted": lambda row, _: row + 1,
    "mixed": lambda row, column: (row * (column * 7 + 1) + column) % (40 if column % 2 else 997) + 1,
    "square": lambda row, column: (row // 50 if column % 2 else row % 50) + 1,
}
"""By name, what a number in a line becomes, from the row and its place among the numbers of the line."""
_WORD: Final = re.compile(rb"[A-Za-z]{2,}")
_WORDS: Final = 1000
"""Different first words that the repeated lines have."""
_SIGNS: Final = [
    *(b"{", b"[", b"|", b'"', b"<", b"<a>", b",", b";", b"\t", b" ", b"\n", b'\\"', b"&lt;", b'[A "', b"x", b"9", b"("),
    *(b"a,", b"%", b"=1=", b"S2 ", b"!", b"\x00", b"\xff"),
]
_LINES: Final = 6
"""Lines of a file that are repeated: those with most numbers."""


def grow(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield files made from one, with a name for each."""
    yield "whole", (data * (MOST // max(len(data), 1) + 1))[:MOST]
    chance = random.Random(name)
    signs = [b"\x00", b"\xff", b"A"] if Path(name).suffix.lower() in OF_BYTES else _SIGNS
    for sign in signs:
        at = chance.randrange(len(data) + 1)
        yield f"many {sign!r}", data[:at] + sign * (max(MOST - len(data), 0) // len(sign)) + data[at:]
    if signs is _SIGNS:
        yield from _repeat_lines(data)


def _repeat_lines(data: bytes) -> Iterator[tuple[str, bytes]]:
    lines = data.split(b"\n")
    numbered = {line for line in lines if _NUMBER.search(line)}
    for place, line in enumerate(sorted(numbered, key=lambda line: (-len(_NUMBER.findall(line)), line))[:_LINES]):
        at, times = lines.index(line), max(1, (MOST - len(data)) // (len(line) + 3))
        for kind, number in _NUMBERS.items():
            grown = [_renumber(line, row, number) for row in range(times)]
            yield f"line {place} {kind}", b"\n".join([*lines[:at], *grown, *lines[at + 1 :]])[:MOST]
        named = [_WORD.sub(b"\\g<0>%d" % (row % _WORDS), line, count=1) for row in range(times)]
        yield f"line {place} named", b"\n\n".join([*lines[:at], *named, *lines[at + 1 :]])[:MOST]


def _renumber(line: bytes, row: int, number: Callable[[int, int], int]) -> bytes:
    columns = count()
    return _NUMBER.sub(lambda _: b"%d" % number(row, next(columns)), line)


def worst_files(name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files that one of `everything.all_files` grows into."""
    return grow(name, all_files()[name])
