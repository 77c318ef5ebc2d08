"""How values read on pages and terminals: names, numbers with a true minus sign, dates, file names."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from pathlib import PurePath
from typing import Any, Final, Literal

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.notation import BETWEEN, UNSAFE, clean
from overtrick.core.problems import KINDS
from overtrick.files.formats.session_rows import count_boards, list_problems
from overtrick.judge.validate.movement_given import count_results
from overtrick.show import views

MINUS: Final = "\u2212"

SIDES: Final = {"NS": "N-S", "EW": "E-W"}
"""By side, as pages and documents write it."""

FIELDS: Final = {"NS": "North-South", "EW": "East-West", "all": "All contestants"}
"""Titles of the fields that the names of rankings end in."""

MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DATE: Final = re.compile(r"([0-9]{4})[.-]([0-9][0-9]|\?\?)[.-]([0-9][0-9]|\?\?)")
_GAP: Final = 2
_SHORT: Final = 4
_ROOM: Final = 120
"""Characters that a table has room for, beside names; `_GAP` of them part two cells."""
_NOISE: Final = Decimal("1e-9")
_BEYOND: Final = 1e15


def format_names(text: str | None) -> str:
    """Return the players of a pair as pages show them: `Ann Berg – Carl Dahl`."""
    return " – ".join(clean(text).split(BETWEEN))


def capitalise(text: str) -> str:
    """Return a text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=4096)
def format_number(value: float, places: int = 0) -> str:
    """Return a number with `places` decimals: halves round away from zero, and zero has no sign.

    Float noise below a billionth is removed first, so that 62.125 computed as 62.12499999999999 reads 62.13. NaN,
    infinities and numbers beyond any score read `?`.
    """
    if not abs(value) < _BEYOND:
        return "?"
    exact = Decimal(value).quantize(_NOISE)
    rounded = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{abs(rounded):f}"
    return f"{MINUS}{text}" if rounded < 0 else text


def format_signed(value: float, places: int = 0) -> str:
    """Return a number with its sign: `+620`, `−3`, `0`."""
    text = format_number(value, places)
    return f"+{text}" if value > 0 and text.strip("0.?") else text


def parse_number(text: str) -> float:
    """Return the number that `format_number` or `format_signed` wrote."""
    return float(text.replace(MINUS, "-"))


def format_value(value: object) -> str:
    """Return a typed value as readers see it: a number with two decimals at most, a tick for true, empty for None."""
    match value:
        case bool():
            return "✓" if value else ""
        case int() | float():
            return format_number(value, count_decimals([pl.Series([value])]))
        case _:
            return clean(str(value or ""))


def format_percentage(value: float | None, places: int = 1) -> str:
    """Return a percentage without the per cent sign; empty for None."""
    return "" if value is None else format_number(value, places)


def format_count(count: int, one: str, many: str) -> str:
    """Return a count with its noun: `1 board`, `2,800 boards`."""
    return f"{count:,} {one if count == 1 else many}"


def format_place(place: int | None, last: int | None) -> str:
    """Return a place: `3`, `4=` when it is shared down to a later one; empty for a contestant that is not ranked."""
    if place is None:
        return ""
    return f"{place}=" if (last or place) > place else str(place)


def count_decimals(values: Sequence[pl.Series]) -> int:
    """Return how many decimals show all these numbers exactly: 0, 1, or 2 where more would be needed."""
    # Most tables are short: Python is faster than columns here.
    known = [value for series in values for value in series.cast(pl.Float64).to_list() if value is not None]
    exact = (places for places in (0, 1) if all(round(value * 10**places, 6) % 1 == 0 for value in known))
    return next(exact, 2)


def format_date(stated: str | None) -> tuple[str, str]:
    """Return a date `YYYY.MM.DD` (PBN 3.4.3, `?` for unknown digits) for machines and for people.

    Returns:
        The ISO form, empty unless year, month and day are known; and the text to read: `1 March 2026`, `March 2026`,
        `2026`. A date of any other form is returned as the file states it.
    """
    text = clean(stated)
    match = _DATE.fullmatch(text)
    if not match:
        return "", text
    year, month, day = match.groups()
    if month == "??" or not 1 <= int(month) <= 12:
        return ("", year) if month == "??" else ("", text)
    if day == "??":
        return "", f"{MONTHS[int(month) - 1]} {year}"
    if not 1 <= int(day) <= 31:
        return "", text
    return f"{year}-{month}-{day}", f"{int(day)} {MONTHS[int(month) - 1]} {year}"


def shorten_paths(paths: Sequence[str]) -> dict[str, str]:
    """Return the name of each file for a public page: its path without the folders that all files share.

    `-` is standard input.
    """
    parts = {path: PurePath(path).parts for path in paths if path != "-"}
    folders = [names[:-1] for names in parts.values()]
    shared = 0
    while folders and all(len(f) > shared and f[shared] == folders[0][shared] for f in folders):
        shared += 1
    named = {path: clean("/".join(names[shared:])) for path, names in parts.items()}
    return {path: named.get(path, "standard input") for path in paths}


def choose_sheet(lines: Iterable[Sequence[str]]) -> str:
    """Return how pages show a sheet of cells beside names: classes of the style sheet, an empty text for the usual one.

    `broad` cells have no room in a table on a screen of 1,280 pixels; `roomy` ones hold long texts.
    """
    lines = list(lines)
    longest = max((len(cell) for line in lines for cell in line), default=0)
    broad = (longest + _GAP) * max(map(len, lines), default=0) > _ROOM
    return " ".join(name for name, there in (("roomy", longest > _SHORT), ("broad", broad)) if there)


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
    table = views.list_standings(session).select(
        "ranking",
        pl.format("{}{}", "rank", shared).str.pad_start(5).alias("place"),
        "contestant",
        "names",
        "total",
        pl.col("percentage").alias("%"),
        "boards",
        *(column.name for column in views.RANKING if column.value is not None),
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
    sizes = {"file": session.sources.height, "game": session.records.height, "board": count_boards(session)}
    read = (format_count(count, noun, f"{noun}s") for noun, count in sizes.items())
    kinds = {KINDS[kind] for kind in session.facts.kinds.values()} - {KINDS["session"]}
    about = f" ({', '.join(sorted(kinds))})" if kinds else ""
    # What has no result at all is not an evening.
    if {"session", "match", "play"} & {*session.facts.kinds.values()} and (missing := count_results(session)[1]):
        about += f", {format_count(missing, 'result', 'results')} missing"
    return f"{', '.join(read)}{about}: {', '.join(found) or 'no problems'}\n"


def _limit_repeats(problems: pl.DataFrame) -> pl.DataFrame:
    """Keep the first `REPEATS` problems of a code with one hint in a file.

    Returns:
        With two more columns: `nth` counts such problems in a file from 1; `more` is how many are left out,
        at the last that is kept, else 0.
    """
    kind = ("source", "code", "hint")
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
    shares = ((lines - wrong_lines, lines, "line"), (totals - wrong_totals, totals, "total"))
    agree = " and ".join(f"{right} of {of} {noun}{'' if of == 1 else 's'}" for right, of, noun in shares)
    blocks = [format_table(differences)] if differences.height else []
    blocks += ["".join(_format_explanation(*each, of=differences.height) for each in explanations)]
    return "\n".join(block for block in [*blocks, f"{agree} match what the files state.\n"] if block)


def _format_explanation(policy: str, explains: int, breaks: int, *, of: int) -> str:
    otherwise = f", but {format_count(breaks, 'other', 'others')} would then differ" if breaks else ""
    return f"{policy} would explain {explains} of {of}{otherwise}.\n"
