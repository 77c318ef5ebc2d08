"""Spreadsheets, `.xlsx` or `.ods`: calamine reads each sheet with a table of results, XlsxWriter writes one."""

import datetime as dt
import re
import struct
import zlib
from collections import Counter
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.problems import Finding, report_findings
from overtrick.files.formats.base import MOST_PER_FILE, Reading, Written, current_budget, nothing_but
from overtrick.files.formats.csv import MOST_COLUMNS, MOST_LINES, list_table, show_columns
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.tables.typed import is_header, name_columns

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

_KEPT: Final = (".xml", ".rels", "mimetype")
_ENCRYPTED: Final = 1
_BROKEN: Final = (BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OSError, struct.error, IndexError)
_PLACE: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
_COUNTED: Final = re.compile(rb"sheetData|table-row|<(?:[a-z0-9]+:)?sst\b|<(?:[a-z0-9]+:)?sheets\b")
"""What is in documents with cells, with the texts that cells share, and with the list of sheets."""
_SHEETS: Final = "sheets/"


class WorkbookError(Exception):
    """The workbook cannot be opened; the message says why."""


def pack_again(data: bytes) -> bytes:
    """Return a workbook with its documents alone, without pictures and macros.

    Raises:
        WorkbookError: it is damaged.
        OverBudgetError: it is larger than a reader can hold.
    """
    packed = BytesIO()
    spend = current_budget().spend
    counter = _Counter()
    try:
        with ZipFile(BytesIO(data)) as book, ZipFile(packed, "w", ZIP_STORED) as again:
            inside = [entry for entry in book.infolist() if entry.filename.endswith(_KEPT)]
            spend("documents", len(inside))
            for entry in inside:
                if entry.flag_bits & _ENCRYPTED:
                    raise WorkbookError("it has a password")
                if entry.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
                    raise WorkbookError("it is packed in an unusual way")
                with book.open(entry) as document:
                    content = document.read(MOST_PER_FILE["bytes"][0] + 1)
                spend("bytes", len(content))
                counter.count(content)
                again.writestr(entry.filename, content)
            counter.check(sum(_SHEETS in entry.filename for entry in inside))
    except _BROKEN as error:
        raise WorkbookError(str(error) or "it is damaged") from error
    return packed.getvalue()


class _Counter:
    """Counts what a reader would build of the documents of a workbook, in Excel's XML or in OpenDocument.

    A few bytes can stand for gigabytes: a text that thousands of cells share, a cell that is repeated, a sheet that is
    listed a thousand times.
    """

    def __init__(self) -> None:
        self._shared: Counter[str] = Counter()
        self._lengths: list[int] = []
        self._sheets = 0
        self._budget = current_budget()
        self._begin_sheet()

    def count(self, document: bytes) -> None:
        """Count a document.

        Raises:
            WorkbookError: it is broken.
            OverBudgetError: it is larger than a reader can hold.
        """
        if not _COUNTED.search(document):
            return
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._read
        self._begin_sheet()
        try:
            parser.Parse(document, True)
        except expat.ExpatError as error:
            raise WorkbookError(f"the XML of a sheet is broken: {expat.ErrorString(error.code)}") from error

    def check(self, documents: int) -> None:
        """Check the shares that are known at the end only.

        Args:
            documents: how many documents are those of a sheet; none for OpenDocument.

        Raises:
            WorkbookError: a sheet is listed more than once.
            OverBudgetError: they are larger than a reader can hold.
        """
        if self._sheets > documents:
            raise WorkbookError("it lists a sheet more than once")
        lengths = {str(at): length for at, length in enumerate(self._lengths)}
        shared = sum(lengths.get(text.strip(), 0) * times for text, times in self._shared.items())
        self._budget.spend("characters", shared)

    def _read(self, text: str) -> None:
        if self._in_text:
            self._lengths[-1] += len(text)
        elif self._is_shared:
            self._index += text
        else:
            times = self._cell[1] - self._cell[0] + 1
            self._budget.spend("characters", len(text) * times * max(1, self._next_row - self._row + 1))

    def _begin_sheet(self) -> None:
        self._rows, self._columns = (0, 0), (0, 0)
        self._written = False
        self._row = self._column = self._next_row = 0
        self._cell = (1, 1)
        self._in_text = self._is_shared = False
        self._index = ""

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        kind = name.rpartition(":")[2]
        if kind in {"table", "sheetData"}:
            self._begin_sheet()
        elif kind in {"row", "table-row"}:
            self._begin_row(attributes)
        elif kind in {"c", "table-cell", "covered-table-cell"}:
            self._begin_cell(attributes)
            if any(key.endswith(("value-type", "formula")) for key in attributes):
                self._write()
        elif kind in {"v", "is", "f", "p"}:
            self._write()
        elif kind == "si":
            self._in_text = True
            self._lengths.append(0)
        elif kind == "sheet":
            self._sheets += 1

    def _end(self, name: str) -> None:
        kind = name.rpartition(":")[2]
        if kind == "table-row":
            self._row = self._next_row
        elif kind == "si":
            self._in_text = False
        elif kind == "v" and self._is_shared:
            self._shared[self._index] += 1
            self._index = ""

    def _begin_row(self, attributes: dict[str, str]) -> None:
        stated = attributes.get("r", "")
        self._row = int(stated) if re.fullmatch("[0-9]{1,7}", stated) else self._row + 1
        self._next_row = self._row + _repeats(attributes, "number-rows-repeated") - 1
        self._column = 0

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        times = _repeats(attributes, "number-columns-repeated")
        if place := _PLACE.fullmatch(attributes.get("r", "")):
            self._row = self._next_row = int(place[2])
            self._column = _number(place[1]) - 1
        self._cell = (self._column + 1, self._column + times)
        self._column += times
        self._is_shared = attributes.get("t") == "s"

    def _write(self) -> None:
        """Add the cell to the smallest rectangle that holds all that is written on the sheet.

        Raises:
            OverBudgetError: the rectangle is larger than a reader can hold.
        """
        rows, columns = (self._row, max(self._row, self._next_row)), self._cell
        if self._written:
            rows = min(rows[0], self._rows[0]), max(rows[1], self._rows[1])
            columns = min(columns[0], self._columns[0]), max(columns[1], self._columns[1])
        self._rows, self._columns, self._written = rows, columns, True
        self._budget.need("cells", (rows[1] - rows[0] + 1) * (columns[1] - columns[0] + 1))


def _number(letters: str) -> int:
    """Return the number of a column: 1 for A, 27 for AA."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _repeats(attributes: dict[str, str], name: str) -> int:
    stated = next((value for key, value in attributes.items() if key.endswith(name)), "1")
    return int(stated) if re.fullmatch("[0-9]{1,9}", stated) else 1


_HEADER_WITHIN: Final = 40
"""The lines of a sheet among which its header is; titles and remarks may come before it."""
_PANIC: Final = "PanicException"
"""The name of the error that calamine raises where it has a bug: not an `Exception`, and of no module."""


def read_spreadsheet(data: bytes) -> Reading:
    """Read the tables of results on all sheets; the other sheets are named."""
    sheets = _read_sheets(data)
    if isinstance(sheets, Finding):
        return nothing_but([sheets])
    tables = [(name, _find_table(rows, first)) for name, rows, first in sheets]
    found = [table for _, table in tables if table]
    if not found:
        return nothing_but([Finding("table-header", 1, 1)])
    other = [name for name, table in tables if name and not table]
    findings = [Finding("sheets-other", 1, 1, values={"sheet": repr(name)}) for name in other]
    findings += [finding for table in found for finding in table["findings"]]
    cells = pl.concat([table["cells"] for table in found], how="diagonal")
    headers = [header for table in found for header in table["headers"]]
    return read_cells(cells, findings, headers=headers, typed_in=True)


def _read_sheets(data: bytes) -> list[tuple[str, list[list[Any]], int]] | Finding:
    """Return the name, the cells and the first row of each sheet, from 0, or why they cannot be read."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook, load_workbook  # noqa: PLC0415 - optional
    except ImportError as error:
        return Finding("sheets-missing", 1, 1, values={"reason": str(error)})
    try:
        book: CalamineWorkbook = load_workbook(BytesIO(pack_again(data)))
        sheets = [(name, book.get_sheet_by_name(name)) for name in book.sheet_names]
        return [(name, sheet.to_python(nrows=MOST_LINES), (sheet.start or (0, 0))[0]) for name, sheet in sheets]
    except (WorkbookError, CalamineError, ValueError, OSError, OverflowError) as error:
        return Finding("file-damaged/spreadsheet", 1, 1, values={"reason": str(error)})
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        return Finding("file-damaged/spreadsheet", 1, 1, values={"reason": "it is damaged"})


def _find_table(rows: list[list[Any]], first: int) -> dict[str, Any] | None:
    """Return the table on a sheet; None for a sheet without the header of one.

    Args:
        rows: the cells.
        first: the row of the first of them, from 0.
    """
    lines = [[_text(cell) for cell in row[:MOST_COLUMNS]] for row in rows[:_HEADER_WITHIN]]
    at = next((at for at, row in enumerate(lines) if is_header(row)), None)
    if at is None:
        return None
    headers = lines[at]
    line = first + at + 1
    facts = _find_facts(rows[:at])
    names = name_columns(headers)
    keys = [name or header.strip().lower() for name, header in zip(names, headers, strict=True)]
    listed = []
    for number, cells in enumerate(rows[at + 1 :], start=line + 1):
        texts = [_text(cell) for cell in cells[: len(keys)]]
        if any(texts):
            by_key = {key: text for key, text in zip(keys, texts, strict=False) if key}
            listed.append({"line": number, **facts, **by_key})
    shown = show_columns(list(filter(None, headers)), line)
    return {
        "cells": make_cells(listed, list(filter(None, keys))),
        "findings": shown,
        "headers": headers,
        "typed": bool(shown),
    }


def _find_facts(rows: list[list[Any]]) -> dict[str, str]:
    """Return the facts in the lines above a table, such as `Event` beside `Tuesday Pairs`."""
    facts: dict[str, str] = {}
    for row in rows:
        cells = [text for cell in row if (text := _text(cell))]
        name = name_columns(cells[:1])[0] if cells else None
        if name in {"event", "site", "date", "scoring"} and len(cells) > 1:
            facts.setdefault(name, cells[1])
    return facts


def _text(cell: object) -> str:
    """Return a cell as people see it: `10` for 10.0, `60%` for a share, `2026.10.13` for a day."""
    if cell is None or isinstance(cell, bool):
        return "" if cell is None else str(cell)
    if isinstance(cell, float):
        return f"{cell:.6f}".rstrip("0").rstrip(".")
    if isinstance(cell, dt.datetime | dt.date):
        return f"{cell:%Y.%m.%d}"
    # An apostrophe keeps a spreadsheet from running a text as a formula.
    return re.sub(r"^'(?=[=+\-@])", "", str(cell).strip())


_WIDEST: Final = 40
_LONG_AGO: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
"""The time that a workbook states: the same session always gives the same bytes."""


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
