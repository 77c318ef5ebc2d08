"""Plays of LIN: cards in the order played, to columns of the seats and tricks won."""

import polars as pl
import pytest

from overtrick.core.bridge.cards import CARDS, UNKNOWN
from overtrick.files.formats.base import Reading
from tests.support.lin_texts import HAND, HEADER, MD
from tests.support.reading import codes, lin


def cards(reading: Reading) -> list[str]:
    return ["-" if code == UNKNOWN else CARDS[code] for code in reading.records["cards"][0]]


def hand(*tricks: str, contract: str = "1N", after: str = "") -> Reading:
    """Play tricks in North's contract, which East leads to."""
    calls = f"mb|{contract}|mb|p|mb|p|mb|p|pg||"
    return lin(MD + calls + "".join(f"pc|{card}|" for trick in tricks for card in trick.split()) + after)


def test_cards_are_in_the_columns_of_the_seats() -> None:
    reading = hand("D8 D3 D4 DJ", "S4 SA S2 S6", "C2 C5 C4 CA")
    assert "D8 D3 D4 DJ SA S2 S6 S4 C2 C5 C4 CA".split() == cards(reading)
    assert ["E"] == reading.records["play_start"].to_list()


def test_a_trick_that_was_begun_has_all_four_places() -> None:
    assert "D8 D3 D4 DJ - - - S4".split() == cards(hand("D8 D3 D4 DJ", "S4"))


@pytest.mark.parametrize("text", ["pc|D8D3D4DJ|", "pc|d8|pc|d3|pc|d4|pc|dj|", "pc|D8|pc|D3D4|pc|DJ|"])
def test_cards_are_read_in_every_spelling(text: str) -> None:
    assert "D8 D3 D4 DJ".split() == cards(lin(f"{MD}mb|1Nppp|{text}"))


def test_a_trick_written_from_another_seat_is_given_to_the_hands_and_noted() -> None:
    reading = hand("D8 D3 D4 DJ", "SA S2 S6 S4", "C2 C5 C4 CA")
    assert "D8 D3 D4 DJ SA S2 S6 S4 C2 C5 C4 CA".split() == cards(reading)
    said = (
        "trick 2: East's card comes first, but it is North's turn to lead;"
        " overtrick gives each card to the hand that holds it"
    )
    assert [("play-rows-turned", said)] == reading.problems.select("code", "message").rows()


def test_a_card_out_of_turn_is_given_to_its_hand_and_reported() -> None:
    reading = hand("D8 D4 D3 DJ", "S4 SA S2")
    assert "D8 D3 D4 DJ SA S2 - S4".split() == cards(reading)
    assert ["trick 1: West plays \u26664, but it is South's turn"] == reading.problems["message"].to_list()


def test_the_last_trick_may_be_out_of_turn_before_it_is_full() -> None:
    assert ["play-wrong-turn"] == codes(hand("D8 D3 D4 DJ", "S4 S2 SA").problems)


def test_a_trick_that_ends_with_a_card_out_of_turn_is_put_into_the_columns_of_its_hands() -> None:
    reading = hand("D8 D3 D4 DJ", "SA S2")
    assert ("D8 D3 D4 DJ SA S2 - -".split(), []) == (cards(reading), codes(reading.problems))


def test_after_a_card_that_can_t_be_nobody_knows_whose_turn_it_was() -> None:
    reading = hand("D8 D3 D4 DJ", "S4 SK S2 S6", "C2 C5 C4 CA")
    assert (12, []) == (len(cards(reading)), codes(reading.problems))


def test_an_opening_lead_by_another_hand_begins_the_columns() -> None:
    assert ["W"] == hand("D4 DJ D8 D3").records["play_start"].to_list()
    assert ["E"] == hand("D4 D8 DJ D3").records["play_start"].to_list()


@pytest.mark.parametrize(
    "text", ["Z", "D\N{KELVIN SIGN}", "\N{LATIN SMALL LETTER LONG S}A", "D\N{FULLWIDTH DIGIT ONE}"]
)
def test_a_word_that_is_not_a_card_is_reported(text: str) -> None:
    assert "card-unknown" in codes(hand("D8 D3", after=f"pc|{text}|").problems)


def test_no_cards_are_no_play_and_not_an_empty_one() -> None:
    assert [None] == lin(HAND).records["cards"].to_list()


@pytest.mark.parametrize(
    ("claim", "tricks"), [("mc|9|", 9), ("mc|0|", 0), ("mc|8|mc|9|", 9), ("mc|40|", None), ("", None)]
)
def test_a_claim_is_declarers_tricks_of_the_whole_hand(claim: str, tricks: int | None) -> None:
    assert [tricks] == hand("D8 D3 D4 DJ", after=claim).records["tricks"].to_list()


def test_a_claim_of_more_tricks_than_are_left_is_reported() -> None:
    reading = hand("C2 C5 C4 CA", "SK SA S2 S6", after="mc|13|")
    assert (["lin-claim-differs"], [13]) == (codes(reading.problems), reading.records["tricks"].to_list())


def whole_play() -> str:
    """Play out a deal in which each hand holds one suit: East, who leads diamonds against North, wins all."""
    md = "md|3CAKQJT98765432,SAKQJT98765432,HAKQJT98765432,|"
    play = "".join(f"pc|{suit}{rank}|" for rank in "AKQJT98765432" for suit in "DCSH")
    return f"{md}mb|1Nppp|{play}"


def test_fifty_two_cards_need_no_claim() -> None:
    assert [0] == lin(whole_play()).records["tricks"].to_list()


def test_the_play_counts_before_the_claim_and_the_difference_is_reported() -> None:
    reading = lin(f"{whole_play()}mc|2|")
    assert (["lin-claim-differs"], [0]) == (codes(reading.problems), reading.records["tricks"].to_list())


def test_a_fifty_third_card_is_reported() -> None:
    assert ["lin-cards-too-many"] == codes(lin(f"{whole_play()}pc|SA|").problems)


def test_edits_move_cards_before_the_play() -> None:
    reading = lin(f"{HEADER}qx|o1|md|1SA,SK,,|md|0SK|mb|1C|")
    assert ["N:- - AK... -"] == reading.records.select(pl.col("deal")).to_series().to_list()
