"""XML from strangers."""

import pytest

from overtrick.core.problems import Finding
from overtrick.files.formats.base import MOST_PER_FILE, OverBudgetError
from overtrick.files.formats.usebio.xml import parse


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def test_elements_have_their_place_and_their_own_text() -> None:
    root, findings = parse(b'<?xml version="1.0"?>\n<a x="1">one<b>two</b>\n three</a>')
    assert root is not None
    assert ("A", {"X": "1"}, 2, 1, "one\n three") == (root.name, root.attributes, root.line, root.column, root.text)
    assert [("B", 2, 13, "two")] == [(c.name, c.line, c.column, c.text) for c in root.children]
    assert [] == findings


@pytest.mark.parametrize(
    "text",
    [
        b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        b'<!DOCTYPE a [<!ENTITY % x SYSTEM "http://example.org/x"> %x;]><a/>',
    ],
)
def test_what_only_an_attack_needs_is_refused(text: bytes) -> None:
    root, findings = parse(text)
    assert root is None
    assert ["file-refused/xml"] == codes(findings)


def test_more_elements_than_any_congress_has_cost_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MOST_PER_FILE, "elements", (3, "more than {most} elements"))
    assert [] == codes(parse(b"<a><b/><b/></a>")[1])
    with pytest.raises(OverBudgetError, match="more than 3 elements"):
        parse(b"<a><b/><b/><b/></a>")


def test_elements_deeper_than_any_program_writes_cost_too_much() -> None:
    deepest = MOST_PER_FILE["depth"][0]
    assert ["file-damaged/xml"] == codes(parse(b"<a>" * deepest)[1])
    with pytest.raises(OverBudgetError, match="more than 40 deep"):
        parse(b"<a>" * (deepest + 1))


def test_a_dtd_is_named_and_not_fetched() -> None:
    root, findings = parse(b'<!DOCTYPE a SYSTEM "http://example.invalid/x.dtd"><a>Ren&eacute;</a>')
    assert root is not None
    assert "René" == root.text
    assert [] == findings


def test_a_file_that_breaks_off_keeps_what_stands_before() -> None:
    root, findings = parse(b"<a><b>1</b>\n<b>2</b><b>3")
    assert root is not None
    assert ["1", "2", ""] == [child.text for child in root.children]
    assert [("file-damaged/xml", 2)] == [(finding.code, finding.line) for finding in findings]


def test_an_ampersand_that_stands_alone_is_read_as_such() -> None:
    root, findings = parse(b"<a>\nBill & Ben &amp; co</a>")
    assert root is not None
    assert "Bill & Ben & co" == root.text
    assert [("xml-ampersand", 2, 6)] == [(finding.code, finding.line, finding.column) for finding in findings]


def test_names_of_html_are_read_without_a_dtd_too() -> None:
    root, findings = parse(b"<a>Ren&eacute; &amp; Zo&euml; &unheard; &lt;b&gt;</a>")
    assert root is not None
    assert "René & Zoë &unheard; <b>" == root.text
    assert ["xml-ampersand"] * 3 == codes(findings)


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "iso-8859-2", "windows-1252", "utf-16"])
def test_text_is_read_by_the_encoding_that_it_declares(encoding: str) -> None:
    root, findings = parse(
        f'<?xml version="1.0" encoding="{encoding}"?><a>Å é ü</a>'.replace("Å", "Ä").encode(encoding)
    )
    assert root is not None
    assert "Ä é ü" == root.text
    assert [] == [code for code in codes(findings) if code != "pbn-byte-order-mark"]


def test_text_that_is_not_in_the_encoding_that_it_declares_is_read_and_named() -> None:
    root, findings = parse('<?xml version="1.0" encoding="utf-8"?><a>René</a>'.encode("latin-1"))
    assert root is not None
    assert "René" == root.text
    assert ["file-charset/xml"] == codes(findings)


def test_what_nothing_has_read_is_listed_with_the_names_that_lead_to_it() -> None:
    root, _ = parse(b'<a><b x="3"><c>1</c><d>2</d></b></a>')
    assert root is not None
    inner = root.first("B")
    assert inner is not None
    assert "1" == inner.value("C")
    assert [("B/@X", "3"), ("B/D", "2")] == [(path, text) for path, text, _ in root.unread()]
