"""Folder names: safe, short, different."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.show.html.contestants import LONGEST, make_slug, make_slugs


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pair-12", "pair 12"),
        ("pair-ns-3", "pair NS 3"),
        ("pair-etc-passwd", "pair ../../etc/passwd"),
        ("pair-zoe-odell", "pair Zoë O’Dell"),
        ("board-7a", "Board 7A"),
        ("c-con", "C:\\con\\."),
        ("lodz-ost", "Łódź Øst"),
        ("lucja-aedel", "Łucja Ædel"),
    ],
)
def test_a_slug_reads_like_its_text(name: str, text: str) -> None:
    assert name == make_slug(text)


def test_a_text_without_latin_letters_gets_digits_that_stay_the_same() -> None:
    assert make_slug("王小明") == make_slug("王小明") != make_slug("王小红")


def test_long_texts_that_begin_alike_stay_apart() -> None:
    assert make_slug("a" * 100 + "x") != make_slug("a" * 100 + "y")


def test_a_slug_that_is_taken_is_counted_on() -> None:
    assert ["pair-1", "pair-1-2", "pair-1-3", "pair-1-2-2"] == make_slugs(["pair 1", "pair_1", "pair.1", "pair 1-2"])


@given(st.lists(st.text(st.characters(), max_size=100), max_size=20))
def test_slugs_of_any_texts_are_different_folder_names(texts: list[str]) -> None:
    slugs = make_slugs(texts)
    assert len(texts) == len(set(slugs))
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]*", name) and len(name) <= LONGEST + 15 for name in slugs)
