"""Workbooks of a few kilobytes that stand for gigabytes are refused before anything is built of them."""

import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from overtrick.files.formats.base import MOST_PER_FILE, OverBudgetError
from overtrick.files.formats.spreadsheets import WorkbookError, pack_again
from tests.support.commands import run

MOST_TEXT = MOST_PER_FILE["characters"][0]
_SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns"
_ODS = (
    f'<office:document-content xmlns:office="{_OFFICE}:office:1.0" xmlns:table="{_OFFICE}:table:1.0"'
    f' xmlns:text="{_OFFICE}:text:1.0"><office:body><office:spreadsheet><table:table>{{}}</table:table>'
    "</office:spreadsheet></office:body></office:document-content>"
)


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("seed") / "evening.xlsx"
    assert 0 == run("template", path).status
    return path.read_bytes()


def change(seed: bytes, **documents: str) -> bytes:
    """Return a workbook with other documents in the places whose names end so."""
    changed = BytesIO()
    with zipfile.ZipFile(BytesIO(seed)) as book, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as again:
        for name in book.namelist():
            given = next((text for end, text in documents.items() if Path(name).stem == end), None)
            again.writestr(name, book.read(name) if given is None else given)
    return changed.getvalue()


def rows(cells: int, cell: str) -> str:
    listed = "".join(f'<row r="{at}">{cell.format(at)}</row>' for at in range(1, cells + 1))
    return f"<worksheet {_SPACE}><sheetData>{listed}</sheetData></worksheet>"


def share(seed: bytes, length: int, cells: int) -> bytes:
    texts = f"<sst {_SPACE}><si><t>short</t></si><si><r><t>{'x' * length}</t></r></si></sst>"
    return change(seed, sharedStrings=texts, sheet1=rows(cells, '<c r="A{}" t="s"><v>1</v></c>'))


def list_again(seed: bytes, times: int) -> bytes:
    sheets = "".join(f'<sheet name="s{at}" sheetId="{at + 1}" r:id="rId1"/>' for at in range(times))
    return change(seed, workbook=f'<workbook {_SPACE} xmlns:r="x"><sheets>{sheets}</sheets></workbook>')


def repeat(_: bytes, length: int, columns: int, lines: int) -> bytes:
    text = f"<text:p>{'x' * length}</text:p>"
    cell = f'<table:table-cell table:number-columns-repeated="{columns}">{text}</table:table-cell>'
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as book:
        row = f'<table:table-row table:number-rows-repeated="{lines}">{cell}</table:table-row>'
        book.writestr("content.xml", _ODS.format(row))
    return packed.getvalue()


HEAVY: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a text that many cells share": (lambda seed: share(seed, MOST_TEXT // 500, 501), "characters"),
    "a sheet that is listed often": (lambda seed: list_again(seed, 60), "more than once"),
    "a cell that is repeated": (lambda seed: repeat(seed, MOST_TEXT // 1000, 101, 10), "characters"),
    "a row that is repeated": (lambda seed: repeat(seed, MOST_TEXT // 1000, 10, 101), "characters"),
}


@pytest.mark.parametrize("kind", HEAVY)
def test_a_workbook_that_stands_for_too_much_is_refused(kind: str, seed: bytes) -> None:
    make, message = HEAVY[kind]
    content = make(seed)
    assert len(content) < 200_000
    with pytest.raises((OverBudgetError, WorkbookError), match=message):
        pack_again(content)


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: seed,
        lambda seed: share(seed, MOST_TEXT // 500, 499),
        lambda seed: repeat(seed, MOST_TEXT // 1000, 99, 10),
    ],
)
def test_a_workbook_just_below_the_bound_is_not(make: Callable[[bytes], bytes], seed: bytes) -> None:
    assert pack_again(make(seed))
