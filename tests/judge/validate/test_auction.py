"""Auctions of files: who may call what, and the contract that comes of it."""

import pytest

from overtrick.core.frames import PROBLEMS, empty
from tests.support.pbn_texts import session
from tests.support.reading import validated

Place = tuple[str, int, int]


def judged(text: str) -> list[Place]:
    """Give code, line and column of each problem of the auctions in a text."""
    return [place[:3] for place in told(text)]


def told(text: str) -> list[tuple[str, int, int, str]]:
    problems = validated(session(text)).problems
    about = problems.filter(problems["code"].str.contains("auction|irregularity"))
    return about.select("code", "line", "column", "message").rows()


def messages(text: str) -> list[str]:
    return [message for *_, message in told(text)]


def auction(calls: str, dealer: str = "N", first: str = "N") -> str:
    """Write a game of one auction; its calls stand in line 3."""
    return f'[Dealer "{dealer}"]\n[Auction "{first}"]\n{calls}\n'


@pytest.mark.parametrize("calls", ["1H Pass 2H Pass 4H AP", "1NT X XX 2C X AP", "AP", "Pass Pass 1C AP", "1C AP *"])
def test_a_legal_auction_is_silent(calls: str) -> None:
    assert [] == judged(auction(calls))


def test_the_dealer_calls_first() -> None:
    assert [("auction-out-of-turn", 3, 3)] == judged(auction("- 1D AP", dealer="N", first="N"))
    assert [] == judged(auction("- 1D AP", dealer="E", first="N"))


def test_no_one_is_out_of_turn_where_the_dealer_is_not_known() -> None:
    assert [] == judged('[Auction "W"]\n1D AP\n')


@pytest.mark.parametrize(
    ("calls", "code", "column", "message"),
    [
        ("1D 1C AP", "auction-illegal", 4, "1♣ by East is not higher than 1♦"),
        ("1D Pass X AP", "auction-illegal", 9, "South cannot double: 1♦ is a bid by their own side"),
        ("1D X X AP", "auction-illegal", 6, "South cannot double: the contract is already doubled"),
        ("1D X XX X AP", "auction-illegal", 9, "West cannot double: the contract is already redoubled"),
        ("X 1D AP", "auction-illegal", 1, "North cannot double: there is no bid yet"),
        ("1D XX AP", "auction-illegal", 4, "East cannot redouble: 1♦ is not doubled"),
        ("1D X Pass XX AP", "auction-illegal", 11, "West cannot redouble: the double is by their own side"),
        ("1D AP 2C", "auction-after-end", 7, "2♣ by North comes after the passes that ended the auction"),
        ("Pass AP Pass", "auction-after-end", 9, "pass by North comes after the passes that ended the auction"),
    ],
)
def test_a_call_that_is_not_allowed_is_shown_where_it_stands(calls: str, code: str, column: int, message: str) -> None:
    assert [(code, 3, column, f"board ?: {message}")] == told(auction(calls))


def test_places_count_on_through_rows_notes_and_comments() -> None:
    text = auction("- 1D =1= 1S {a\nb} 3H ! ; c\n 4S 3NT ! AP", dealer="E")
    assert [("auction-illegal", 5, 5)] == judged(text)


@pytest.mark.parametrize("end", ["1C Pass Pass", "1C", "Pass Pass Pass"])
def test_an_auction_that_just_stops_is_noted(end: str) -> None:
    assert ["auction-unfinished"] == [code for code, *_ in judged(auction(end))]


@pytest.mark.parametrize("end", ["1C *", "1C +", "Pass Pass Pass +"])
def test_an_auction_that_says_it_stops_is_silent(end: str) -> None:
    assert [] == judged(auction(end))


def game(contract: str, declarer: str, calls: str = "1C 1S X 2S 3S Pass 4H AP") -> str:
    return f'[Dealer "N"]\n[Declarer "{declarer}"]\n[Contract "{contract}"]\n[Auction "N"]\n{calls}\n'


def test_the_contract_and_declarer_of_the_auction_are_silent() -> None:
    assert [] == judged(game("4H", "S"))


@pytest.mark.parametrize("contract", ["5H", "4S", "4HX", "Pass"])
def test_another_contract_than_the_auction_s_is_reported_at_its_tag(contract: str) -> None:
    assert [("contract-differs-from-auction", 3, 1)] == judged(game(contract, "S"))


def test_both_contracts_are_told_and_the_file_s_counts() -> None:
    expected = "board ?: the file says 4♥X, but by the auction it is 4♥; overtrick uses the file's contract"
    assert [expected] == messages(game("4HX", "S"))
    passed_out = "board ?: the file says 1♣, but by the auction it is passed out; overtrick uses the file's contract"
    assert [passed_out] == messages(game("1C", "N", "AP"))


def test_another_declarer_than_the_auction_s_is_reported_at_its_tag() -> None:
    expected = "board ?: declarer is North in the file but South by the auction; overtrick uses the file's declarer"
    assert [("contract-differs-from-auction", 2, 1, expected)] == told(game("4H", "N"))


def test_a_declarer_in_another_s_place_is_recorded_with_a_caret() -> None:
    assert [("irregularity-recorded", 2, 1)] == judged(game("4H", "^N"))
    assert [("irregularity-unfounded", 2, 1)] == judged(game("4H", "^S"))
    assert [("contract-differs-from-auction", 2, 1)] == judged(game("4H", "^W"))


def test_an_unknown_contract_is_compared_with_nothing() -> None:
    assert [] == judged(game("?", "S"))


def test_an_unfinished_auction_is_compared_with_nothing() -> None:
    assert [] == judged(game("4H", "S", "1C *"))


def test_accepted_insufficient_bids_and_skipped_players_are_notes() -> None:
    marked = told(auction("^S 1D ^I 1C 4S ^I 3NT ^S ^S X 5H X AP"))
    assert ["irregularity-recorded"] * 5 == [code for code, *_ in marked]
    assert "board ?: the file marks 1♣ by South as irregular (^I)" in [message for *_, message in marked]
    assert "board ?: the file marks the skipped call of North as irregular (^S)" == marked[0][3]


@pytest.mark.parametrize(
    ("calls", "mark"), [("1D ^I 1S AP", "^I"), ("1D ^R 1S AP", "^R"), ("1D AP ^S", "^S"), ("^I Pass AP", "^I")]
)
def test_a_mark_at_nothing_irregular_is_reported_where_it_stands(calls: str, mark: str) -> None:
    assert [("irregularity-unfounded", 3, 1 + calls.index("^"))] == judged(auction(calls))
    assert mark in messages(auction(calls))[0]


def test_a_call_after_the_end_can_t_be_accepted() -> None:
    assert ["auction-after-end", "irregularity-unfounded"] == [c for c, *_ in judged(auction("1D AP ^I 1H"))]


def test_nothing_is_asked_of_games_without_auction() -> None:
    assert empty(PROBLEMS).equals(validated(session('[Event "Evening"]\n[Auction "N"]\n')).problems)
