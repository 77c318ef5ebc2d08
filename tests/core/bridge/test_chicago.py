"""Chicago: rounds of four deals."""

from typing import Literal

import pytest

from overtrick.core.bridge.rubber import Custom, chicago, vulnerable_sides
from overtrick.core.bridge.sheets import Deal
from tests.support.sheets import PASSED_OUT, deal

DUPLICATE = Custom("duplicate")
TRADITIONAL = Custom("traditional")

ROUND = [deal("4S N 10"), deal("4H E 10"), deal("5D N 11"), deal("5C W 10")]


def test_in_the_duplicate_style_each_deal_is_scored_by_itself() -> None:
    """Nobody vulnerable, then E-W (East deals), N-S, both."""
    (sheet,) = chicago(ROUND, DUPLICATE)
    assert [(420, 0), (420, 620), (1020, 620), (1120, 620)] == sheet.running()


def test_in_the_older_variant_the_other_side_is_vulnerable_in_the_middle() -> None:
    (sheet,) = chicago(ROUND, Custom("duplicate", middle="opponents"))
    assert (420 + 400 + 100, 420) == sheet.totals


def test_the_first_dealer_decides_who_is_vulnerable_in_the_middle() -> None:
    """With East to deal first, N-S are vulnerable on the second deal: four hearts by East is 420."""
    (sheet,) = chicago(ROUND, Custom("duplicate", first_dealer="E"))
    assert [(420, 0), (420, 420)] == sheet.running()[:2]


def test_a_dealer_that_is_stated_counts() -> None:
    (sheet,) = chicago([deal("4S N 10", dealer="E"), deal("4H E 10", dealer="S")], DUPLICATE)
    assert (420, 420) == sheet.totals


def test_a_vulnerability_that_is_stated_counts() -> None:
    (sheet,) = chicago([Deal(4, "S", 0, "N", 10, vulnerable="NS")], DUPLICATE)
    assert (620, 0) == sheet.totals


def test_none_that_is_stated_counts_as_well() -> None:
    """On the second deal East deals, so E-W would be vulnerable: two down would cost 200."""
    two_down = Deal(4, "S", 0, "E", 8, vulnerable="None")
    (sheet,) = chicago([deal("4S N 10"), two_down], DUPLICATE)
    assert (420 + 100, 0) == sheet.totals


def test_in_the_traditional_game_part_scores_count_towards_game() -> None:
    deals = [deal("2H N 9"), deal("1NT S 7"), deal("4S W 9"), deal("2D E 8")]
    (sheet,) = chicago(deals, TRADITIONAL)
    assert (60 + 30 + 40 + 300 + 50, 40 + 100) == sheet.totals


@pytest.mark.parametrize(("expected", "style"), [((120 + 300 + 100, 0), "traditional"), ((420, 0), "duplicate")])
def test_honours_count_in_the_traditional_game_only(
    expected: tuple[int, int], style: Literal["traditional", "duplicate"]
) -> None:
    (sheet,) = chicago([deal("4S N 10", ns=100)], Custom(style))
    assert expected == sheet.totals


def test_a_part_score_earns_a_bonus_on_the_fourth_deal_only() -> None:
    deals = [deal("1NT N 7"), deal("1NT E 6"), deal("1NT E 6"), deal("2C N 7")]
    (sheet,) = chicago(deals, TRADITIONAL)
    assert (40 + 100 + 50, 100) == sheet.totals


def test_a_part_score_carried_to_the_end_earns_nothing_by_itself() -> None:
    deals = [deal("1NT N 7"), deal("7NT N 12"), deal("7NT N 12"), deal("7NT N 12")]
    (sheet,) = chicago(deals, TRADITIONAL)
    assert (40, 50 + 100 + 100) == sheet.totals


def test_a_passed_out_deal_is_dealt_again_by_the_same_player() -> None:
    (sheet,) = chicago([ROUND[0], PASSED_OUT, *ROUND[1:]], DUPLICATE)
    assert ((1120, 620), 5, True) == (sheet.totals, sheet.deals, sheet.finished)


def test_a_passed_out_deal_may_be_one_of_the_four() -> None:
    """The second deal was East's; on the third, South's, N-S are vulnerable."""
    (sheet,) = chicago([ROUND[0], PASSED_OUT, *ROUND[2:]], Custom("duplicate", passed_out="counts"))
    assert ((420 + 600 + 100, 0), 4, True) == (sheet.totals, sheet.deals, sheet.finished)


def test_after_four_deals_another_round_begins() -> None:
    sheets = chicago([*ROUND, deal("3NT N 9")], DUPLICATE)
    assert [(1120, 620), (400, 0)] == [sheet.totals for sheet in sheets]
    assert [True, False] == [sheet.finished for sheet in sheets]


def test_part_scores_do_not_go_on_into_the_next_round() -> None:
    first = [deal("7NT N 12"), deal("7NT N 12"), deal("7NT N 12"), deal("1NT N 7")]
    sheets = chicago([*first, deal("2H N 8")], TRADITIONAL)
    assert [40 + 100, 60] == [sheet.total("NS") for sheet in sheets]


@pytest.mark.parametrize(
    ("vulnerable", "turn", "dealer"),
    [(set(), 0, "N"), ({"EW"}, 1, "E"), ({"NS"}, 2, "S"), ({"NS", "EW"}, 3, "W"), ({"NS"}, 1, "S")],
)
def test_vulnerability_goes_by_the_turn_and_the_dealer(vulnerable: set[str], turn: int, dealer: str) -> None:
    assert vulnerable == set(vulnerable_sides(turn, dealer))
