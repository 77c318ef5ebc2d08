"""What parts teams with the same total."""

from fractions import Fraction

import polars as pl

from overtrick.rank.team_marks import boards_won, imp_quotient, imps, opponents_totals
from overtrick.score.totals import Total, Who

A, B, C = ((None, None, name) for name in "ABC")
MATCHES = pl.DataFrame(
    [("A", "C", 20, -20, 1), ("B", "C", 5, -5, 1), ("C", "A", 3, -3, 1)],
    schema=["team", "opponents", "numerator", "numerator_opponents", "denominator"],
    orient="row",
)
BOARDS = pl.DataFrame(
    [("A", 12, 1), ("A", -3, 1), ("A", -1, 1), ("A", 0, 1), ("B", 2, 1), ("B", 1, 2)],
    schema=["team", "swing", "denominator"],
    orient="row",
)
TOTALS: dict[Who, Total] = {who: Total(Fraction(points), 0, 8) for who, points in ((A, 30), (B, 30), (C, 7))}


def test_the_totals_of_the_opponents_count_each_time_they_were_met() -> None:
    assert {A: Fraction(14), B: Fraction(7)} == opponents_totals(MATCHES, TOTALS, [A, B])


def test_imps_of_all_matches_are_added() -> None:
    assert {A: Fraction(17), B: Fraction(5)} == imps(MATCHES, [A, B])


def test_boards_lost_are_taken_from_boards_won() -> None:
    assert {A: Fraction(-1), B: Fraction(2)} == boards_won(BOARDS, [A, B])


def test_the_quotient_is_of_imps_won_by_imps_lost() -> None:
    assert {A: Fraction(3)} == imp_quotient(BOARDS, [A])


def test_who_lost_nothing_has_no_quotient() -> None:
    assert imp_quotient(BOARDS, [A, B]) is None


def test_without_matches_there_is_nothing_to_judge() -> None:
    assert opponents_totals(MATCHES.clear(), TOTALS, [A, B]) is None
    assert imps(MATCHES.clear(), [A, B]) is None
    assert boards_won(BOARDS.clear(), [A, B]) is None
