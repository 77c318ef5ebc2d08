"""Aggregate: the scores themselves are added."""

from overtrick.core.config import Scoring
from overtrick.judge.score import score
from tests.support.builders import session, traveller

AGGREGATE = Scoring(method="aggregate")


def test_each_side_earns_its_score() -> None:
    lines = score(session(*traveller(1, [420, -50])), AGGREGATE).results
    assert [(420, -420, None), (-50, 50, None)] == lines.select("points_ns", "points_ew", "top").rows()


def test_adjusted_and_unplayed_boards_add_nothing() -> None:
    lines = score(session(*traveller(1, ["A+ A-", "not played", 0])), AGGREGATE).results
    assert [None, None, 0] == lines["points_ns"].to_list()


def test_an_award_that_means_nothing_at_total_points_is_reported() -> None:
    problems = score(session(*traveller(1, ["A+ A-", 0])), AGGREGATE).problems
    assert ["award-unscored"] * 2 == problems["code"].to_list()
    assert "the adjusted score A+ cannot be used with aggregate" in problems["message"][0]
