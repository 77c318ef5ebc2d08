"""Totals that the file states."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from overtrick.config import Scoring
from overtrick.rank import rank
from overtrick.score import score
from tests.support.builders import Row, session, traveller

EVENING = [*traveller(1, [460, 490, 520]), *traveller(2, [0, 0, 0, 0])]
"""Pair 1 has 1/3 + 3 of 12, pair 2 6 of 12, pair 3 17/3 + 3 of 12, pair 4 3 of 6."""


def mismatches(contestants: Sequence[Row], **policies: Any) -> list[str]:
    scoring = Scoring(**{"method": "matchpoints", **policies})
    problems = rank(score(session(*EVENING, contestants=contestants), scoring), scoring).problems
    assert set(problems["code"]) <= {"total-mismatch"}
    return problems["message"].to_list()


def stated(totals: dict[str, float], percentages: dict[str, float] | None = None) -> list[Row]:
    return [
        {"contestant": who, "stated_total": total, "stated_percentage": (percentages or {}).get(who)}
        for who, total in totals.items()
    ]


def test_totals_as_the_file_rounds_them_agree() -> None:
    assert [] == mismatches(stated({"1": 3.3, "2": 6, "3": 8.7}, {"1": 27.78, "2": 50, "3": 72.22}))


def test_a_total_that_differs_is_said_with_both_values() -> None:
    assert ["3: the total in the file is 8.9, but overtrick calculates 8.67 and uses it"] == mismatches(
        stated({"1": 3.3, "2": 6, "3": 8.9})
    )


def test_a_total_in_half_matchpoints_is_the_same_total() -> None:
    assert [] == mismatches(stated({"1": 1.67, "2": 3, "3": 4.33}))


def test_a_percentage_is_compared_where_the_total_agrees() -> None:
    assert ["2: the percentage in the file is 51.5, but overtrick calculates 50.0 and uses it"] == mismatches(
        stated({"1": 3.3, "2": 6}, {"1": 27.8, "2": 51.5})
    )


def test_a_wrong_total_is_said_once_whatever_its_percentage() -> None:
    assert len(mismatches(stated({"1": 3.3, "2": 9}, {"2": 75}))) == 1


def test_rounding_lines_as_the_file_does_brings_totals_together() -> None:
    listed = stated({"1": 3.27, "3": 8.73})
    assert ([True, True], []) == (
        ["calculates" in message for message in mismatches(listed)],
        mismatches(stated({"1": 3.3, "3": 8.7}), line_rounding=0.1),
    )


def test_a_file_without_totals_is_not_compared() -> None:
    assert [] == mismatches([{"contestant": "1", "names": "Ada - Bo"}])


def test_a_total_brought_to_the_boards_of_the_whole_session_is_the_same_total() -> None:
    """Pair 4 sat out on one of two boards: 3 of its 6 are 6 of 12, the percentage that it is ranked by."""
    assert [] == mismatches(stated({"1": 3.3, "4": 6}, {"4": 50}))
    assert ["4: the total in the file is 5.0, but overtrick calculates 3.0 and uses it"] == mismatches(stated({"4": 5}))


def test_imps_have_no_half_units() -> None:
    rows = [*traveller(1, [620, 170])]
    scoring = Scoring(method="butler")
    listed: list[Row] = [{"contestant": "1", "stated_total": 3}, {"contestant": "2", "stated_total": -6}]
    problems = rank(score(session(*rows, contestants=listed), scoring), scoring).problems
    assert problems.select("code", pl.col("message").str.head(2)).rows() == [("total-mismatch", "1:")]
