"""Matchpoints and Neuberg's formula."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.config import Scoring
from overtrick.core.frames import Facts
from overtrick.judge.score import score
from tests.support.builders import Row, session, traveller

SCORES = st.sampled_from([-800, -420, -100, -50, 0, 50, 110, 140, 420, 620])


def matchpointed(rows: Sequence[Row], records: Sequence[Row] = (), **policies: Any) -> pl.DataFrame:
    return score(session(*rows, records=records), Scoring(method="matchpoints", **policies)).results


def exactly(lines: pl.DataFrame, side: str = "ns") -> list[Fraction | None]:
    rows = lines.select(f"numerator_{side}", "denominator").rows()
    return [None if top is None else Fraction(top, bottom) for top, bottom in rows]


def board_one(lines: pl.DataFrame) -> list[float | None]:
    return lines.filter(board=1)["points_ns"].to_list()


def short_of(expected: int, scores: Sequence[int | str]) -> list[Row]:
    """Board 1 with these scores in a session whose board 2 has as many as expected."""
    return [*traveller(1, scores), *traveller(2, [0] * expected)]


@pytest.mark.parametrize(
    ("points", "scores"),
    [
        ([4, 1, 1, 10, 7, 7], [150, 120, 120, 430, 400, 400]),
        ([16, 5, 0, 10, 5, 5, 14, 5, 12], [200, -170, -450, -150, -170, -170, 50, -170, -100]),
        ([3, 14, 10, 10, 6, 0, 3, 10], [-50, 150, 120, 120, 110, -100, -50, 120]),
        ([5, 8, 12, 5, 10, 0, 2], [420, 430, 500, 420, 450, -50, 170]),
    ],
)
def test_two_for_a_table_beaten_and_one_for_a_tie(points: list[int], scores: list[int]) -> None:
    assert points == matchpointed(traveller(1, scores))["points_ns"].to_list()


def test_the_other_side_gets_the_rest_of_the_top() -> None:
    lines = matchpointed(traveller(1, [150, 120, 120, 430]))
    assert [(4, 2, 6), (1, 5, 6), (1, 5, 6), (6, 0, 6)] == lines.select("points_ns", "points_ew", "top").rows()
    assert [66.67, 16.67, 16.67, 100] == lines["percentage_ns"].round(2).to_list()


@pytest.mark.parametrize(
    ("points", "expected", "actual"),
    [
        ([19.9, 17.7, 15.5, 13.3, 11.1, 8.9, 6.7, 4.5, 2.3, 0.1], 11, 10),
        ([17.6, 14.7, 11.9, 9.0, 6.1, 3.3, 0.4], 10, 7),
        ([15.7, 9.0, 2.3], 10, 3),
        ([6.5, 1.5], 5, 2),
        ([15.2, 11.6, 8.0, 4.4, 0.8], 9, 5),
    ],
)
def test_a_short_board_is_brought_to_the_full_top_by_neuberg(points: list[float], expected: int, actual: int) -> None:
    """Published examples, best score first."""
    scores = [50 * place for place in range(actual, 0, -1)]
    lines = matchpointed(short_of(expected, scores))
    assert points == [round(value or 0, 1) for value in board_one(lines)]


def test_ties_on_a_short_board() -> None:
    lines = matchpointed(short_of(11, [400, 400, 150, 120, 120, 120, -50, -50, -50, -50]))
    assert [18.8, 18.8, 15.5, 11.1, 11.1, 11.1, *[3.4] * 4] == [round(value or 0, 1) for value in board_one(lines)]


def test_a_line_of_a_federations_session_with_one_table_missing() -> None:
    """27 of 40 among 21 of 22 tables: 13 beaten and a tie."""
    scores = [-50] * 13 + [0] * 2 + [50] * 6
    ns, ew = matchpointed(short_of(22, scores)).select("points_ns", "points_ew").row(13)
    assert (28.3, 13.7) == (round(ns, 1), round(ew, 1))


def test_short_boards_are_exact() -> None:
    lines = matchpointed(short_of(10, [90, 60, 30]))
    assert [Fraction(47, 3), Fraction(9), Fraction(7, 3)] == exactly(lines.filter(board=1))
    assert [Fraction(7, 3), Fraction(9), Fraction(47, 3)] == exactly(lines.filter(board=1), "ew")


def test_a_fouled_board_is_two_short_boards() -> None:
    """Nine tables, five with one deal and four with another: all 72 matchpoints of the board are still given out."""
    deals = ["N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
    deals += ["N:.AKQJT98765432.. AKQJT98765432... ..AKQJT98765432. ...AKQJT98765432"]
    records: list[Row] = [{"record": number, "deal": deal} for number, deal in enumerate(deals)]
    rows = [*traveller(1, [110, -50, 140, 420, 50], record=0), *traveller(1, [-100, 400, 170, 170], record=1)]
    lines = matchpointed(rows, records)
    assert [8.0, 0.8, 11.6, 15.2, 4.4, 1.25, 14.75, 8.0, 8.0] == board_one(lines)
    assert sum(points or 0 for points in exactly(lines)) == 72


@pytest.mark.parametrize(
    ("percentages", "scores", "policy"),
    [
        ([60], [50], "white-book"),
        ([65, 55], [50, 0], "white-book"),
        ([60, 60], [50, 50], "acbl"),
        ([70, 60, 50], [620, 50, -100], "white-book"),
        ([65, 65, 50], [620, 620, -100], "acbl"),
    ],
)
def test_a_form_that_few_tables_played_may_be_scored_by_percentages(
    percentages: list[float], scores: list[int], policy: str
) -> None:
    """Nine tables and these; both directions take their percentages from the same list."""
    records: list[Row] = [{"record": 0, "vulnerable": "None"}, {"record": 1, "vulnerable": "All"}]
    rows = [*traveller(1, [0] * 9), *traveller(1, scores, record=1)]
    few = matchpointed(rows, records, fouled_groups=policy)[9:]
    assert percentages == few["percentage_ns"].to_list()
    assert [120] * len(scores) == (few["percentage_ns"] + few["percentage_ew"]).to_list()


@pytest.mark.parametrize(("ns", "policy"), [([6.5, 1.5], "neuberg"), ([6.5, 1.5], "white-book"), ([5.2, 4.4], "acbl")])
def test_two_of_five_tables_are_compared_but_by_the_acbl(ns: list[float], policy: str) -> None:
    records: list[Row] = [{"record": 0, "vulnerable": "None"}, {"record": 1, "vulnerable": "All"}]
    rows = [*traveller(1, [0] * 3), *traveller(1, [620, 50], record=1)]
    assert ns == matchpointed(rows, records, fouled_groups=policy)["points_ns"].to_list()[3:]


@pytest.mark.parametrize("policy", ["white-book", "acbl"])
def test_a_short_board_that_is_not_fouled_is_compared_however_few_played_it(policy: str) -> None:
    assert [6.5, 1.5] == board_one(matchpointed(short_of(5, [620, 50]), fouled_groups=policy))


def test_the_director_may_say_which_tables_played_a_board_in_another_form() -> None:
    """Three of ten tables: 2.33, 9 and 15.67 of 18, and seven by themselves."""
    rows = traveller(1, [100 * n for n in range(10)])
    three = [str(row["ns"]) for row in rows[:5:2]]
    lines = matchpointed(rows, fouled=[{"board": 1, "ns": three}])
    assert [2.33, 9, 15.67] == lines.filter(pl.col("ns").is_in(three))["points_ns"].round(2).to_list()
    assert 90 == round(lines["points_ns"].sum(), 6)


def test_each_file_may_be_a_session_of_its_own() -> None:
    rows = [*traveller(1, [620, 50]), *traveller(1, [620, 50], source="second.pbn")]
    apart = replace(session(*rows), facts=Facts(by_file=True))
    assert [2, 0, 2, 0] == score(apart, Scoring(method="matchpoints")).results["points_ns"].to_list()
    assert [5, 1, 5, 1] == matchpointed(rows)["points_ns"].to_list()


def test_average_plus_is_sixty_per_cent_of_the_full_top_and_no_comparison() -> None:
    """Twenty-two tables, one adjusted: 60 and 40 % of 42; the best of the other 21 by Neuberg."""
    lines = matchpointed(traveller(1, ["A- A+", *range(10, 220, 10)]))
    assert [Fraction(84, 5), Fraction(126, 5)] == [exactly(lines)[0], exactly(lines, "ew")[0]]
    assert [(40, 60)] == lines.select("percentage_ns", "percentage_ew").rows()[:1]
    assert Fraction(41 * 22 - 21, 21) == exactly(lines)[-1]


def test_both_sides_may_have_average_plus() -> None:
    lines = matchpointed(traveller(1, ["A+", 50, 420]))
    assert (2.4, 2.4) == lines.select("points_ns", "points_ew").row(0)


def test_a_percentage_is_awarded_exactly() -> None:
    lines = matchpointed(traveller(1, ["38.2% 61.8%", 50, 420]))
    assert [Fraction(382 * 4, 1000), Fraction(618 * 4, 1000)] == [exactly(lines)[0], exactly(lines, "ew")[0]]


def test_an_award_that_is_none_leaves_its_side_without_points() -> None:
    lines = matchpointed(traveller(1, ["A+ later", 50, 420]))
    assert (2.4, None) == lines.select("points_ns", "points_ew").row(0)


def test_a_row_for_three_tables_ties_with_itself() -> None:
    lines = matchpointed([*traveller(1, [420], multiplicity=3), *traveller(1, [50])])
    assert [(4, 6), (0, 6)] == lines.select("points_ns", "top").rows()


@pytest.mark.parametrize("status", ["not played", "bye", "unknown"])
def test_a_board_that_was_not_played_earns_nothing_and_is_compared_with_nothing(status: str) -> None:
    idle: Row = {"board": 1, "status": status, "stated_score_ns": 420}
    lines = matchpointed([*traveller(1, [50, 420]), idle])
    assert [0, 2, None] == board_one(lines)
    assert (None, None, None, None) == lines.select("points_ew", "percentage_ns", "top", "score_ns").row(2)


def test_a_passed_out_board_is_compared() -> None:
    passed: Row = {"board": 1, "status": "passed", "level": 0}
    assert [0, 4, 2] == board_one(matchpointed([*traveller(1, [-50, 110]), passed]))


def test_the_only_result_of_a_board_is_fifty_per_cent() -> None:
    lone = matchpointed(short_of(3, [420]))
    assert (2, 50) == lone.filter(board=1).select("points_ns", "percentage_ns").row(0)
    assert (0, 0, 50) == matchpointed(traveller(1, [420])).select("points_ns", "top", "percentage_ns").row(0)


def test_short_boards_may_keep_their_own_top() -> None:
    lines = matchpointed(short_of(6, [50, 420, "A+ A-", 170]), short_boards="own-top")
    assert [(0, 4), (4, 4), (2.4, 4), (2, 4)] == lines.filter(board=1).select("points_ns", "top").rows()


def test_lines_may_be_rounded_before_they_are_added() -> None:
    lines = matchpointed(short_of(4, [460, 490, 520]), line_rounding=0.1)
    assert [Fraction(3, 10), Fraction(3), Fraction(57, 10)] == exactly(lines.filter(board=1))
    assert [Fraction(57, 10), Fraction(3), Fraction(3, 10)] == exactly(lines.filter(board=1), "ew")


def test_each_section_is_its_own_field_unless_the_club_scores_across() -> None:
    rows = [*traveller(1, [420, 50], section="A"), *traveller(1, [430, 450], section="B")]
    assert [2, 0, 0, 2] == board_one(matchpointed(rows))
    assert [2, 0, 4, 6] == board_one(matchpointed(rows, field="all"))


@given(st.lists(SCORES, min_size=1, max_size=12), st.integers(0, 5))
def test_both_sides_share_the_top_and_a_board_gives_out_its_average(scores: list[int], missing: int) -> None:
    lines = matchpointed(short_of(len(scores) + missing, scores)).filter(board=1)
    top = 2 * (len(scores) + missing - 1)
    ns, ew = exactly(lines), exactly(lines, "ew")
    assert [top] * len(scores) == [(a or 0) + (b or 0) for a, b in zip(ns, ew, strict=True)]
    assert sum(points or 0 for points in ns) == len(scores) * Fraction(top, 2)


@given(st.lists(SCORES, min_size=1, max_size=12))
def test_neuberg_changes_nothing_when_nothing_is_missing(scores: list[int]) -> None:
    raw = [sum((score > other) * 2 + (score == other) for other in scores) - 1 for score in scores]
    assert raw == exactly(matchpointed(traveller(1, scores)))


@given(st.lists(SCORES, min_size=1, max_size=12), st.integers(0, 5), st.sampled_from([0.01, 0.1, 0.25, 0.5, 1.0]))
def test_rounded_lines_still_share_the_top(scores: list[int], missing: int, step: float) -> None:
    lines = matchpointed(short_of(len(scores) + missing, scores), line_rounding=step)
    shared = [(a or 0) + (b or 0) for a, b in zip(exactly(lines), exactly(lines, "ew"), strict=True)]
    assert lines["top"].to_list() == shared
