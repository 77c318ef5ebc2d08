"""Sessions as tables, JSON and spreadsheets, which the readers `csv`, `session_json` and `spreadsheets` read again."""

import datetime as dt
import json
from io import BytesIO
from typing import TYPE_CHECKING, Final

import polars as pl

from overtrick.core.bridge.cards import board_vulnerability
from overtrick.core.frames import VULNERABLE, Session
from overtrick.core.problems import Finding, report_findings
from overtrick.files.formats import session_rows
from overtrick.files.formats.base import Written

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

_ALWAYS: Final = ("board", "ns", "ew", "contract", "declarer", "tricks")
"""Columns that a table of results has even if all cells are empty."""


def list_table(session: Session) -> pl.DataFrame:
    """Return every result with all that a table of results can hold: the columns that `formats.csv` reads.

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


_WIDEST: Final = 40
_LONG_AGO: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
"""The time that a workbook states: the same session always gives the same bytes."""


def write_table(session: Session) -> Written:
    """Write the results as CSV."""
    return Written(session_rows.write_csv(list_table(session)).encode())


def write_json(session: Session) -> Written:
    """Write all of a session with its scores; reading it gives the same frames.

    The items that follow from the records, and those of LIN that only arrange a page, are left out.
    """
    table = list_table(session)
    alike = [name for name in session_rows.FACTS if name in table and table[name].n_unique() == 1]
    results = table.drop(alike).hstack(session_rows.list_rest(session))
    members = {
        "session": json.dumps(session_rows.describe_session(session), ensure_ascii=False),
        **session_rows.write_lists(session, session_rows.list_standings(session), results),
        "contestants": session_rows.write_rows(session_rows.list_contestants(session)),
        "problems": session_rows.write_rows(session_rows.list_problems(session)),
        "deals": session_rows.write_rows(session_rows.list_deals(session)),
        "games": session_rows.write_rows(session_rows.list_games(session)),
        "items": session_rows.write_rows(session_rows.list_items(session)),
    }
    return Written(session_rows.write_object(members).encode())


def complete_results(results: pl.DataFrame, session: Session) -> pl.DataFrame:
    """Return listed results with all else that JSON holds of them; `contestants` and `session` have names and facts."""
    listed = {*results.columns, *session_rows.FACTS, "names_ns", "names_ew"}
    return results.hstack([*list_table(session).select(pl.exclude(listed)), *session_rows.list_rest(session)])


def write_spreadsheet(session: Session) -> Written:
    """Write the results as a workbook of one sheet."""
    table = list_table(session)
    return _write_book(table, "Results")


def write_template(boards: int = 3, tables: int = 2) -> Written:
    """Write an empty evening for people to fill in: a line for each result, and a sheet that explains the columns."""
    columns = ["board", "ns", "ew", "contract", "declarer", "tricks", "lead", "names_ns", "names_ew"]
    rows = [{"board": board} for board in range(1, boards + 1) for _ in range(tables)]
    table = pl.DataFrame(rows, schema={"board": pl.Int32, **dict.fromkeys(columns[1:], pl.String)})
    return _write_book(table, "Results", explained=True)


_EXPLAINED: Final = (
    ("board", "the number of the board"),
    ("ns, ew", "the number of each pair"),
    ("contract", "4S or 4♠, 3NTX, Pass; AVE+/AVE- or 60/40 for an adjusted score; NP if it was not played"),
    ("declarer", "N, E, S or W"),
    ("tricks", "=, +1 or -2; or the number of tricks, as in 10"),
    ("lead", "DQ or ♦Q"),
    ("names_ns, names_ew", "the players, as in Ann Example - Bob Sample; one line for each pair is enough"),
    ("section, round, table", "columns that you may add"),
)


def _write_book(table: pl.DataFrame, title: str, *, explained: bool = False) -> Written:
    try:
        import xlsxwriter  # noqa: PLC0415 - optional
    except ImportError as error:
        return Written(b"", report_findings([Finding("sheets-missing", values={"reason": str(error)})], None))
    buffer = BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(buffer, options) as book:
        book.set_properties({"created": _LONG_AGO, "author": "overtrick"})
        bold, text = book.add_format({"bold": True}), book.add_format({"num_format": "@"})
        sheet = book.add_worksheet(title)
        sheet.freeze_panes(1, 0)
        _fill(sheet, table, bold, text)
        if explained:
            beside = book.add_worksheet("How to fill in")
            for row, (name, meaning) in enumerate(_EXPLAINED):
                beside.write_string(row, 0, name, bold)
                beside.write_string(row, 1, meaning)
            beside.set_column(0, 1, _WIDEST)
    return Written(buffer.getvalue())


def _fill(sheet: "Worksheet", table: pl.DataFrame, bold: object, text: object) -> None:
    for column, name in enumerate(table.columns):
        sheet.write_string(0, column, name, bold)
        values = table[name].to_list()
        widest = max([len(name), *(len(str(value)) for value in values if value is not None)])
        # A text column keeps what people type: a spreadsheet would make a date of 4-1 and a number of +1.
        is_text = table.schema[name] in {pl.String, pl.Enum} or not table.schema[name].is_numeric()
        sheet.set_column(column, column, min(widest + 2, _WIDEST), text if is_text else None)
        for row, value in enumerate(values, start=1):
            if isinstance(value, int | float):
                sheet.write_number(row, column, value)
            elif value is not None:
                sheet.write_string(row, column, str(value), text)
