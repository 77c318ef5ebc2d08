"""The four-hand match of the Alberta 55 Plus games; A sits N-S and B E-W."""

import pytest

from overtrick.core.bridge.rubber import four_hands
from overtrick.core.bridge.sheets import Deal
from tests.support.sheets import PASSED_OUT, deal

MATCHES = {
    "only leg": (
        [deal("2S N 9"), deal("3NT E 9"), deal("3H N 9"), deal("2Hx E 6")],
        [(90, 0), (90, 600), (180, 600), (680, 600)],
        (780, 600),
    ),
    "slow game": (
        [deal("2S N 8"), deal("1NT E 7"), deal("1NT N 8"), deal("3C E 9")],
        [(60, 0), (60, 40), (430, 40), (430, 100)],
        (430, 200),
    ),
    "both legs, and a hand passed out": (
        [deal("2S N 8"), deal("1NT E 7"), PASSED_OUT, deal("2H E 7")],
        [(60, 0), (60, 40), (60, 40), (110, 40)],
        (160, 90),
    ),
    "fast game with a leg already on, honours, slam": (
        [deal("2S N 8"), deal("4S N 11", ew=100), deal("6NT E 11"), deal("6H N 12")],
        [(60, 0), (710, 100), (760, 100), (2190, 100)],
        (2190, 100),
    ),
    "two games of one side": (
        [deal("3NT N 9"), deal("4H N 10"), deal("1NTx E 7"), deal("5Cxx E 10")],
        [(600, 0), (1220, 0), (1220, 130), (1420, 130)],
        (1420, 230),
    ),
    "doubled into a fast game": (
        [deal("2Hx N 8"), deal("2C E 8"), deal("3D E 9"), deal("1NT N 6")],
        [(670, 0), (670, 40), (670, 400), (670, 500)],
        (670, 500),
    ),
}


@pytest.mark.parametrize(("deals", "running", "final"), MATCHES.values(), ids=MATCHES)
def test_a_match_hand_by_hand(deals: list[Deal], running: list[tuple[int, int]], final: tuple[int, int]) -> None:
    sheet = four_hands(deals)
    assert running == sheet.running()
    assert final == sheet.totals


def test_no_rubber_is_won() -> None:
    sheet = four_hands(MATCHES["two games of one side"][0])
    assert "rubber" not in {entry.kind for entry in sheet.entries}


def test_a_conduct_penalty_is_taken_from_the_own_points() -> None:
    sheet = four_hands([Deal(2, "S", 0, "N", 8, conduct_ns=100)])
    assert (60 - 100 + 100, 0) == sheet.totals


def test_a_match_of_three_hands_is_not_finished() -> None:
    deals = MATCHES["only leg"][0]
    assert [False, True] == [four_hands(deals[:number]).finished for number in (3, 4)]
