"""Deals, boards and results against the Laws."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given

from overtrick.core.bridge import cards, replays
from overtrick.core.frames import PROBLEMS, Session, dtypes
from overtrick.files.assemble import read
from tests.support.deals import pbn, random_boards
from tests.support.pbn_texts import odd_texts, session, sound_games
from tests.support.reading import codes, validated

Check = Callable[[str], Session]

DEAL = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"


@pytest.fixture
def checked(tmp_path: Path) -> Check:
    def check(text: str) -> Session:
        path = tmp_path / "evening.pbn"
        path.write_text(text, "utf-8")
        return validated(read([str(path)]))

    return check


def test_a_sound_deal_is_silent(checked: Check) -> None:
    assert [] == codes(checked(f'[Board "1"]\n[Deal "{DEAL}"]\n').problems)


def test_a_card_in_two_hands_is_named_with_both(checked: Check) -> None:
    twice = DEAL.replace("QJT6", "QJT4")
    problems = checked(f'[Board "3"]\n[Deal "{twice}"]\n').problems
    assert [("deal-duplicate-card", 2, "board 3: ♣4 is in the hands of East and South; the board is not scored")] == (
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


@pytest.mark.parametrize(
    ("code", "deal"),
    [
        ("deal-partial", "S:... Q7... ... KJT94..."),
        ("deal-without-cards", "N:... ... ... ..."),
        ("deal-hand-size", "N:AKQJT98765432... .K.. - -"),
        ("deal-one-hand", "N:AKQJT98765432... ... ... ..."),
    ],
)
def test_what_lesson_files_show_of_a_deal_is_told_from_a_slip(checked: Check, code: str, deal: str) -> None:
    assert [code] == codes(checked(f'[Deal "{deal}"]\n').problems)


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


def test_a_wrong_score_is_shown_at_its_tag(checked: Check) -> None:
    assert [5] == checked(SCORED.format(tricks=10, score="450")).problems["line"].to_list()
    unknown = checked('[Board "1"]\n[Declarer "N"]\n[Contract "3NT"]\n[Result "?"]\n').problems
    assert [4] == unknown["line"].to_list()


def test_a_score_of_the_other_vulnerability_is_explained(checked: Check) -> None:
    problem = checked(SCORED.format(tricks=10, score="620")).problems.row(0, named=True)
    assert "score-mismatch" == problem["code"]
    assert "right if declarer is vulnerable" in problem["message"]


def traveller(*rows: str) -> str:
    """Write a traveller of board 1 whose rows begin in line 4."""
    columns = "PairId_NS;PairId_EW;Contract;Declarer;Result;Lead;Score_NS"
    return f'[Board "1"]\n[Deal "{DEAL}"]\n[ScoreTable "{columns}"]\n' + "\n".join(rows) + "\n"


def told(problems: pl.DataFrame) -> list[tuple[str, int, str]]:
    return problems.select("code", "line", "message").rows()


def test_a_score_that_no_contract_comes_to_is_reported_where_nothing_else_is_known(checked: Check) -> None:
    problems = checked(traveller("1 2 - - - - 415", "3 4 - - - - 420", "5 6 - - - - -100", "7 8 - - - - 0")).problems
    said = "board 1: no contract scores 415 for N-S, vulnerable None; overtrick uses the file's score"
    assert [("score-mismatch", 4, said)] == told(problems)


def test_a_score_of_the_other_vulnerability_is_none_where_nobody_is_vulnerable(checked: Check) -> None:
    assert ["score-mismatch"] == codes(checked(traveller("1 2 - - - - 620", "3 4 - - - - -420")).problems)
    assert [] == codes(checked(traveller("1 2 - - - - 620").replace('[Board "1"]', '[Board "2"]')).problems)


def test_points_of_a_rubber_are_no_duplicate_scores(checked: Check) -> None:
    assert [] == codes(checked('[Scoring "Rubber"]\n' + traveller("1 2 - - - - 95")).problems)


def test_a_lead_that_the_leader_does_not_hold_is_noted(checked: Check) -> None:
    rows = ("1 2 3NT N 9 CQ 400", "3 4 3NT N 9 SK 400", "5 6 3NT N 9 - 400", "7 8 3NT - 9 SK 400")
    said = "board 1: the lead against 3NT by N is SK, but West holds that card"
    assert [("lead-not-held", 5, said)] == told(checked(traveller(*rows)).problems)


def test_points_for_a_board_that_is_passed_out_are_reported(checked: Check) -> None:
    said = "board 1: a passed-out board scores 0 for N-S, but the file says 50; overtrick uses the file's score"
    assert [("score-mismatch", 4, said)] == told(checked(traveller("1 2 Pass - - - 50")).problems)


def test_a_contract_without_result_is_named_and_stays_unknown(checked: Check) -> None:
    session = checked('[Board "1"]\n[Declarer "N"]\n[Contract "3NT"]\n[Result "?"]\n')
    assert ["result-unknown"] == codes(session.problems)
    assert [("unknown", None)] == session.results.select("status", "tricks").rows()


def test_a_passed_out_board_is_a_result(checked: Check) -> None:
    assert ["passed"] == checked('[Board "1"]\n[Contract "Pass"]\n').results["status"].to_list()


def test_many_boards_are_judged_lot_by_lot_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    slips = {"\nSA ": "\nS2 ", "\nH3 ": "\nHA ", " 2C ": " 1C ", "X\n": "XX\n", ":KQ": ":KA", "Pass\n1S": "Pass\n^S 1S"}
    text = pbn(random_boards(200, seed=3))
    for right, wrong in slips.items():
        text = text.replace(right, wrong)
    boards = session(text)
    together = validated(boards).problems
    assert {"auction-illegal", "play-card-not-held", "deal-duplicate-card"} <= set(together["code"])
    for module in (replays, cards):
        monkeypatch.setattr(module, "_LOT", 7)
    assert together.equals(validated(boards).problems)


@given(sound_games() | odd_texts())
@pytest.mark.slow
def test_whatever_a_file_holds_is_judged_without_a_crash(text: str) -> None:
    assert dtypes(PROBLEMS) == dict(validated(session(text)).problems.schema)
