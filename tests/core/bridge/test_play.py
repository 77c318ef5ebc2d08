"""Plays replayed against the Laws (44 to 46 and 61)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.cards import SEATS, UNKNOWN
from overtrick.core.bridge.play import PlayFault, join_lots, replay_plays
from tests.support.deals import Board, random_boards
from tests.support.plays import Referee, as_boards, faults, played_boards, replayed, winners

DEAL = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"
FOUR_SUITS = "N:.AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432 AKQJT98765432..."
PLAY = "SK H3 S4 S3 C5 C2 C6 CK S2 H6 S5 S7 C8 CA CT C4 D2 DA DT D3 D4 DK H5 H7"


def test_the_highest_trump_wins_else_the_highest_of_the_suit_led() -> None:
    played = replayed(DEAL, PLAY, strain="H")
    assert ("NSNNNS", []) == (winners(played), faults(played))
    assert [1, 2, 3, 4, 5, 6] == played.won(0)[0, :6].tolist()
    assert 0 == played.won(1)[0, -1]


def test_the_winner_leads_to_the_next_trick() -> None:
    assert ["W", "N", "S", "N", "N", "N", "S"] == [SEATS[s] for s in replayed(DEAL, PLAY, strain="H").leader[0, :7]]


def test_a_trick_that_hangs_on_an_unknown_strain_is_nobody_s() -> None:
    unknown = replay_plays(as_boards(random_boards(1, 3, claims=0.0)))
    assert unknown.winner.shape == (1, 13)
    played = replayed(DEAL, "SK SA", strain="NT")
    assert "" == winners(played)


def test_a_card_of_another_hand_is_named_with_its_holder() -> None:
    played = replayed(FOUR_SUITS, "SA HA DA CA SJ HJ DJ S2")
    assert [(7, PlayFault.NOT_HELD)] == faults(played)
    assert "W" == SEATS[played.faults.other[0]]


def test_a_card_can_t_be_played_twice() -> None:
    assert [(6, PlayFault.AGAIN)] == faults(replayed(FOUR_SUITS, "SA HA DA CA SJ HJ DA CJ"))
    assert [(1, PlayFault.AGAIN)] == faults(replayed(None, "SA SA"))


def test_a_player_who_can_follow_suit_must() -> None:
    played = replayed("N:.AKQJT9876543.2. ..AKQJT9876543.2 2...AKQJT9876543 AKQJT9876543.2..", "SA HA DA CA")
    assert [(3, PlayFault.REVOKE)] == faults(played)
    assert ("S", 51) == (SEATS[played.faults.player[0]], played.faults.other[0])


@pytest.mark.parametrize(
    ("next_trick", "east", "south"), [("", False, False), ("S2 - - -", True, False), ("S2 H6 - -", True, True)]
)
def test_a_revoke_is_established_when_its_side_plays_on(next_trick: str, east: bool, south: bool) -> None:
    played = replayed(DEAL, f"SQ D7 DT D3 {next_trick}", strain="H")
    assert [(2, PlayFault.REVOKE), (3, PlayFault.REVOKE)] == faults(played)
    assert [east, south] == played.faults.established.tolist()


def test_a_revoke_is_established_up_to_the_eleventh_trick() -> None:
    """In tricks 11 and 12 a player exchanges the card that follows suit with his last one."""
    boards = [board for board in random_boards(80, 3, claims=0.0) if board.contract]
    established = {}
    for trick in (10, 11):
        plays = []
        for board in boards:
            rows = [list(row) for row in board.rows]
            for column in range(4):
                rows[trick][column], rows[12][column] = rows[12][column], rows[trick][column]
            plays.append([card for row in rows for card in row])
        found = replay_plays(as_boards(boards, plays)).faults
        here = (found.fault == PlayFault.REVOKE) & (found.place // 4 == trick)
        assert here.any()
        established[trick] = set(found.established[here].tolist())
    assert {10: {True}, 11: {False}} == established


def test_a_lead_out_of_turn_that_is_recorded_is_followed() -> None:
    rows = "SK H3 S4 S3 D2 C2 CT D3"
    usual, recorded = replayed(DEAL, rows, strain="H"), replayed(DEAL, rows, strain="H", leads=".S")
    assert ("NE", [(4, PlayFault.REVOKE), (7, PlayFault.REVOKE)]) == (winners(usual), faults(usual))
    assert ("NS", [(5, PlayFault.REVOKE), (6, PlayFault.REVOKE)]) == (winners(recorded), faults(recorded))


def test_a_card_before_its_turn_is_named_in_the_last_trick_only() -> None:
    assert [(1, PlayFault.OUT_OF_TURN)] == faults(replayed(DEAL, "- H3 - -", strain="H"))
    assert [] == faults(replayed(DEAL, "SK H3 S4 S3 - C2 - -", strain="H"))
    assert [(7, PlayFault.OUT_OF_TURN)] == faults(replayed(DEAL, "SK H3 S4 S3 - - - CK", strain="H"))


def test_the_opening_lead_is_that_of_declarer_s_left_hand_opponent() -> None:
    played = replayed(DEAL, "S3 SK H3 S4", first="S", leader="W", strain="H")
    assert ("W", "N", []) == (SEATS[played.leader[0, 0]], winners(played), faults(played))


def test_the_first_column_has_led_where_nobody_else_can_have() -> None:
    played = replayed(DEAL, "S3 SK H3 S4", first="S", leader="N", strain="H")
    assert ("S", "N", []) == (SEATS[played.leader[0, 0]], winners(played), faults(played))


def test_the_first_column_has_led_where_it_alone_has_a_card() -> None:
    played = replayed(DEAL, "S3 - - -", first="S", leader="N", strain="H")
    assert ("S", []) == (SEATS[played.leader[0, 0]], faults(played))
    assert [(1, PlayFault.OUT_OF_TURN)] == faults(replayed(DEAL, "- SK - -", first="S", leader="N", strain="H"))


def test_the_player_who_is_due_has_led_where_both_are_as_likely() -> None:
    played = replayed(DEAL, "S3 HA H3 S4", first="S", leader="N", strain="H")
    assert ("N", [(0, PlayFault.REVOKE), (3, PlayFault.REVOKE)]) == (SEATS[played.leader[0, 0]], faults(played))


def test_hidden_hands_are_not_judged_but_their_cards_are_known_to_be_elsewhere() -> None:
    hidden = "N:- A8654.KQ5.T.QJT6 - KQT2.AT.J6542.85"
    assert [] == faults(replayed(hidden, "SK H3 S4 S3", strain="H"))
    assert [(1, PlayFault.NOT_HELD)] == faults(replayed(hidden, "SK SA S4 S3", strain="H"))


def test_a_card_that_may_have_been_played_unseen_is_no_revoke() -> None:
    deal = "N:2.2..2 3.5.2. 4.3..3 65.9.."
    rest = "H9 H2 H5 H3 S6 C2 {east} C3"
    assert [(2, PlayFault.REVOKE)] == faults(replayed(deal, "S5 S2 D2 S4"))
    assert [] == faults(replayed(deal, "S5 S2 - S4 " + rest.format(east="D2")))


def test_deals_with_unequal_hands_are_laid_aside() -> None:
    assert [] == faults(replayed(DEAL.replace("KQT2", "KQT"), "S2 H3 S4 S3", strain="H"))


def test_after_a_card_that_can_t_be_only_sure_tricks_have_a_winner() -> None:
    played = replayed(FOUR_SUITS, "SA HA DA S2 SK HK DK CK SQ HQ DQ CQ", strain="H")
    assert ".NN" == winners(played)
    assert "" == winners(replayed(FOUR_SUITS, "SA HA DA S2 SK HK DK CK", strain="NT"))


def test_rows_that_begin_with_another_seat_are_turned_back_by_the_hands() -> None:
    rows = "SK H3 S4 S3 C2 C6 CK C5 S7 S2 H6 S5"
    played = replayed(DEAL, rows, strain="H")
    assert ("NSN", []) == (winners(played), faults(played))
    assert [0, 1, 3] == played.turns[0, :3].tolist()


def test_a_fault_in_a_turned_row_is_placed_as_written() -> None:
    played = replayed(DEAL, "SK H3 S4 S3 C2 S6 CK C5", strain="H")
    assert [(5, PlayFault.REVOKE)] == faults(played)
    assert "E" == SEATS[played.faults.player[0]]


def test_one_card_alone_turns_its_row_only_for_the_leader() -> None:
    assert [(6, PlayFault.NOT_HELD)] == faults(replayed(DEAL, "SK H3 S4 S3 - - CK -", strain="H"))
    assert [] == faults(replayed(DEAL, "SK H3 S4 S3 - - C2 -", strain="H"))


def test_lots_of_boards_are_put_together_in_their_order() -> None:
    boards = random_boards(12, 5)
    whole = replay_plays(as_boards(boards))
    lots = [replay_plays(as_boards(lot)) for lot in (boards[:7], boards[7:])]
    assert np.array_equal(whole.winner, join_lots(lots, 7).winner)
    wrong = [replayed(FOUR_SUITS, "SA HA DA S2"), replayed(FOUR_SUITS, "SA HA S3 CA")]
    assert [0, 1] == join_lots(wrong, 1).faults.board.tolist()


def test_random_boards_have_no_fault_and_their_own_winners() -> None:
    boards = random_boards(300, 11)
    played = replay_plays(as_boards(boards))
    assert 0 == len(played.faults.board)
    expected = [[*board.winners, *[UNKNOWN] * (13 - len(board.winners))] for board in boards]
    assert expected == played.winner.tolist()


@st.composite
def changed_plays(draw: st.DrawFn) -> tuple[Board, list[int]]:
    """A board and its play with up to three cards that were exchanged, or written in the place of others."""
    board = draw(played_boards())
    play = [card for row in board.rows for card in row]
    for _ in range(draw(st.integers(0, 3))):
        place, other = draw(st.integers(0, 51)), draw(st.integers(0, 51))
        play[place], play[other] = play[other], draw(st.sampled_from([play[place], play[other]]))
    return board, play


@given(st.lists(changed_plays(), min_size=1, max_size=4))
def test_all_plays_at_once_are_judged_like_one_card_after_the_other(changed: list[tuple[Board, list[int]]]) -> None:
    played = replay_plays(as_boards([board for board, _ in changed], [play for _, play in changed]))
    for number, (board, play) in enumerate(changed):
        if not played.turns[number].any():
            assert Referee(board).judge(play) == (faults(played, number), played.winner[number].tolist())


def test_the_holder_of_a_card_may_play_it_after_another_hand_showed_it() -> None:
    assert [(1, PlayFault.NOT_HELD)] == faults(replayed(DEAL, "SK S4 S6 S3 C5 C2 C6 CK S2 H6 S4 S7", strain="H"))


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_any_turn_of_the_rows_gives_the_same_winners(turn: int) -> None:
    boards = [board for board in random_boards(40, 7, claims=0.0) if board.contract]
    straight = as_boards(boards)
    rows = straight.cards.reshape(-1, 13, 4).copy()
    rows[:, 1::2] = np.roll(rows[:, 1::2], turn, axis=2)
    turned = replay_plays(as_boards(boards, rows.reshape(-1, 52).tolist()))
    assert np.array_equal(replay_plays(straight).winner, turned.winner)
    assert 0 == len(turned.faults.board)


def test_no_boards_give_no_plays() -> None:
    assert (0, 13) == replay_plays(as_boards([])).winner.shape
