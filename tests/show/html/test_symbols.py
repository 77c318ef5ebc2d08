"""Cards, hands and contracts as they are printed and spoken."""

import pytest

from overtrick.show.html.contestants import Card, Contract, format_result, make_card, make_contract, make_hands

DEAL = "N:AQT4.J4.Q98543.7 98.Q653.KJT76.K2 KJ.KT87..AQJT543 -"


@pytest.mark.parametrize(
    ("text", "spoken", "row"),
    [
        ("4♠X", "4 spades doubled", (4, "S", 1)),
        ("3NT", "3 notrump", (3, "NT", 0)),
        ("1♦XX", "1 diamond redoubled", (1, "D", 2)),
        ("2♥", "2 hearts", (2, "H", None)),
        ("Pass", "passed out", (0, None, None)),
        ("", "", (None, "H", 0)),
        ("", "", (4, None, 0)),
    ],
)
def test_a_contract_is_written_and_spoken(
    text: str, spoken: str, row: tuple[int | None, str | None, int | None]
) -> None:
    written = make_contract(*row)
    assert (text, spoken) == (written.text, written.spoken)


def test_a_contract_comes_in_its_parts_for_colouring() -> None:
    assert Contract("6♥X", "6", "hearts", "♥", "X", "6 hearts doubled") == make_contract(6, "H", 1)


def test_the_ten_is_written_10() -> None:
    assert Card("hearts", "♥", "10", "ten of hearts") == make_card("HT")


@pytest.mark.parametrize("text", [None, "", "H1", "<b>"])
def test_what_is_no_card_is_none(text: str | None) -> None:
    assert make_card(text) is None


@pytest.mark.parametrize(
    ("text", "level", "tricks"),
    [("=", 4, 10), ("+1", 4, 11), ("\u22122", 3, 7), ("", 0, 0), ("", 4, None), ("", None, 9)],
)
def test_a_result_compares_tricks_with_the_contract(text: str, level: int | None, tricks: int | None) -> None:
    assert text == format_result(level, tricks)


def test_a_hand_shows_its_suits_from_spades_down_with_a_dash_for_a_void() -> None:
    south = make_hands(DEAL)[2]
    assert [("♠", "K J"), ("♥", "K 10 8 7"), ("♦", "—"), ("♣", "A Q J 10 5 4 3")] == [
        (holding.symbol, holding.ranks) for holding in south.suits
    ]
    assert ("South", 14) == (south.seat, south.points)


def test_ranks_are_sorted_however_the_deal_writes_them() -> None:
    assert "A 10 2" == make_hands("N:2AT... - - -")[0].suits[0].ranks


def test_a_hand_is_one_sentence_for_screen_readers() -> None:
    assert (
        "South: spades king jack; hearts king ten eight seven; diamonds void; clubs ace queen jack ten five four three"
        == make_hands(DEAL)[2].spoken
    )


def test_a_hand_that_is_not_known_has_no_suits_and_no_points() -> None:
    west = make_hands(DEAL)[3]
    assert ((), None, "West: not known") == (west.suits, west.points, west.spoken)


def test_points_of_a_hand_that_is_not_whole_are_not_given() -> None:
    assert make_hands("N:AKQ... - - -")[0].points is None


def test_no_deal_gives_no_hands() -> None:
    assert () == make_hands(None)
