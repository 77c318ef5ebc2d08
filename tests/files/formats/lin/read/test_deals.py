"""Deals of LIN: dealer's digit and hands of South, West, North, East."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.cards import RANKS
from overtrick.core.grammar import tokens
from overtrick.core.words import Dialect
from overtrick.files.formats.lin.read.deals import Deals, mark_deals, read_deals, respell_deals
from tests.support.lin_texts import DEAL, HANDS

SOUTH, WEST, NORTH, EAST = HANDS


def read(value: str, *edits: str) -> Deals:
    return read_deals(
        pl.Series([value]), pl.Series([0] * len(edits), dtype=pl.UInt32), pl.Series(edits, dtype=pl.String)
    )


@pytest.mark.parametrize(
    "value",
    [
        f"1{SOUTH},{WEST},{NORTH},{EAST}",
        f"1{SOUTH},{WEST},{NORTH},",
        f"1{SOUTH},{WEST},{NORTH}",
        f"1,{WEST},{NORTH},{EAST}",
        f"1{SOUTH},,{NORTH},{EAST}",
        f"1{SOUTH},{WEST},,{EAST}",
    ],
)
def test_any_one_hand_may_be_left_out(value: str) -> None:
    assert [DEAL] == read(value).deal.to_list()


@pytest.mark.parametrize(
    "value",
    [
        f"1{SOUTH.lower()},{WEST},{NORTH},",
        f"1S235QH367D39TC578,{WEST},{NORTH},",
        f"1C875DT93H763SQ532,{WEST},{NORTH},",
        f"1SQ 5 3 2H763D1093C875,{WEST},{NORTH},",
        f"1SQ532H763D193C875,{WEST},{NORTH},",
    ],
)
def test_suits_and_ranks_come_in_any_order_and_case(value: str) -> None:
    assert [DEAL] == read(value).deal.to_list()


@pytest.mark.parametrize(
    ("dialect", "hands"),
    [
        ("english", "3♠AKQ2♥65♦T943♣AJ5,SJ9876HAKQJD2CK43,ST543HT987DAKQCT2,"),
        ("french", "3PARD2C65K10943TAV5,PV9876CARDVK2TR43,P10543C10987KARDT102,"),
        ("german", "3PAKD2C65K10943TAB5,PB9876CAKDBK2TK43,P10543C10987KAKDT102,"),
        ("dutch", "3SAHV2H65R10943KAB5,SB9876HAHVBR2KH43,S10543H10987RAHVK102,"),
        ("polish", "3SAKD2H65D10943CAW5,SW9876HAKDWD2CK43,S10543H10987DAKDC102,"),
        ("swedish", "3SEKD2H65R10943KEKn5,SKn9876HEKDKnR2KK43,S10543H10987REKDK102,"),
    ],
)
def test_suits_and_ranks_of_a_dialect_may_share_a_letter(dialect: str, hands: str) -> None:
    respelt = respell_deals(pl.Series([hands]), Dialect((dialect,)))[0]
    assert ["N:T543.T987.AKQ.T2 .432.J8765.Q9876 AKQ2.65.T943.AJ5 J9876.AKQJ.2.K43"] == read(respelt).deal.to_list()


def test_a_letter_is_a_suit_or_a_rank_by_the_number_of_cards() -> None:
    """In a hand without diamonds, the German `K` of `PAKD2` could begin them; then the hand had twelve cards."""
    (respelt,) = respell_deals(pl.Series(["3PAKD2C65TAKDB1095,,,"]), Dialect(("german",)))
    assert "3SASKSQS2H6H5CACKCQCJCTC9C5,,," == respelt


@pytest.mark.parametrize("hands", ["3SZZ", "3S2345", "3SAKSQ", "3SAHA,SAHK", "3" + "SA" * 99])
def test_a_deal_that_cannot_be_respelt_stays_as_it_is(hands: str) -> None:
    assert [hands] == respell_deals(pl.Series([hands]), Dialect(("english",))).to_list()


def test_a_void_may_lack_its_letter() -> None:
    assert ["N:- - .AK.2. -"] == read("1HAKD2,,,").deal.to_list()


@pytest.mark.parametrize(("digit", "dealer"), [("1", "S"), ("2", "W"), ("3", "N"), ("4", "E"), ("", None)])
def test_the_digit_names_the_dealer(digit: str, dealer: str | None) -> None:
    assert [dealer] == read(f"{digit}{SOUTH},{WEST},{NORTH},").dealer.to_list()


def test_an_edit_adds_and_moves_cards() -> None:
    assert ["N:- - AK... Q..."] == read("1SAKQ,,,", "0,SQ").deal.to_list()


def test_an_edit_moves_a_card_of_the_hand_that_was_left_out() -> None:
    moved = DEAL.replace(" A.AQ", " .AQ").replace(" Q532", " AQ532")
    assert [moved] == read(f"1{SOUTH},{WEST},{NORTH},", "0SA").deal.to_list()


def test_a_repeated_card_is_kept_for_the_checks() -> None:
    assert ["N:- - A... A..."] == read("1SA,SA,,").deal.to_list()


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("1SAK?,,,", "it contains something that is not a card"),
        ("1SAKxX,,,", "it shows x for small cards"),
        ("1 QJT,,,", "a card has no suit"),
        ("1SA,HA,DA,CA,SK", "there are more than four hands"),
    ],
)
def test_a_value_that_cannot_be_read_is_reported_with_its_fault(value: str, fault: str) -> None:
    found = read(value)
    assert ([None], [fault]) == (found.deal.to_list(), found.fault.to_list())


def test_edits_and_empty_tables_are_no_deals() -> None:
    values = ["", "1", "3,,,", "0SA", " 0,SK", "1SA", "SA,", "4,,SA,"]
    assert [False] * 5 + [True] * 3 == mark_deals(pl.Series(values)).to_list()


def by_grammar(value: str) -> tuple[str | None, bool]:
    """Read a value by the grammar's `deal`, token by token: the hands, and whether all of it is understood."""
    hands: list[list[tuple[str, str]]] = [[], [], [], [], []]
    hand, suit, sound = 0, "", True
    for token in tokens(value.strip(), "deal", language="lin"):
        if token.type == "COMMA":
            hand, suit = min(hand + 1, 4), ""
            sound &= hand < 4
        elif token.type == "HOLDING":
            suit = token.upper()
        elif token.type == "HELD":
            sound &= suit != ""
            hands[hand].append((suit, token.upper().replace("1", "T")))
        else:
            sound &= token.type not in {"SMALL", "ODD"}
    south, west, north, east, _ = hands
    if not sound or not any(hands):
        return None, sound
    return "N:" + " ".join(map(written, (north, east, south, west))), sound


def written(hand: list[tuple[str, str]]) -> str:
    ranks = {suit: sorted((rank for own, rank in hand if own == suit), key=RANKS.index) for suit in "SHDC"}
    return ".".join("".join(reversed(ranks[suit])) for suit in "SHDC") if hand else "-"


LETTERS = "1234SHDCshdcAKQT9510x, ?\N{NO-BREAK SPACE}\N{KELVIN SIGN}\N{LATIN SMALL LETTER LONG S}"


@given(st.text(LETTERS, max_size=25).filter(lambda value: value.strip()[:1] != "0"))
def test_any_value_is_read_as_the_grammar_says(value: str) -> None:
    found = read(value)
    assert by_grammar(value) == (found.deal[0], found.fault[0] is None)


def test_a_deal_stated_twice_is_one_deal_beside_an_incomplete_one() -> None:
    """Counted within groups, as it is where several files hold the deals of a board."""
    whole = f"1{SOUTH},{WEST},{NORTH},{EAST}"
    none = pl.Series([], dtype=pl.UInt32), pl.Series([], dtype=pl.String)
    deal = read_deals(pl.Series([whole, whole, f"1{SOUTH}"]), *none).deal.head(2)
    assert [1] == pl.DataFrame({"board": 1, "deal": deal}).group_by("board").agg(pl.n_unique("deal"))["deal"].to_list()
