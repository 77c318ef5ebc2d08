"""Cards and deals as numbers."""

from random import Random

import polars as pl
import pytest

from overtrick.core.bridge.cards import (
    CARDS,
    FULL_DECK,
    STRAINS,
    UNKNOWN,
    code,
    hand_cards,
    hands,
    held,
    high_card_points,
    owners,
)

EACH_A_SUIT = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
"""North holds the spades, East the hearts, South the diamonds, West the clubs."""


def holders(*deals: str | None) -> list[list[int]]:
    return [list(row) for row in owners(pl.Series(deals, dtype=pl.String)).tolist()]


def test_cards_run_from_the_club_two_to_the_spade_ace() -> None:
    assert ("C2", "CA", "D2", "SA") == (CARDS[0], CARDS[12], CARDS[13], CARDS[51])


def test_each_card_has_its_holder() -> None:
    west, south, east, north = 3, 2, 1, 0
    assert [[west] * 13 + [south] * 13 + [east] * 13 + [north] * 13] == holders(EACH_A_SUIT)


def test_a_hand_that_is_not_shown_leaves_its_cards_without_a_holder() -> None:
    only_north_and_south = "N:AKQJT98765432... - ..AKQJT98765432. -"
    assert [[UNKNOWN] * 13 + [2] * 13 + [UNKNOWN] * 13 + [0] * 13] == holders(only_north_and_south)


def test_a_deal_that_is_not_known_has_no_holders() -> None:
    assert [[UNKNOWN] * 52] == holders(None)


def test_whole_deals_and_partial_ones_keep_their_order() -> None:
    partial = "N:A... - - -"
    spade_ace = [row[51] for row in holders(partial, EACH_A_SUIT, None)]
    assert [0, 0, UNKNOWN] == spade_ace
    assert [UNKNOWN, 0, UNKNOWN] == [row[50] for row in holders(partial, EACH_A_SUIT, None)]


def test_a_card_in_two_hands_goes_to_the_later_one() -> None:
    spade_ace_north_and_west = "N:A... - - A..."
    assert holders(spade_ace_north_and_west)[0][51] == 3


def test_a_hand_is_a_set_of_cards() -> None:
    spades = 0x1FFF << 39
    west = FULL_DECK & ~(spades | spades >> 13 | spades >> 26)
    assert [[spades, spades >> 13, spades >> 26, west]] == held(pl.Series([EACH_A_SUIT])).tolist()
    assert [[1 << 51, 0, 0, 0], [0] * 4] == held(pl.Series(["N:A... - - -", None])).tolist()


def test_a_card_is_in_one_hand_only_whatever_the_deal_says() -> None:
    assert [[0, 0, 0, 1 << 51]] == held(pl.Series(["N:A... - - A..."])).tolist()
    spade_ace_for_the_heart_two = EACH_A_SUIT.replace("32.. ..", "3.. ..").replace(" .AKQJ", " A.AKQJ")
    assert [12, 13, 13, 13] == [
        cards.bit_count() for cards in held(pl.Series([spade_ace_for_the_heart_two]))[0].tolist()
    ]


def test_a_name_has_its_place_and_a_word_that_is_none_has_no_place() -> None:
    named = pl.DataFrame({"strain": ["C", "NT", "x", None]})
    assert [0, 4, None, None] == named.select(code(pl.col("strain"), STRAINS)).to_series().to_list()


def test_any_shuffled_deck_is_read_as_it_was_dealt() -> None:
    random = Random(7)
    dealt = [random.sample([0, 1, 2, 3] * 13, 52) for _ in range(200)]
    assert dealt == holders(*(deal_text(seats) for seats in dealt))


def deal_text(seats: list[int]) -> str:
    def suit(seat: int, number: int) -> str:
        cards = range(13 * number + 12, 13 * number - 1, -1)
        return "".join(CARDS[card][1] for card in cards if seats[card] == seat)

    return "N:" + " ".join(".".join(suit(seat, number) for number in (3, 2, 1, 0)) for seat in range(4))


def test_hands_come_north_first_and_a_dash_is_no_hand() -> None:
    assert [[51], None, [], [0, 1]] == hands("N:A... - ... ...23")


@pytest.mark.parametrize(("cards", "text"), [(None, "-"), ([], "..."), ([51, 25, 0], "A..A.2"), ([51], "Ax...")])
def test_one_hand_reads_spades_first(cards: list[int] | None, text: str) -> None:
    assert hand_cards(text) == cards


def test_a_suit_is_worth_ten_points() -> None:
    assert [[10, 10, 10, 10]] == high_card_points(owners(pl.Series([EACH_A_SUIT]))).tolist()


def test_aces_count_four_and_jacks_one() -> None:
    deal = "N:A.A.A.A K.K.K.K Q.Q.Q.Q J.J.J.J"
    assert [[16, 12, 8, 4]] == high_card_points(owners(pl.Series([deal]))).tolist()


def test_points_of_hands_that_are_not_known_are_nobodys() -> None:
    assert [[4, 0, 0, 0]] == high_card_points(owners(pl.Series(["N:A... - - -"]))).tolist()
