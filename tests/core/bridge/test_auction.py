"""Auctions replayed against the Laws (17 to 22)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.auction import CALLS, DOUBLE, FIRST_BID, PASS, REDOUBLE, SKIPPED, CallFault, replay_auctions
from overtrick.core.bridge.cards import SEATS, STRAINS, UNKNOWN
from tests.support.auctions import any_calls, codes, faults, legal_auctions, referee, replayed

Outcome = tuple[int, str, int, str]


def outcome(text: str, first: str) -> Outcome:
    done = replayed(codes(text), first=first)
    return int(done.level[0]), STRAINS[done.strain[0]], int(done.doubled[0]), SEATS[done.declarer[0]]


@pytest.mark.parametrize(
    ("first", "auction", "expected"),
    [
        ("N", "1H P 2H P 4H P P P", (4, "H", 0, "N")),
        ("N", "1NT P 2H P 2S P 4S P P P", (4, "S", 0, "N")),
        ("N", "1C 1S X 2S 3S P 4H P P P", (4, "H", 0, "S")),
        ("E", "1D P P 2D P 4D P P P", (4, "D", 0, "N")),
        ("N", "1D 1S 3H 4S 4NT X P P 5C X 5H X P P P", (5, "H", 1, "S")),
        ("W", "7NT X XX P P P", (7, "NT", 2, "W")),
    ],
)
def test_the_first_of_the_side_to_name_the_strain_declares(first: str, auction: str, expected: Outcome) -> None:
    assert expected == outcome(auction, first)


def test_four_passes_are_a_board_passed_out() -> None:
    done = replayed(codes("P P P P"))
    assert (True, 0, UNKNOWN) == (bool(done.closed[0]), int(done.level[0]), int(done.declarer[0]))


def test_the_longest_auction_has_319_calls() -> None:
    longest = [PASS] * 3
    for bid in range(FIRST_BID, len(CALLS)):
        longest += [bid, PASS, PASS, DOUBLE, PASS, PASS, REDOUBLE, PASS, PASS]
    longest.append(PASS)
    done = replayed(longest)
    assert (319, True, []) == (len(longest), bool(done.closed[0]), faults(done))


@pytest.mark.parametrize(
    ("auction", "place", "fault"),
    [
        ("1D 1C", 1, CallFault.INSUFFICIENT),
        ("1D 1D", 1, CallFault.INSUFFICIENT),
        ("1D P X", 2, CallFault.DOUBLE),
        ("X", 0, CallFault.DOUBLE),
        ("1D X X", 2, CallFault.DOUBLE),
        ("1D X XX X", 3, CallFault.DOUBLE),
        ("P XX", 1, CallFault.REDOUBLE),
        ("1D XX", 1, CallFault.REDOUBLE),
        ("1D X P XX", 3, CallFault.REDOUBLE),
        ("1D X XX XX", 3, CallFault.REDOUBLE),
        ("1D P P P 2D", 4, CallFault.AFTER_END),
        ("P P P P P", 4, CallFault.AFTER_END),
    ],
)
def test_a_call_that_is_not_allowed_is_named(auction: str, place: int, fault: CallFault) -> None:
    assert [(place, fault)] == faults(replayed(codes(auction)))


def test_after_an_accepted_insufficient_bid_that_bid_must_be_beaten() -> None:
    assert [(1, CallFault.INSUFFICIENT)] == faults(replayed(codes("4S 3NT 4C P P P")))


def test_only_the_first_call_after_the_end_is_named() -> None:
    assert [(4, CallFault.AFTER_END)] == faults(replayed(codes("1D P P P 1C X XX")))


def test_a_wrong_call_is_listed_with_the_call_that_it_should_have_beaten() -> None:
    wrong = replayed(codes("1D P 1C")).faults
    assert ("1D", 0) == (CALLS[wrong.after_call[0]], wrong.after[0])


def test_calls_that_depend_on_an_unknown_one_are_not_judged() -> None:
    done = replayed([*codes("1D"), UNKNOWN, *codes("X P P P")])
    assert ([], UNKNOWN) == (faults(done), int(done.level[0]))


def test_a_skipped_player_keeps_his_place() -> None:
    done = replayed([SKIPPED, *codes("1D 1C 4S 3NT"), SKIPPED, SKIPPED, *codes("X 5H X P P P")], first="N")
    assert [(2, CallFault.INSUFFICIENT), (4, CallFault.INSUFFICIENT)] == faults(done)
    assert ("N", 5, 1) == (SEATS[done.declarer[0]], int(done.level[0]), int(done.doubled[0]))


def test_no_auction_comes_to_nothing() -> None:
    nothing = replay_auctions(np.array([], np.uint8), np.array([0, 0]), np.array([0, 1], np.uint8))
    assert ([False, False], [UNKNOWN, UNKNOWN]) == (nothing.closed.tolist(), nothing.level.tolist())


def test_an_auction_without_calls_leaves_its_neighbours_alone() -> None:
    done = replayed(codes("1C P P P"), [], codes("P 2H P P P"), [])
    assert [0, UNKNOWN, 1, UNKNOWN] == done.declarer.tolist()
    assert [True, False, True, False] == done.closed.tolist()


@given(st.lists(legal_auctions(), min_size=1, max_size=5))
def test_legal_auctions_have_no_fault_and_an_end(auctions: list[list[int]]) -> None:
    done = replayed(*auctions)
    assert done.closed.all()
    assert 0 == len(done.faults.place)


@given(st.lists(any_calls(), max_size=6))
def test_all_auctions_at_once_are_judged_like_one_call_after_the_other(auctions: list[list[int]]) -> None:
    done = replayed(*auctions)
    assert [referee(calls) for calls in auctions] == [faults(done, number) for number in range(len(auctions))]


@given(legal_auctions(), st.data())
def test_an_auction_with_a_call_removed_added_or_replaced_is_judged_as_written(
    calls: list[int], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(calls) - 1))
    other = data.draw(st.integers(0, len(CALLS) - 1))
    dropped = calls[:place] + calls[place + 1 :]
    added = [*calls[:place], other, *calls[place:]]
    changed = [*calls[:place], other, *calls[place + 1 :]]
    swapped = [*calls[:place], *calls[place : place + 2][::-1], *calls[place + 2 :]]
    mutants = [dropped, added, changed, swapped]
    done = replayed(*mutants)
    assert [referee(mutant) for mutant in mutants] == [faults(done, number) for number in range(4)]


@given(legal_auctions(), st.integers(0, len(CALLS) - 1))
def test_nothing_may_follow_a_whole_auction(calls: list[int], more: int) -> None:
    assert [(len(calls), CallFault.AFTER_END)] == faults(replayed([*calls, more]))


@given(legal_auctions())
def test_without_its_last_pass_no_auction_has_ended(calls: list[int]) -> None:
    assert not replayed(calls[:-1]).closed[0]
