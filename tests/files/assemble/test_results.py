"""The same result in several files."""

import os
from pathlib import Path

import pytest

from overtrick.files.assemble import read
from tests.files.assemble.test_deals import RESULTS, together


def test_results_given_twice_count_once(tmp_path: Path) -> None:
    read_both = together(tmp_path, a_csv=RESULTS, b_csv=RESULTS + "2,3,4,4S,N,9\n")
    assert [1, 2, 2] == sorted(read_both.results["board"])
    assert read_both.problems.is_empty()


def test_equal_results_of_two_days_are_two(tmp_path: Path) -> None:
    days = [f"date,{RESULTS.splitlines()[0]}\n2026.01.0{day},1,1,2,4S,N,10\n" for day in (1, 2)]
    assert 2 == len(together(tmp_path, a_csv=days[0], b_csv=days[1]).results)


def test_results_given_twice_count_twice_where_each_file_is_a_session(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.csv", "b.csv")]
    for path in paths:
        path.write_text(RESULTS)
    assert 4 == len(read([str(path) for path in paths], sessions="by-file").results)


def csv(*rows: str) -> str:
    return "\n".join(["board,ns,ew,contract,declarer,tricks,table,lead", *rows]) + "\n"


def test_a_result_keeps_what_each_file_knows_of_it(tmp_path: Path) -> None:
    both = together(tmp_path, a_csv=csv("1,2,5,4S,N,10,,HK"), b_csv=csv("1,2,5,4S,N,10,3,"))
    assert [("3", "HK")] == both.results.select("table", "lead").rows()
    assert both.problems.is_empty()


def test_a_result_that_differs_is_an_error_and_that_of_the_last_file_by_name_counts(tmp_path: Path) -> None:
    both = together(tmp_path, a_csv=csv("1,2,5,4S,N,10,,"), b_csv=csv("1,2,5,4S,N,9,,"))
    assert [9] == both.results["tricks"].to_list()
    assert [("error", "result-differs")] == both.problems.select("severity", "code").rows()
    assert "2-5: 4S by N 10 tricks, but 2-5: 4S by N 9 tricks" in both.problems["message"][0]


def test_the_same_pairs_the_other_way_round_are_the_same_result(tmp_path: Path) -> None:
    both = together(tmp_path, a_csv=csv("1,2,5,4S,N,10,,"), b_csv=csv("1,5,2,4S,N,10,,"))
    assert [("5", "2")] == both.results.select("ns", "ew").rows()
    assert ["result-differs"] == both.problems["code"].to_list()


def test_a_line_that_a_file_holds_twice_counts_once(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(csv("1,2,5,4S,N,10,,", "1,1,4,3NT,E,9,,", "1,2,5,4S,N,10,,"))
    alone = read([str(tmp_path / "a.csv")])
    assert 2 == len(alone.results)
    assert ["result-repeated"] == alone.problems["code"].to_list()


def test_both_tables_of_a_match_count(tmp_path: Path) -> None:
    rows = "board,ns,ew,score_ns,team_ns,team_ew\n1,A,B,420,A,B\n1,B,A,450,B,A\n"
    (tmp_path / "match.csv").write_text(rows)
    assert 2 == len(read([str(tmp_path / "match.csv")]).results)


def test_a_person_with_robots_is_known_and_a_table_of_robots_is_not(tmp_path: Path) -> None:
    person, robots = csv("1,GIB - Ada,GIB - GIB,4S,N,10,,"), csv("1,Robot 1 - Robot 2,~~V3 - ~~V3,4S,N,10,,")
    assert 1 == len(together(tmp_path, a_csv=person, b_csv=person).results)
    assert 2 == len(together(tmp_path, c_csv=robots, d_csv=robots).results)


REMATCH = (
    "round,table,board,ns,ew,score_ns\n"
    "1,1,1,Larks,Owls,420\n1,2,1,Owls,Larks,-50\n2,1,1,Larks,Owls,100\n2,2,1,Owls,Larks,100\n"
)


def test_a_rematch_on_a_board_of_the_same_number_is_another_match(tmp_path: Path) -> None:
    (tmp_path / "once.csv").write_text(REMATCH)
    once = read([str(tmp_path / "once.csv")])
    assert (4, []) == (len(once.results), once.problems["code"].to_list())
    both = together(tmp_path, a_csv=REMATCH, b_csv=REMATCH)
    assert [420, -50, 100, 100] == both.results["stated_score_ns"].to_list()
    assert both.problems.is_empty()


def test_files_that_number_the_round_of_one_meeting_differently_hold_one_result(tmp_path: Path) -> None:
    rows = [f"round,board,ns,ew,score_ns\n{number},1,2,5,420\n" for number in (1, 7)]
    assert 1 == len(together(tmp_path, a_csv=rows[0], b_csv=rows[1]).results)


@pytest.mark.parametrize(("older", "newer"), [("one.csv", "two.csv"), ("two.csv", "one.csv")])
def test_of_two_files_of_a_name_the_newer_one_counts(older: str, newer: str, tmp_path: Path) -> None:
    """Whatever the folders are called, and a file of another name counts after them only if its name is later."""
    for at, (name, tricks) in enumerate(((older, 10), (newer, 9))):
        path = tmp_path / name.removesuffix(".csv") / "tuesday.csv"
        path.parent.mkdir()
        path.write_text(csv(f"1,2,5,4S,N,{tricks},,"), "utf-8")
        os.utime(path, (1000 + at, 1000 + at))
    assert [9] == read([str(tmp_path)], sessions="together").results["tricks"].to_list()
