"""Hands in the links of pages."""

from urllib.parse import quote

import pytest

from overtrick.files.formats.lin.read.links import is_page, read_page
from tests.support.lin_texts import DEAL, HAND, HANDS
from tests.support.reading import codes

ADDRESS = "https://example.org/viewer.html?"


@pytest.mark.parametrize(
    "page",
    [
        f"<html>\n<a href='{ADDRESS}lin={quote(HAND)}'>play</a>",
        f'<html>\n<a href="{ADDRESS}bbo=y&amp;lin={quote(HAND)}&amp;z=1">play</a>',
        f"<html>\n<a onclick=\"hv_popuplin('{HAND.replace('st||', 'st%7C%7C')}')\">play</a>",
        f"<html>\n<a href='{ADDRESS}lin={HAND}'>play</a>",
        f"Look:\n{ADDRESS}lin={quote(HAND)} and say what you think",
        f"Look:\n{ADDRESS}lin={quote(HAND).replace('%20', '+')}",
        f"Look:\n{ADDRESS}lin={quote(HAND, safe='|')}",
        f"\n{quote(HAND)}",
        f"\n?lin={quote(HAND)}",
        f"\n{HAND.replace('st||', 'st%7C%7C')}",
    ],
)
def test_the_text_of_a_link_is_read_like_a_file(page: str) -> None:
    reading = read_page(page.encode())
    assert [(DEAL, 5, "Ada", 2)] == reading.records.select("deal", "board", "south", "line").rows()
    assert [] == codes(reading.problems)


@pytest.mark.parametrize("page", ["<html><a href=\"{}\" class='x'>", "{}", "It's here: {}", "<html><a href='{}'>y</a>"])
def test_a_name_may_have_an_apostrophe(page: str) -> None:
    encoded = quote(HAND.replace("Ada", "O'Ada"), safe="'")
    link = f"{ADDRESS}lin={encoded.replace(chr(39), '&#39;') if chr(39) + '{' in page else encoded}"
    assert ["O'Ada"] == read_page(page.format(link).encode()).records["south"].to_list()


@pytest.mark.parametrize(
    ("head", "is_links"),
    [
        (f"{ADDRESS}lin={HAND}", True),
        (quote(HAND), True),
        (f"{HAND}nt|ann: see {ADDRESS}lin={quote(HAND)}|pg||", False),
        (f'[Event "Cup"]\n{{see {ADDRESS}lin={quote(HAND)}}}', False),
        (f"{HAND}mb|p|", False),
    ],
)
def test_a_file_that_mentions_links_is_not_a_list_of_links(head: str, *, is_links: bool) -> None:
    assert is_links == is_page(head.encode())


def test_a_repeated_link_is_read_once_and_each_other_link_in_its_place() -> None:
    one, other = quote(HAND), quote(HAND.replace("Board 5", "Board 6"))
    page = "\n".join(f"{ADDRESS}lin={text}" for text in (one, other, one))
    assert [(5, 1), (6, 2)] == read_page(page.encode()).records.select("board", "line").rows()


def test_bytes_that_are_no_unicode_are_read_as_western() -> None:
    page = f"{ADDRESS}lin={quote(HAND).replace('Ada', 'Ad%E8le')}"
    assert ["Adèle"] == read_page(page.encode()).records["south"].to_list()


@pytest.mark.parametrize("page", ["<html></html>", "<html><a href='?lin='>", "<html><a href='?lin=hello'>"])
def test_a_page_without_hands_is_reported(page: str) -> None:
    assert ["file-no-games"] == codes(read_page(page.encode()).problems)


VIEWER = "https://www.example.org/tools/handviewer.html?"
HANDS_OF_LINK = f"s={HANDS[0]}&w={HANDS[1].lower()}&n={HANDS[2]}"


@pytest.mark.parametrize("page", ["{}", "<html>\n<a href='{}'>", '<html>\n<iframe src="{}"></iframe>'])
def test_the_parts_of_a_link_are_read_like_a_file(page: str) -> None:
    link = f"{VIEWER}{HANDS_OF_LINK}&d=w&v=b&b=5&a=-1Np(weak!)2c!(asks)pp{{hm}}p&p=D8D3{{well}}&c=9&nn=Ann%20B&sn=Cy"
    reading = read_page(page.format(link if page == "{}" else link.replace("&", "&amp;")).encode())
    assert [(DEAL, 5, "W", "All", "Ann B", "Cy", None)] == (
        reading.records.select("deal", "board", "dealer", "vulnerable", "north", "south", "east").rows()
    )
    assert [[7, 0, 8, 0, 0, 0]] == reading.records["calls"].to_list()
    assert [9] == reading.records["tricks"].to_list()
    said = reading.annotations.select("part", "index", "kind", "text").rows()
    assert [
        ("auction", 1, "explanation", "weak!"),
        ("auction", 2, "alert", "!"),
        ("auction", 2, "explanation", "asks"),
        ("auction", 4, "comment", "hm"),
        ("play", 1, "comment", "well"),
    ] == said


def test_an_explanation_that_is_not_closed_goes_to_the_end() -> None:
    reading = read_page(f"{VIEWER}{HANDS_OF_LINK}&a=1Np(weak%20pp".encode())
    assert [[7, 0]] == reading.records["calls"].to_list()
    assert [(1, "weak pp")] == reading.annotations.select("index", "text").rows()


def test_north_deals_where_a_link_does_not_say() -> None:
    assert ["N"] == read_page(f"{VIEWER}{HANDS_OF_LINK}".encode()).records["dealer"].to_list()


@pytest.mark.parametrize("query", ["n=hello", "n=", "b=5", "lin=", "s=SAK|&n=x"])
def test_a_link_without_a_hand_is_none(query: str) -> None:
    assert 0 == len(read_page(f"<html>{VIEWER}{query}".encode()).records)
