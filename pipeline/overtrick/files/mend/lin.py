"""The mends of LIN: pipes, torn commands, labels without their command, broken lines."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.files.mend.draft import Draft, Edit, Rule

_LABEL: Final = re.compile(r"qx\|\s*[oc]?([0-9]+)", re.IGNORECASE)

Changes = tuple[tuple[re.Pattern[str], str], ...]
"""Patterns whose first group is what the text replaces, with references to other groups."""


def _at_place(draft: Draft, _: Session, problems: pl.DataFrame, *, changes: Changes) -> Iterator[Edit]:
    """Change the text at the place of each problem by the first pattern that matches there."""
    for line, column in problems.select("line", "column").iter_rows():
        place = draft.at(line, column) if draft.has(line) else len(draft.text)
        matches = ((pattern.match(draft.text, place), text) for pattern, text in changes)
        if found := next(((match, text) for match, text in matches if match), None):
            yield Edit(*found[0].span(1), found[0].expand(found[1]))


def _label_by_title(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Write the board numbers of titles into labels that are all the same."""
    del problems
    labels = session.items.filter(pl.col("name") == "qx").join(session.records.select("record", "board"), on="record")
    for line, column, board in labels.drop_nulls("board").select("line", "column", "board").iter_rows():
        label = _LABEL.match(draft.text, draft.at(line, column)) if draft.has(line) else None
        if label and int(label[1]) != board:
            yield Edit(*label.span(1), str(board))


def _rule(code: str, *changes: tuple[str, str]) -> Rule:
    """Return a rule that changes the text at the place of each problem, by the first pattern that matches there."""
    return Rule(code, partial(_at_place, changes=tuple((re.compile(pattern), text) for pattern, text in changes)))


RULES: Final = (
    _rule("lin-pipe-missing", (r"[A-Za-z]{2}\|[^|]*?()[A-Za-z]{2}\|[^|]*\|", "|"), (r"[A-Za-z]{2}()[^|\r\n]*\|", "|")),
    _rule("lin-pipe-extra", (r"[A-Za-z0-9]{2}\|(\|)", ""), (r"(\|)", "")),
    _rule("lin-board-without-qx", (r"()[oc][0-9]", "qx|")),
    _rule("lin-command-torn", (r"(([A-Za-z])\s+([A-Za-z0-9])\|)", r"\2\3|")),
    _rule("lin-value-broken", (r"[A-Za-z]{2}\|[^|]*?(\r{1,3}\n|\r|\n)rs\|", "")),
    _rule("stray-text", (r"(?<![^\r\n])()[^|\r\n]+(?=[\r\n]|\Z)", "%")),
    _rule("lin-calls-after-end", (r"((?i:mb\|p\|))", "")),
    _rule("lin-value-unclosed", (r"(?i:pg)\|()\s*\Z", "|")),
    Rule("lin-board-stuck", _label_by_title),
)
"""The rule for each problem, in the order in which problems are mended."""
