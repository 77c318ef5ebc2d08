"""An evening that stays in memory: each change of its corrections gives what reading everything anew gives."""

import shutil
from pathlib import Path

import pytest

from overtrick.apps.evening.edit import Evening, open_evening
from overtrick.core.config import Config
from overtrick.files.correct.entry import read_entry
from tests.support.commands import FIXTURES
from tests.support.desk import large_sheet

FRAMES = ("records", "results", "contestants", "standings", "corrections", "problems")


def assert_same_as_read_anew(evening: Evening) -> None:
    anew = open_evening(Path(evening.paths[0]), Config())
    assert evening.content == anew.content
    for frame in FRAMES:
        assert getattr(evening.session, frame).equals(getattr(anew.session, frame)), frame


def put(evening: Evening, **options: object) -> Evening:
    edited = evening.put(read_entry({"why": "entered wrongly", **options}))
    evening.write(edited.text)
    after = evening.written(edited)
    assert_same_as_read_anew(after)
    return after


@pytest.mark.slow
def test_entries_that_follow_each_other_give_what_the_whole_file_gives(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "spring-pairs.csv", tmp_path / "tuesday.csv")
    evening = open_evening(tmp_path / "tuesday.csv", Config())
    evening = put(evening, board=1, pair="2", contract="4S", by="N", tricks=10)
    evening = put(evening, board=1, pair="3", swap=True)
    evening = put(evening, board=1, pair="1", award=["60%", "40%"], why="Law 12C2")
    evening = put(evening, pair="2", name="Fay Reid - Gus Lane")
    evening = put(evening, board=1, pair="2", contract="4S", by="N", tricks=9)
    evening = put(evening, board=2, pair="1", delete=True)
    for _ in range(5):
        edited = evening.take_back()
        evening.write(edited.text)
        evening = evening.written(edited)
        assert_same_as_read_anew(evening)


@pytest.mark.slow
def test_an_entry_that_fits_nothing_is_found_at_its_place_again(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "spring-pairs.csv", tmp_path / "tuesday.csv")
    wrong = '[[corrections]]\nboard = 99\npair = "1"\ntricks = 9\nwhy = "x"\n'
    (tmp_path / "tuesday.corrections.toml").write_text(wrong, "utf-8")
    evening = put(open_evening(tmp_path / "tuesday.csv", Config()), board=1, pair="1", tricks=8)
    assert ["correction-unmatched"] == evening.session.problems.filter(severity="error")["code"].to_list()


@pytest.mark.slow
def test_the_checks_of_who_met_whom_follow_who_sits_elsewhere(tmp_path: Path) -> None:
    large_sheet(tmp_path / "large.csv", tables=5, rounds=5)
    evening = open_evening(tmp_path / "large.csv", Config())
    evening = put(evening, board=1, pair="1", contract="3N", by="N", tricks=9)
    evening = put(evening, board=1, pair="1", swap=True)
    assert "pair-wrong-way" in evening.session.problems["code"]
    evening = put(evening, board=2, pair="1", contract="Pass")
