"""Workbooks made to take all memory: they are named, and ordinary ones with odd cells are read."""

import zipfile
from collections.abc import Callable
from io import BytesIO

import polars as pl
import pytest
from xlsxwriter import Workbook

from overtrick.files.formats.base import MOST_PER_FILE, OverBudgetError
from overtrick.files.formats.read import read_bytes
from overtrick.files.formats.spreadsheets import WorkbookError, pack_again, read_spreadsheet

SPACE = "urn:oasis:names:tc:opendocument:xmlns"
DOCUMENT = (
    f'<office:document-content xmlns:office="{SPACE}:office:1.0" xmlns:table="{SPACE}:table:1.0"'
    f' xmlns:text="{SPACE}:text:1.0"><office:body><office:spreadsheet><table:table table:name="A">{{table}}'
    "</table:table></office:spreadsheet></office:body></office:document-content>"
)
LINES = (("board", "ns", "ew", "contract", "declarer", "tricks"), (1, 1, 2, "3NT", "N", 9))


def excel(row: int, column: int) -> bytes:
    """Make a table of results and one more cell, in a row and a column from 0."""
    content = BytesIO()
    with Workbook(content) as book:
        sheet = book.add_worksheet()
        for number, line in enumerate(LINES):
            sheet.write_row(number, 0, line)
        sheet.write(row, column, "x")
    return content.getvalue()


def opened(*rows: str) -> bytes:
    """Make an OpenDocument sheet: the table of results, then rows of XML."""
    cells = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    written = ["".join(cells.format(cell) for cell in line) for line in LINES]
    table = "".join([*(f"<table:table-row>{line}</table:table-row>" for line in written), *rows])
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr("META-INF/manifest.xml", "<manifest/>")
        book.writestr("content.xml", DOCUMENT.format(table=table))
    return content.getvalue()


FILLED = (
    '<table:table-row table:number-rows-repeated="90000">'
    '<table:table-cell table:number-columns-repeated="9000" office:value="1"'
)
EMPTY = (
    '<table:table-row table:number-rows-repeated="1048000">'
    '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
)


@pytest.mark.parametrize(
    "make",
    [
        lambda: excel(1_048_575, 16_383),
        lambda: opened(f'{FILLED} office:value-type="float"/></table:table-row>'),
        lambda: opened(f"{FILLED}><text:p>1</text:p></table:table-cell></table:table-row>"),
    ],
    ids=["two cells far apart", "a number many times", "a text many times"],
)
def test_a_sheet_that_spans_too_many_cells_is_named(make: Callable[[], bytes]) -> None:
    (problem,) = pl.concat(part.problems for part in read_bytes(make(), "book")).rows(named=True)
    assert ("file-refused", 1, 1) == (problem["code"], problem["line"], problem["column"])
    assert "a sheet spans more than 10,000,000 cells" in problem["message"]


@pytest.mark.parametrize("content", [excel(3, 900), opened(EMPTY)], ids=["a remark on the right", "empty cells"])
def test_an_ordinary_workbook_is_read(content: bytes) -> None:
    assert (3, "NT", 9) in read_spreadsheet(content).results.select("level", "strain", "tricks").rows()


def test_a_workbook_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MOST_PER_FILE, "bytes", (1_000_000, "it holds more than {most} bytes"))
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/worksheets/sheet1.xml", bytes(1_000_001))
    with pytest.raises(OverBudgetError, match="it holds more than 1,000,000 bytes"):
        pack_again(content.getvalue())


def test_a_workbook_with_a_broken_sheet_is_named() -> None:
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as book:
        book.writestr("xl/worksheets/sheet1.xml", "<worksheet><sheetData><row></sheetData></worksheet>")
    with pytest.raises(WorkbookError, match="the XML of a sheet is broken: mismatched tag"):
        pack_again(content.getvalue())
