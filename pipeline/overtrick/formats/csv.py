"""Results as a table: a line of column names, then a line for each result, as a spreadsheet writes them.

`board ns ew` must be there, or for rubber, Chicago and four-hand matches, whose deals have no numbers,
`ns ew contract declarer tricks`: each line is then the next deal at its table. All other columns may be left out, in
any order and in any case; `docs/tables.md` says what each holds.

Commas, semicolons or tabs separate the columns. `overtrick convert` writes such tables, so what it writes reads back.
"""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from csv import field_size_limit, reader
from typing import Final

import polars as pl

from overtrick import notation
from overtrick.formats.base import Reading, nothing_but
from overtrick.formats.contestants import list_contestants
from overtrick.formats.text import decode
from overtrick.frames import ITEMS, RECORDS, RESULTS, conform
from overtrick.problems import Finding, report, report_findings

REQUIRED: Final = ("board", "ns", "ew")
REQUIRED_OF_DEALS: Final = ("ns", "ew", "contract", "declarer", "tricks")
"""Columns that a table without board numbers must have: its lines are deals in their order."""
_ON_SHEETS: Final = ("honours_ns", "honours_ew", "conduct_ns", "conduct_ew")
COLUMNS: Final = (
    *(*REQUIRED, "dealer", *_ON_SHEETS),
    *("section", "round", "table", "vulnerable", "contract", "declarer", "tricks", "lead", "score_ns"),
    *("team_ns", "team_ew", "player_n", "player_e", "player_s", "player_w"),
    *("award_ns", "award_ew", "points_ns", "points_ew", "datum", "names_ns", "names_ew"),
    *("event", "site", "date", "scoring"),
)
COMPUTED: Final = ("percentage_ns", "percentage_ew")
"""Columns that `overtrick convert` writes and no reader uses."""

MOST_COLUMNS: Final = 1000
MOST_LINES: Final = 250_000
"""Columns and lines of the largest table that is read; a congress of a week has a tenth of these lines."""

_WHO: Final = (
    *("section", "round", "table", "ns", "ew", "team_ns", "team_ew"),
    *("player_n", "player_e", "player_s", "player_w"),
)
BETWEEN: Final = " - "
"""What is between the names of two partners."""
_SEPARATORS: Final = ",;\t"
_POINTS: Final = r"^([0-9]{1,4})$"


def is_results_csv(head: bytes) -> bool:
    """Report whether a file's first line names the columns of `REQUIRED` or of `REQUIRED_OF_DEALS`."""
    encoding = "utf-16" if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    first = head.decode(encoding, "replace").partition("\n")[0]
    return _separator(first) is not None


def read_results_csv(data: bytes) -> Reading:
    """Read a table of results. A cell that cannot be read is a problem with its line and column; the result stays."""
    text = decode(data)
    if isinstance(text, Finding):
        return nothing_but([text])
    content = text.content.rstrip("\x1a\n")
    bounds = list(_beyond_bounds(content))
    table = _table(content)
    if table is None:
        return nothing_but([*text.findings, Finding("csv-unreadable", 1, 1)])
    known = [f"cell_{name}" for name in COLUMNS]
    other = [name for name in table.columns if name not in {*known, *(f"cell_{name}" for name in COMPUTED), "line"}]
    cells = table.with_columns(pl.lit(None, pl.String).alias(name) for name in known if name not in table.columns)
    deals = "cell_board" not in table.columns
    by, label = ("line", "line") if deals else ("cell_board", "board_label")
    vulnerable = notation.vulnerable(pl.col("cell_vulnerable"))
    cells = cells.with_columns(
        pl.coalesce(vulnerable, vulnerable.drop_nulls().first().over("cell_section", by)).alias("vulnerable")
    )
    records = _records(cells.drop_nulls(by), by)
    numbered = cells.join(
        records.select("record", pl.col("section").alias("cell_section"), "vulnerable", label),
        left_on=["cell_section", "vulnerable", by],
        right_on=["cell_section", "vulnerable", label],
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    read = (
        numbered.with_columns(**_meanings())
        .with_columns(notation.tricks_against(pl.col("cell_tricks"), pl.col("level")).alias("tricks"))
        .with_columns(_status())
    )
    findings = [*text.findings, *bounds, *_beyond_the_header(content)]
    problems = [report_findings(findings, ""), _unread(read), _not_read(other)]
    if not deals:
        problems.append(report("csv-no-board", read.filter(pl.col("cell_board").is_null())))
    if read.is_empty():
        problems.append(report_findings([Finding("file-no-games", line=1, column=1)], ""))
    return Reading(
        items=_items(read, other),
        records=records,
        results=conform(RESULTS, read.select(pl.exclude("^cell_.*$"))),
        contestants=_contestants(read),
        problems=pl.concat(problems).sort("line", maintain_order=True, nulls_last=True),
    )


def _separator(header: str) -> str | None:
    """Return the character that separates a header into columns, if the required ones are among them."""
    for separator in _SEPARATORS:
        names = {name.strip().strip('"').lower() for name in header.split(separator)}
        if names.issuperset(REQUIRED) or names.issuperset(REQUIRED_OF_DEALS):
            return separator
    return None


def _table(content: str) -> pl.DataFrame | None:
    """Return the cells: columns `cell_board` and so on, null for an empty cell; `line` counts from the header's 1."""
    header = content.split("\n", 1)[0]
    separator = _separator(header) or ","
    try:
        cells = pl.read_csv(
            content.encode(),
            separator=separator,
            columns=_chosen_columns(header.split(separator)),
            n_rows=MOST_LINES,
            infer_schema=False,
            truncate_ragged_lines=True,
        )
    except pl.exceptions.PolarsError:
        return None
    names = {name: f"cell_{name.strip().lower()}" for name in cells.columns}
    if len(set(names.values())) < len(names):
        return None
    cells = cells.rename(names).with_row_index("line", offset=2)
    # An apostrophe keeps a spreadsheet from running a text as a formula, as `render.csv` writes it.
    text = [pl.col(name).str.strip_chars().str.replace(r"^'([=+\-@])", "${1}") for name in names.values()]
    cells = cells.with_columns(text).with_columns(
        pl.when(pl.col(name) != "").then(name).alias(name) for name in names.values()
    )
    return cells.filter(pl.any_horizontal(pl.col(name).is_not_null() for name in names.values()))


def _chosen_columns(names: list[str]) -> list[int] | None:
    """Return the places of the columns that are read where there are too many, else None."""
    if len(names) <= MOST_COLUMNS:
        return None
    known = {*COLUMNS, *COMPUTED}
    return [at for at, name in enumerate(names) if at < MOST_COLUMNS or name.strip().strip('"').lower() in known]


def _beyond_bounds(content: str) -> Iterator[Finding]:
    """Yield a problem for columns and lines beyond the number that is read."""
    header = content.split("\n", 1)[0]
    columns, lines = header.count(_separator(header) or ",") + 1, content.count("\n")
    if columns > MOST_COLUMNS:
        yield Finding("csv-too-wide", 1, 1, values={"count": columns, "kept": MOST_COLUMNS})
    if lines > MOST_LINES:
        yield Finding("csv-too-long", MOST_LINES + 2, 1, values={"count": lines + 1})


def _beyond_the_header(content: str) -> Iterator[Finding]:
    """Yield a problem for each line with more cells than the first line has columns: the rest is left out."""
    header, *lines = content.split("\n")
    separator = _separator(header) or ","
    width = header.count(separator) + 1
    for number, line in enumerate(lines[:MOST_LINES], start=2):
        # A longer line is not a result.
        if line.count(separator) >= width and len(line) < field_size_limit():
            beyond = next(reader([line], delimiter=separator))[width:]
            if any(cell.strip() for cell in beyond):
                yield Finding("csv-cells", number, 1, values={"text": separator.join(beyond)})


def _records(cells: pl.DataFrame, by: str) -> pl.DataFrame:
    """Return each board of each section once (or each line, in a table of deals), with the facts of the session.

    A board that was played at two vulnerabilities, and so is fouled, is listed once for each.
    """
    once = cells.unique(["cell_section", "vulnerable", by], keep="first", maintain_order=True)
    said = [
        notation.text(pl.col(f"cell_{name}")).alias(name) for name in ("event", "site", "date", "scoring", "section")
    ]
    return conform(
        RECORDS,
        once.with_row_index("record").select(
            "record",
            "line",
            pl.col("cell_board").alias("board_label"),
            notation.board(pl.col("cell_board")).alias("board"),
            "vulnerable",
            notation.seat(pl.col("cell_dealer")).alias("dealer"),
            *said,
        ),
    )


def _meanings() -> dict[str, pl.Expr]:
    """Return what each cell means, under the names of `frames.RESULTS`."""
    contract = pl.col("cell_contract")
    return {
        **{name: pl.col(f"cell_{name}") for name in _WHO},
        "column": pl.lit(1),
        "level": notation.level(contract),
        "strain": notation.strain(contract),
        "doubled": notation.doubled(contract),
        "declarer": notation.seat(pl.col("cell_declarer")),
        "lead": notation.lead(pl.col("cell_lead"), rank_first=True),
        "stated_score_ns": notation.whole(pl.col("cell_score_ns")),
        "stated_datum": notation.whole(pl.col("cell_datum")),
        **{f"award_{side}": notation.award(pl.col(f"cell_award_{side}")) for side in ("ns", "ew")},
        **{f"stated_points_{side}": notation.number(pl.col(f"cell_points_{side}")) for side in ("ns", "ew")},
        **{name: pl.col(f"cell_{name}").str.extract(_POINTS).cast(pl.Int32) for name in _ON_SHEETS},
        "multiplicity": pl.lit(1),
    }


def _status() -> pl.Expr:
    return notation.status(
        adjusted=pl.col("award_ns").is_not_null() | pl.col("award_ew").is_not_null(),
        passed=pl.col("level") == 0,
        not_played=pl.all_horizontal(pl.col(f"cell_{name}").is_null() for name in ("contract", "tricks", "score_ns")),
        played=pl.col("tricks").is_not_null() | pl.col("stated_score_ns").is_not_null(),
    ).alias("status")


def _unread(read: pl.DataFrame) -> pl.DataFrame:
    """Report cells that are not empty and cannot be read."""
    meant = {
        "board": notation.board(pl.col("cell_board")).is_not_null(),
        "vulnerable": notation.vulnerable(pl.col("cell_vulnerable")).is_not_null(),
        "contract": pl.col("level").is_not_null(),
        "declarer": pl.col("declarer").is_not_null(),
        "dealer": notation.seat(pl.col("cell_dealer")).is_not_null(),
        **{name: pl.col(name).is_not_null() for name in _ON_SHEETS},
        "tricks": pl.col("tricks").is_not_null() | (pl.col("level") == 0) | pl.col("level").is_null(),
        "lead": pl.col("lead").is_not_null(),
        "score_ns": pl.col("stated_score_ns").is_not_null(),
        "datum": pl.col("stated_datum").is_not_null(),
        **{f"award_{side}": pl.col(f"award_{side}").is_not_null() for side in ("ns", "ew")},
        **{f"points_{side}": pl.col(f"stated_points_{side}").is_not_null() for side in ("ns", "ew")},
    }
    about = [pl.col("cell_board").alias("board")]
    parts = [
        report(
            "csv-value",
            read.filter(pl.col(f"cell_{name}").is_not_null() & ~known.fill_null(value=False)).with_columns(
                *about, pl.lit(name).alias("column_name"), pl.col(f"cell_{name}").alias("text")
            ),
        )
        for name, known in meant.items()
    ]
    return pl.concat(parts)


def _not_read(other: list[str]) -> pl.DataFrame:
    findings = [Finding("csv-column", 1, 1, values={"column_name": name.removeprefix("cell_")}) for name in other]
    return report_findings(findings, "")


def _items(read: pl.DataFrame, other: list[str]) -> pl.DataFrame:
    """Return the cells of unknown columns as items."""
    if not other:
        return conform(ITEMS, pl.DataFrame())
    kept = read.select("record", "line", *other).unpivot(other, index=["record", "line"], variable_name="name")
    return conform(
        ITEMS,
        kept.drop_nulls("value").with_columns(
            pl.col("name").str.strip_prefix("cell_"), pl.col("value").alias("text"), column=1, kind=pl.lit("tag")
        ),
    )


def _contestants(read: pl.DataFrame) -> pl.DataFrame:
    """List the contestants: the players of an individual, and the pairs of other events."""
    alone = pl.col("player_n").is_not_null()
    sides = [
        read.filter(~alone).select(
            pl.col(side).alias("contestant"),
            "section",
            pl.lit(side.upper()).alias("direction"),
            pl.col(f"cell_names_{side}").alias("names"),
        )
        for side in ("ns", "ew")
    ]
    players = [
        read.filter(alone).select(
            pl.col(f"player_{seat}").alias("contestant"),
            "section",
            pl.lit(side.upper()).alias("direction"),
            _name(pl.col(f"cell_names_{side}"), place).alias("names"),
        )
        for side in ("ns", "ew")
        for place, seat in enumerate(side)
    ]
    return list_contestants(pl.concat([*sides, *players]))


def _name(names: pl.Expr, place: int) -> pl.Expr:
    """Return one of the two names of a side; null if these are not two."""
    parts = names.str.split(BETWEEN)
    return pl.when(parts.list.len() == 2).then(parts.list.get(place, null_on_oob=True))
