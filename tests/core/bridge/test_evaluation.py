"""Points and shapes of hands."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.cards import high_card_points, owners
from overtrick.core.bridge.par import evaluated, suit_lengths
from tests.support.deals import random_boards
from tests.support.plays import as_boards

DEAL = "N:AKQ2.KJ4.T98.765 .AQ9872.J2.AKQJT 98765.T53.AKQ76. JT43.6.543.98432"


def test_points_are_told_by_seat() -> None:
    hands = evaluated(pl.Series([DEAL])).row(0, named=True)
    assert [13, 17, 9, 1] == [hands[f"points_{seat}"] for seat in "nesw"]


def test_a_hand_counts_the_cards_that_it_shows() -> None:
    assert [0, 0, 0, 1] == suit_lengths(owners(pl.Series(["N:A... - - -"])))[0, 0].tolist()


def test_lengths_are_told_spades_first_and_shapes_longest_first() -> None:
    hands = evaluated(pl.Series([DEAL])).row(0, named=True)
    assert ["4=3=3=3", "0=6=2=5", "5=3=5=0", "4=1=3=5"] == [hands[f"lengths_{seat}"] for seat in "nesw"]
    assert ["4333", "6520", "5530", "5431"] == [hands[f"shape_{seat}"] for seat in "nesw"]
    assert [True, False, False, False] == [hands[f"balanced_{seat}"] for seat in "nesw"]


def test_distribution_is_counted_by_short_or_by_long_suits() -> None:
    hands = evaluated(pl.Series([DEAL])).row(0, named=True)
    assert [0, 4, 3, 2] == [hands[f"short_{seat}"] for seat in "nesw"]
    assert [0, 3, 2, 1] == [hands[f"long_{seat}"] for seat in "nesw"]


def test_a_hand_that_is_not_shown_whole_is_not_evaluated() -> None:
    hands = evaluated(pl.Series(["N:AKQ2.KJ4.T98.765 - 9... -", None])).select("points_n", "points_e", "shape_s")
    assert [(13, None, None), (None, None, None)] == hands.rows()


@given(st.integers(0, 10**6))
def test_a_deal_has_40_points_and_13_cards_of_each_suit(seed: int) -> None:
    owner = as_boards(random_boards(3, seed)).owner
    assert [40, 40, 40] == high_card_points(owner).sum(axis=1).tolist()
    assert {13} == set(suit_lengths(owner).sum(axis=1).ravel().tolist())
    assert {13} == set(suit_lengths(owner).sum(axis=2).ravel().tolist())


def test_no_deals_have_no_hands() -> None:
    assert (0, 24) == evaluated(pl.Series([], dtype=pl.String)).shape
