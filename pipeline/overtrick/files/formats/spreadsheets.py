"""Spreadsheets: each sheet with a table of results, as `.xlsx` or `.ods`, read by the package calamine."""

import datetime as dt
import re
from io import BytesIO
from typing import Any, Final

import polars as pl

from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.csv import MOST_COLUMNS, MOST_LINES, show_columns
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.tables.headers import is_french, is_header, name_columns
from overtrick.files.formats.workbooks import WorkbookError, pack_again

_XLSX: Final = re.compile(rb"PK\x03\x04.{0,8000}?(?:xl/|\[Content_Types\]\.xml)", re.DOTALL)
_WORD: Final = re.compile(rb"PK\x03\x04.{0,8000}?(?:word/|ppt/)", re.DOTALL)
_ODS: Final = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_HEADER_WITHIN: Final = 40
"""The lines of a sheet among which its header is; titles and remarks may come before it."""
_PANIC: Final = "PanicException"
"""What calamine raises where it has a bug; it is not an `Exception`, and no module offers it by name."""


def is_spreadsheet(head: bytes) -> bool:
    """Report whether a file is a workbook of Excel or an OpenDocument spreadsheet."""
    if head.startswith(b"PK\x03\x04") and _ODS in head[:200]:
        return True
    return _XLSX.match(head) is not None and _WORD.match(head) is None


def read_spreadsheet(data: bytes) -> Reading:
    """Read the tables of results on all sheets; the other sheets are named."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook, load_workbook  # noqa: PLC0415 - optional
    except ImportError as error:
        return nothing_but([Finding("sheets-missing", 1, 1, values={"reason": str(error)})])
    try:
        book: CalamineWorkbook = load_workbook(BytesIO(pack_again(data)))
        sheets = [(name, book.get_sheet_by_name(name)) for name in book.sheet_names]
        tables = [(name, sheet.to_python(nrows=MOST_LINES), sheet.start) for name, sheet in sheets]
    except (WorkbookError, CalamineError, ValueError, OSError, OverflowError) as error:
        return nothing_but([Finding("sheets-unreadable", 1, 1, values={"reason": str(error)})])
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        return nothing_but([Finding("sheets-unreadable", 1, 1, values={"reason": "it is damaged"})])
    found: list[dict[str, Any]] = []
    other: list[str] = []
    for name, rows, start in tables:
        table = _find_table(rows, 0 if start is None else start[0])
        if table:
            found.append(table)
        else:
            other.append(name)
    if not found:
        return nothing_but([Finding("table-header", 1, 1)])
    findings = [Finding("sheets-other", 1, 1, values={"sheet": repr(name)}) for name in other if name]
    findings += [finding for table in found for finding in table["findings"]]
    cells = pl.concat([table["cells"] for table in found], how="diagonal")
    french = any(table["french"] for table in found)
    return read_cells(cells, findings, french=french, names_typed=any(table["typed"] for table in found))


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
            listed.append(
                {"line": number, **facts, **{key: text for key, text in zip(keys, texts, strict=False) if key}}
            )
    shown = show_columns([header for header in headers if header], line)
    return {
        "cells": make_cells(listed, [key for key in keys if key]),
        "findings": shown,
        "french": is_french(headers),
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
