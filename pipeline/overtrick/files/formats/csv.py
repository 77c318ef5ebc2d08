"""Results as a table: a line of column names, then a line for each result, as a spreadsheet writes them.

`board ns ew` must be there, or for rubber, Chicago and four-hand matches, whose deals have no numbers,
`ns ew contract declarer tricks`: each line is then the next deal at its table. All other columns may be left out, in
any order, in capitals or not. `docs/tables.md` describes the columns, and `formats.tables.headers` lists their names.

Commas, semicolons or tabs separate the columns. `overtrick convert` writes such tables, so what it writes reads back.
"""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from csv import field_size_limit, reader
from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.core.bridge.cards import board_vulnerability
from overtrick.core.frames import VULNERABLE, Session
from overtrick.core.problems import Finding
from overtrick.files.formats import session_rows
from overtrick.files.formats.base import Reading, Written, nothing_but, reads_text
from overtrick.files.formats.tables.cells import read_cells
from overtrick.files.formats.tables.typed import COLUMNS, COMPUTED, TYPED, is_header, name_columns, split_line
from overtrick.files.formats.text import Text, source_lines

MOST_COLUMNS: Final = 1000
MOST_LINES: Final = 250_000
"""Columns and lines of the largest table that is read; a congress of a week has a tenth of these lines."""

_SEPARATORS: Final = ",;\t"
_LONGEST_HEADER: Final = 65_536
_STATED_BY: Final = {
    "stated_score_ns": ("score_ns", "score_ew"),
    "stated_points_ns": ("points_ns", "points_ew"),
    "stated_datum": ("datum",),
    "level": ("contract",),
    "declarer": ("declarer", "contract"),
    "tricks": ("tricks", "contract"),
}
"""By column of `frames.RESULTS`, the columns of a table that state it; the first with a value counts."""


_ALWAYS: Final = ("board", "ns", "ew", "contract", "declarer", "tricks")
"""Columns that a table of results has even if all cells are empty."""


def is_results_csv(head: bytes) -> bool:
    """Report whether a file's first line names the columns of a table of results."""
    encoding = "utf-16" if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    first = head.decode(encoding, "replace").partition("\n")[0]
    return find_separator(first) is not None


@reads_text
def read_results_csv(text: Text) -> Reading:
    """Read a table of results. A cell that cannot be read is a problem with its line and column; the result stays."""
    whole = text.content.rstrip("\x1a\n")
    content = whole.lstrip("\n")
    above = len(whole) - len(content)
    header = content.split("\n", 1)[0]
    # Each look at a header of 200,000 columns takes a fifth of a second.
    separator = find_separator(header) or ","
    headers = _split(header, separator)
    found = [*_beyond_bounds(content, separator), *_beyond_the_header(content, separator)]
    findings = [*text.findings, *(replace(finding, line=(finding.line or 1) + above) for finding in found)]
    cells = _table(content, headers, separator)
    if cells is None:
        return nothing_but([*text.findings, Finding("file-damaged/table", 1, 1)])
    cells = cells.with_columns(pl.col("line") + above)
    meaning = show_columns(headers, above + 1)
    return read_cells(cells, [*findings, *meaning], headers=headers, typed_in=True)


def locate_cells_in_csv(_session: Session, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """Locate a column of results in the lines of their file, as `Format.locate_cells` describes it.

    The file is read again. If it is missing, its results keep the places that they have.
    """
    places = []
    for (source,), asked in rows.group_by("source"):
        lines = source_lines(str(source), {1, *asked["line"].drop_nulls().to_list()})
        separator = find_separator(lines.get(1, "").removeprefix("\ufeff")) or ","
        names = name_columns(_split(lines.get(1, "").removeprefix("\ufeff"), separator))
        at = [names.index(name) for name in _STATED_BY.get(column, ()) if name in names]
        for row, line in asked.select("row", "line").iter_rows():
            starts = _cell_starts(lines.get(line, ""), separator)
            cells = [starts[place] for place in at if place < len(starts) and starts[place] is not None]
            places += [(row, line, cell) for cell in cells[:1]]
    return pl.DataFrame(places, schema={"row": pl.UInt32, "line": pl.UInt32, "column": pl.UInt32}, orient="row")


def _cell_starts(line: str, separator: str) -> list[int | None]:
    """Return the column of each cell of a line, from 1; None for an empty cell.

    Worked example: in `1,"a,b",,2` the cells are at 1, 3, None and 10.
    """
    starts: list[int | None] = []
    begin, quoted = 0, False
    for at, sign in enumerate(f"{line}{separator}"):
        quoted = quoted != (sign == '"')
        if sign == separator and (not quoted or at == len(line)):
            starts.append(begin + 1 if line[begin:at].strip() else None)
            begin = at + 1
    return starts


def show_columns(headers: list[str], line: int = 1) -> list[Finding]:
    """Return the note that says how the columns are read, for a header that is not in the names of `COLUMNS`."""
    read = [
        f"{header.strip()} = {name}"
        for header, name in zip(headers, name_columns(headers), strict=True)
        if name and header.strip().lower() != name
    ]
    return [Finding("table-columns", line, 1, values={"columns": ", ".join(read)})] if read else []


def _split(header: str, separator: str) -> list[str]:
    """Return the cells of a header."""
    cells = split_line(header, separator) if len(header) <= _LONGEST_HEADER else None
    return [name.strip().strip('"') for name in header.split(separator)] if cells is None else cells


def find_separator(header: str) -> str | None:
    """Return the character that separates a header into columns, if the required ones are among them."""
    return next((separator for separator in _SEPARATORS if is_header(_split(header, separator))), None)


def _table(content: str, headers: list[str], separator: str) -> pl.DataFrame | None:
    """Return the cells: columns `cell_board` and so on, null for an empty cell; `line` counts from the header's 1."""
    try:
        cells = pl.read_csv(
            content.encode(),
            separator=separator,
            columns=_chosen_columns(headers),
            n_rows=MOST_LINES,
            infer_schema=False,
            truncate_ragged_lines=True,
        )
    except pl.exceptions.PolarsError:
        return None
    names = _cell_names(cells.columns)
    if len(set(names.values())) < len(names):
        return None
    cells = cells.rename(names).with_row_index("line", offset=2)
    # An apostrophe keeps a spreadsheet from running a text as a formula, as `render.csv` writes it.
    text = [pl.col(name).str.strip_chars().str.replace(r"^'([=+\-@])", "${1}") for name in names.values()]
    cells = cells.with_columns(text).with_columns(
        pl.when(pl.col(name) != "").then(name).alias(name) for name in names.values()
    )
    return cells.filter(pl.any_horizontal(pl.col(name).is_not_null() for name in names.values()))


def _cell_names(headers: list[str]) -> dict[str, str]:
    """Return by header the name of its column in the frame of cells."""
    names = name_columns(headers)
    return {header: f"cell_{name or header.strip().lower()}" for header, name in zip(headers, names, strict=True)}


def _chosen_columns(headers: list[str]) -> list[int] | None:
    """Return the places of the columns that are read where there are too many, else None."""
    if len(headers) <= MOST_COLUMNS:
        return None
    known = {*COLUMNS, *COMPUTED, *TYPED}
    names = name_columns(headers)
    return [at for at, name in enumerate(names) if at < MOST_COLUMNS or name in known]


def _beyond_bounds(content: str, separator: str) -> Iterator[Finding]:
    """Yield a problem for columns and lines beyond the number that is read."""
    header = content.split("\n", 1)[0]
    columns, lines = header.count(separator) + 1, content.count("\n")
    if columns > MOST_COLUMNS:
        yield Finding("csv-too-wide", 1, 1, values={"count": columns, "kept": MOST_COLUMNS})
    if lines > MOST_LINES:
        yield Finding("file-too-long/table", MOST_LINES + 2, 1, values={"count": lines + 1})


def _beyond_the_header(content: str, separator: str) -> Iterator[Finding]:
    """Yield a problem for each line with more cells than the first line has columns: the rest is left out."""
    header, *lines = content.split("\n")
    width = header.count(separator) + 1
    for number, line in enumerate(lines[:MOST_LINES], start=2):
        # A longer line is not a result.
        if line.count(separator) >= width and len(line) < field_size_limit():
            beyond = next(reader([line], delimiter=separator))[width:]
            if any(cell.strip() for cell in beyond):
                yield Finding("csv-cells", number, 1, values={"text": separator.join(beyond)})


def list_table(session: Session) -> pl.DataFrame:
    """Return every result with all that a table of results can hold: the columns that `read_results_csv` reads.

    Columns without any value are left out. The vulnerability is there for boards on which it is not that of their
    number, and the dealer for deals without a number. The contract of a board that was not played is `NP`, since an
    empty line of a table that people fill in is a result that is missing.
    """
    not_played = session.results["status"] == "not played"
    scored = session_rows.list_results(session).with_columns(
        pl.when(not_played).then(pl.lit("NP")).otherwise("contract").alias("contract")
    )
    facts = session.records.select("record", "event", "site", "date", "scoring", "dealer")
    stated = session.results.join(facts, on="record", how="left", maintain_order="left")
    other = pl.col("vulnerable") != board_vulnerability(pl.col("board")).cast(VULNERABLE)
    unusual = other.fill_null(value=False).any().over("section", "board")
    deals = pl.col("board").is_null().all()
    added = stated.select(
        *("event", "site", "date", "scoring", "team_ns", "team_ew", "player_n", "player_e", "player_s", "player_w"),
        *("listed_ns", "listed_ew"),
        *("honours_ns", "honours_ew", "conduct_ns", "conduct_ew", pl.col("stated_datum").alias("datum")),
        pl.when(unusual).then("vulnerable").alias("vulnerable"),
        pl.when(deals).then("dealer").alias("dealer"),
        *(session_rows.name_sides(session, side) for side in ("ns", "ew")),
    )
    order = [
        *("event", "site", "date", "scoring", "section", "round", "table", "board", "dealer", "vulnerable"),
        *("ns", "ew", "listed_ns", "listed_ew", "names_ns", "names_ew", "team_ns", "team_ew"),
        *("player_n", "player_e", "player_s", "player_w"),
        *("contract", "declarer", "tricks", "lead", "score_ns", "honours_ns", "honours_ew", "conduct_ns"),
        *("conduct_ew", "award_ns", "award_ew", "datum", "points_ns", "points_ew", "percentage_ns"),
    ]
    table = session_rows.drop_empty(scored.hstack(added).select(order), *_ALWAYS)
    # A table without the column is one of deals, each line the next at its table.
    return table.drop("board") if len(table) and table["board"].is_null().all() else table


def write_table(session: Session) -> Written:
    """Write the results as CSV."""
    return Written(session_rows.write_csv(list_table(session)).encode())
