"""Plays as pages set them out."""

import polars as pl

from overtrick.bridge.cards import CARDS
from overtrick.bridge.replays import plays
from overtrick.frames import ANNOTATIONS, RECORDS
from overtrick.render.context_tables import Play
from overtrick.render.plays import play
from tests.support.builders import frame

DEAL = "N:AQ64.J4.Q98543.7 T8.Q653.KJT76.K2 KJ.KT87..AQJT543 97532.A92.A2.986"


def shown(text: str, start: str = "W", strain: str = "S", declarer: str = "S") -> Play | None:
    cards = [CARDS.index(card) if card in CARDS else 255 for card in text.split()]
    row = {"record": 0, "deal": DEAL, "strain": strain, "declarer": declarer, "play_start": start, "cards": cards}
    records = frame(RECORDS, [row])
    return play(cards, start, plays(records, pl.DataFrame(schema=frame(ANNOTATIONS, []).schema)), 0)


def test_tricks_stand_from_west_with_leader_and_winner() -> None:
    one = shown("D2 D3 DK SJ S2 S4 S8 SK")
    assert one is not None
    first, second = one.tricks
    assert ["West", "North", "East", "South"] == [card.seat for card in first.cards]
    assert [True, False, False, False] == [card.leads for card in first.cards]
    assert ("South", "South") == (first.winner, second.winner)
    assert ("2", "0") == (second.won_ns, second.won_ew)


def test_tricks_that_nobody_wrote_down_are_counted() -> None:
    one = shown("D2 D3 DK SJ")
    assert one is not None
    assert 12 == one.rest


def test_a_card_that_is_not_known_is_left_empty() -> None:
    one = shown("D2 - DK SJ")
    assert one is not None
    assert ["D2", "", "DK", "SJ"] == [card.code for card in one.tricks[0].cards]


def test_without_cards_there_is_no_play() -> None:
    assert shown("") is None
