"""Standings."""

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.config import Scoring
from overtrick.core.frames import STANDINGS, Session, dtypes
from overtrick.judge.numbers import score_as_stated
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from tests.support.builders import Row, session, traveller

ROUNDED: dict[str, Any] = {"line_rounding": 0.1}


def ranked(rows: Sequence[Row], contestants: Sequence[Row] = (), **policies: Any) -> Session:
    scoring = Scoring(**{"method": "matchpoints", **policies})
    return rank(score(session(*rows, contestants=contestants), scoring), scoring)


def places(result: Session, ranking: str) -> list[tuple[int, int, str]]:
    standings = result.standings.filter(pl.col("ranking") == ranking)
    return [tuple(row) for row in standings.select("rank", "rank_last", "contestant").rows()]


def test_a_mitchell_has_two_winners() -> None:
    result = ranked(traveller(1, [420, 50, 450]))
    assert [(1, 1, "3"), (2, 2, "1"), (3, 3, "2")] == places(result, "NS")
    assert [(1, 1, "102"), (2, 2, "101"), (3, 3, "103")] == places(result, "EW")
    assert ["NS"] * 3 + ["EW"] * 3 == result.standings["direction"].to_list()


def test_totals_percentages_and_boards() -> None:
    result = ranked([*traveller(1, [420, 50, 450]), *traveller(2, [110, 110, -50])])
    best = result.standings.row(0, named=True)
    assert ("1", 5, 62.5, 2) == tuple(best[name] for name in ("contestant", "total", "percentage", "boards"))


def test_equals_share_their_places_and_come_in_the_order_of_their_numbers() -> None:
    rows = [
        {**row, "ns": name} for row, name in zip(traveller(1, [50, 420, 420, -50]), ("4", "10", "9", "1"), strict=True)
    ]
    assert [(1, 2, "9"), (1, 2, "10"), (3, 3, "4"), (4, 4, "1")] == places(ranked(rows), "NS")


def test_only_equals_tie_however_small_the_difference() -> None:
    """Three thirds are one IMP; three times 0.33333333 are a little less."""
    earned = [("1", 1, 3)] * 3 + [("2", 1, 1)] + [("3", 33_333_333, 100_000_000)] * 3
    rows: list[Row] = [
        {"board": board, "ns": who, "numerator_ns": numerator, "denominator": denominator}
        for board, (who, numerator, denominator) in enumerate(earned)
    ]
    result = rank(session(*rows), Scoring())
    assert [(1, 2, "1"), (1, 2, "2"), (3, 3, "3")] == places(result, "NS")


def test_lines_rounded_first_make_other_totals() -> None:
    """Two lines of a third and one of 3: 3.67, but 3.6 where a third was written down as 0.3."""
    short: list[int | str] = [50, 170, "A", 420]
    rows = [*traveller(1, short), *traveller(2, short), *traveller(3, [0, 0, 0, 0])]
    exact, rounded = (ranked(rows, **policy).standings.filter(contestant="1") for policy in ({}, ROUNDED))
    assert [3.667, 3.6] == [round(table["total"].item(), 3) for table in (exact, rounded)]


def test_a_sit_out_costs_nothing() -> None:
    """Pair 3 missed a board: 7 of 8 are more than the 8.5 of 12 of pair 1."""
    rows = [*traveller(1, [420, 50, "not played"]), *traveller(2, [420, 50, 450]), *traveller(3, [420, 50, 420])]
    standings = ranked(rows).standings.filter(pl.col("ranking") == "NS")
    assert [("3", 7, 2), ("1", 8.5, 3), ("2", 0.5, 3)] == standings.select("contestant", "total", "boards").rows()


def test_an_adjusted_board_counts_as_a_board() -> None:
    result = ranked(traveller(1, ["A+ A-", 50, 420]))
    assert {("1", 1), ("101", 1)} <= set(result.standings.select("contestant", "boards").rows())


def test_imps_are_ranked_by_their_sum_and_have_no_percentage() -> None:
    rows = [*traveller(1, [620, 170]), *traveller(2, [50, 50])]
    standings = ranked(rows, method="butler").standings
    assert [("1", 6, None), ("2", -6, None)] == standings.select("contestant", "total", "percentage").rows()[:2]


def test_names_come_from_the_list_of_contestants() -> None:
    listed: list[Row] = [{"contestant": "1", "names": "Ada - Bo"}, {"contestant": "101", "names": "Cy - Di"}]
    standings = ranked(traveller(1, [50, 420]), listed).standings
    assert {("1", "Ada - Bo"), ("101", "Cy - Di"), ("2", None), ("102", None)} == set(
        standings.select("contestant", "names").rows()
    )


def test_pair_one_north_south_and_pair_one_east_west_keep_their_own_names() -> None:
    listed: list[Row] = [
        {"contestant": "1", "direction": "NS", "names": "Ada - Bo"},
        {"contestant": "1", "direction": "EW", "names": "Cy - Di"},
    ]
    rows: list[Row] = [{"board": 1, "ns": "1", "ew": "1", "stated_score_ns": 420}]
    standings = ranked(rows, listed).standings
    assert [("NS", "1", "Ada - Bo"), ("EW", "1", "Cy - Di")] == standings.select(
        "ranking", "contestant", "names"
    ).rows()


def test_a_number_that_is_listed_twice_without_a_difference_has_no_name() -> None:
    listed: list[Row] = [{"contestant": "1", "names": "Ada - Bo"}, {"contestant": "1", "names": "Cy - Di"}]
    assert [None] == ranked(traveller(1, [50]), listed).standings.filter(contestant="1")["names"].to_list()


def test_sections_that_number_their_pairs_alike_are_told_apart() -> None:
    listed: list[Row] = [
        {"contestant": "1", "section": "A", "names": "Ada - Bo"},
        {"contestant": "1", "section": "B", "names": "Cy - Di"},
    ]
    rows = [*traveller(1, [420], section="A"), *traveller(1, [50], section="B")]
    apart = ranked(rows, listed).standings.filter(contestant="1")
    assert [("A NS", "A", "Ada - Bo"), ("B NS", "B", "Cy - Di")] == apart.select("ranking", "section", "names").rows()
    across = ranked(rows, listed, field="all").standings.filter(contestant="1")
    assert [("NS", 1, "Ada - Bo"), ("NS", 2, "Cy - Di")] == across.select("ranking", "rank", "names").rows()


def test_a_contestant_that_has_not_played_is_not_ranked() -> None:
    assert ranked(traveller(1, ["not played"]), [{"contestant": "1", "names": "Ada - Bo"}]).standings.is_empty()


def test_a_board_that_only_one_table_played_is_fifty_per_cent() -> None:
    assert [("1", 0, 50), ("101", 0, 50)] == ranked(traveller(1, [420])).standings.select(
        "contestant", "total", "percentage"
    ).rows()


def test_without_points_there_is_no_ranking() -> None:
    result = rank(score(session(*traveller(1, [50, 420]), scoring="IMP"), Scoring()), Scoring())
    assert result.standings.is_empty()


def test_no_session_no_standings() -> None:
    assert dtypes(STANDINGS) == dict(rank(Session(), Scoring()).standings.schema)


@pytest.mark.parametrize("method", ["matchpoints", "butler", "cross-imps", "aggregate"])
@given(order=st.permutations(range(8)))
def test_standings_do_not_depend_on_the_order_of_the_rows(method: str, order: list[int]) -> None:
    rows = [*traveller(1, [420, 50, 420, "A+ A-"]), *traveller(2, [-50, 110, "not played", 110])]
    assert ranked(rows, method=method).standings.equals(
        ranked([rows[place] for place in order], method=method).standings
    )


EVENING = [*traveller(1, [460, 490, 520]), *traveller(2, [0, 0, 0, 0])]
"""Pair 1 has 1/3 + 3 of 12, pair 2 6 of 12, pair 3 17/3 + 3 of 12, pair 4 3 of 6."""


def mismatches(contestants: Sequence[Row], **policies: Any) -> list[str]:
    scoring = Scoring(**{"method": "matchpoints", **policies})
    problems = score_as_stated(session(*EVENING, contestants=contestants), scoring).problems
    assert set(problems["code"]) <= {"number-mismatch"}
    return problems["message"].to_list()


def stated(totals: dict[str, float], percentages: dict[str, float] | None = None) -> list[Row]:
    return [
        {"contestant": who, "stated_total": total, "stated_percentage": (percentages or {}).get(who)}
        for who, total in totals.items()
    ]


def test_totals_as_the_file_rounds_them_agree() -> None:
    assert [] == mismatches(stated({"1": 3.3, "2": 6, "3": 8.7}, {"1": 27.78, "2": 50, "3": 72.22}))


def test_a_total_that_differs_is_reported_with_both_values() -> None:
    assert ["3: the total in the file is 8.9, but overtrick calculates 8.67 and uses it"] == mismatches(
        stated({"1": 3.3, "2": 6, "3": 8.9})
    )


def test_a_total_in_half_matchpoints_is_the_same_total() -> None:
    assert [] == mismatches(stated({"1": 1.67, "2": 3, "3": 4.33}))


def test_a_percentage_is_compared_where_the_total_agrees() -> None:
    assert ["2: the percentage in the file is 51.5, but overtrick calculates 50.0 and uses it"] == mismatches(
        stated({"1": 3.3, "2": 6}, {"1": 27.8, "2": 51.5})
    )


def test_a_wrong_total_is_reported_once_whatever_its_percentage() -> None:
    assert len(mismatches(stated({"1": 3.3, "2": 9}, {"2": 75}))) == 1


@pytest.mark.slow
def test_rounding_lines_as_the_file_does_brings_totals_together() -> None:
    listed = stated({"1": 3.27, "3": 8.73})
    assert ([True, True], []) == (
        ["overtrick calculates" in message for message in mismatches(listed)],
        mismatches(stated({"1": 3.3, "3": 8.7}), line_rounding=0.1),
    )


def test_a_file_without_totals_is_not_compared() -> None:
    assert [] == mismatches([{"contestant": "1", "names": "Ada - Bo"}])


def test_a_total_brought_to_the_boards_of_the_whole_session_is_the_same_total() -> None:
    """Pair 4 sat out on one of two boards: 3 of its 6 are 6 of 12, the percentage that it is ranked by."""
    assert [] == mismatches(stated({"1": 3.3, "4": 6}, {"4": 50}))
    assert ["4: the total in the file is 5.0, but overtrick calculates 3.0 and uses it"] == mismatches(stated({"4": 5}))


def test_a_percentage_of_the_rounded_total_is_the_same_percentage() -> None:
    """Pair 1 has 3 1/3 of 12, which is 27.78 %; a program that keeps 3.3 writes 27.5 %."""
    assert [] == mismatches(stated({"1": 3.3}, {"1": 27.5}))
    assert ["1: the percentage in the file is 27.6, but overtrick calculates 27.78 and uses it"] == mismatches(
        stated({"1": 3.3}, {"1": 27.6})
    )


def test_imps_have_no_half_units() -> None:
    rows = [*traveller(1, [620, 170])]
    scoring = Scoring(method="butler")
    listed: list[Row] = [{"contestant": "1", "stated_total": 3}, {"contestant": "2", "stated_total": -6}]
    problems = score_as_stated(session(*rows, contestants=listed), scoring).problems
    assert problems.select("code", pl.col("message").str.head(2)).rows() == [("number-mismatch", "1:")]


def test_frames_count_two_a_pair_beaten_whatever_unit_pages_show() -> None:
    rows = traveller(1, [420, 430, 500, 420, 450, -50, 170])
    shown, usual = (
        rank(score(session(*rows), scoring), scoring)
        for scoring in (Scoring(method="matchpoints", matchpoint_unit=unit) for unit in ("1-half", "2-1"))
    )
    assert [5, 8, 12, 5, 10, 0, 2] == shown.results["points_ns"].to_list()
    assert shown.results.equals(usual.results)
    assert shown.standings.equals(usual.standings)
