"""The rules that break ties: rematchpointing, opponents, IMPs, boards won."""

from fractions import Fraction

import polars as pl
import pytest

from overtrick.judge.rank.match_totals import list_team_boards
from overtrick.judge.rank.ties import (
    boards_won,
    imp_quotient,
    match_imps,
    match_marks,
    meeting_marks,
    opponents_totals,
    rematchpoint,
)
from overtrick.judge.score.groups import Total, Who
from tests.support.builders import results

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


@pytest.mark.parametrize("unknown", ["score_ns", "board", "top"])
def test_a_result_without_score_board_or_top_is_compared_with_nothing(unknown: str) -> None:
    """So the mark is that of the other board."""
    others = lines((9, "1", "NS", 50, 0), (9, "2", "NS", 90, 3)).with_columns(
        pl.lit(None).cast(pl.Int64).alias(unknown)
    )
    both = pl.concat([lines(*ALL_ONE_WAY), others.select(lines(*ALL_ONE_WAY).columns)], how="vertical_relaxed")
    assert rematchpoint(lines(*ALL_ONE_WAY), [P1, P2, P3]) == rematchpoint(both, [P1, P2, P3])


def test_a_flat_board_is_neither_won_nor_lost() -> None:
    boards = pl.DataFrame(
        [("1", 6, 1), ("1", 0, 1), ("2", 6, 1), ("2", -3, 2)], schema=["team", "swing", "denominator"], orient="row"
    )
    assert imp_quotient(boards, [P1, P2]) is None
    assert {P2: Fraction(4)} == imp_quotient(boards, [P2])
    assert {P1: Fraction(1), P2: Fraction(0)} == boards_won(boards, [P1, P2])


def match(team: str, opponents: str, points: tuple[int, int] | None, imps: tuple[int, int]) -> dict[str, object]:
    victory = {"victory_points": points and points[0], "victory_points_opponents": points and points[1]}
    earned = {"numerator": imps[0], "numerator_opponents": imps[1], "denominator": 1}
    return {"team": team, "opponents": opponents, **victory, **earned}


def matches(*rows: dict[str, object]) -> pl.DataFrame:
    return pl.DataFrame(rows, infer_schema_length=None)


@pytest.mark.parametrize("turned", [False, True])
def test_victory_points_decide_a_match_then_imps(turned: bool) -> None:
    def marks(*met: dict[str, object]) -> list[Fraction]:
        found = match_marks(matches(*met), [P1, P2])
        assert found is not None
        return [found[P1], found[P2]]

    def met(points: tuple[int, int] | None, imps: tuple[int, int]) -> dict[str, object]:
        if turned:
            return match("2", "1", points and points[::-1], imps[::-1])
        return match("1", "2", points, imps)

    assert [1, 0] == marks(met((1100, 900), (10, 20)))
    assert [0, 1] == marks(met((900, 1100), (20, 10)))
    assert [0, 1] == marks(met((1000, 1000), (10, 11)))
    assert [1, 0] == marks(met(None, (11, 10)))
    assert [Fraction(1, 2), Fraction(1, 2)] == marks(met(None, (10, 10)))
    assert [0, 1] == marks(met((1100, 900), (5, 0)), met((500, 1500), (0, 90)))
    assert [1, 0] == marks(met(None, (9, 0)), met(None, (0, 3)))


def test_teams_that_have_not_all_met_are_not_judged() -> None:
    assert match_marks(matches(match("1", "2", None, (9, 0))), [P1, P2, P3]) is None
    assert match_marks(matches(match("1", "3", None, (9, 0))), [P1, P2]) is None


def test_each_of_three_teams_is_judged_by_its_own_matches() -> None:
    met = [match("1", "2", None, (9, 0)), match("3", "1", None, (1, 2)), match("2", "3", None, (4, 4))]
    assert {P1: 2, P2: Fraction(1, 2), P3: Fraction(1, 2)} == match_marks(matches(*met), [P1, P2, P3])


def seats(*rows: tuple[int, str, str, int]) -> pl.DataFrame:
    """Write the result, the contestant, the side and what it earned."""
    table = pl.DataFrame(rows, schema=["result", "contestant", "sat", "numerator"], orient="row")
    return table.with_columns(section=None, direction=None, denominator=2).with_columns(
        pl.col("section", "direction").cast(pl.String)
    )


def test_who_earned_more_on_the_boards_against_each_other_has_won() -> None:
    against = [(1, "1", "NS", 4), (1, "2", "EW", 0), (2, "1", "EW", 1), (2, "2", "NS", 3)]
    assert {P1: Fraction(1), P2: Fraction(0)} == meeting_marks(seats(*against), [P1, P2])
    more = [*against, (3, "1", "NS", 0), (3, "2", "EW", 4)]
    assert {P1: Fraction(0), P2: Fraction(1)} == meeting_marks(seats(*more), [P1, P2])
    level = [(1, "1", "NS", 2), (1, "2", "EW", 2)]
    assert {P1: Fraction(1, 2), P2: Fraction(1, 2)} == meeting_marks(seats(*level), [P1, P2])


def test_boards_as_partners_or_against_others_are_no_meeting() -> None:
    partners = [(1, "1", "NS", 4), (1, "2", "NS", 0)]
    assert meeting_marks(seats(*partners), [P1, P2]) is None
    assert meeting_marks(seats((1, "1", "NS", 4), (2, "2", "EW", 0)), [P1, P2]) is None
    once = [(1, "1", "NS", 4), (1, "2", "EW", 0)]
    assert meeting_marks(seats(*once), [P1, P2, P3]) is None


def test_each_board_of_a_match_is_won_once_by_either_team() -> None:
    """Both rooms state the same swing; a board without points and one of nobody are left out."""
    rooms = [
        {"board": board, "ns": ns, "ew": ew, "team_ns": ns[0], "team_ew": ew[0], "round": turn}
        | {"numerator_ns": points, "numerator_ew": -points, "denominator": 1}
        for turn, board, points in (("1", 1, 3), ("1", 2, -2), ("2", 1, 0))
        for ns, ew, points in (("A1", "B2", points), ("B1", "A2", -points))
    ]
    left_out = [{**rooms[0], "board": 9, "denominator": None}, {**rooms[0], "board": None}]
    swings = list_team_boards(results(*rooms, *left_out))
    assert [("A", -4), ("A", 0), ("A", 6), ("B", -6), ("B", 0), ("B", 4)] == sorted(
        swings.select("team", "swing").rows()
    )
