"""The unit that matchpoints are shown in."""

from typing import Any

import pytest

from overtrick.config import Scoring
from overtrick.frames import Session
from overtrick.rank import rank
from overtrick.rank.units import shown
from overtrick.score import score
from tests.support.builders import session, traveller


def scored(**policies: Any) -> Session:
    scoring = Scoring.model_validate({"method": "matchpoints", "matchpoint_unit": "1-half", **policies})
    rows = traveller(1, [420, 430, 500, 420, 450, -50, 170])
    return shown(rank(score(session(*rows), scoring), scoring), scoring)


def test_a_club_may_count_one_a_pair_beaten_and_a_half_a_tie() -> None:
    result = scored()
    assert [2.5, 4, 6, 2.5, 5, 0, 1] == result.results["points_ns"].to_list()
    assert 6 == result.standings["total"][0]
    assert 100 == result.standings["percentage"][0]
    assert "1 matchpoint, a tie a half" == result.facts.policies["a pair beaten"]


def test_penalties_are_shown_in_that_unit_too() -> None:
    assert -1 in scored(penalties=[{"contestant": "3", "amount": 2}]).standings["correction"].to_list()


@pytest.mark.parametrize("other", [{"matchpoint_unit": "2-1"}, {"method": "cross-imps"}])
def test_otherwise_nothing_changes(other: dict[str, Any]) -> None:
    result = scored(**other)
    exact = (result.results["numerator_ns"] / result.results["denominator"]).to_list()
    assert exact == result.results["points_ns"].to_list()
