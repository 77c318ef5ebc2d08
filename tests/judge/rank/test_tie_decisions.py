"""Ties that were decided by lot or on extra boards."""

from typing import Any

import pytest

from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from tests.support.builders import session, traveller

SCORES = [420, 420, 420, -50]
"""N-S pairs 1, 2 and 3 tie; so do E-W pairs 101, 102 and 103."""


def decided(*decisions: dict[str, Any], **policies: Any) -> Session:
    scoring = Scoring.model_validate({"method": "matchpoints", "decided_ties": list(decisions), **policies})
    return rank(score(session(*traveller(1, SCORES)), scoring), scoring)


def places(result: Session) -> list[tuple[int, int, str, str | None]]:
    ns = result.standings.filter(result.standings["ranking"] == "NS")
    return ns.select("rank", "rank_last", "contestant", "tie_break").rows()


def test_the_winner_of_a_tie_is_first_and_the_others_stay_tied() -> None:
    result = decided({"contestant": "3"})
    assert [(1, 1, "3", "lot"), (2, 3, "1", None), (2, 3, "2", None), (4, 4, "4", None)] == places(result)


def test_further_decisions_separate_the_others() -> None:
    result = decided({"contestant": "3"}, {"contestant": "2", "by": "extra-hands"})
    assert [(1, 1, "3", "lot"), (2, 2, "2", "extra-hands"), (3, 3, "1", None)] == places(result)[:3]


def test_a_decided_tie_is_not_open_any_more() -> None:
    assert "tie-open" in decided(tie_breaks=["lot"]).problems["code"]
    result = decided({"contestant": "1"}, {"contestant": "2"}, tie_breaks=["lot"])
    ns = result.problems.filter(result.problems["message"].str.contains("of NS"))
    assert ns.is_empty()
    assert ["1", "2"] == [one.contestant for one in result.facts.policies["decided_ties"]]  # type: ignore[attr-defined]


def test_a_decision_without_a_tie_is_an_error_with_its_place() -> None:
    decision = {"contestant": "4", "source": "tuesday.corrections.toml", "line": 7}
    (problem,) = decided(decision).problems.filter(decided(decision).problems["code"] == "correction-no-tie").to_dicts()
    assert ("tuesday.corrections.toml", 7) == (problem["source"], problem["line"])
    assert [(1, 3, "1", None)] == places(decided(decision))[:1]


@pytest.mark.parametrize(("direction", "first"), [("NS", "3"), ("EW", "1")])
def test_a_direction_tells_equal_numbers_apart(direction: str, first: str) -> None:
    result = decided({"contestant": "3", "direction": direction})
    assert first == places(result)[0][2]


@pytest.mark.parametrize("direction", ["NS", None])
def test_in_one_ranking_of_all_a_decision_needs_no_direction(direction: str | None) -> None:
    result = decided({"contestant": "3", "direction": direction}, winners=1)
    assert "correction-no-tie" not in result.problems["code"]
    assert [(2, "3", "lot")] == result.standings.select("rank", "contestant", "tie_break").rows()[1:2]
