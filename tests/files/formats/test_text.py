"""Bytes to text."""

import pytest

from overtrick.core.problems import Finding
from overtrick.files.formats.text import Text, TextBlock, decode, text_blocks

NAME = '[North "Zoë Sørensen"]\n'


def decoded(data: bytes) -> Text:
    text = decode(data)
    assert isinstance(text, Text)
    return text


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (NAME.encode("utf-8"), "utf-8"),
        (NAME.encode("utf-8-sig"), "utf-8-sig"),
        (NAME.encode("utf-16"), "utf-16"),
        (NAME.encode("utf-16-le"), "utf-16-le"),
        (NAME.encode("utf-16-be"), "utf-16-be"),
        (NAME.encode("latin-1"), "latin-1"),
        (b"%Content-type: text/pbn; charset=ISO-8859-1\n" + NAME.encode("latin-1"), "iso8859-1"),
    ],
)
def test_a_name_with_accents_reads_the_same_in_every_encoding(data: bytes, encoding: str) -> None:
    text = decoded(data)
    assert encoding == text.encoding
    assert text.content.endswith(NAME)


def test_utf_16_without_its_mark_is_told() -> None:
    assert ["file-no-mark"] == [finding.code for finding in decoded(NAME.encode("utf-16-le")).findings]


def test_bytes_of_nothing_but_nul_are_no_text() -> None:
    assert decode(bytes(1000)) == Finding("file-binary", line=1, column=1)


def test_a_declared_charset_that_does_not_fit_is_not_believed() -> None:
    data = b"% charset=ISO-8859-1\n" + NAME.encode("utf-8")
    assert "utf-8" == decoded(data).encoding


def test_a_declared_charset_that_is_no_character_set_is_passed_over() -> None:
    data = b"% charset=zlib\n" + NAME.encode("latin-1")
    assert "latin-1" == decoded(data).encoding


def test_a_declared_polish_charset_is_used() -> None:
    data = b'% charset=windows-1250\n[North "Micha\xb3"]\n'
    assert "Michał" in decoded(data).content


def test_the_extra_characters_of_windows_are_read_as_such() -> None:
    text = decoded(b'[Event "Club\x92s evening"]\n')
    assert ("cp1252", "Club’s evening") == (text.encoding, text.content.split('"')[1])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_every_line_end_counts_once(end: str) -> None:
    assert "one\ntwo\n" == decoded(f"one{end}two{end}".encode()).content


def test_empty_lines_of_a_file_with_cr_alone_stay() -> None:
    assert "one\n\ntwo\n" == decoded(b"one\r\rtwo\r").content
    assert "one\ntwo\n" == decoded(b"one\r\r\ntwo\r\n").content


def test_a_last_line_without_end_gets_one() -> None:
    assert "one\n" == decoded(b"one").content


def test_a_last_line_without_end_is_no_block_of_its_own() -> None:
    assert [TextBlock("one\ntwo\nthree\n")] == list(text_blocks([b"one\ntwo\nthree"], "utf-8"))


def test_a_file_of_nothing_but_white_space_is_empty() -> None:
    assert decode(b" \r\n") == Finding("file-no-games/empty", line=1, column=1)
    assert decode(b"\xef\xbb\xbf\n") == decode(b"\xff\xfe") == Finding("file-no-games/empty", line=1, column=1)


def test_a_picture_is_no_text() -> None:
    assert decode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0") == Finding("file-binary", line=1, column=1)


def test_a_byte_order_mark_is_noted() -> None:
    assert ["pbn-byte-order-mark"] == [finding.code for finding in decoded(NAME.encode("utf-8-sig")).findings]


@pytest.mark.parametrize(
    ("declared", "data"),
    [("UTF-8", NAME.encode("latin-1")), ("ISO-8859-1", NAME.encode("utf-8")), ("klingon-1", NAME.encode("utf-8"))],
)
def test_a_declared_charset_that_the_text_contradicts_is_named(declared: str, data: bytes) -> None:
    (finding,) = decoded(f"% PBN 2.1\n% charset={declared}\n".encode() + data).findings
    assert ("file-charset/text", 2, declared) == (finding.code, finding.line, finding.values["declared"])


@pytest.mark.parametrize("declared", ["utf8", "ISO-8859-1", "windows-1250", "klingon-1"])
def test_any_charset_is_true_of_plain_letters(declared: str) -> None:
    assert () == decoded(f"% charset={declared}\n".encode() + b'[North "Zoe"]\n').findings


@pytest.mark.parametrize(
    ("expected", "data"),
    [
        (None, b"a\nb\nc\n"),
        (None, b"a\r\nb\r\nc"),
        (None, b"a\rb\rc\r"),
        (2, b"a\r\nb\nc\r\n"),
        (2, b"a\nb\r\nc\n"),
        (3, b"a\r\nb\r\nc\r\r\n"),
        (1, b"a\r\r\nb\r\r\n"),
        (2, b"a\rb\nc\r"),
    ],
)
def test_the_first_line_that_ends_otherwise_is_known(expected: int | None, data: bytes) -> None:
    odd = [block.odd_end for block in text_blocks([data], "ascii") if block.odd_end]
    assert [expected] * (expected is not None) == odd


def test_a_line_that_ends_otherwise_is_known_once_in_all_blocks() -> None:
    blocks = text_blocks([b"a\r\nb\r\n", b"c\nd\n", b"e\n"], "ascii")
    assert [None, 3, None] == [block.odd_end for block in blocks]


def test_a_last_line_without_end_is_given_with_the_lines_before_it() -> None:
    assert ["a\nb\n"] == [block.content for block in text_blocks([b"a\nb"], "ascii")]
