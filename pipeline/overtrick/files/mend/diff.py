r"""The changes of a file as a unified diff.

Lines are compared between two anchors at a time (`Draft.anchors`), so that the work grows with the size of the file.
"""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise, zip_longest
from typing import Final, NamedTuple

from overtrick.files.mend.draft import Draft

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
    kept = ((one, two) for one, two in after.anchors if one in line and two in new_line)
    marks = [(0, 0), *((line[one], new_line[two]) for one, two in kept), (len(old), len(new))]
    for (first, new_first), (over, new_over) in pairwise(marks):
        here, there = old[first:over], new[new_first:new_over]
        if here != there:
            for tag, one, two, three, four in SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
                if tag != "equal":
                    yield _Change(first + one, first + two, new_first + three, new_first + four)


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
