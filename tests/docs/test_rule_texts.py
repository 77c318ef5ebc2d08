"""Printed rules that contradict one another: each test names the conflict and asserts what the Laws say."""

import polars as pl
import pytest

from overtrick.core.bridge.cards import board_vulnerability
from overtrick.core.bridge.rubber import Custom, chicago, four_hands, rubbers
from overtrick.core.bridge.score import contract_score
from overtrick.core.config import Scoring
from overtrick.judge.score import score
from tests.support.builders import session, traveller
from tests.support.sheets import PASSED_OUT, deal


def vulnerability(board: int) -> str:
    return str(pl.DataFrame({"board": [board]}).select(board_vulnerability(pl.col("board"))).item())


def points(level: int, strain: str, doubled: int, tricks: int, *, vulnerable: bool = False) -> int:
    contract = [pl.lit(level), pl.lit(strain), pl.lit(doubled), pl.lit(vulnerable), pl.lit(tricks)]
    return int(pl.select(contract_score(*contract)).item())


@pytest.mark.parametrize(
    ("sides", "boards"),
    [("None", (1, 8, 11, 14)), ("NS", (2, 5, 12, 15)), ("EW", (3, 6, 9, 16)), ("All", (4, 7, 10, 13))],
)
def test_only_north_south_are_vulnerable_on_board_2_though_a_list_has_both(sides: str, boards: tuple[int, ...]) -> None:
    """One list makes both sides vulnerable on 2, 5, 12 and 15 and goes on from there; only its "None" row is right."""
    assert {sides} == {vulnerability(board) for board in boards}


def test_a_passed_out_duplicate_board_is_not_dealt_again_though_a_text_says_so() -> None:
    """It scores zero for both sides and is compared like any other (Law 22B)."""
    rows = traveller(1, [50, -50])
    passed = {"board": 1, "ns": "3", "ew": "103", "level": 0, "status": "passed"}
    lines = score(session(*rows, passed), Scoring(method="matchpoints")).results
    assert [(50, 4), (-50, 0), (0, 2)] == lines.select("score_ns", "points_ns").rows()


def test_at_chicago_a_passed_out_deal_is_dealt_again_and_at_rubber_and_four_hands_the_next_player_deals() -> None:
    """After a passed-out second deal it is still East's turn, and E-W are vulnerable."""
    played = deal("4H E 10")
    assert (0, 50 + 620) == chicago([deal("1NT N 6"), PASSED_OUT, played], Custom("duplicate"))[0].totals
    assert 2 == rubbers([PASSED_OUT, played])[0].deals
    assert 2 == four_hands([PASSED_OUT, played]).deals


@pytest.mark.parametrize(
    ("score_", "contract", "tricks"), [(170, (2, "H", 0), 10), (470, (2, "H", 1), 8), (180, (2, "C", 1), 8)]
)
def test_overtricks_never_make_a_game(score_: int, contract: tuple[int, str, int], tricks: int) -> None:
    """Ten tricks in two hearts are not a game; two hearts doubled is a game, and two clubs doubled is not."""
    assert score_ == points(*contract, tricks)


def test_the_fourth_doubled_undertrick_costs_300_though_a_text_suggests_100() -> None:
    """The extra hundred comes on top of the 200 for each undertrick: 100, 300, 500, 800, 1100."""
    assert [-100, -300, -500, -800, -1100] == [points(4, "S", 1, 10 - down) for down in range(1, 6)]
    assert [-200, -500, -800, -1100] == [points(4, "S", 1, 10 - down, vulnerable=True) for down in range(1, 5)]


def test_making_any_doubled_contract_earns_50_though_a_text_says_game() -> None:
    assert 140 == points(1, "C", 1, 7) == 40 + 50 + 50


def test_notrump_ranks_above_spades_though_a_list_puts_it_last() -> None:
    """The first trick at notrump is worth 40."""
    assert 90 == points(1, "NT", 0, 7)


def test_total_match_point_scoring_adds_scores_and_not_matchpoints() -> None:
    lines = score(session(*traveller(1, [420, 50])), Scoring(method="aggregate")).results
    assert [420, 50] == lines["points_ns"].to_list()


def test_a_pair_beaten_is_worth_2_or_1_with_the_same_percentage() -> None:
    """One text counts 1 and a half; the Laws count 2 and 1."""
    lines = score(session(*traveller(1, [420, 50, 50])), Scoring(method="matchpoints")).results
    assert [(4, 100), (1, 25), (1, 25)] == lines.select("points_ns", "percentage_ns").rows()


def test_a_game_in_one_hand_earns_500_though_a_list_suggests_a_game_in_two_does() -> None:
    assert 100 + 500 == four_hands([deal("3NT N 9")]).total("NS")
    assert 60 + 60 + 300 == four_hands([deal("2H N 8"), deal("2H N 8")]).total("NS")


def test_honours_are_100_and_150_though_a_table_lost_its_numbers() -> None:
    (sheet,) = rubbers([deal("2H N 8", ns=100), deal("3NT N 9", ew=150)])
    assert [100, 150] == [entry.points for entry in sheet.entries if entry.kind == "honours"]
