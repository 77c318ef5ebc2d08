"""The rules that break ties: rematchpointing, opponents, IMPs, boards won."""

from fractions import Fraction

import polars as pl

from overtrick.judge.rank.tie_rules import boards_won, imp_quotient, match_imps, opponents_totals, rematchpoint
from overtrick.judge.score.groups import Total, Who

P1, P2, P3 = ((None, None, name) for name in "123")


def lines(*rows: tuple[int, str, str, int, int]) -> pl.DataFrame:
    """Write board, pair, direction, points for N-S, and matchpoints of a top of 6."""
    names = ["board", "contestant", "sat", "score_ns", "numerator"]
    table = pl.DataFrame(rows, schema=names, orient="row")
    return table.with_columns(field=None, section=None, direction=None, denominator=1, top=6)


ALL_ONE_WAY = [(1, "1", "NS", 620, 5), (1, "2", "NS", 170, 0), (1, "3", "NS", 620, 5)]
ODD_ABOVE = [(2, "1", "NS", 110, 2), (2, "2", "NS", 140, 4), (2, "3", "EW", 110, 4)]
ODD_AVERAGE = [(3, "1", "NS", 100, 3), (3, "2", "EW", -50, 1), (3, "3", "EW", -50, 1)]
ODD_BELOW = [(4, "1", "NS", 420, 5), (4, "2", "EW", 420, 0), (4, "3", "NS", -50, 1)]


def test_three_pairs_board_by_board() -> None:
    """1 and 3 have 3 of 5 and stay tied, 2 has 1 1/2."""
    board_by_board = [ALL_ONE_WAY, ODD_ABOVE, ODD_AVERAGE, ODD_BELOW]
    marks = rematchpoint(lines(*(row for board in board_by_board for row in board)), [P1, P2, P3])
    assert {P1: Fraction(3, 5), P2: Fraction(3, 10), P3: Fraction(3, 5)} == marks


def test_pairs_the_same_way_are_compared_with_each_other() -> None:
    assert {P1: Fraction(3, 4), P2: 0, P3: Fraction(3, 4)} == rematchpoint(lines(*ALL_ONE_WAY), [P1, P2, P3])


def test_the_odd_pair_is_compared_with_the_average_of_the_field() -> None:
    """So that what the three have together is not the same on every board."""
    assert {P1: Fraction(0), P2: Fraction(1), P3: Fraction(1)} == rematchpoint(lines(*ODD_ABOVE), [P1, P2, P3])
    assert {P1: Fraction(1, 2), P2: Fraction(1, 2), P3: Fraction(1, 2)} == rematchpoint(
        lines(*ODD_AVERAGE), [P1, P2, P3]
    )
    assert {P1: Fraction(1), P2: Fraction(0), P3: Fraction(0)} == rematchpoint(lines(*ODD_BELOW), [P1, P2, P3])


def test_east_west_the_lower_score_is_the_better() -> None:
    rows = [(1, "1", "EW", -50, 1), (1, "2", "EW", -420, 5)]
    assert {P1: Fraction(0), P2: Fraction(1)} == rematchpoint(lines(*rows), [P1, P2])


def test_a_pair_that_missed_a_board_is_judged_by_what_it_could_have_had() -> None:
    two = [(2, "1", "NS", 420, 5), (2, "2", "NS", 50, 1)]
    marks = rematchpoint(lines(*ALL_ONE_WAY, *two), [P1, P2, P3])
    assert {P1: Fraction(5, 6), P2: 0, P3: Fraction(3, 4)} == marks


def test_two_alone_on_opposite_sides_have_nothing_to_compare() -> None:
    rows = [(1, "1", "NS", 620, 5), (1, "2", "EW", 620, 1)]
    assert rematchpoint(lines(*rows), [P1, P2, P3]) is None


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
    assert {A: Fraction(17), B: Fraction(5)} == match_imps(MATCHES, [A, B])


def test_boards_lost_are_taken_from_boards_won() -> None:
    assert {A: Fraction(-1), B: Fraction(2)} == boards_won(BOARDS, [A, B])


def test_the_quotient_is_of_imps_won_by_imps_lost() -> None:
    assert {A: Fraction(3)} == imp_quotient(BOARDS, [A])


def test_a_team_that_lost_nothing_has_no_quotient() -> None:
    assert imp_quotient(BOARDS, [A, B]) is None


def test_without_matches_there_is_nothing_to_judge() -> None:
    assert opponents_totals(MATCHES.clear(), TOTALS, [A, B]) is None
    assert match_imps(MATCHES.clear(), [A, B]) is None
    assert boards_won(BOARDS.clear(), [A, B]) is None
