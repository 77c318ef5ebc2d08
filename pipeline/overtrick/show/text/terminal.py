"""Text for a terminal: tables, problems, audits; with colours if wanted, and strangers' characters made harmless."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.notation import UNSAFE
from overtrick.files.formats.session_rows import count_boards, list_problems, list_standings
from overtrick.show.text.display import FIELDS, count_decimals, format_count, format_number

Style = Literal["error", "warning", "info", "strong", "faint"]

_CODES: Final[dict[Style, str]] = {"error": "1;31", "warning": "1;33", "info": "36", "strong": "1", "faint": "2"}

REPEATS: Final = 5
"""How many problems of one code in one file are shown; of the others only the number."""

NOUNS: Final[tuple[tuple[Style, str], ...]] = (("error", "error"), ("warning", "warning"), ("info", "note"))
"""The nouns of the summary for problems of each severity, worst first."""

_EXCERPT: Final = 100
_INDENT: Final = "    "

Lines = Callable[[str, Collection[int]], Mapping[int, str]]
"""Returns lines of a file by their numbers; an empty mapping if the file can't be read again."""


@dataclass(frozen=True)
class Palette:
    """Colours for one stream; a palette that is off paints nothing."""

    on: bool = False

    def paint(self, style: Style, text: str) -> str:
        """Return a text in the style's colour."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.on else text


def make_printable(text: str) -> str:
    """Return a stranger's text with a space for each tab and `�` for other control and direction characters.

    Each character stays one character, so that columns counted in the text still point at the same place.
    """
    return UNSAFE.sub("\ufffd", text.replace("\t", " "))


def measure_width(text: str) -> int:
    """Return the cells that a text takes on a terminal: two for a wide East Asian character, none for an accent."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def format_standings(session: Session, palette: Palette) -> str:
    """Return what was played, then a table for each ranking; shared places are marked `2=`."""
    facts = session.facts
    known = [text for text in (facts.event, facts.site, facts.date, facts.method) if text]
    blocks = [make_printable(", ".join(known)) + "\n"] if known else []
    shared = pl.when(pl.col("rank_last") > pl.col("rank")).then(pl.lit("=")).otherwise(pl.lit(" "))
    table = list_standings(session).select(
        "ranking",
        pl.format("{}{}", "rank", shared).str.pad_start(5).alias("place"),
        "contestant",
        "names",
        "total",
        pl.col("percentage").alias("%"),
        "boards",
    )
    # All rankings at once: a congress has hundreds.
    for rows in table.partition_by("ranking", maintain_order=True):
        section, _, field = str(rows["ranking"][0]).rpartition(" ")
        title = make_printable(f"{section} {FIELDS.get(field, field)}".strip())
        blocks.append(f"{palette.paint('strong', title)}\n{format_table(rows.drop('ranking'))}")
    return "\n".join(blocks if len(session.standings) else [*blocks, "There is nothing to rank.\n"])


def format_table(rows: pl.DataFrame) -> str:
    """Return a frame as lines below its column names, numbers aligned right, blanks for null.

    Columns that are all null are left out. Fractions have as many decimals as their column needs, two at most.
    """
    columns = []
    for series in rows:
        if series.null_count() == len(series):
            continue
        cells = [series.name, *_format_cells(series)]
        width = max(map(measure_width, cells))
        columns.append([_pad(cell, width, right=series.dtype.is_numeric()) for cell in cells])
    return "".join("  ".join(cells).rstrip() + "\n" for cells in zip(*columns, strict=True))


def _format_cells(series: pl.Series) -> list[str]:
    if series.dtype.is_float():
        places = count_decimals([series])
        return ["" if value is None else format_number(value, places) for value in series]
    return ["" if value is None else make_printable(str(value)) for value in series]


def _pad(cell: str, width: int, *, right: bool) -> str:
    fill = " " * (width - measure_width(cell))
    return fill + cell if right else cell + fill


def format_problems(
    session: Session, lines: Lines, palette: Palette, severities: Iterable[str] = ("error", "warning", "info")
) -> str:
    """Return the problems of these severities, each as `file:line:column: severity CODE message`.

    Each is followed by its line of the file with a mark below the column; the first of a code in a file also by the
    hint.
    """
    wanted = list_problems(session).filter(pl.col("severity").cast(pl.String).is_in(list(severities)))
    return "".join(
        _format_problem(problem, texts, palette)
        for (source,), problems in _limit_repeats(wanted).group_by("source", maintain_order=True)
        for texts in [lines(str(source), problems["line"].drop_nulls().unique().to_list()) if source else {}]
        for problem in problems.iter_rows(named=True)
    )


def format_summary(session: Session, palette: Palette) -> str:
    """Return in one line how much was read and how many problems were found."""
    counts = dict(session.problems.group_by("severity").len().iter_rows())
    found = [
        palette.paint(severity, format_count(counts[severity], noun, f"{noun}s"))
        for severity, noun in NOUNS
        if severity in counts
    ]
    read = [
        format_count(session.sources.height, "file", "files"),
        format_count(session.records.height, "game", "games"),
        format_count(count_boards(session), "board", "boards"),
    ]
    return f"{', '.join(read)}: {', '.join(found) or 'no problems'}\n"


def _limit_repeats(problems: pl.DataFrame) -> pl.DataFrame:
    """Keep the first `REPEATS` problems of a code in a file.

    Returns:
        With two more columns: `nth` counts the problems of a code in a file from 1; `more` is how many are left out,
        at the last that is kept, else 0.
    """
    kind = ("source", "code")
    return (
        problems.with_columns(pl.int_range(1, pl.len() + 1).over(kind).alias("nth"), pl.len().over(kind).alias("all"))
        .filter(pl.col("nth") <= REPEATS)
        .with_columns(pl.when(pl.col("nth") == REPEATS).then(pl.col("all") - REPEATS).otherwise(0).alias("more"))
    )


def _format_problem(problem: dict[str, Any], lines: Mapping[int, str], palette: Palette) -> str:
    known = {key: value for key, value in problem.items() if value is not None}
    place = ":".join(str(known[key]) for key in ("source", "line", "column") if key in known)
    where = ", ".join(_list_labels(known))
    place = palette.paint("strong", make_printable(place or "session"))
    severity = palette.paint(problem["severity"], problem["severity"])
    message = f"{problem['message']} ({where})" if where else problem["message"]
    parts = [f"{place}: {severity} {problem['code']} {make_printable(message)}"]
    if problem["line"] in lines:
        parts += _format_excerpt(lines[problem["line"]], problem["column"], palette)
    if problem["nth"] == 1:
        parts.append(f"{_INDENT}{palette.paint('faint', 'hint:')} {problem['hint']}")
    if problem["more"]:
        parts.append(f"{_INDENT}and {problem['more']} more like this")
    return "\n".join(parts) + "\n"


def _list_labels(problem: Mapping[str, Any]) -> Iterator[str]:
    """Yield the board and the table of a problem, as far as they are known and its message does not name them."""
    for key in ("board", "table"):
        if key in problem and f"{key} {problem[key]}" not in problem["message"]:
            yield f"{key} {problem[key]}"


def _format_excerpt(line: str, column: int | None, palette: Palette) -> list[str]:
    """Return the line, or the part of a long line around the column, and a line with a mark below the column."""
    if not line.strip():
        return []
    text = make_printable(line)
    at = min((column or 1) - 1, len(text))
    start = max(0, at - _EXCERPT // 2) if len(text) > _EXCERPT else 0
    excerpt = [f"{_INDENT}{text[start : start + _EXCERPT].rstrip()}"]
    if column is not None:
        excerpt.append(f"{_INDENT}{' ' * measure_width(text[start:at])}{palette.paint('strong', '^')}")
    return excerpt


def format_audit(
    differences: pl.DataFrame, lines: int, totals: int, explanations: Sequence[tuple[str, int, int]]
) -> str:
    """Return an audit: the table of differences, what each policy would explain, and how much agrees.

    Args:
        differences: a row for each, with `what` and `explained_by`.
        lines: how many lines state points.
        totals: how many totals and percentages are stated.
        explanations: policies, each with how many differences it would explain and how many new ones it would make.
    """
    wrong_lines = differences.filter(pl.col("what") == "line").height
    wrong_totals = differences.height - wrong_lines
    agree = (
        f"{_format_share(lines - wrong_lines, lines, 'line')} and"
        f" {_format_share(totals - wrong_totals, totals, 'total')} match what the files state."
    )
    blocks = [format_table(differences)] if differences.height else []
    blocks += ["".join(_format_explanation(*each, of=differences.height) for each in explanations)]
    return "\n".join(block for block in [*blocks, agree + "\n"] if block)


def _format_share(right: int, of: int, noun: str) -> str:
    return f"{right} of {of} {noun}{'' if of == 1 else 's'}"


def _format_explanation(policy: str, explains: int, breaks: int, *, of: int) -> str:
    otherwise = f", but {format_count(breaks, 'other', 'others')} would then differ" if breaks else ""
    return f"{policy} would explain {explains} of {of}{otherwise}.\n"
