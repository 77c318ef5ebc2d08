"""Rounds of pairs as matches in victory points (Swiss pairs), and byes."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from tests.support.builders import Row, session
from tests.support.reading import codes


def swiss(*rounds: Sequence[Sequence[int]]) -> list[Row]:
    """Play rounds of two boards at two tables: 1 against 2 and 3 against 4, then 2 against 3 and 4 against 1."""
    tables = [(("1", "2"), ("3", "4")), (("2", "3"), ("4", "1"))]
    return [
        {"round": str(n), "board": 10 * n + board, "ns": ns, "ew": ew, "stated_score_ns": points}
        for n, boards in enumerate(rounds, start=1)
        for board, scores in enumerate(boards)
        for (ns, ew), points in zip(tables[n - 1], scores, strict=True)
    ]


EVENING = swiss([(620, 170), (50, 50)], [(100, 110), (420, 430)])
"""Round 1: 1 has 3 of 4 from 2, and 3 has 1 of 4 from 4. Round 2: 2 has nothing, 4 everything."""


def scored(rows: Sequence[Row] = EVENING, **policies: Any) -> Session:
    scoring = Scoring.model_validate({"method": "matchpoints", "pair_rounds": "matches", **policies})
    return rank(score(session(*rows), scoring), scoring)


def earned(result: Session) -> dict[str, float]:
    return dict(result.standings.select("contestant", "total").rows())


def test_a_round_of_two_pairs_is_a_match_by_its_percentage() -> None:
    """75 % of two boards is 19 (from 70.36), 100 % is 20."""
    result = scored()
    assert [
        ("1", "1", "2", 2, 3, 1, 1900, 100),
        ("1", "3", "4", 2, 1, 3, 100, 1900),
        ("2", "2", "3", 2, 0, 4, 0, 2000),
        ("2", "4", "1", 2, 4, 0, 2000, 0),
    ] == result.matches.select(
        *("round", "team", "opponents", "boards", "points", "points_opponents"),
        *("victory_points", "victory_points_opponents"),
    ).rows()
    assert {"4": 39, "3": 21, "1": 19, "2": 1} == earned(result)
    assert [None] * 4 == result.standings["percentage"].to_list()
    assert ("percent", None) == (result.facts.policies["vp_scale"], result.facts.policies["vp_boards"])


def test_at_imps_a_match_takes_the_scale_for_its_boards() -> None:
    """In round 1 the tables differ by 450: 10 IMPs to pair 1, which are 16.46 victory points of two boards."""
    result = scored(method="cross-imps")
    assert {"1": 26.46, "2": 13.54, "3": 13.54, "4": 26.46} == pytest.approx(earned(result))


def test_without_being_asked_for_rounds_are_no_matches() -> None:
    result = scored(pair_rounds="added", vp_scale="wbf")
    assert result.matches.is_empty()
    assert 4 == result.standings["boards"][0]
    assert "vp_scale" not in result.facts.policies


@pytest.mark.parametrize(
    ("code", "policies"),
    [
        ("vp-scale-unfit", {"vp_scale": "wbf"}),
        ("vp-scale-unfit", {"method": "butler", "vp_scale": "percent"}),
        ("vp-scale-unfit", {"vp_boards": 99}),
    ],
)
def test_a_scale_that_does_not_fit_is_named_and_leaves_matches_as_they_are(code: str, policies: dict[str, Any]) -> None:
    result = scored(**policies)
    assert [code] == codes(result.problems)
    assert [None] * 4 == result.matches["victory_points"].to_list()


def test_board_a_match_takes_no_scale_of_imps() -> None:
    rows = [{**row, "ns": "1" if n % 2 else "2", "ew": "2" if n % 2 else "1"} for n, row in enumerate(EVENING)]
    assert "vp-scale-unfit" in codes(scored(rows, method="bam", vp_scale="wbf").problems)
    assert [2000] * 2 == [
        sum(match) for match in scored(rows, method="bam", vp_scale="percent").matches[:, -2:].iter_rows()
    ]


def test_pairs_whose_numbers_repeat_are_not_matched() -> None:
    rows = [{**row, "ns": str(1 + n % 2), "ew": str(1 + n % 2)} for n, row in enumerate(EVENING)]
    result = scored(rows)
    assert ["pairs-no-matches"] == codes(result.problems)
    assert result.matches.is_empty()


def test_a_round_without_a_match_may_be_worth_points() -> None:
    """Pairs 3 and 4 have played one round of two, as 5 and 6 have."""
    late = [row for row in EVENING if row["round"] == "2" and row["ns"] == "2"]
    rows = [*EVENING, *({**row, "ns": "5", "ew": "6"} for row in late)]
    result = scored(rows, bye_points=12)
    without = earned(scored(rows))
    assert {"5": 12, "6": 12} == {who: total - without[who] for who, total in earned(result).items() if who > "4"}
    assert [0] * 4 == [earned(result)[who] - without[who] for who in "1234"]
    assert 12 == result.facts.policies["bye_points"]


def round_robin(teams: str) -> list[list[tuple[str, str]]]:
    """Return who meets whom in each round, by turning the circle; with an odd number one team sits out each round."""
    circle = [*teams, *("-" if len(teams) % 2 else "")]
    rounds = []
    for _ in circle[1:]:
        half = len(circle) // 2
        meetings = zip(circle[:half], reversed(circle[half:]), strict=True)
        rounds.append([(one, other) for one, other in meetings if "-" not in {one, other}])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


@pytest.mark.parametrize("teams", ["ABCD", "ABCDE", "ABCDEF"])
def test_nobody_who_plays_has_a_bye_at_any_line(teams: str) -> None:
    """Each table enters its boards in turn; both tables of a match are needed to compare them."""
    rows: list[Row] = []
    done: list[set[str]] = []
    for number, meetings in enumerate(round_robin(teams), start=1):
        seated = {team for meeting in meetings for team in meeting}
        for one, other in meetings:
            for ns, ew, points in ((one, other, 420), (other, one, 420)):
                rows.append({"round": str(number), "board": 1, "ns": ns, "ew": ew, "stated_score_ns": points})
                given = earned(scored(rows, method="teams", vp_scale="wbf", bye_points=12))
                # Every match is a tie of 10 to 10. Those who play in this round have nothing but ties and past byes.
                for team in seated & given.keys():
                    byes = sum(team not in playing for playing in done)
                    ties = sum(team in playing for playing in done)
                    assert given[team] in {12 * byes + 10 * ties, 12 * byes + 10 * ties + 10}, (number, one, other)
        done.append(seated)
    sat_out = {team: sum(team not in playing for playing in done) for team in teams}
    assert {team: 12 * out + 10 * (len(done) - out) for team, out in sat_out.items()} == given


def test_who_beat_whom_is_decided_by_their_match() -> None:
    """Pair 2 carries over what brings it to the 19 of pair 1, which beat it."""
    carried = [{"contestant": "2", "points": 18}]
    result = scored(carry_overs=carried, tie_breaks=["who-beat-who"])
    assert [("1", "who-beat-who"), ("2", "who-beat-who")] == result.standings.select("contestant", "tie_break").rows()[
        2:
    ]


@given(st.lists(st.integers(-76, 76), min_size=8, max_size=8), st.sampled_from(["matchpoints", "butler", "cross-imps"]))
def test_winner_and_loser_share_the_victory_points(tens: list[int], method: str) -> None:
    points = [10 * ten for ten in tens]
    rows = swiss([points[:2], points[2:4]], [points[4:6], points[6:]])
    matches = scored(rows, method=method).matches
    assert [2000] * 4 == (matches["victory_points"] + matches["victory_points_opponents"]).to_list()
