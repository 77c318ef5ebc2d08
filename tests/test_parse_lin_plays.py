"""Plays of LIN: cards in the order played, to columns of the seats and tricks won."""

import polars as pl
import pytest

from overtrick.bridge.cards import CARDS, UNKNOWN
from overtrick.parse.reading import Reading
from tests.lin_texts import HAND, HEADER, MD
from tests.reading import codes, lin


def cards(reading: Reading) -> list[str]:
    return ["-" if code == UNKNOWN else CARDS[code] for code in reading.records["cards"][0]]


def hand(*tricks: str, contract: str = "1N", after: str = "") -> Reading:
    """Play tricks in North's contract, which East leads to."""
    calls = f"mb|{contract}|mb|p|mb|p|mb|p|pg||"
    return lin(MD + calls + "".join(f"pc|{card}|" for trick in tricks for card in trick.split()) + after)


def test_cards_stand_in_the_columns_of_the_seats() -> None:
    reading = hand("D8 D3 D4 DJ", "S4 SA S2 S6", "C2 C5 C4 CA")
    assert "D8 D3 D4 DJ SA S2 S6 S4 C2 C5 C4 CA".split() == cards(reading)
    assert ["E"] == reading.records["play_start"].to_list()


def test_a_trick_that_was_begun_has_all_four_places() -> None:
    assert "D8 D3 D4 DJ - - - S4".split() == cards(hand("D8 D3 D4 DJ", "S4"))


@pytest.mark.parametrize("text", ["pc|D8D3D4DJ|", "pc|d8|pc|d3|pc|d4|pc|dj|", "pc|D8|pc|D3D4|pc|DJ|"])
def test_cards_are_read_in_every_spelling(text: str) -> None:
    assert "D8 D3 D4 DJ".split() == cards(lin(f"{MD}mb|1Nppp|{text}"))


def test_a_trick_written_from_another_seat_is_turned() -> None:
    reading = hand("D8 D3 D4 DJ", "SA S2 S6 S4", "C2 C5 C4 CA")
    assert "D8 D3 D4 DJ SA S2 S6 S4 C2 C5 C4 CA".split() == cards(reading)
    assert [] == codes(reading.problems)


def test_a_card_from_the_wrong_hand_is_reported_and_kept() -> None:
    reading = hand("D8 D3 D4 DJ", "S4 SK S2 S6")
    assert (["lin-card-seat"], 8) == (codes(reading.problems), len(cards(reading)))


def test_a_lead_from_the_wrong_hand_is_reported() -> None:
    reading = hand("D4 DJ D8 D3")
    assert (["lin-lead"], ["W"]) == (codes(reading.problems), reading.records["play_start"].to_list())


@pytest.mark.parametrize(
    "text", ["Z", "D\N{KELVIN SIGN}", "\N{LATIN SMALL LETTER LONG S}A", "D\N{FULLWIDTH DIGIT ONE}"]
)
def test_what_is_no_card_is_reported(text: str) -> None:
    assert "lin-card-unknown" in codes(hand("D8 D3", after=f"pc|{text}|").problems)


def test_no_cards_are_no_play_and_not_an_empty_one() -> None:
    assert [None] == lin(HAND).records["cards"].to_list()


@pytest.mark.parametrize(
    ("claim", "tricks"), [("mc|9|", 9), ("mc|0|", 0), ("mc|8|mc|9|", 9), ("mc|40|", None), ("", None)]
)
def test_a_claim_is_declarers_tricks_of_the_whole_hand(claim: str, tricks: int | None) -> None:
    assert [tricks] == hand("D8 D3 D4 DJ", after=claim).records["tricks"].to_list()


def test_a_claim_of_more_tricks_than_are_left_is_reported() -> None:
    reading = hand("C2 C5 C4 CA", "SK SA S2 S6", after="mc|13|")
    assert (["lin-claim-range"], [13]) == (codes(reading.problems), reading.records["tricks"].to_list())


def whole_play() -> str:
    """Play out a deal in which each hand holds one suit: East, who leads diamonds against North, wins all."""
    md = "md|3CAKQJT98765432,SAKQJT98765432,HAKQJT98765432,|"
    play = "".join(f"pc|{suit}{rank}|" for rank in "AKQJT98765432" for suit in "DCSH")
    return f"{md}mb|1Nppp|{play}"


def test_fifty_two_cards_need_no_claim() -> None:
    assert [0] == lin(whole_play()).records["tricks"].to_list()


def test_the_play_counts_before_the_claim_and_both_are_told() -> None:
    reading = lin(f"{whole_play()}mc|2|")
    assert (["lin-claim-play"], [0]) == (codes(reading.problems), reading.records["tricks"].to_list())


def test_a_fifty_third_card_is_reported() -> None:
    assert ["lin-cards-too-many"] == codes(lin(f"{whole_play()}pc|SA|").problems)


def test_edits_move_cards_before_the_play() -> None:
    reading = lin(f"{HEADER}qx|o1|md|1SA,SK,,|md|0SK|mb|1C|")
    assert ["N:- - AK... -"] == reading.records.select(pl.col("deal")).to_series().to_list()
