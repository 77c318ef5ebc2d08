"""What a revoke costs (Law 64, and two tricks by the house rule)."""

import numpy as np
import pytest

from overtrick.core.bridge.cards import SEATS, UNKNOWN
from overtrick.core.bridge.claim import Revokes, Rule, transferred_tricks

Revoke = tuple[int, str]
"""Number of the trick, from 1, and who revoked."""


def cost(winners: str, *revokes: Revoke, declarer: str = "S", rule: Rule = "law-64", suits: str = "CDHS") -> int:
    """Say how many tricks declarer's side gains; `winners` names them trick by trick."""
    won = [SEATS.index(seat) if seat in SEATS else UNKNOWN for seat in winners.ljust(13, ".")]
    return int(
        transferred_tricks(
            Revokes(
                board=np.zeros(len(revokes), dtype=np.int64),
                trick=np.array([number - 1 for number, _ in revokes], dtype=np.int64),
                player=np.array([SEATS.index(seat) for _, seat in revokes], dtype=np.uint8),
                suit=np.array(["CDHS".index(suit) for suit in suits[: len(revokes)]], dtype=np.uint8),
            ),
            np.array([won], dtype=np.uint8),
            np.array([SEATS.index(declarer)], dtype=np.uint8),
            rule,
        )[0]
    )


def test_declarer_who_wins_the_revoke_trick_himself_and_a_later_one_gives_up_two() -> None:
    assert -2 == cost("SSSSSSSSSWWSE", (5, "S"))


def test_a_revoke_trick_won_in_dummy_is_not_declarer_s_own() -> None:
    assert -1 == cost("SSSSNSSSSWWSE", (5, "S"))


def test_a_defender_whose_partner_wins_the_revoke_trick_gives_up_one() -> None:
    assert 1 == cost("SSSSWWESSSSSS", (5, "E"))


def test_a_defender_who_wins_the_revoke_trick_and_whose_side_wins_later_gives_up_two() -> None:
    assert 2 == cost("SSSSEWESSSSSS", (5, "E"))


def test_a_player_who_wins_the_revoke_trick_and_nothing_later_loses_one() -> None:
    assert 1 == cost("SSSSESSSSSSSS", (5, "E"))


def test_a_later_trick_alone_is_given_up() -> None:
    assert 1 == cost("SSSSSSSSSSSEW", (5, "E"))


def test_tricks_before_the_revoke_are_safe() -> None:
    assert 0 == cost("EWEWSSSSSSSSS", (5, "E"))


def test_dummy_s_revoke_costs_nothing() -> None:
    assert 0 == cost("SSSSNSSSSSSSS", (5, "N"))


def test_a_second_revoke_in_the_same_suit_costs_nothing_more() -> None:
    winners = "SSSSESESSSSSW"
    assert 2 == cost(winners, (5, "E"), (7, "E"), suits="CC")
    assert 3 == cost("SSSSESSWESSSS", (5, "E"), (8, "E"), suits="CD")


def test_no_side_gives_up_more_than_it_won() -> None:
    assert 2 == cost("SSSSEESSSSSSS", (5, "E"), (6, "E"), suits="CD")


def test_where_both_sides_revoked_the_director_restores_equity() -> None:
    assert 0 == cost("SSSSEWSSSSSSS", (5, "E"), (7, "S"))


@pytest.mark.parametrize(
    ("winners", "player", "expected"),
    [("SSSSNSSSSWWSE", "S", -2), ("SSSSSSSSSWWSE", "S", -2), ("SSSSWWESSSSSS", "E", 2), ("SSSSEWESSSSSS", "E", 2)],
)
def test_by_the_house_rule_a_revoke_costs_two_whoever_won_the_trick(winners: str, player: str, expected: int) -> None:
    assert expected == cost(winners, (5, player), rule="two-tricks")


@pytest.mark.parametrize(("rule", "expected"), [("two-tricks", 1), ("two-tricks-any", 2), ("law-64", 1)])
def test_the_house_rule_has_two_readings_of_tricks_that_are_available(rule: Rule, expected: int) -> None:
    assert expected == cost("EWEWSSSSSSSSE", (5, "E"), rule=rule)


def test_the_house_rule_takes_no_more_than_there_are() -> None:
    assert 1 == cost("SSSSSSSSSSSSE", (5, "E"), rule="two-tricks-any")
    assert 0 == cost("SSSSSSSSSSSSS", (5, "E"), rule="two-tricks-any")


def test_a_trick_without_a_known_winner_is_given_up_by_nobody() -> None:
    assert 0 == cost("SSSSS", (5, "E"))


def test_boards_without_revokes_keep_their_tricks() -> None:
    assert 0 == cost("SSSSSSSSSSSSS")


def test_each_board_has_its_own_account() -> None:
    winner = np.array([[0] * 13, [1] * 13, [2] * 13], dtype=np.uint8)
    revokes = Revokes(
        np.array([0, 1]), np.array([0, 0]), np.array([2, 1], dtype=np.uint8), np.array([0, 0], dtype=np.uint8)
    )
    declarer = np.array([2, 2, 2], dtype=np.uint8)
    assert [-1, 2, 0] == transferred_tricks(revokes, winner, declarer).tolist()
