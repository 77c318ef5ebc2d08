"""What happened at the tables of a board."""

from pathlib import Path

import polars as pl
import pytest

from overtrick.core.bridge.cards import CARDS
from overtrick.core.bridge.replays import plays
from overtrick.core.config import Config
from overtrick.core.frames import ANNOTATIONS, RECORDS
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.replay_pages import Play, make_play
from tests.support.builders import frame
from tests.support.evaluating import evaluate
from tests.support.public import make_session_page
from tests.support.site_sample import pairs_evening, team_match


def first_board(tmp_path: Path, text: str) -> BoardPage:
    source = tmp_path / "evening.pbn"
    source.write_text(text)
    return make_session_page(evaluate([str(source)], Config()), Config()).boards[0]


def test_a_table_alone_needs_no_name(tmp_path: Path) -> None:
    board = first_board(tmp_path, pairs_evening(1, 1))
    assert [""] == [one.heading for one in board.replays]
    assert not board.replays_apart


def test_rooms_of_a_match_are_shown_side_by_side(tmp_path: Path) -> None:
    board = first_board(tmp_path, team_match())
    assert [("Open Room", "open"), ("Closed Room", "closed")] == [(one.heading, one.slug) for one in board.replays]
    assert not board.replays_apart


def test_many_tables_have_pages_of_their_own_that_the_traveller_leads_to(tmp_path: Path) -> None:
    board = first_board(tmp_path, pairs_evening(1, 3))
    assert board.replays_apart
    assert {"table-1", "table-2", "table-3"} == {row.replay for row in board.rows}


def test_players_are_listed_from_west(tmp_path: Path) -> None:
    (one,) = first_board(tmp_path, pairs_evening(1, 1)).replays
    assert ("Ann Vale A.", "Bo Lind A.", "Cy Marsh A.", "Di Holm A.") == one.players


@pytest.mark.parametrize("word", ["md%7C1S", "mb%7C1S", "an%7Cfive%20%21S%20or%20more", "pc%7C"])
def test_the_hand_viewer_gets_deal_auction_explanations_and_play(tmp_path: Path, word: str) -> None:
    (one,) = first_board(tmp_path, pairs_evening(1, 1)).replays
    assert word in one.viewer


def test_shape_points_and_double_dummy_go_with_the_deal(tmp_path: Path) -> None:
    board = first_board(tmp_path, pairs_evening(1, 1))
    assert 40 == sum(hand.points or 0 for hand in board.hands)
    assert all(13 == sum(map(int, hand.shape)) for hand in board.hands)
    assert board.double_dummy[0].par.endswith("N-S +650")


SCORED = """[Event "Club pairs"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Scoring "MatchPoints"]
[Declarer "{declarer}"]
[Contract "4S"]
[Result "9"]
[Auction "N"]
1S Pass 4S Pass
Pass Pass
[ScoreTable "PairId_NS\\2R;PairId_EW\\2R;Contract\\4L;Declarer\\1R;Result\\2R;Score_NS\\5R"]
 1 11 4S   N  9   -50
 2 12 4S   N 10   420
 3 13 4S   S 10   420
"""


def test_an_auction_above_a_score_table_belongs_to_the_one_table_with_its_result(tmp_path: Path) -> None:
    board = first_board(tmp_path, SCORED.format(declarer="N"))
    assert ["\u221250"] == [one.score for one in board.replays]
    assert {"1": True, "2": False, "3": False} == {row.ns.id: bool(row.replay) for row in board.rows}


def test_an_auction_that_no_table_of_the_score_table_fits_has_no_score_and_nobody_at_the_table(tmp_path: Path) -> None:
    board = first_board(tmp_path, SCORED.format(declarer="W"))
    assert [("", ("", ""))] == [(one.score, one.anchors) for one in board.replays]
    assert not any(row.replay for row in board.rows)


DEAL = "N:AQ64.J4.Q98543.7 T8.Q653.KJT76.K2 KJ.KT87..AQJT543 97532.A92.A2.986"


def shown(text: str, start: str = "W", strain: str = "S", declarer: str = "S") -> Play | None:
    cards = [CARDS.index(card) if card in CARDS else 255 for card in text.split()]
    row = {"record": 0, "deal": DEAL, "strain": strain, "declarer": declarer, "play_start": start, "cards": cards}
    records = frame(RECORDS, [row])
    return make_play(cards, start, plays(records, pl.DataFrame(schema=frame(ANNOTATIONS, []).schema)), 0)


def test_tricks_are_listed_from_west_with_leader_and_winner() -> None:
    one = shown("D2 D3 DK SJ S2 S4 S8 SK")
    assert one is not None
    first, second = one.tricks
    assert ["West", "North", "East", "South"] == [card.seat for card in first.cards]
    assert [True, False, False, False] == [card.leads for card in first.cards]
    assert ("South", "South") == (first.winner, second.winner)
    assert ("2", "0") == (second.won_ns, second.won_ew)


def test_tricks_that_were_not_recorded_are_counted() -> None:
    one = shown("D2 D3 DK SJ")
    assert one is not None
    assert 12 == one.rest


def test_a_card_that_is_not_known_is_left_empty() -> None:
    one = shown("D2 - DK SJ")
    assert one is not None
    assert ["D2", "", "DK", "SJ"] == [card.code for card in one.tricks[0].cards]


def test_without_cards_there_is_no_play() -> None:
    assert shown("") is None
