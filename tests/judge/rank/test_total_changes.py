"""Sit-outs, penalties, carry-over and handicaps."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from overtrick.core.config import Scoring
from overtrick.core.frames import Facts, Session
from overtrick.judge.rank import rank
from overtrick.judge.rank.match_totals import even_out
from overtrick.judge.score import score
from overtrick.judge.score.groups import Total, Totals, Who
from tests.support.builders import Row, session, traveller

EVENING = [*traveller(1, [420, 50, 450]), *traveller(2, [110, 110, -50])]
"""N-S pair 1 has 5 of 8, pair 3 has 4, pair 2 has 3."""


def ranked(rows: Sequence[Row] = EVENING, **policies: Any) -> Session:
    scoring = Scoring.model_validate({"method": "matchpoints", **policies})
    return rank(score(session(*rows), scoring), scoring)


def standing(result: Session, contestant: str, ranking: str = "NS") -> tuple[Any, ...]:
    rows = result.standings.filter(ranking=ranking, contestant=contestant)
    return rows.select("rank", "total", "percentage", "correction").row(0)


@pytest.mark.parametrize(
    ("total", "percentage", "penalty"),
    [(4, 50, {"amount": 1}), (4, 50, {"amount": 0.25, "unit": "top"}), (4.8, 60, {"amount": 2.5, "unit": "percent"})],
)
def test_a_penalty_is_taken_from_the_total_and_nobody_gains(
    total: float, percentage: float, penalty: dict[str, Any]
) -> None:
    result = ranked(penalties=[{"contestant": "1", **penalty}])
    assert (total, percentage, total - 5) == pytest.approx(standing(result, "1")[1:])
    assert (4, 50, None) == standing(result, "3")[1:]


def test_a_penalty_changes_the_ranking_exactly() -> None:
    result = ranked(penalties=[{"contestant": "1", "amount": 1}])
    assert [(1, "1"), (1, "3"), (3, "2")] == result.standings.filter(ranking="NS").select("rank", "contestant").rows()


def test_several_penalties_add_up_and_can_be_read() -> None:
    penalties = [{"contestant": "1", "amount": 1}, {"contestant": "1", "amount": 0.1, "unit": "top"}]
    result = ranked(penalties=penalties)
    assert -1.4 == pytest.approx(standing(result, "1")[3])


def test_an_unknown_contestant_is_reported() -> None:
    result = ranked(penalties=[{"contestant": "77", "amount": 1}])
    assert ["the penalty of contestant 77 matches 0 contestants instead of one; overtrick does not use it"] == (
        result.problems["message"].to_list()
    )


def test_a_number_that_two_contestants_have_needs_its_direction() -> None:
    rows = [{**row, "ew": str(row["ns"])} for row in EVENING]
    assert ["setting-unmatched"] == ranked(rows, penalties=[{"contestant": "1", "amount": 1}]).problems[
        "code"
    ].to_list()
    result = ranked(rows, penalties=[{"contestant": "1", "direction": "EW", "amount": 1}])
    assert (5, 2) == (standing(result, "1")[1], standing(result, "1", "EW")[1])


def test_a_part_of_a_top_means_nothing_at_imps() -> None:
    result = ranked(method="butler", penalties=[{"contestant": "1", "amount": 1, "unit": "top"}])
    assert ["award-unscored"] == result.problems["code"].to_list()


def test_a_handicap_makes_a_ranking_of_its_own() -> None:
    result = ranked(handicaps=[{"contestant": "2", "amount": 30}])
    assert ["NS", "EW", "handicap NS", "handicap EW"] == result.standings["ranking"].unique(
        maintain_order=True
    ).to_list()
    assert (3, 3, 37.5, None) == standing(result, "2")
    assert (1, 5.4, 67.5, 2.4) == pytest.approx(standing(result, "2", "handicap NS"))
    assert (2, 5, 62.5, None) == standing(result, "1", "handicap NS")


def test_a_handicap_at_imps_is_in_imps() -> None:
    rows = traveller(1, [420, 420])
    result = ranked(rows, method="butler", handicaps=[{"contestant": "2", "amount": 1.5}])
    assert (1, 1.5, None, 1.5) == standing(result, "2", "handicap NS")


def test_points_are_carried_over() -> None:
    assert (1, 7, 87.5, 3) == standing(ranked(carry_overs=[{"contestant": "3", "points": 3}]), "3")


def test_a_score_is_carried_forward_by_the_tops_of_both_stages() -> None:
    """60 of 100 in the qualifier, to a final of top 8: 60 * 8 / 200."""
    assert (1, 6.4, 80, 2.4) == pytest.approx(
        standing(ranked(carry_overs=[{"contestant": "3", "score": 60, "top": 100}]), "3")
    )


def test_sessions_of_several_files_are_added() -> None:
    """Pair 1 sits N-S in one session and E-W in the other: it is one pair."""
    second = [
        {
            **row,
            "source": "second.pbn",
            "ns": row["ew"],
            "ew": row["ns"],
            "stated_score_ns": -int(str(row["stated_score_ns"])),
        }
        for row in EVENING
    ]
    apart = replace(session(*EVENING, *second), facts=Facts(by_file=True))
    result = rank(score(apart, Scoring(method="matchpoints")), Scoring(method="matchpoints"))
    assert {"all"} == set(result.standings["ranking"])
    assert (10, 62.5) == standing(result, "1", "all")[1:3]
    assert 4 == result.standings["boards"][0]


FULL, SHORT = (None, None, "1"), (None, None, "2")
TOTALS: Totals = {FULL: Total(Fraction(30), 48, 24), SHORT: Total(Fraction(22), 32, 16)}


@pytest.mark.parametrize(
    ("full", "short", "policy"),
    [
        (Fraction(30), Fraction(22), "as-earned"),
        (Fraction(30), Fraction(33), "prorate"),
        (Fraction(30, 24), Fraction(22, 16), "mean"),
    ],
)
def test_sixteen_of_twenty_four_boards_are_evened_out(full: Fraction, short: Fraction, policy: str) -> None:
    result = even_out(TOTALS, Scoring.model_validate({"sit_outs": policy}))
    assert (full, short) == (result[FULL].points, result[SHORT].points)
    assert (TOTALS[FULL].share, TOTALS[SHORT].share) == (result[FULL].share, result[SHORT].share)


def test_no_contestants_need_no_evening_out() -> None:
    nobody: dict[Who, Total] = {}
    assert nobody == even_out(nobody, Scoring(sit_outs="prorate"))
