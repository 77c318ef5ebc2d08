"""The same result in several files."""

from pathlib import Path

from overtrick.assemble import read
from tests.assemble.test_deals import RESULTS, together


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
