"""Smaller PDF files: nothing is lost."""

from io import BytesIO
from typing import Any

import pytest
import typst
from pypdf import PdfReader

from overtrick.show.pdf.documents import shrink_pdf

SOURCE = (
    b'#set document(title: "Cards")\n#set text(lang: "en")\n= Cards\n'
    b"#table(columns: 4, ..range(2000).map(n => [cell #n]))"
)


@pytest.mark.slow
def test_a_document_with_a_table_is_much_smaller_and_reads_the_same() -> None:
    plain = typst.compile(SOURCE, pdf_standards="ua-1")
    small = shrink_pdf(plain)
    assert 4 * len(small) < len(plain)
    texts = [[page.extract_text() for page in PdfReader(BytesIO(pdf)).pages] for pdf in (plain, small)]
    assert texts[0] == texts[1]
    trailers: list[Any] = [PdfReader(BytesIO(pdf)).trailer for pdf in (plain, small)]
    assert trailers[0]["/ID"] == trailers[1]["/ID"]
    assert {"/StructTreeRoot", "/Metadata", "/Lang"} <= set(trailers[1]["/Root"])


def test_a_document_of_another_form_stays_as_it_is() -> None:
    assert b"%PDF-1.4 nothing" == shrink_pdf(b"%PDF-1.4 nothing")


def test_a_document_whose_parts_have_other_numbers_stays_as_it_is() -> None:
    plain = typst.compile(b"Cards")
    other = plain.replace(b"\n2 0 obj", b"\n9 0 obj")
    assert other == shrink_pdf(other) != plain


def test_the_same_document_gives_the_same_bytes() -> None:
    plain = typst.compile(SOURCE, pdf_standards="ua-1")
    assert shrink_pdf(plain) == shrink_pdf(plain)
