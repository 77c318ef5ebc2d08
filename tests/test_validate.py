"""Deals, boards and results against the Laws."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given

from overtrick.frames import PROBLEMS, Session, dtypes
from overtrick.parse import read
from overtrick.validate import validate
from tests.pbn_texts import odd_texts, session, sound_games
from tests.reading import codes

Check = Callable[[str], Session]

DEAL = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"


@pytest.fixture
def checked(tmp_path: Path) -> Check:
    def check(text: str) -> Session:
        path = tmp_path / "evening.pbn"
        path.write_text(text, "utf-8")
        return validate(read([str(path)]))

    return check


def test_a_sound_deal_is_silent(checked: Check) -> None:
    assert [] == codes(checked(f'[Board "1"]\n[Deal "{DEAL}"]\n').problems)


def test_a_card_in_two_hands_is_named_with_both(checked: Check) -> None:
    twice = DEAL.replace("QJT6", "QJT4")
    problems = checked(f'[Board "3"]\n[Deal "{twice}"]\n').problems
    assert [("deal-duplicate-card", 2, "board 3: ♣4 is in East and in South; the board is not scored")] == (
        problems.select("code", "line", "message").rows()
    )


def test_hands_of_twelve_and_fourteen_cards_are_both_named(checked: Check) -> None:
    moved = DEAL.replace("A8654.KQ5", "8654.KQ5").replace("N:.63", "N:A.63")
    messages = checked(f'[Board "3"]\n[Deal "{moved}"]\n').problems["message"].to_list()
    assert ["board 3: North has 14 cards", "board 3: East has 12 cards"] == [m.split(" instead")[0] for m in messages]


def test_results_on_a_spoiled_deal_are_not_scored(checked: Check) -> None:
    game = '[Declarer "N"]\n[Contract "1NT"]\n[Result "7"]\n'
    session = checked(f'[Board "1"]\n[Deal "{DEAL[:-1]}"]\n{game}\n[Board "2"]\n[Deal "{DEAL}"]\n{game}')
    assert ["unknown", "played"] == session.results["status"].to_list()


def test_hidden_hands_are_not_judged(checked: Check) -> None:
    assert [] == codes(checked('[Deal "N:.63.AKQ987.A9732 - - -"]\n').problems)


def test_equally_short_hands_are_an_end_position(checked: Check) -> None:
    assert ["deal-end-position"] == codes(checked('[Deal "N:A.K.Q.J K.Q.J.A - -"]\n').problems)


def test_dealer_and_vulnerability_of_the_file_are_compared_with_law_2(checked: Check) -> None:
    problems = checked('[Board "5"]\n[Dealer "S"]\n[Vulnerable "All"]\n').problems
    assert [("board-dealer", 2), ("board-vulnerability", 3)] == problems.select("code", "line").rows()


@pytest.mark.parametrize("game", ["Rubber", "Chicago"])
def test_the_number_of_a_rubber_deal_says_nothing_of_vulnerability(checked: Check, game: str) -> None:
    assert [] == codes(checked(f'[Board "2"]\n[Dealer "S"]\n[Vulnerable "EW"]\n[Scoring "{game}"]\n').problems)


def test_board_2_is_north_south_vulnerable(checked: Check) -> None:
    assert [] == codes(checked('[Board "2"]\n[Dealer "E"]\n[Vulnerable "NS"]\n').problems)


SCORED = '[Board "1"]\n[Declarer "E"]\n[Contract "4S"]\n[Result "{tricks}"]\n[Score "{score}"]\n'


@pytest.mark.parametrize(("tricks", "score"), [(10, "420"), (10, "NS -420"), (9, "-50"), (11, "EW 450")])
def test_a_score_of_law_77_is_silent(checked: Check, tricks: int, score: str) -> None:
    assert [] == codes(checked(SCORED.format(tricks=tricks, score=score)).problems)


def test_a_wrong_score_is_a_warning_with_both_values(checked: Check) -> None:
    problem = checked(SCORED.format(tricks=10, score="450")).problems.row(0, named=True)
    assert ("score-mismatch", "warning") == (problem["code"], problem["severity"])
    assert "-420" in problem["message"]
    assert "-450" in problem["message"]


def test_a_score_of_the_other_vulnerability_is_explained(checked: Check) -> None:
    problem = checked(SCORED.format(tricks=10, score="620")).problems.row(0, named=True)
    assert "score-mismatch-vulnerability" == problem["code"]
    assert "right for declarer vulnerable" in problem["message"]


def test_a_contract_without_result_is_named_and_stays_unknown(checked: Check) -> None:
    session = checked('[Board "1"]\n[Declarer "N"]\n[Contract "3NT"]\n[Result "?"]\n')
    assert ["result-unknown"] == codes(session.problems)
    assert [("unknown", None)] == session.results.select("status", "tricks").rows()


def test_a_passed_out_board_is_a_result(checked: Check) -> None:
    assert ["passed"] == checked('[Board "1"]\n[Contract "Pass"]\n').results["status"].to_list()


@given(sound_games() | odd_texts())
def test_whatever_a_file_holds_is_judged_without_a_crash(text: str) -> None:
    assert dtypes(PROBLEMS) == dict(validate(session(text)).problems.schema)
