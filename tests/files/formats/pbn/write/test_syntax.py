"""How PBN spells things."""

import polars as pl
import pytest

from overtrick.files.formats.pbn.write.auctions_and_plays import LINE_LIMIT, respell, wrap, write_tags


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("plain", "plain"),
        ('say "no"', r"say \"no\""),
        ("a\\4R", r"a\4R"),
        ("end\\", r"end\\"),
        ("\\\\x", r"\\\x"),
        ('\\"', r"\\\""),
    ],
)
def test_a_value_is_escaped_where_it_must_be(value: str, written: str) -> None:
    assert f'[Event "{written}"]' == write_tags(pl.Series(["Event"]), pl.Series([value]))[0]


@pytest.mark.parametrize(
    ("text", "written"),
    [("Åse", "Åse"), ("Kovář", "Kovár"), ("Łódź", "Lódz"), ("ﬁ…", "fi..."), ("a\tb\x07", "a b"), ("中", "U+4E2D")],
)
def test_a_text_is_spelled_in_latin_letters(text: str, written: str) -> None:
    assert written == respell(text)


def test_a_long_comment_is_broken_at_blanks() -> None:
    comment = "{" + "word " * 200 + "}"
    assert comment.split() == wrap(comment).split()
    assert max(len(line) for line in wrap(comment).split("\n")) <= LINE_LIMIT


def test_a_long_line_comment_goes_on_as_one() -> None:
    lines = wrap("; " + "word " * 120).split("\n")
    assert len(lines) == 3
    assert all(line.startswith("; word") for line in lines)


def test_a_word_that_is_longer_than_a_line_is_left() -> None:
    assert "{" + "x" * 300 + "}" == wrap("{" + "x" * 300 + "}")
