"""Parting contestants with the same total."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from tests.support.builders import Row, session, traveller


def ranked(method: str, rows: Sequence[Row], *rules: Any, **policies: Any) -> Session:
    scoring = Scoring.model_validate({"method": method, "tie_breaks": list(rules), **policies})
    return rank(score(session(*rows), scoring), scoring)


def places(result: Session) -> list[tuple[int, int, str, str | None]]:
    return result.standings.select("rank", "rank_last", "contestant", "tie_break").rows()


def played(board: int, ns: str, ew: str, points: int, **columns: object) -> Row:
    return {"board": board, "ns": ns, "ew": ew, "stated_score_ns": points, **columns}


def match(round_: str, one: str, other: str, *points: int) -> list[Row]:
    """Write the boards of a match: the home team scores so much in the open room, and nothing happens in the other."""
    return [
        row
        for board, score in enumerate(points, start=1)
        for row in (played(board, one, other, score, round=round_), played(board, other, one, 0, round=round_))
    ]


HOWELL = [
    played(1, "4", "1", 420),
    played(1, "2", "3", -50),
    played(2, "4", "2", -50),
    played(2, "3", "1", 420),
    played(3, "4", "3", 50),
    played(3, "1", "2", 50),
]
"""Each meets each on one board of two tables: 4 beats 1, 3 beats 2, 2 beats 4, 3 beats 1; 4-3 and 1-2 are flat."""


def test_without_a_rule_places_are_shared() -> None:
    assert [(1, 1, "3", None), (2, 3, "2", None), (2, 3, "4", None), (4, 4, "1", None)] == places(
        ranked("matchpoints", HOWELL)
    )


def test_two_tied_pairs_are_parted_by_the_boards_against_each_other() -> None:
    result = ranked("matchpoints", HOWELL, "who-beat-who")
    assert [(1, 1, "3", None), (2, 2, "2", "who-beat-who"), (3, 3, "4", "who-beat-who"), (4, 4, "1", None)] == places(
        result
    )
    assert ["who-beat-who"] == result.facts.policies["tie_breaks"]


def test_pairs_that_never_met_stay_tied() -> None:
    """They sat the same way."""
    rows = [played(1, "1", "11", 50), played(1, "2", "12", 50)]
    assert {(1, 2)} == set(ranked("matchpoints", rows, "who-beat-who").standings.select("rank", "rank_last").rows())


ROUND_ROBIN = [
    played(1, "1", "2", 50),
    played(2, "2", "3", 50),
    played(3, "3", "1", 50),
    played(4, "1", "4", 90),
    played(5, "2", "4", 90),
    played(6, "3", "4", 40),
]
"""1, 2 and 3 beat one another in a circle, and all beat 4."""


def test_two_tied_wait_for_extra_hands() -> None:
    result = ranked("aggregate", ROUND_ROBIN, {"rule": "who-beat-who", "at_least": 3}, "extra-hands", winners=1)
    assert [(1, 2, "1"), (1, 2, "2"), (3, 3, "3"), (4, 4, "4")] == [row[:3] for row in places(result)]
    assert [
        "1, 2 are tied for place 1 of all; the tie-break extra-hands must decide, but its outcome is not known"
    ] == (result.problems["message"].to_list())


def test_three_who_beat_one_another_in_a_circle_stay_tied() -> None:
    rows = [*ROUND_ROBIN[:3]]
    assert {(1, 3)} == {row[:2] for row in places(ranked("aggregate", rows, "who-beat-who", winners=1))}


def test_when_a_rule_leaves_two_they_begin_again_at_the_first() -> None:
    """Of four tied, 1 beat all and 4 lost to all; 2 and 3 were level and are two now: extra hands."""
    rows = [
        played(1, "1", "2", 10),
        played(2, "1", "3", 10),
        played(3, "1", "4", 10),
        played(4, "2", "3", 0),
        played(5, "2", "4", 10),
        played(6, "3", "4", 10),
        *(played(7, who, "9", points) for who, points in (("1", 0), ("2", 30), ("3", 30), ("4", 60))),
    ]
    result = ranked("aggregate", rows, {"rule": "who-beat-who", "at_least": 3}, "extra-hands", winners=1)
    assert [(1, 1, "1", "who-beat-who"), (2, 3, "2", "who-beat-who"), (2, 3, "3", "who-beat-who")] == places(result)[:3]
    assert (4, 4, "4", "who-beat-who") == places(result)[3]
    assert ["2, 3"] == [message.split(" are ")[0] for message in result.problems["message"]]


def test_three_tied_pairs_are_matchpointed_again() -> None:
    """11 of 18 each against the field; among themselves 7, 6 and 5 of 12. Nobody of them can have met."""
    boards = [[100, 100, 50, 0], [0, 50, 100, 50], [100, 50, 50, 0]]
    rows = [row for number, scores in enumerate(boards, start=1) for row in traveller(number, scores)]
    assert [(1, 3), (1, 3), (1, 3), (4, 4)] == [row[:2] for row in places(ranked("matchpoints", rows))][:4]
    standings = places(ranked("matchpoints", rows, "rematchpoint", "who-beat-who"))
    assert [(1, "1"), (2, "2"), (3, "3")] == [(row[0], row[2]) for row in standings][:3]
    assert ["rematchpoint"] * 3 == [row[3] for row in standings][:3]


def test_two_teams_are_parted_by_their_match() -> None:
    rows = [*match("1", "B", "A", -420), *match("2", "D", "A", 420), *match("3", "B", "C", 420)]
    result = ranked("teams", rows, "who-beat-who", vp_scale="wbf", vp_boards=8)
    assert [(1, "A", "who-beat-who"), (2, "B", "who-beat-who")] == [
        (row[0], *row[2:]) for row in places(result) if row[2] in {"A", "B"}
    ]


def test_three_teams_that_beat_one_another_in_a_circle_share() -> None:
    rows = [*match("1", "A", "B", 420), *match("2", "C", "A", 420), *match("3", "B", "C", 420)]
    assert [(1, 3)] * 3 == [row[:2] for row in places(ranked("teams", rows, "who-beat-who", "imps", "opponents"))]


@pytest.mark.parametrize("rule", ["opponents", "imps", "imp-quotient", "boards-won"])
def test_a_rule_for_teams_parts_no_pairs(rule: str) -> None:
    assert (2, 3) == places(ranked("matchpoints", HOWELL, rule))[1][:2]


def test_pairs_are_rematchpointed_and_teams_are_not() -> None:
    rows = [*match("1", "A", "B", 420), *match("2", "C", "A", 420), *match("3", "B", "C", 420)]
    assert [(1, 3)] * 3 == [row[:2] for row in places(ranked("teams", rows, "rematchpoint"))]


def test_lots_are_awaited_by_any_number() -> None:
    result = ranked("aggregate", ROUND_ROBIN[:3], "lot", winners=1)
    assert ["1, 2, 3 are tied for place 1 of all; the tie-break lot must decide, but its outcome is not known"] == (
        result.problems["message"].to_list()
    )


SCORES = st.sampled_from([-50, 0, 50, 420])


@given(
    st.lists(SCORES, min_size=6, max_size=6),
    st.randoms(),
    st.lists(st.sampled_from(["who-beat-who", "rematchpoint"]), unique=True),
)
@pytest.mark.slow
def test_places_do_not_depend_on_the_order_of_results(scores: list[int], order: Any, rules: list[str]) -> None:
    rows = [{**row, "stated_score_ns": points} for row, points in zip(HOWELL, scores, strict=True)]
    before = places(ranked("matchpoints", rows, *rules))
    order.shuffle(rows)
    assert before == places(ranked("matchpoints", rows, *rules))
