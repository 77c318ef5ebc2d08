"""Results seen from each side of the table."""

from overtrick.core.frames import sides
from tests.support.builders import results

LINE = {"board": 3, "ns": "1", "ew": "8", "stated_score_ns": 420, "award_ns": "A+", "award_ew": "A-", "multiplicity": 1}


def test_a_result_is_two_lines_one_a_contestant() -> None:
    both = sides(results(LINE)).select("board", "direction", "contestant", "award")
    assert [(3, "NS", "1", "A+"), (3, "EW", "8", "A-")] == both.rows()


def test_points_of_the_contract_stay_those_of_north_south() -> None:
    assert [420, 420] == sides(results(LINE))["stated_score_ns"].to_list()


def test_no_column_of_one_side_is_left() -> None:
    columns = sides(results(LINE)).columns
    assert {"stated_score_ns", "law_score_ns", "score_ns"} == {
        name for name in columns if name.endswith(("_ns", "_ew"))
    }
