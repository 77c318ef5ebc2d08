"""Addresses with which readers report errors."""

from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from overtrick.core.languages import open_language
from overtrick.show.html.report_links import fill_contact

ABOUT = {"evening": "Tuesday & Co", "date": "3 March 2026", "board": "6", "pair": "", "page": "board-6/"}


def href(contact: str, **about: str) -> str:
    link = fill_contact(contact, {**ABOUT, **about}, open_language("en"))
    assert link
    return link.href


@pytest.mark.parametrize("contact", ["results@club.example", "mailto:results@club.example"])
def test_a_mail_has_evening_board_and_pair(contact: str) -> None:
    parts = urlsplit(href(contact, pair="3 Ann Ash"))
    assert ("mailto", "results@club.example") == (parts.scheme, parts.path)
    fields = parse_qs(parts.query)
    assert ["Tuesday & Co, 3 March 2026: Board 6, 3 Ann Ash"] == fields["subject"]
    assert "Evening: Tuesday & Co, 3 March 2026\r\nBoard: 6\r\nPair: 3 Ann Ash\r\nPage: board-6/" in fields["body"][0]


def test_a_form_gets_them_in_its_query() -> None:
    parts = urlsplit(href("https://club.example/report?to=td#form", pair="3"))
    fields = parse_qs(parts.query)
    assert (["td"], ["Tuesday & Co"], ["6"], ["3"]) == tuple(fields[key] for key in ("to", "evening", "board", "pair"))
    assert "form" == parts.fragment


def test_a_form_may_say_where_they_go() -> None:
    assert "https://form.example/?entry.1=6&entry.2=Tuesday%20%26%20Co" == href(
        "https://form.example/?entry.1={board}&entry.2={evening}"
    )


def test_the_pair_is_left_open_for_a_reader_whom_the_page_knows() -> None:
    link = fill_contact("results@club.example", ABOUT, open_language("en"))
    assert link
    assert "Pair: {pair}" in unquote(link.with_pair)


def test_without_a_contact_there_is_no_link() -> None:
    assert fill_contact("", ABOUT, open_language("en")) is None
