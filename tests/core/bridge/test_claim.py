"""What a play that was cut short leaves room for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.cards import SEATS
from overtrick.core.bridge.claim import trick_under_way, tricks_by_winners
from overtrick.core.bridge.play import replay_plays
from tests.support.deals import Board
from tests.support.plays import as_boards, one_play, played_boards

DEAL = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"
SIX_TRICKS = "SK H3 S4 S3 C5 C2 C6 CK S2 H6 S5 S7 C8 CA CT C4 D2 DA DT D3 D4 DK H5 H7"


def reach(play: str, *, deal: str = DEAL, declarer: str = "S") -> tuple[int, int]:
    boards = one_play(deal, play, strain="H")
    played = replay_plays(boards)
    seat = np.array([SEATS.index(declarer)], dtype=np.uint8)
    fewest, most = tricks_by_winners(played.winner, seat)
    wins, loses = trick_under_way(boards, played.leader, played.turns, seat)
    return int(fewest[0] + wins[0]), int(most[0] - loses[0])


def test_every_trick_not_played_can_go_either_way() -> None:
    assert (6, 13) == reach(SIX_TRICKS)
    assert (0, 13) == reach("")
    assert (0, 7) == reach(SIX_TRICKS, declarer="E")


def test_a_trick_that_the_hands_decide_is_decided() -> None:
    # South leads a small trump to the ace and ten on his left and the king and queen on his right.
    assert (6, 12) == reach(f"{SIX_TRICKS} - - - H2")
    assert (1, 7) == reach(f"{SIX_TRICKS} - - - H2", declarer="E")


def test_a_trick_that_either_side_may_win_stays_open() -> None:
    assert (0, 13) == reach("S2 - - -")


@pytest.mark.parametrize("deal", ["N:.63.AKQ987.A9732 - J973.J98742.3.K4 -", "N:- - - -"])
def test_hands_that_are_not_shown_decide_nothing(deal: str) -> None:
    assert (0, 13) == reach("DT - - -", deal=deal)


def test_after_an_unknown_card_no_hand_is_sure() -> None:
    assert (5, 13) == reach(SIX_TRICKS.replace("D4 DK", "- DK") + " - - - H2")


@given(played_boards(), st.integers(0, 52))
def test_however_the_play_was_cut_short_its_own_end_was_in_reach(board: Board, cut: int) -> None:
    assert board.contract
    order = _in_order_of_play(board)
    shown = set(order[:cut])
    rows = [card if card in shown else 255 for row in board.rows for card in row]
    boards = as_boards([board], [rows])
    played = replay_plays(boards)
    declarer = np.array([board.contract.declarer], dtype=np.uint8)
    fewest, most = tricks_by_winners(played.winner, declarer)
    wins, loses = trick_under_way(boards, played.leader, played.turns, declarer)
    assert board.tricks is not None
    assert fewest[0] + wins[0] <= board.tricks <= most[0] - loses[0]
    assert not (wins & loses).any()


def _in_order_of_play(board: Board) -> list[int]:
    assert board.leader is not None
    leaders = [board.leader, *board.winners[:-1]]
    return [
        row[(leader - board.leader + turn) % 4]
        for row, leader in zip(board.rows, leaders, strict=True)
        for turn in range(4)
    ]
