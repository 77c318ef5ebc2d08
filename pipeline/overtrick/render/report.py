"""Problems as text for people: where, how bad, what, and what to do about it."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

import polars as pl

from overtrick.frames import Session
from overtrick.render.rows import board_count, problem_rows
from overtrick.render.terminal import Palette, Style, display_width, printable
from overtrick.render.text import counted

REPEATS: Final = 5
"""Problems of one code that are shown of one file; how many more there are is said."""

NOUNS: Final[tuple[tuple[Style, str], ...]] = (("error", "error"), ("warning", "warning"), ("info", "note"))
"""What the summary calls a problem of each severity, worst first."""

_EXCERPT: Final = 100
_INDENT: Final = "    "

Lines = Callable[[str, Collection[int]], Mapping[int, str]]
"""Gives lines of a file by their numbers; none when they can't be had."""


def problem_report(
    session: Session, lines: Lines, palette: Palette, severities: Iterable[str] = ("error", "warning", "info")
) -> str:
    """List the problems of these severities as `file:line:column: severity CODE message`.

    Below each stands its line of the file with a mark at the column, below the first of a code in a file the hint.
    """
    shown = _folded(problem_rows(session).filter(pl.col("severity").cast(pl.String).is_in(list(severities))))
    return "".join(
        _entry(problem, texts, palette)
        for (source,), problems in shown.group_by("source", maintain_order=True)
        for texts in [lines(str(source), problems["line"].drop_nulls().unique().to_list()) if source else {}]
        for problem in problems.iter_rows(named=True)
    )


def summary(session: Session, palette: Palette) -> str:
    """Count what was read and found, in one line."""
    counts = dict(session.problems.group_by("severity").len().iter_rows())
    found = [
        palette.paint(severity, counted(counts[severity], noun, f"{noun}s"))
        for severity, noun in NOUNS
        if severity in counts
    ]
    read = [
        counted(session.sources.height, "file", "files"),
        counted(session.records.height, "game", "games"),
        counted(board_count(session), "board", "boards"),
    ]
    return f"{', '.join(read)}: {', '.join(found) or 'no problems'}\n"


def _folded(problems: pl.DataFrame) -> pl.DataFrame:
    """Keep the first repeats of a code in a file; `nth` counts them from 1, `more` says how many follow the last."""
    kind = ("source", "code")
    return (
        problems.with_columns(pl.int_range(1, pl.len() + 1).over(kind).alias("nth"), pl.len().over(kind).alias("all"))
        .filter(pl.col("nth") <= REPEATS)
        .with_columns(pl.when(pl.col("nth") == REPEATS).then(pl.col("all") - REPEATS).otherwise(0).alias("more"))
    )


def _entry(problem: dict[str, Any], lines: Mapping[int, str], palette: Palette) -> str:
    place = ":".join(str(problem[key]) for key in ("source", "line", "column") if problem[key] is not None)
    labels = [f"{key} {problem[key]}" for key in ("board", "table") if problem[key] is not None]
    where = ", ".join(label for label in labels if label not in problem["message"])
    place = palette.paint("strong", printable(place or "session"))
    severity = palette.paint(problem["severity"], problem["severity"])
    message = f"{problem['message']} ({where})" if where else problem["message"]
    parts = [f"{place}: {severity} {problem['code']} {printable(message)}"]
    if problem["line"] in lines:
        parts += _excerpt(lines[problem["line"]], problem["column"], palette)
    if problem["nth"] == 1:
        parts.append(f"{_INDENT}{palette.paint('faint', 'hint:')} {problem['hint']}")
    if problem["more"]:
        parts.append(f"{_INDENT}and {problem['more']} more like this")
    return "\n".join(parts) + "\n"


def _excerpt(line: str, column: int | None, palette: Palette) -> list[str]:
    """Show the line, or the part of a long one around the column, with a mark below the column."""
    if not line.strip():
        return []
    text = printable(line)
    at = min((column or 1) - 1, len(text))
    start = max(0, at - _EXCERPT // 2) if len(text) > _EXCERPT else 0
    excerpt = [f"{_INDENT}{text[start : start + _EXCERPT].rstrip()}"]
    if column is not None:
        excerpt.append(f"{_INDENT}{' ' * display_width(text[start:at])}{palette.paint('strong', '^')}")
    return excerpt
