"""Board-a-match: won, tied or lost."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from overtrick.config import Scoring
from overtrick.frames import Session
from overtrick.rank import rank
from overtrick.score import score
from tests.score.test_teams import POINTS, boards
from tests.support.builders import Row, session

BOARD_A_MATCH = Scoring(method="bam")


def scored(rows: Sequence[Row]) -> Session:
    return rank(score(session(*rows), BOARD_A_MATCH), BOARD_A_MATCH)


def test_a_board_is_won_tied_or_lost_whatever_the_margin() -> None:
    lines = scored(boards((420, 430), (170, -800), (50, 50))).results
    assert [(0, 2), (2, 0), (2, 0), (0, 2), (1, 1), (1, 1)] == lines.select("points_ns", "points_ew").rows()
    assert [2] * 6 == lines["top"].to_list()


def test_a_match_of_six_boards_shares_twelve_points() -> None:
    result = scored(boards((420, 430), (170, 180), (50, 100), (0, 10), (-50, 0), (620, 170)))
    assert [("Owls", 10, 6), ("Larks", 2, 6)] == result.standings.select("contestant", "total", "boards").rows()
    assert 100 * 10 / 12 == result.standings["percentage"][0]


def test_an_adjusted_board_is_a_share_of_two() -> None:
    result = scored(boards(("A+ A-", 620)))
    assert [("Larks", 1.2), ("Owls", 0.8)] == result.standings.select("contestant", "total").rows()


@given(st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=10))
def test_both_teams_share_two_points_a_board(scores: list[tuple[int, int]]) -> None:
    assert 2 * len(scores) == scored(boards(*scores)).standings["total"].sum()
