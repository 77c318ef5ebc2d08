"""Files of several evenings, read together."""

from pathlib import Path
from typing import Any

import pytest

from overtrick.core.config import Config, Scoring
from overtrick.core.frames import Session
from tests.support.evaluating import evaluate
from tests.support.reading import codes

HEADER = "event,date,board,ns,ew,score_ns,names_ns,team_ns,team_ew\n"


def evening(day: int, *scores: int, event: str = "Pairs", names: str = "Ada - Bo", teams: str = ",") -> str:
    rows = [f"{event},2026.11.0{day},1,{n},{n + 2},{score},{names if n == 1 else ''},{teams}" for n, score in
            enumerate(scores, start=1)]  # fmt: skip
    return HEADER + "\n".join(rows) + "\n"


def evaluated(folder: Path, *files: str, **policies: Any) -> Session:
    paths = []
    for number, text in enumerate(files):
        paths.append(str(folder / f"{number}.csv"))
        Path(paths[-1]).write_text(text, "utf-8")
    return evaluate(paths, Config(scoring=Scoring(method="matchpoints", **policies)))


@pytest.mark.parametrize("second", [evening(2, 50, 400), evening(1, 50, 400, event="Cup")])
def test_evenings_are_scored_each_by_itself_and_the_scorer_is_told(tmp_path: Path, second: str) -> None:
    both = evaluated(tmp_path, evening(1, 100, 420), second)
    assert [0, 2, 0, 2] == both.results["points_ns"].to_list()
    assert ["sessions-several"] == codes(both.problems)
    assert ("section", True) == (both.facts.policies["field"], both.facts.by_file)


def test_files_of_one_evening_are_one_session(tmp_path: Path) -> None:
    second = evening(1, 50, 400).replace(",1,3,", ",5,7,").replace(",2,4,", ",6,8,")
    both = evaluated(tmp_path, evening(1, 100, 420), second)
    assert [2, 6, 0, 4] == both.results["points_ns"].to_list()
    assert [] == codes(both.problems)


@pytest.mark.parametrize(("points", "sessions"), [([0, 2, 0, 2], "by-file"), ([2, 6, 0, 4], "together")])
def test_the_club_decides_without_being_told(tmp_path: Path, points: list[int], sessions: str) -> None:
    both = evaluated(tmp_path, evening(1, 100, 420), evening(2, 50, 400), sessions=sessions)
    assert points == both.results["points_ns"].to_list()
    assert "sessions-several" not in codes(both.problems)


def test_a_pair_that_plays_its_board_on_two_evenings_plays_it_once_each(tmp_path: Path) -> None:
    both = evaluated(tmp_path, evening(1, 100, 420), evening(1, 50, 400), sessions="by-file")
    assert [] == codes(both.problems)


def test_equal_results_of_one_day_count_twice_where_each_file_is_a_session(tmp_path: Path) -> None:
    both = evaluated(tmp_path, evening(1, 100, 420), evening(1, 100, 420), sessions="by-file")
    assert [2, 2, 2, 2] == both.standings["boards"].to_list()


def test_a_number_that_is_another_pair_on_the_other_evening_is_named(tmp_path: Path) -> None:
    both = evaluated(tmp_path, evening(1, 100, 420), evening(1, 50, 400, names="Cy - Di"), sessions="by-file")
    assert [
        (
            "contestant 1 has different names in the files (Ada - Bo / Cy - Di);"
            " overtrick adds up all totals of that number"
        )
    ] == both.problems["message"].to_list()


def test_two_rooms_that_call_their_match_differently_are_one_match(tmp_path: Path) -> None:
    rooms = [
        evening(1, score, event=room, teams=teams)
        for room, score, teams in (("Open", 420, "Reds,Blues"), ("Closed", 170, "Blues,Reds"))
    ]
    both = evaluated(tmp_path, *rooms, vp_scale="wbf")
    assert "sessions-several" not in codes(both.problems)
