"""Workbooks from strangers: packed again with no more than a reader can hold.

A workbook of 5 KB can unpack to gigabytes, or fill two cells so far apart that a reader makes room for billions between
them. So its documents are unpacked here up to a bound, their cells are counted, and only then the workbook is opened.
"""

import re
import struct
import zlib
from io import BytesIO
from typing import Final
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of all documents of a workbook."""

MOST_DOCUMENTS: Final = 1000
"""Files in a workbook."""

MOST_CELLS: Final = 10_000_000
"""Cells of the smallest rectangle of a sheet that holds all that is written on it."""

_KEPT: Final = (".xml", ".rels", "mimetype")
_ENCRYPTED: Final = 1
_BROKEN: Final = (BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OSError, struct.error, IndexError)
_PLACE: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
_HAS_CELLS: Final = re.compile(rb"sheetData|table-row")


class WorkbookError(Exception):
    """The workbook cannot be opened; the message says why."""


def pack_again(data: bytes) -> bytes:
    """Return a workbook with its documents alone, without pictures and macros.

    Raises:
        WorkbookError: it is damaged, or larger than a reader can hold.
    """
    packed = BytesIO()
    left = LARGEST
    try:
        with ZipFile(BytesIO(data)) as book, ZipFile(packed, "w", ZIP_STORED) as again:
            inside = [one for one in book.infolist() if one.filename.endswith(_KEPT)]
            if len(inside) > MOST_DOCUMENTS:
                raise WorkbookError(f"it has more than {MOST_DOCUMENTS:,} documents")
            for one in inside:
                if one.flag_bits & _ENCRYPTED:
                    raise WorkbookError("it has a password")
                if one.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
                    raise WorkbookError("it is packed in an unusual way")
                with book.open(one) as document:
                    content = document.read(left + 1)
                left -= len(content)
                if left < 0:
                    raise WorkbookError(f"it unpacks to more than {LARGEST:,} bytes")
                _check_cells(content)
                again.writestr(one.filename, content)
    except _BROKEN as error:
        raise WorkbookError(str(error) or "it is damaged") from error
    return packed.getvalue()


def _check_cells(document: bytes) -> None:
    if not _HAS_CELLS.search(document):
        return
    counter = _Counter()
    try:
        counter.parser.Parse(document, True)
    except expat.ExpatError as error:
        raise WorkbookError(f"the XML of a sheet is broken: {expat.ErrorString(error.code)}") from error


class _Counter:
    """Counts the cells of each sheet of a document, in Excel's XML or in OpenDocument."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self._begin_sheet()

    def _begin_sheet(self) -> None:
        self._rows, self._columns = (0, 0), (0, 0)
        self._written = False
        self._row = self._column = self._next_row = 0
        self._cell = (1, 1)

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

    def _end(self, name: str) -> None:
        if name.rpartition(":")[2] == "table-row":
            self._row = self._next_row

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

    def _write(self) -> None:
        """Add the cell to the rectangle.

        Raises:
            WorkbookError: the rectangle is larger than a reader can hold.
        """
        rows, columns = (self._row, max(self._row, self._next_row)), self._cell
        if self._written:
            rows = min(rows[0], self._rows[0]), max(rows[1], self._rows[1])
            columns = min(columns[0], self._columns[0]), max(columns[1], self._columns[1])
        self._rows, self._columns, self._written = rows, columns, True
        if (rows[1] - rows[0] + 1) * (columns[1] - columns[0] + 1) > MOST_CELLS:
            raise WorkbookError(f"a sheet spans more than {MOST_CELLS:,} cells")


def _number(letters: str) -> int:
    """Return the number of a column: 1 for A, 27 for AA."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _repeats(attributes: dict[str, str], name: str) -> int:
    stated = next((value for key, value in attributes.items() if key.endswith(name)), "1")
    return int(stated) if re.fullmatch("[0-9]{1,9}", stated) else 1
