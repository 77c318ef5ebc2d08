"""A pair's evening, board by board."""

import re

from overtrick.core.config import Config
from overtrick.show.html.evenings import turn_seats
from overtrick.show.html.html import render_site
from tests.support.pages import parse, text_of
from tests.support.public import make_session_page
from tests.support.render_sample import evening, large_evening

PAGE = make_session_page(evening(), Config())


def test_the_diagram_is_turned_so_that_the_pair_sits_below() -> None:
    assert ("North", "East", "South", "West") == turn_seats(0)
    assert ("East", "South", "West", "North") == turn_seats(1)
    assert {0} == {card.turn for card in PAGE.evenings["pair-1/index.html"].cards}
    assert {1} == {card.turn for card in PAGE.evenings["pair-11/index.html"].cards}


def test_a_card_counts_the_tables_with_the_same_contract() -> None:
    page = make_session_page(large_evening(boards=1, tables=5), Config())
    (card,) = next(iter(page.evenings.values())).cards
    assert card.fellows is not None
    same = [
        row for row in page.boards[0].rows if row.contract == card.row.contract and row.declarer == card.row.declarer
    ]
    assert (len(same), 5) == (card.fellows.times, card.fellows.tables)


def test_every_table_is_a_dot_and_the_pair_has_its_own() -> None:
    page = make_session_page(large_evening(boards=1, tables=5), Config())
    (card,) = next(iter(page.evenings.values())).cards
    assert card.dots is not None
    assert (5, 1) == (_count_dots(card.dots.path), _count_dots(card.dots.own))


def _count_dots(path: str) -> int:
    """Return how many dots the dashes of a path make: `M5 5v21` has three, at its start and every ten units."""
    return sum(int(length) // 10 + 1 for length in re.findall("v([0-9]+)", path))


def test_the_page_shows_the_boards_in_the_order_played() -> None:
    text = text_of(parse(render_site(PAGE)["pair-1/evening/index.html"]))
    assert text.index("Board 1 against") < text.index("Board 3 against")
    assert "Nobody else of 3 tables played 4♠" in text


def test_a_club_may_leave_the_pages_out() -> None:
    config = Config.model_validate({"site": {"evenings": False}})
    assert {} == make_session_page(evening(), config).evenings
