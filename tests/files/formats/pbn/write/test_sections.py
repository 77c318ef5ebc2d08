"""Supplemental sections of export form."""

import pytest

from overtrick.files.formats.pbn.write.sections import lay_out_rows, split_remarks


def test_cells_are_padded_to_their_side() -> None:
    assert "a     1 z" == lay_out_rows("A\\3L;B\\3R;C", "a 1 z")


def test_a_width_is_a_minimum() -> None:
    assert "long 1" == lay_out_rows("A\\2L;B", "long 1")


def test_rows_are_cut_by_counting_cells() -> None:
    assert "1 2\n3 4" == lay_out_rows("A;-B", "1\n2\n3 4")


def test_a_string_is_one_cell() -> None:
    assert '"a b" 1' == lay_out_rows("A;B", '"a b" 1')


@pytest.mark.parametrize("header", ["", "A;;B", "Declarer Suit Tricks", "A\\x"])
def test_what_is_no_header_has_no_rows(header: str) -> None:
    assert lay_out_rows(header, "1 2") is None


def test_a_name_may_have_a_space_beside_other_names() -> None:
    assert "1 2" == lay_out_rows("A;My own", "1\n2")


def test_cells_that_make_no_whole_rows_are_no_rows() -> None:
    assert lay_out_rows("A;B", "1 2\n3") is None


def test_a_row_that_is_too_long_goes_on() -> None:
    cells = " ".join(["x" * 50] * 8)
    written = lay_out_rows(";".join("ABCDEFGH"), cells)
    assert written is not None
    assert [203, 203] == [len(line) for line in written.split("\n")]
    assert written == lay_out_rows(";".join("ABCDEFGH"), written)


def test_a_cell_that_would_hide_its_row_is_moved_in() -> None:
    assert " %50 1" == lay_out_rows("A;B", " %50 1")


def test_comments_are_taken_out_and_strings_are_not() -> None:
    text = '1 "a;b" {c\n}\n% d\n2 3 ; e'
    assert ['1 "a;b"', "2 3"] == [line.strip() for line in split_remarks(text)[0].split("\n") if line.strip()]
    assert ["{c\n}", "% d", "; e"] == split_remarks(text)[1]
