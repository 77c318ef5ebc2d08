"""Whole evenings, from a file to a ranking."""

from pathlib import Path

import polars as pl
import pytest

from overtrick.apps.evening.check import examine
from overtrick.core.config import Config, Scoring
from overtrick.core.frames import Session
from tests.support.evaluating import evaluate
from tests.support.reading import FIXTURES, codes

TENTHS = Config(scoring=Scoring(line_rounding=0.1))


def evening(name: str, config: Config | None = None) -> Session:
    return evaluate([str(FIXTURES / name)], config or Config())


def stated_beside_ours(session: Session) -> pl.DataFrame:
    return session.standings.join(session.contestants, on="contestant", how="inner")


def test_a_butler_evening_has_the_datums_lines_and_totals_that_the_file_states() -> None:
    session = evening("butler-evening.pbn")
    lines = session.results.filter(pl.col("stated_points_ns").is_not_null())
    assert 30 == len(lines)
    assert lines["stated_points_ns"].equals(lines["points_ns"].alias("stated_points_ns"))
    assert lines["stated_points_ew"].equals(lines["points_ew"].alias("stated_points_ew"))
    boards = session.results.drop_nulls("stated_datum")
    assert boards["stated_datum"].to_list() == boards["datum"].to_list()
    totals = stated_beside_ours(session)
    assert 10 == len(totals)
    assert totals["stated_total"].to_list() == totals["total"].to_list()
    assert "butler" == session.facts.method


def test_lines_rounded_to_tenths_add_up_to_the_totals_that_the_file_states() -> None:
    totals = stated_beside_ours(evening("line-rounding.pbn", TENTHS))
    assert 8 == len(totals)
    assert totals["stated_total"].to_list() == totals["total"].round(4).to_list()
    assert totals["stated_percentage"].to_list() == totals["percentage"].round(2).to_list()


def test_totals_that_lines_rounded_to_tenths_add_up_to_decide_that_they_are_added_so() -> None:
    session = evening("line-rounding.pbn")
    assert {"numbers-policy"} == set(codes(session.problems))
    assert "line_rounding = 0.1" in session.problems["message"].item()
    assert evening("line-rounding.pbn", TENTHS).standings.equals(session.standings)


def test_a_setting_of_the_club_wins_over_the_numbers_of_the_file_and_that_is_said() -> None:
    session = evening("line-rounding.pbn", Config(scoring=Scoring(line_rounding="exact")))
    assert {"numbers-mismatch"} == set(codes(session.problems))
    assert stated_beside_ours(session).filter(pl.col("stated_total") != pl.col("total")).height > 0


@pytest.mark.slow
def test_a_file_whose_last_line_has_no_end_is_checked_as_a_whole(tmp_path: Path) -> None:
    text = (FIXTURES / "line-rounding.pbn").read_text("utf-8")
    for name, content in (("ended", text), ("open", text.rstrip())):
        (tmp_path / name).write_text(content, "utf-8")
    ended, left_open = (codes(examine([str(tmp_path / name)], Config()).problems) for name in ("ended", "open"))
    assert "numbers-policy" in ended
    assert ended == left_open


def test_a_check_shows_how_much_it_has_read_and_what_follows() -> None:
    shown: list[tuple[str, int, int]] = []
    examine([str(FIXTURES / "line-rounding.pbn")], Config(), show=lambda *step: shown.append(step))
    reading = [("Checking (kB)", done, 6) for done in (0, 5)]
    stages = ("Checking", "Scoring", "Ranking", "Analysing")
    assert [*reading, *((words, done, 4) for done, words in enumerate(stages))] == shown


@pytest.mark.slow
def test_evenings_of_the_same_boards_are_not_compared(tmp_path: Path) -> None:
    text = (FIXTURES / "club-evening.pbn").read_text("utf-8")
    for name in ("first.pbn", "second.pbn"):
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "third.pbn").write_text((FIXTURES / "butler-evening.pbn").read_text("utf-8"), "utf-8")
    alone = codes(examine([str(tmp_path / "first.pbn")], Config()).problems)
    together = codes(examine([str(tmp_path)], Config()).problems)
    assert {code for code in together if code.startswith(("pair", "movement", "boards"))} <= set(alone)


def test_a_club_evening_of_two_winners_with_a_tie() -> None:
    session = evening("club-evening.pbn")
    places = session.standings.select("ranking", "rank", "rank_last", "contestant").rows()
    assert [("NS", 1, 1, "4"), ("EW", 1, 1, "11")] == [place for place in places if place[1] == 1]
    assert [("EW", 3, 4, "13"), ("EW", 3, 4, "14")] == [place for place in places if place[1] != place[2]]
    assert {24} == set(session.standings["boards"])
    assert [] == codes(session.problems)


def test_each_line_of_an_evening_shares_out_the_top() -> None:
    played = evening("club-evening.pbn").results.filter(pl.col("status").is_in(["played", "passed"]))
    assert ((played["numerator_ns"] + played["numerator_ew"]) == played["top"] * played["denominator"]).all()


def test_the_adjusted_line_gets_its_share_of_a_full_board() -> None:
    (line,) = evening("club-evening.pbn").results.filter(pl.col("status") == "adjusted").to_dicts()
    assert (14, 14) == (line["board"], line["top"])
    assert (5.6, 8.4) == (line["points_ns"], line["points_ew"])


def test_a_passed_out_table_is_a_result_of_nought() -> None:
    passed = evening("club-evening.pbn").results.filter(pl.col("status") == "passed")
    assert {0} == set(passed["score_ns"])
    assert 0 == passed["points_ns"].null_count()


@pytest.mark.parametrize(
    "name",
    [
        "ace-held-twice.pbn",
        "twelve-card-hand.pbn",
        "result-unknown.pbn",
        "board-number-with-letter.pbn",
        "inherit-from-nothing.pbn",
        "unterminated-tag.pbn",
        "bye.pbn",
        "adjusted-scores.pbn",
        "passed-out-board.pbn",
    ],
)
def test_sound_results_are_scored_whatever_else_a_file_holds(name: str) -> None:
    session = evening(name)
    scored = session.results.filter(pl.col("points_ns").is_not_null())
    assert len(scored) > 0
    assert set(scored["status"]) <= {"played", "passed", "adjusted"}
    assert len(session.standings) > 0
