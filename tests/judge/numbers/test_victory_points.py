"""The scale of victory points that the stated matches of a file follow."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

from overtrick.core.bridge.victory_points import learn_scale
from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.judge.numbers import score_as_stated as score
from overtrick.judge.rank import rank
from overtrick.judge.validate import validate
from tests.support.builders import Row, session

SWINGS = {("Ash", "Oak"): 620, ("Elm", "Fir"): 170, ("Ash", "Elm"): 50, ("Oak", "Fir"): 0}
"""By match, what its first team wins by on the only board: 12, 5, 2 and 0 IMPs."""


def matches(stated: Mapping[tuple[str, str], tuple[float, float]]) -> list[Row]:
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


def test_a_match_of_many_whose_stated_points_differ_is_named() -> None:
    stated = {teams: (max(won, 0), 0) for teams, won in zip(SWINGS, (12, 5, 2, 7), strict=True)}
    scoring = Scoring(method="teams")
    problems = rank(score(session(*matches(stated)), scoring), scoring).problems
    assert [("number-mismatch", "Oak against Fir: the file states 7.0 - 0.0 for the match")] == [
        (code, message.partition(",")[0]) for code, message in problems.select("code", "message").iter_rows()
    ]


@pytest.mark.slow
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


def from_totals(played: Mapping[tuple[str, str], int], points: Mapping[str, float]) -> dict[str, float]:
    """Return what teams earn by a file that states totals alone."""
    return dict(ranked_by_totals(played, points).standings.select("contestant", "total").iter_rows())


def ranked_by_totals(played: Mapping[tuple[str, str], int], points: Mapping[str, float]) -> Session:
    """Rank teams by a file that states totals alone.

    Args:
        played: by match, what its first team wins by on the only board.
        points: by team, its stated total.
    """
    unstated = {"stated_match_ns": None, "stated_match_ew": None}
    rows = [
        {
            **unstated,
            **dict(zip(("team_ns", "team_ew", "ns", "ew"), 2 * teams[:: 1 - 2 * way], strict=True)),
            "record": 0,
            "board": 1,
            "round": str(place),
            "stated_score_ns": swing * (1 - way),
        }
        for place, (teams, swing) in enumerate(played.items())
        for way in (0, 1)
    ]
    listed = [{"contestant": team, "stated_total": total} for team, total in points.items()]
    scoring = Scoring(method="teams")
    return rank(score(session(*rows, contestants=listed), scoring), scoring)


def test_a_scale_is_recognised_by_totals_alone() -> None:
    whole = Scoring(method="teams", vp_scale="wbf")
    ranked = rank(score(session(*matches(dict.fromkeys(SWINGS, (0, 0)))), whole), whole)
    wbf = dict(ranked.standings.select("contestant", "total").iter_rows())
    assert 20 < wbf["Ash"] != 14
    assert wbf == from_totals(SWINGS, wbf)


def test_totals_in_imps_stay_in_imps() -> None:
    imps = {"Ash": 14, "Oak": -12, "Elm": 3, "Fir": -5}
    assert imps == from_totals(SWINGS, imps)


def test_totals_of_one_match_each_teach_a_house_scale() -> None:
    once = {("Ash", "Oak"): 620, ("Elm", "Fir"): 170, ("Yew", "Bay"): 50}
    points = {"Ash": 18, "Oak": 2, "Elm": 14, "Fir": 6, "Yew": 11, "Bay": 9}
    assert points == from_totals(once, points)


def test_totals_that_follow_no_scale_stay_in_imps() -> None:
    assert 14 == from_totals(SWINGS, {"Ash": 30, "Oak": 3, "Elm": 9, "Fir": 1})["Ash"]


LEAGUE = {
    ("Ash", "Oak"): 620,
    ("Elm", "Fir"): 170,
    ("Yew", "Bay"): 50,
    ("Oak", "Elm"): 170,
    ("Fir", "Yew"): 50,
    ("Bay", "Ash"): 0,
}
"""Two rounds: by match, what its first team wins by: 12, 5 and 2 IMPs, then 5, 2 and 0."""

HOUSE = {"Ash": 28, "Oak": 16, "Elm": 20, "Fir": 17, "Yew": 20, "Bay": 19}
"""Its totals by a scale on which 2 IMPs earn 11 of 20, 5 earn 14 and 12 earn 18."""


def test_totals_of_several_matches_teach_a_house_scale() -> None:
    assert HOUSE == from_totals(LEAGUE, HOUSE)


def told(played: Mapping[tuple[str, str], int], points: Mapping[str, float]) -> list[str]:
    problems = ranked_by_totals(played, points).problems
    return problems.filter(pl.col("code").str.starts_with("vp-"))["message"].to_list()


def test_totals_that_leave_a_margin_open_teach_nothing_and_name_it() -> None:
    """Each of three teams won once and lost once: what one win is worth more, another may be too."""
    played = {("Ash", "Oak"): 620, ("Oak", "Elm"): 170, ("Elm", "Ash"): 50}
    points = {"Ash": 25, "Oak": 16, "Elm": 19}
    (said,) = told(played, points)
    assert "what a win by 2, 5, 12 IMPs is worth" in said
    assert 10 == from_totals(played, points)["Ash"]


def test_a_wrong_total_teaches_no_scale() -> None:
    (said,) = told(LEAGUE, HOUSE | {"Ash": 27, "Elm": 21})
    assert "no scale gives all of them" in said


def test_totals_in_imps_need_no_scale() -> None:
    assert [] == told(SWINGS, {"Ash": 14, "Oak": -12, "Elm": 3, "Fir": -5})


def test_rounds_of_teams_may_use_a_board_number_again() -> None:
    """Cross-IMPs are stated within each round: 600 against three times 0 is 12, and each 0 is -4."""
    played = {("Ash", "Oak"): 600, ("Elm", "Fir"): 0, ("Ash", "Elm"): 0, ("Oak", "Fir"): 0}
    rows = [
        {
            "record": 0,
            "board": 1,
            "round": str(1 + place // 2),
            "table": str(1 + place % 2),
            "ns": teams[way],
            "ew": teams[1 - way],
            "team_ns": teams[way],
            "team_ew": teams[1 - way],
            "stated_score_ns": swing * (1 - way),
            "stated_points_ns": points,
            "stated_points_ew": -points,
        }
        for place, (teams, swing) in enumerate(played.items())
        for way in (0, 1)
        for points in [0 if place > 1 else 12 if swing and not way else -4]
    ]
    codes = score(validate(session(*rows)), Scoring(method="teams")).problems["code"]
    assert not {"number-mismatch", "pair-board-twice"} & {*codes}
