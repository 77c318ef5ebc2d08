"""The rules that scoring and ranking followed, as pages and JSON name them."""

from typing import Any

import pytest

from overtrick.core.bridge.methods import METHODS, Method
from overtrick.core.config import Scoring
from overtrick.core.frames import Facts
from overtrick.core.policies import SENTENCES, describe_policies
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from tests.support.builders import session, traveller


def followed(**settings: Any) -> dict[str, str]:
    """Return how a session of two tables was scored and ranked, in words."""
    scoring = Scoring.model_validate(settings)
    return describe_policies(rank(score(session(*traveller(1, [50, 420])), scoring), scoring).facts)


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_each_rule_of_a_method_has_its_words(method: Method) -> None:
    assert {"line_ties"} >= {*method.rules} - SENTENCES.keys()


def test_the_rules_of_matchpoints() -> None:
    assert {
        "compared within": "the whole session",
        "a pair beaten": "2 matchpoints, a tie 1",
        "short boards": "own top",
        "average plus": "flat 60 %",
        "line rounding": "0.1",
        "fouled boards": "each form by itself, as a short board",
        "winners": "two, N-S and E-W",
        "ties": "share their places",
        "sit-outs": "totals as they are",
    } == followed(method="matchpoints", field="all", short_boards="own-top", line_rounding=0.1)


def test_the_rules_of_matchpoints_that_fewer_clubs_follow() -> None:
    said = followed(
        matchpoint_unit="1-half", line_rounding=0.5, line_ties="up", average_plus="session", fouled_groups="acbl"
    )
    assert "1 matchpoint, a tie a half" == said["a pair beaten"]
    assert "0.5, half up on each side" == said["line rounding"]
    assert "60 %, or the pair's session where better" == said["average plus"]
    assert "forms at three tables or fewer by percentages from 60, unless three is the most" == said["fouled boards"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"datum_ties": "up"}, {"datum rounded": "to the nearest ten", "datum half-way": "up"}),
        ({"datum_rounding": "none"}, {"datum rounded": "not at all"}),
        ({"datum": "stated"}, {}),
    ],
)
def test_a_datum_is_rounded_only_where_the_file_does_not_state_it(
    settings: dict[str, Any], said: dict[str, str]
) -> None:
    datum = "as the file states it" if "datum" in settings else "mean of all scores"
    rules = followed(method="butler", **settings)
    assert {"datum": datum, **said} == {name: text for name, text in rules.items() if name.startswith("datum")}


@pytest.mark.parametrize(
    ("unit", "words"), [("2-1", "2 won, 1 tied, 0 lost"), ("1-half", "1 won, a half tied, 0 lost")]
)
def test_a_board_of_a_match_counts_in_the_same_unit(unit: str, words: str) -> None:
    assert words == followed(method="bam", matchpoint_unit=unit)["a board"]


@pytest.mark.parametrize(
    ("method", "passed_out", "said"),
    [
        ("chicago", "redealt", ("passed-out deal", "dealt again by the same player")),
        ("chicago", "counts", ("passed-out deal", "one of the four")),
        ("alberta", "redealt", ("passed-out hand", "none of the four")),
        ("alberta", "counts", ("passed-out hand", "one of the four")),
    ],
)
def test_what_a_passed_out_deal_is(method: str, passed_out: str, said: tuple[str, str]) -> None:
    assert said in followed(method=method, passed_out=passed_out).items()


def test_the_rules_of_chicago() -> None:
    assert {
        "part-scores": "carried; 100 on the fourth deal",
        "honours": "as claimed",
        "second and third deal": "dealer's side vulnerable, unless stated",
        "passed-out deal": "dealt again by the same player",
        "total": "own points",
        "ties": "share their places",
    } == followed(method="chicago")


def test_the_rules_of_a_team_match() -> None:
    assert {
        "compared within": "each section",
        "boards compared by": "IMPs",
        "average plus": "3 IMPs",
        "victory points": "wbf, for 8 boards",
        "a round without a match": "12.5 victory points",
        "ties": "who-beat-who, then lot",
        "sit-outs": "totals as they are",
    } == followed(method="teams", vp_scale="wbf", vp_boards=8, bye_points=12.5, tie_breaks=["who-beat-who", "lot"])


def test_the_scale_is_for_the_longest_match_where_nobody_says_for_how_many_boards() -> None:
    assert "percent, for the longest match" == followed(pair_rounds="matches")["victory points"]


def test_evenings_are_compared_file_by_file() -> None:
    facts = Facts(method="matchpoints", policies={"field": "section"}, by_file=True)
    assert {"compared within": "each section, file by file"} == describe_policies(facts)


PLACE = {"board": 1, "ns": "1"}


@pytest.mark.parametrize(
    ("assigned", "words"),
    [
        ({"award": ["60%", "A-"]}, "60% for N-S and A- for E-W"),
        ({"split": {"ns": -100, "ew": 50}}, "-100 for N-S and 50 for E-W"),
        ({"assigned": 420}, "420 for N-S"),
        (
            {"weighted": [{"weight": 60, "score": 620}, {"weight": 40, "score": -100}]},
            "60/100 of 620 and 40/100 of -100",
        ),
    ],
)
def test_an_adjusted_score_says_what_was_given_and_why(assigned: dict[str, Any], words: str) -> None:
    name = "adjusted score, board 1, ns 1"
    assert words == followed(adjustments=[PLACE | assigned])[name]
    assert f"{words}; slow" == followed(adjustments=[{**PLACE, **assigned, "reason": "slow"}])[name]


def test_a_fouled_board_says_who_is_compared() -> None:
    fouled = [{"board": 1, "ns": ["1", "3"], "reason": "turned"}]
    assert "1, 3 N-S compared with each other only; turned" == followed(fouled=fouled)["fouled, board 1"]


def test_what_changed_totals_is_told_contestant_by_contestant() -> None:
    said = followed(
        penalties=[
            {"contestant": "1", "amount": 1, "reason": "late"},
            {"contestant": "3", "amount": 2, "unit": "percent"},
            {"contestant": "1", "amount": 0.1, "unit": "top"},
        ],
        carry_overs=[{"contestant": "1", "points": 1}],
        handicaps=[{"contestant": "1", "amount": 1}],
    )
    assert ("1 points: late; 0.1 of a top", "2 %") == (said["penalty, 1"], said["penalty, 3"])
    assert ("added to the total", "in a ranking of its own") == (said["carry-over"], said["handicap"])


def test_a_tie_that_was_decided_says_how() -> None:
    said = followed(decided_ties=[{"contestant": "1"}, {"contestant": "2", "by": "extra-hands"}])
    assert ("won by lot", "won on extra boards") == (said["tie, 1"], said["tie, 2"])
