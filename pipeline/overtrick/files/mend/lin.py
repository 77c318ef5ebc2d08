"""The mends of LIN: pipes, torn commands, labels without their command, broken lines."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.files.mend.draft import Draft, Edit, Rule

_PATTERNS: Final = {
    "joined": re.compile(r"[A-Za-z]{2}\|[^|]*?([A-Za-z]{2})\|[^|]*\|"),
    "glued": re.compile(r"([A-Za-z]{2})[^|\r\n]*\|"),
    "doubled": re.compile(r"[A-Za-z0-9]{2}\|(\|)"),
    "pipe": re.compile(r"\|"),
    "torn": re.compile(r"([A-Za-z])\s+([A-Za-z0-9])\|"),
    "label": re.compile(r"(?=[oc][0-9])"),
    "broken": re.compile(r"[A-Za-z]{2}\|[^|]*?(\r{1,3}\n|\r|\n)rs\|"),
    "pass": re.compile(r"mb\|p\|", re.IGNORECASE),
    "open": re.compile(r"pg\|\s*\Z", re.IGNORECASE),
    "words": re.compile(r"(?<![^\r\n])[^|\r\n]+(?=[\r\n]|\Z)"),
}

_LABEL: Final = re.compile(r"qx\|\s*[oc]?([0-9]+)", re.IGNORECASE)

Change = Callable[[re.Match[str]], Edit]


def _at_place(
    draft: Draft, _: Session, problems: pl.DataFrame, *, changes: dict[re.Pattern[str], Change]
) -> Iterator[Edit]:
    """Change the text at the place of each problem by the first pattern that matches there."""
    for line, column in problems.select("line", "column").iter_rows():
        if not draft.has(line):
            continue
        place = draft.at(line, column)
        matches = ((pattern.match(draft.text, place), change) for pattern, change in changes.items())
        found = next(((match, change) for match, change in matches if match), None)
        if found:
            yield found[1](found[0])


def _remove_second_pipe(match: re.Match[str]) -> Edit:
    return Edit(match.start(1), match.end(1), "")


def _remove(match: re.Match[str]) -> Edit:
    return Edit(match.start(), match.end(), "")


def _join_letters(match: re.Match[str]) -> Edit:
    return Edit(match.start(), match.end(), f"{match[1]}{match[2]}|")


def _split_glued(match: re.Match[str]) -> Edit:
    return Edit(match.end(1), match.end(1), "|")


def _split_joined(match: re.Match[str]) -> Edit:
    return Edit(match.start(1), match.start(1), "|")


def _add_qx(match: re.Match[str]) -> Edit:
    return Edit(match.start(), match.start(), "qx|")


def _join_line(match: re.Match[str]) -> Edit:
    return Edit(match.start(1), match.end(1), "")


def _close_page(match: re.Match[str]) -> Edit:
    return Edit(match.start() + 3, match.start() + 3, "|")


def _comment(match: re.Match[str]) -> Edit:
    return Edit(match.start(), match.start(), "%")


def _label_by_title(draft: Draft, session: Session, problems: pl.DataFrame) -> Iterator[Edit]:
    """Write the board numbers of titles into labels that are all the same."""
    del problems
    labels = session.items.filter(pl.col("name") == "qx").join(session.records.select("record", "board"), on="record")
    for line, column, board in labels.drop_nulls("board").select("line", "column", "board").iter_rows():
        label = _LABEL.match(draft.text, draft.at(line, column)) if draft.has(line) else None
        if label and int(label[1]) != board:
            yield Edit(*label.span(1), str(board))


def _rule(code: str, **changes: Change) -> Rule:
    """Return a rule that changes the text at the place of each problem, by the first pattern that matches there."""
    return Rule(code, partial(_at_place, changes={_PATTERNS[name]: change for name, change in changes.items()}))


RULES: Final = (
    _rule("lin-pipe-missing", joined=_split_joined, glued=_split_glued),
    _rule("lin-pipe-extra", doubled=_remove_second_pipe, pipe=_remove),
    _rule("lin-board-without-qx", label=_add_qx),
    _rule("lin-command-torn", torn=_join_letters),
    _rule("lin-value-broken", broken=_join_line),
    _rule("lin-stray-text", words=_comment),
    _rule("lin-calls-after-end", **{"pass": _remove}),
    _rule("lin-value-unclosed", open=_close_page),
    Rule("lin-board-stuck", _label_by_title),
)
"""The rule for each problem, in the order in which problems are mended."""
