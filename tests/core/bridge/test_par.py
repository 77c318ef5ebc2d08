"""Par, worked out by hand for a few boards and compared with the double-dummy solver's for many."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.cards import UNKNOWN
from overtrick.core.bridge.par import Par, Tables, is_whole, makeable, par
from overtrick.core.bridge.play import Mask
from tests.support.endplay import import_endplay

NOBODY, NS, EW, BOTH = (False, False), (True, False), (False, True), (True, True)
SEATS = "NESW"


def table(north: str, east: str, south: str = "", west: str = "") -> Tables:
    """Write a table: hexadecimal tricks in clubs, diamonds, hearts, spades and notrump; partners alike unless said."""
    return np.array([[int(digit, 16) for digit in north + east + (south or north) + (west or east)]], dtype=np.uint8)


def board(tricks: Tables, vulnerable: tuple[bool, bool] = NOBODY, dealer: str = "N") -> tuple[int, list[str]]:
    """Give par of one board: the score for N-S and the contracts as `4SX NS -1`."""
    found = par(tricks, np.array([SEATS.index(dealer)]), np.array([vulnerable]))
    return int(found.score[0]), texts(found)


def texts(found: Par) -> list[str]:
    written = []
    for n, bid in enumerate(found.bid.tolist()):
        level, strain = bid // 5 + 1, "CDHSN"[bid % 5]
        over = int(found.tricks[n]) - level - 6
        seats = "".join(SEATS[found.side[n] + 2 * partner] for partner in (0, 1) if found.partners[n, partner])
        written.append(f"{level}{strain}{'X' if over < 0 else ''} {seats} {over:+d}")
    return written


@pytest.mark.parametrize(
    ("tricks", "vulnerable", "expected"),
    [
        (table("333A3", "88834"), BOTH, (620, ["4S NS +0"])),
        (table("333A3", "88834"), NS, (500, ["5CX EW -3", "5DX EW -3", "5HX EW -3"])),
        (table("333B9", "73332"), NOBODY, (450, ["4S NS +1"])),
        (table("666D6", "66606"), NOBODY, (1510, ["7S NS +0"])),
    ],
    ids=["game", "sacrifice", "overtrick", "grand slam"],
)
def test_each_side_bids_on_as_long_as_it_gains(
    tricks: Tables, vulnerable: tuple[bool, bool], expected: tuple[int, list[str]]
) -> None:
    assert expected == board(tricks, vulnerable)


def test_a_board_on_which_nobody_makes_anything_is_passed_out() -> None:
    assert (0, []) == board(table("66666", "66666"))


def test_a_contract_that_both_sides_make_belongs_to_the_side_that_bids_first() -> None:
    everybody_makes_notrump = table("66667", "66667")
    assert (90, ["1N NS +0"]) == board(everybody_makes_notrump, dealer="S")
    assert (-90, ["1N EW +0"]) == board(everybody_makes_notrump, dealer="W")


def test_only_the_partner_who_comes_to_the_score_is_declarer() -> None:
    assert (420, ["4S S +0"]) == board(table("33393", "33323", south="333A3"))


def test_a_table_with_an_unknown_number_is_not_whole() -> None:
    tables = np.concatenate([table("333A3", "99939"), table("333A3", "99939")])
    tables[1, 7] = UNKNOWN
    assert [True, False] == is_whole(tables).tolist()


def test_a_side_makes_the_level_of_its_better_declarer() -> None:
    unknown = table("333A3", "99939", south="333B3")
    unknown[0, 5] = unknown[0, 15] = UNKNOWN
    assert [[0, 0, 0, 5, 0], [0, 3, 3, 0, 3]] == makeable(unknown)[0].tolist()


TRICKS = st.lists(st.integers(0, 13), min_size=20, max_size=20)
VULNERABLE = st.tuples(st.booleans(), st.booleans())


@given(TRICKS, VULNERABLE, st.sampled_from(SEATS))
def test_turning_the_table_turns_the_score(tricks: list[int], vulnerable: tuple[bool, bool], dealer: str) -> None:
    turned = np.array([tricks[15:] + tricks[:15]], dtype=np.uint8)
    score, _ = board(np.array([tricks], dtype=np.uint8), vulnerable, dealer)
    next_seat = SEATS[(SEATS.index(dealer) + 1) % 4]
    assert -score == board(turned, vulnerable[::-1], next_seat)[0]


@given(TRICKS, VULNERABLE, st.sampled_from(SEATS))
def test_a_score_comes_with_a_contract_and_a_contract_with_a_score(
    tricks: list[int], vulnerable: tuple[bool, bool], dealer: str
) -> None:
    score, contracts = board(np.array([tricks], dtype=np.uint8), vulnerable, dealer)
    assert (score != 0) == bool(contracts)


def likely_tables(count: int) -> tuple[Tables, Mask, npt.NDArray[np.int64]]:
    """Make tables by lot on which the sides' tricks add up to about 13."""
    lot = np.random.default_rng(1)
    ns = lot.integers(0, 14, (count, 1, 5))
    seats = [np.clip(side - (lot.random((count, 1, 5)) < 0.15), 0, 13) for side in (ns, 13 - ns, ns, 13 - ns)]
    tables = np.concatenate(seats, axis=1).astype(np.uint8).reshape(count, 20)
    return tables, lot.random((count, 2)) < 0.5, lot.integers(0, 4, count)


def solvers_par(tricks: Tables, vulnerable: tuple[bool, bool], dealer: int) -> tuple[int, list[str]]:
    """Ask the double-dummy solver, which names a contract for each declarer."""
    dds: Any = import_endplay("endplay._dds")
    table, answer = dds.ddTableResults(), dds.parResultsMaster()
    for seat, strain in np.ndindex(4, 5):
        table.resTable[(3, 2, 1, 0, 4)[strain]][seat] = int(tricks[5 * seat + strain])
    dds.DealerParBin(table, answer, dealer, {NOBODY: 0, BOTH: 1, NS: 2, EW: 3}[vulnerable])
    contracts = []
    for one in answer.contracts[: answer.number] if answer.score else ():
        over = one.overTricks - one.underTricks
        seats = ("N", "E", "S", "W", "NS", "EW")[one.seats]
        contracts.append(f"{one.level}{'NSHDC'[one.denom]}{'X' if over < 0 else ''} {seats} {over:+d}")
    return answer.score, contracts


@pytest.mark.slow
def test_score_and_contracts_are_those_of_the_double_dummy_solver() -> None:
    pytest.importorskip("endplay")
    tables, vulnerable, dealers = likely_tables(500)
    for tricks, sides, dealer in zip(tables, vulnerable.tolist(), dealers.tolist(), strict=True):
        score, contracts = board(tricks[None], (sides[0], sides[1]), SEATS[dealer])
        assert (score, sorted(contracts)) == sorted_par(solvers_par(tricks, (sides[0], sides[1]), dealer))


def sorted_par(answer: tuple[int, list[str]]) -> tuple[int, list[str]]:
    return answer[0], sorted(answer[1])
