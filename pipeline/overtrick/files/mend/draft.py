"""A text file that is being mended: its places, its line ends, and changes to it."""

import codecs
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from itertools import accumulate, pairwise, zip_longest
from typing import Final, NamedTuple

import polars as pl

from overtrick.core.frames import Session

_LINE_END: Final = re.compile(r"\r{1,3}\n|\r|\n")
_ANCHORED: Final = 50
"""One line in this number of lines is an anchor."""
_BEYOND: Final = 1 << 62
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
        anchors: beginnings of lines that no change has touched: their places in the first text and in this one.
    """

    text: str
    mark: bytes = b""
    encoding: str = "utf-8"
    anchors: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, data: bytes, encoding: str) -> "Draft | None":
        """Decode a file; None if its bytes would not come back the same.

        Args:
            data: the bytes of the file.
            encoding: as `formats.text.detect_coding` found it.
        """
        known = ((bom, codec) for bom, name, codec in _MARKS if name == encoding and data.startswith(bom))
        mark, codec = next(known, (b"", encoding))
        draft = cls(data[len(mark) :].decode(codec, "replace"), mark, codec)
        if draft.data != data:
            return None
        return replace(draft, anchors=tuple((place, place) for place in draft.starts[::_ANCHORED]))

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self.mark + self.text.encode(self.encoding, "replace")

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends; the text after the last end is a line too."""
        lines = self.text.split("\n") if "\r" not in self.text else _LINE_END.split(self.text)
        return lines if lines[-1] or len(lines) == 1 else lines[:-1]

    @cached_property
    def ends(self) -> list[str]:
        """The ends of the lines; the last line may have none."""
        return _LINE_END.findall(self.text)

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        lengths = (len(line) + len(end) for line, end in zip(self.lines, self.ends, strict=False))
        return list(accumulate(lengths, initial=0))[: len(self.lines)]

    @property
    def line_end(self) -> str:
        """The end of the first line."""
        return self.ends[0] if self.ends else "\n"

    def begin(self, lines: pl.Series) -> list[int]:
        """Return where lines begin; those that are not there begin with the text."""
        return [self.starts[line - 1] if self.has(line) else 0 for line in lines.fill_null(1)]

    def has(self, line: int) -> bool:
        """Return whether there is a line of this number, from 1."""
        return 1 <= line <= len(self.lines)

    def line(self, number: int) -> str:
        """Return a line, from 1, without its end; empty beyond the text."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else ""

    def end_of(self, number: int) -> int:
        """Return where the end of a line begins."""
        return self.starts[number - 1] + len(self.lines[number - 1])

    def at(self, line: int, column: int) -> int:
        """Return the place of a line and a column, both from 1."""
        return min(self.starts[line - 1] + column - 1, self.end_of(line))

    def whole_line(self, number: int) -> tuple[int, int]:
        """Return where a line begins, and where the next one does."""
        return self.starts[number - 1], self.starts[number] if number < len(self.lines) else len(self.text)

    def ending(self, end: str) -> "Draft":
        """Return the draft with this end after each line that has one; the lines keep their numbers."""
        if self.ends.count(end) == len(self.ends):
            return self
        text = end.join(self.lines) + (end if len(self.ends) == len(self.lines) else "")
        changed = replace(self, text=text, anchors=())
        numbered = ((first, bisect_left(self.starts, place)) for first, place in self.anchors)
        anchors = tuple((first, changed.starts[number]) for first, number in numbered if number < len(self.lines))
        return replace(changed, anchors=anchors)

    def changed(self, edits: Iterable[Edit]) -> "Draft":
        """Return the draft with changes made; of two that overlap, the first one counts."""
        parts, anchors, place, shift = list[str](), list[tuple[int, int]](), 0, 0
        left = iter([*self.anchors, (0, _BEYOND)])
        first, anchor = next(left)
        for edit in sorted(set(edits)):
            if edit.start < place:
                continue
            while anchor <= edit.start:
                anchors.append((first, anchor + shift))
                first, anchor = next(left)
            while anchor < edit.end:
                first, anchor = next(left)
            parts += [self.text[place : edit.start], edit.text]
            shift += len(edit.text) - (edit.end - edit.start)
            place = edit.end
        rest = [(origin, two + shift) for origin, two in [(first, anchor), *left] if two < _BEYOND]
        text = "".join([*parts, self.text[place:]])
        return replace(self, text=text, anchors=(*anchors, *rest))


Propose = Callable[[Draft, Session, pl.DataFrame], Iterator[Edit]]
"""Proposes changes: the text, what was read from it, and the problems of one code."""


@dataclass(frozen=True)
class Rule:
    """How problems of one code are mended.

    Attributes:
        code: the problem code.
        propose: proposes changes. It may propose too much: only those that leave all frames as they are will be kept.
        whole_games: whether it moves the lines of a game, which has to wait for changes inside these lines.
    """

    code: str
    propose: Propose
    whole_games: bool = False


_CONTEXT: Final = 3
"""Equal lines that are shown before and after a change."""


class _Change(NamedTuple):
    """Lines `first` up to `over` of the old text become lines `new_first` up to `new_over` of the new one."""

    first: int
    over: int
    new_first: int
    new_over: int


def unified(before: Draft, after: Draft, name: str) -> str:
    """Return the changes between two drafts of a file; empty if there are none."""
    old, new = _lines(before), _lines(after)
    hunks = [_hunk(hunk, old, new) for hunk in _hunks(_changes(before, after, old, new))]
    return "".join([f"--- {name}\n+++ {name}\n", *hunks]) if hunks else ""


def _lines(draft: Draft) -> list[str]:
    """Return the lines with their ends."""
    return [line + end for line, end in zip_longest(draft.lines, draft.ends, fillvalue="") if line or end]


def _changes(before: Draft, after: Draft, old: list[str], new: list[str]) -> Iterator[_Change]:
    """Compare the lines between each two anchors."""
    line, new_line = (dict(zip(draft.starts, range(len(draft.starts)), strict=True)) for draft in (before, after))
    anchors = ((line[at], new_line[to]) for at, to in after.anchors if at in line and to in new_line)
    marks = [(0, 0), *anchors, (len(old), len(new))]
    for (first, new_first), (over, new_over) in pairwise(marks):
        here, there = old[first:over], new[new_first:new_over]
        if here != there:
            for tag, begin, end, new_begin, new_end in SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
                if tag != "equal":
                    yield _Change(first + begin, first + end, new_first + new_begin, new_first + new_end)


def _hunks(changes: Iterator[_Change]) -> Iterator[list[_Change]]:
    """Put changes together whose context would overlap."""
    hunk: list[_Change] = []
    for change in changes:
        if hunk and change.first - hunk[-1].over > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _hunk(hunk: list[_Change], old: list[str], new: list[str]) -> str:
    """Return a hunk with its header, such as `@@ -7,4 +7,5 @@`."""
    first, over = max(0, hunk[0].first - _CONTEXT), min(len(old), hunk[-1].over + _CONTEXT)
    shift, new_shift = hunk[0].new_first - hunk[0].first, hunk[-1].new_over - hunk[-1].over
    lines, place = [f"@@ -{_span(first, over)} +{_span(first + shift, over + new_shift)} @@\n"], first
    for change in hunk:
        lines += [_marked(" ", line) for line in old[place : change.first]]
        lines += [_marked("-", line) for line in old[change.first : change.over]]
        lines += [_marked("+", line) for line in new[change.new_first : change.new_over]]
        place = change.over
    return "".join([*lines, *(_marked(" ", line) for line in old[place:over])])


def _span(first: int, over: int) -> str:
    length = over - first
    return f"{first + 1 if length else first}" + ("" if length == 1 else f",{length}")


def _marked(mark: str, line: str) -> str:
    r"""Return a line of a diff, which ends in `\n` and says so where the file has none."""
    if line.endswith("\n"):
        return mark + line
    return f"{mark}{line}\n" if line.endswith("\r") else f"{mark}{line}\n\\ No newline at end of file\n"
