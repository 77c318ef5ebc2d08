"""A text file that is being mended: its places, its line ends, and changes to it."""

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import polars as pl

from overtrick.frames import Session

_LINE_END: Final = re.compile(r"\r{1,3}\n|\r|\n")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)


class Edit(NamedTuple):
    """A change: the characters from `start` up to `end` of a text become `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Draft:
    """The text of a file, with its own line ends.

    Attributes:
        text: as it is in the file, without a byte order mark.
        mark: the byte order mark.
        encoding: the encoding of the text.
    """

    text: str
    mark: bytes = b""
    encoding: str = "utf-8"

    @classmethod
    def of(cls, data: bytes, encoding: str) -> "Draft | None":
        """Decode a file; None if its bytes would not come back the same.

        Args:
            data: the bytes of the file.
            encoding: as `formats.text.detect_coding` found it.
        """
        known = ((bom, own) for bom, name, own in _MARKS if name == encoding and data.startswith(bom))
        mark, own = next(known, (b"", encoding))
        draft = cls(data[len(mark) :].decode(own, "replace"), mark, own)
        return draft if draft.data == data else None

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self.mark + self.text.encode(self.encoding, "replace")

    @cached_property
    def ends(self) -> list[tuple[int, int]]:
        """Where each line end begins and where it is over; the text after the last one is a line too."""
        found = [match.span() for match in _LINE_END.finditer(self.text)]
        return found if found and found[-1][1] == len(self.text) else [*found, (len(self.text), len(self.text))]

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        return [0, *(over for _, over in self.ends[:-1])]

    @property
    def line_end(self) -> str:
        """The end of the first line."""
        begin, over = self.ends[0]
        return self.text[begin:over] or "\n"

    def has(self, line: int) -> bool:
        """Return whether there is a line of this number, from 1."""
        return 1 <= line <= len(self.starts)

    def line(self, number: int) -> str:
        """Return a line, from 1, without its end; empty beyond the text."""
        return self.text[self.starts[number - 1] : self.ends[number - 1][0]] if self.has(number) else ""

    def at(self, line: int, column: int) -> int:
        """Return the place of a line and a column, both from 1."""
        return min(self.starts[line - 1] + column - 1, self.ends[line - 1][0])

    def line_of(self, place: int) -> int:
        """Return the number of the line that a place is in."""
        return bisect_right(self.starts, place)

    def whole_line(self, number: int) -> tuple[int, int]:
        """Return where a line begins, and where the next one does."""
        return self.starts[number - 1], self.ends[number - 1][1]

    def changed(self, edits: Iterable[Edit]) -> "Draft":
        """Return the draft with changes made; of two that overlap, the first one counts."""
        parts, place = [], 0
        for edit in sorted(set(edits)):
            if edit.start >= place:
                parts += [self.text[place : edit.start], edit.text]
                place = edit.end
        return Draft("".join([*parts, self.text[place:]]), self.mark, self.encoding)


Propose = Callable[[Draft, Session, pl.DataFrame], Iterator[Edit]]
"""Proposes changes: the text, what was read from it, and the problems of one code."""


@dataclass(frozen=True)
class Rule:
    """How problems of one code are mended.

    Attributes:
        code: the problem code.
        propose: proposes changes. It may propose too much: only those that leave all frames as they are will be kept.
        together: whether all of the changes are made or none, as for the line ends of a file.
    """

    code: str
    propose: Propose
    together: bool = False
