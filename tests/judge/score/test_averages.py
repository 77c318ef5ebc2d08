"""Average plus and minus by the pair's session (Law 12C2c)."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from overtrick.core.config import Scoring
from overtrick.judge.score import score
from tests.support.builders import Row, session

BY_SESSION = Scoring(method="matchpoints", average_plus="session")


def evening(wins: int, losses: int, adjusted: Row) -> list[Row]:
    """Pair 1 beats or loses to pair 2's score on a number of boards; its last board is adjusted. Two tables, top 2."""
    outcomes = [420] * wins + [-50] * losses
    rows: list[Row] = []
    for board, points in enumerate(outcomes, start=1):
        rows += [{"board": board, "ns": "1", "ew": "11", "stated_score_ns": points}]
        rows += [{"board": board, "ns": "2", "ew": "12", "stated_score_ns": 100}]
    return [*rows, {"board": 99, "ns": "1", "ew": "11", "status": "adjusted", **adjusted}]


def last_line(rows: Sequence[Row], scoring: Scoring = BY_SESSION) -> tuple[Fraction | None, Fraction | None]:
    ns, ew, denominator = (
        score(session(*rows), scoring).results.select("numerator_ns", "numerator_ew", "denominator").row(-1)
    )
    return None if ns is None else Fraction(ns, denominator), None if ew is None else Fraction(ew, denominator)


@pytest.mark.parametrize(
    ("share", "award", "wins", "losses"),
    [
        (Fraction(8, 10), "A+", 8, 2),
        (Fraction(60, 100), "A+", 5, 5),
        (Fraction(2, 3), "A+", 2, 1),
        (Fraction(2, 10), "A-", 2, 8),
        (Fraction(40, 100), "A-", 5, 5),
        (Fraction(50, 100), "A", 8, 2),
        (Fraction(8, 10), "60%", 8, 2),
        (Fraction(2, 10), "40%", 2, 8),
        (Fraction(70, 100), "70%", 8, 2),
    ],
)
def test_the_other_boards_decide_what_an_average_is_worth(share: Fraction, award: str, wins: int, losses: int) -> None:
    assert share * 2 == last_line(evening(wins, losses, {"award_ns": award, "award_ew": "A"}))[0]


def test_each_side_has_its_own_session() -> None:
    """N-S had 80 % and E-W 20 % of the other boards."""
    assert (Fraction(16, 10), Fraction(4, 10)) == last_line(evening(8, 2, {"award_ns": "A+", "award_ew": "A-"}))
    assert (Fraction(16, 10), Fraction(12, 10)) == last_line(evening(8, 2, {"award_ns": "A+", "award_ew": "A+"}))


def test_a_flat_average_plus_stays_at_sixty_per_cent() -> None:
    flat = Scoring(method="matchpoints")
    assert Fraction(12, 10) == last_line(evening(8, 2, {"award_ns": "A+", "award_ew": "A-"}), flat)[0]


def test_without_other_boards_average_plus_is_flat() -> None:
    rows: list[Row] = [
        {"board": 1, "ns": "1", "ew": "11", "stated_score_ns": 50},
        {"board": 1, "ns": "2", "ew": "12", "status": "adjusted", "award_ns": "A+", "award_ew": "A-"},
    ]
    assert (Fraction(12, 10), Fraction(8, 10)) == last_line(rows)


def test_pair_one_east_west_has_nothing_to_do_with_pair_one_north_south() -> None:
    """The numbers 1 and 2 are used both ways; N-S 1 wins all its boards, E-W 1 loses all."""
    rows = [
        {**row, "ew": {"11": "1", "12": "2"}[str(row["ew"])]}
        for row in evening(4, 0, {"award_ns": "A+", "award_ew": "A-"})
    ]
    assert (Fraction(2), Fraction(0)) == last_line(rows)


def test_a_side_without_an_award_that_counts_stays_without_points() -> None:
    assert (Fraction(16, 10), None) == last_line(evening(8, 2, {"award_ns": "A+", "award_ew": "?"}))


def test_boards_of_nobody_are_no_session_of_somebody_unknown() -> None:
    """Somebody whom the file does not name has average plus; others that it does not name won all their boards."""
    unknown = [{**row, "ns": None} if row["ns"] == "1" else row for row in evening(8, 0, {"award_ns": "A+"})]
    assert Fraction(6, 5) == last_line(unknown)[0]
