"""Whose numbers are right: differences, and the policies that would explain them."""

from collections.abc import Sequence
from typing import Any

import pytest

from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.judge.numbers.search import audit
from tests.support.builders import Row, session, traveller

SHORT = traveller(1, [420, 50, -50])
FULL = traveller(2, [110] * 9)


def stating(rows: Sequence[Row], *points: tuple[float, float] | None) -> list[Row]:
    """Let each line state points for N-S and E-W, or nothing."""
    names = ("stated_points_ns", "stated_points_ew")
    return [
        row if stated is None else {**row, **dict(zip(names, stated, strict=True))}
        for row, stated in zip(rows, points, strict=True)
    ]


def explained(read: Session, **policies: Any) -> list[str | None]:
    return audit(read, Scoring.model_validate(policies)).differences["explained_by"].to_list()


RAW = stating(SHORT, (4, 0), (2, 2), (0, 4))
"""Three tables of nine: matchpoints without Neuberg's formula."""


def test_a_short_board_that_keeps_its_own_top_is_explained() -> None:
    result = audit(session(*RAW, *FULL), Scoring(method="matchpoints"))
    assert [
        ("line", 1, "1", "101", "4.0 / 0.0", "14.0 / 2.0", 'short_boards = "own-top"'),
        ("line", 1, "2", "102", "2.0 / 2.0", "8.0 / 8.0", 'short_boards = "own-top"'),
        ("line", 1, "3", "103", "0.0 / 4.0", "2.0 / 14.0", 'short_boards = "own-top"'),
    ] == result.differences.select("what", "board", "ns", "ew", "stated", "computed", "explained_by").rows()
    assert (3, 0) == (result.lines, result.totals)


def test_points_that_agree_are_not_listed() -> None:
    result = audit(session(*RAW, *FULL), Scoring(method="matchpoints", short_boards="own-top"))
    assert result.differences.is_empty()
    assert [] == result.explanations
    assert 3 == result.lines


@pytest.mark.slow
def test_a_difference_that_no_policy_explains_is_left_open() -> None:
    rows = stating(SHORT, (11, 5), None, None)
    assert [None] == explained(session(*rows, *FULL), method="matchpoints")


def test_a_policy_that_would_break_what_agrees_says_so() -> None:
    rows = [*stating(SHORT, (4, 0), (8, 8), (2, 14)), *FULL]
    explanations = audit(session(*rows), Scoring(method="matchpoints")).explanations
    own_top = {(one.explains, one.breaks) for one in explanations if one.policy == 'short_boards = "own-top"'}
    assert {(1, 2)} == own_top


@pytest.mark.slow
def test_two_policies_together_may_explain_what_neither_does_alone() -> None:
    """The median of both sections together is nothing; one section has 1430 as any datum, both together 570 or 480."""
    rows = [
        *stating(traveller(1, [1430, 1430], section="A"), (16, -16), (16, -16)),
        *traveller(1, [0, 0, 0], section="B"),
    ]
    assert {'field = "all", datum = "median"'} == set(explained(session(*rows), method="butler"))


def test_points_that_another_method_does_not_have_explain_nothing() -> None:
    """Cross-IMPs know no datum, and the adjusted line has no points there either."""
    rows = stating(traveller(1, ["70% 30%", 50]), (9, -9), None)
    assert [] == explained(session(*rows), method="butler")


def test_a_total_that_was_brought_to_all_boards_is_explained() -> None:
    """Pair 1 played one board of two: the file has 12 for its 6 IMPs."""
    contestants = [{"contestant": "1", "direction": "NS", "stated_total": 12.0}]
    rows = [*traveller(1, [420, 170]), {"board": 2, "ns": "2", "ew": "101", "stated_score_ns": 50}]
    read = session(*rows, contestants=contestants)
    result = audit(read, Scoring(method="cross-imps"))
    assert [("total", "1", "12.0", "6.0", 'sit_outs = "prorate"')] == result.differences.select(
        "what", "contestant", "stated", "computed", "explained_by"
    ).rows()


def test_another_datum_is_explained() -> None:
    """The mean is 570, without the best and the worst 480, and the median nothing."""
    flat = (0, 0)
    stated = stating(traveller(1, [1430, 1430, 0, 0, 0]), (16, -16), (16, -16), flat, flat, flat)
    assert ['datum = "median"'] == [
        one.policy for one in audit(session(*stated), Scoring(method="butler")).explanations
    ]
