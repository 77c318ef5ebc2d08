"""Rubber bridge: published rubbers, deal by deal."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.rubber import rubbers
from overtrick.core.bridge.sheets import Deal, Sheet
from tests.support.sheets import PASSED_OUT, deal

BOOK = [
    deal("2H N 9"),
    deal("3Cx N 8"),
    deal("3NT E 11", ew=150),
    deal("4C E 10"),
    deal("2S E 7"),
    deal("6C N 12"),
    deal("1NTx N 8"),
    deal("2H N 8"),
]


def totals(deals: Sequence[Deal]) -> tuple[int, int]:
    """Score one rubber, with what an unfinished one earns."""
    (sheet,) = rubbers(deals)
    return sheet.totals


def after_each(deals: Sequence[Deal]) -> list[tuple[int, int]]:
    """Break a rubber off after each deal."""
    return [totals(deals[: number + 1]) for number in range(len(deals))]


def written(sheet: Sheet, side: str, *, below: bool) -> list[int]:
    """List what a side has below or above the line."""
    return [entry.points for entry in sheet.entries if entry.side == side and entry.below is below]


def test_the_rubber_of_the_book_is_won_by_1700_to_490() -> None:
    """The stakes are settled on the difference, 1210."""
    (sheet,) = rubbers(BOOK)
    assert (1700, 490) == sheet.totals
    assert sheet.finished
    assert [60, 120, 80, 60] == written(sheet, "NS", below=True)
    assert [100, 80] == written(sheet, "EW", below=True)
    assert [30, 100, 500, 200, 50, 500] == written(sheet, "NS", below=False)
    assert [100, 60, 150] == written(sheet, "EW", below=False)


def test_the_rubber_of_the_book_broken_off_after_each_deal() -> None:
    expected = [(190, 0), (190, 100), (90, 710), (90, 890), (190, 890), (810, 490), (1240, 490), (1700, 490)]
    assert expected == after_each(BOOK)


def test_the_book_speaks_of_making_three_where_its_sheet_has_one_overtrick() -> None:
    """1NT doubled: 8 tricks give the sheet's 200, three odd tricks would give 400 and a total of 1900."""
    assert (1900, 490) == totals([*BOOK[:6], deal("1NTx N 9"), BOOK[7]])


@pytest.mark.parametrize(
    ("expected", "deals"),
    [
        (
            [(220, 0), (120, 40), (180, 140), (760, 140), (760, 360), (800, 260), (500, 390), (720, 390), (1250, 390)],
            [
                deal("1S N 10"),
                deal("1D W 8"),
                deal("1H N 8", ew=100),
                deal("1NT N 10", ns=150),
                deal("1S E 10"),
                deal("1D N 8"),
                deal("2NT E 10"),
                deal("1S N 10"),
                deal("2NT N 10"),
            ],
        ),
        ([(0, 2430), (0, 4010)], [deal("7NTxx E 13", ew=150), deal("6NTx E 12")]),
    ],
    ids=["part-scores", "slams"],
)
def test_running_totals_count_what_an_unfinished_rubber_earns(
    expected: list[tuple[int, int]], deals: list[Deal]
) -> None:
    assert expected == after_each(deals)


def test_the_winner_of_the_rubber_may_lose_on_points() -> None:
    deals = [deal("7NT W 13"), deal("4S N 11"), deal("3NT S 10")]
    (sheet,) = rubbers(deals)
    assert (780, 1220) == sheet.totals
    assert ("NS", "rubber", 500) == (sheet.entries[-1].side, sheet.entries[-1].kind, sheet.entries[-1].points)


def test_a_rubber_in_two_games_is_worth_700() -> None:
    """N-S have 100 and 70 below and 20 above, E-W 60 and 60 below; one notrump then wins the second game."""
    deals = [deal("2H E 8"), deal("5C N 12"), deal("2H W 8"), deal("2NT S 8"), deal("1NT N 7")]
    assert (930, 120) == totals(deals)


def test_the_only_game_and_the_only_part_score_may_belong_to_different_sides() -> None:
    assert (100 + 300, 60 + 100) == totals([deal("3NT N 9"), deal("2H E 8")])


def test_two_part_scores_in_an_unfinished_game_earn_nothing_more() -> None:
    assert (60, 40) == totals([deal("2H N 8"), deal("1NT E 7")])


def test_a_part_score_made_before_a_game_counts_for_no_later_one() -> None:
    """E-W's 60 is cut off by N-S's game: their next 60 is no game, and the only part-score."""
    assert (100 + 300, 60 + 60 + 100) == totals([deal("2H E 8"), deal("3NT N 9"), deal("2S W 8")])


def test_a_passed_out_deal_earns_nothing_and_is_on_the_sheet() -> None:
    (sheet,) = rubbers([PASSED_OUT, deal("3NT N 9"), deal("4S N 10")])
    assert (3, 220 + 700) == (sheet.deals, sheet.total("NS"))


def test_the_next_deal_after_a_rubber_begins_another() -> None:
    sheets = rubbers([deal("3NT N 9"), deal("4S N 10"), deal("1NT N 7")])
    assert [(920, 0), (140, 0)] == [sheet.totals for sheet in sheets]
    assert [True, False] == [sheet.finished for sheet in sheets]


def test_an_overtrick_does_not_help_to_a_game() -> None:
    """Only tricks that were bid are written below the line."""
    assert (60 + 120 + 100, 0) == totals([deal("2H N 12")])


def test_a_contract_vulnerable_earns_its_overtricks_so() -> None:
    """Two spades doubled with two overtricks: 120 below; 400 and 50 above."""
    (sheet,) = rubbers([deal("3NT N 9"), deal("2Sx N 10", ns=100)])
    assert [100, 120] == written(sheet, "NS", below=True)
    assert [400, 50, 100, 700] == written(sheet, "NS", below=False)


def test_honours_count_for_either_side_and_whatever_the_result() -> None:
    assert (0, 50 + 150) == totals([deal("4S N 9", ew=150)])


def test_points_for_bad_conduct_are_taken_from_the_side_itself() -> None:
    assert (-100, 100 + 300) == totals([Deal(3, "NT", 0, "E", 9, conduct_ns=100)])


def test_a_contract_whose_tricks_are_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="needs"):
        rubbers([Deal(3, "NT", 0, "E", None)])


DEALS = st.builds(
    Deal,
    level=st.integers(0, 7),
    strain=st.sampled_from(["C", "D", "H", "S", "NT"]),
    doubled=st.integers(0, 2),
    declarer=st.sampled_from(["N", "E", "S", "W"]),
    tricks=st.integers(0, 13),
)


@given(st.lists(DEALS, max_size=30))
def test_every_deal_is_on_one_sheet_and_a_finished_rubber_ends(deals: list[Deal]) -> None:
    sheets = rubbers(deals)
    assert len(deals) == sum(sheet.deals for sheet in sheets)
    assert all(sheet.finished for sheet in sheets[:-1])
    assert all(1 == sum(entry.kind == "rubber" for entry in sheet.entries) for sheet in sheets if sheet.finished)


@given(st.lists(DEALS, max_size=30))
def test_a_sheet_seen_from_the_other_side_is_the_same(deals: list[Deal]) -> None:
    turned = {"N": "E", "E": "S", "S": "W", "W": "N"}
    others = [Deal(d.level, d.strain, d.doubled, turned[d.declarer or "N"], d.tricks) for d in deals]
    assert [sheet.totals for sheet in rubbers(deals)] == [sheet.totals[::-1] for sheet in rubbers(others)]
