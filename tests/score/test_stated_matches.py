"""The scale of victory points that the stated matches of a file follow."""

from fractions import Fraction
from typing import Any

import pytest

from overtrick.config import Scoring
from overtrick.rank import rank
from overtrick.score import score
from overtrick.score.stated_matches import learn_scale
from tests.support.builders import Row, session

SWINGS = {("Ash", "Oak"): 620, ("Elm", "Fir"): 170, ("Ash", "Elm"): 50, ("Oak", "Fir"): 0}
"""By match, what its first team wins by on the only board: 12, 5, 2 and 0 IMPs."""


def matches(stated: dict[tuple[str, str], tuple[float, float]]) -> list[Row]:
    return [
        {
            "record": 0,
            "board": 1,
            "round": str(1 + place // 2),
            "team_ns": teams[way],
            "team_ew": teams[1 - way],
            "ns": teams[way],
            "ew": teams[1 - way],
            "stated_score_ns": swing * (1 - way),
            "stated_match_ns": stated[teams][way],
            "stated_match_ew": stated[teams][1 - way],
        }
        for place, (teams, swing) in enumerate(SWINGS.items())
        for way in (0, 1)
    ]


def totals(*points: tuple[float, float], **settings: Any) -> dict[str, float]:
    rows = matches(dict(zip(SWINGS, points, strict=True)))
    scoring = Scoring.model_validate({"method": "teams", **settings})
    ranked = rank(score(session(*rows), scoring), scoring)
    return dict(ranked.standings.select("contestant", "total").iter_rows())


def test_matches_stated_in_imps_stay_in_imps() -> None:
    assert 14 == totals((12, 0), (5, 0), (2, 0), (0, 0))["Ash"]


def test_a_published_scale_is_recognised_by_the_matches() -> None:
    stated = ((19.31, 0.69), (15.48, 4.52), (12.5, 7.5), (10, 10))
    earned = totals(*stated, vp_scale="wbf")
    wbf = {"Ash": earned["Ash"], "Fir": earned["Fir"]}
    first = score(session(*matches(dict(zip(SWINGS, stated, strict=True)))), Scoring(method="teams", vp_scale="wbf"))
    own = [(row["victory_points"] / 100, row["victory_points_opponents"] / 100) for row in first.matches.to_dicts()]
    assert wbf == {name: totals(*own)[name] for name in wbf}


def test_a_house_scale_is_learned_from_the_matches() -> None:
    assert {"Ash": 30, "Elm": 23, "Oak": 11, "Fir": 16} == totals((19, 1), (14, 6), (11, 9), (10, 10))


@pytest.mark.parametrize("points", [((3, 19), (14, 6), (11, 9), (10, 10)), ((19, 3), (4, 16), (11, 9), (10, 10))])
def test_matches_that_follow_no_scale_stay_in_imps(points: tuple[tuple[float, float], ...]) -> None:
    assert 14 == totals(*points)["Ash"]


def test_the_clubs_own_scale_is_kept() -> None:
    house = {"margins": [0, 10], "winner": [10, 20]}
    assert 30 == totals((19, 1), (14, 6), (11, 9), (10, 10), vp_scale="house", house_scale=house)["Ash"]


def test_matches_that_contradict_each_other_teach_nothing() -> None:
    one, other = (Fraction(5), Fraction(14), Fraction(6)), (Fraction(5), Fraction(13), Fraction(7))
    assert learn_scale([one, other]) is None
