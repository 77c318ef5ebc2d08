"""Who earns by a result: pairs, or the players of an individual."""

from overtrick.core.config import Scoring
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from tests.support.builders import Row, session


def line(board: int, seats: str, points: int) -> Row:
    """Write a result of an individual; `seats` are the players North, South, East, West."""
    north, south, east, west = list(seats)
    players = {"player_n": north, "player_s": south, "player_e": east, "player_w": west}
    return {"board": board, "ns": f"{north}+{south}", "ew": f"{east}+{west}", "stated_score_ns": points, **players}


def test_each_player_has_what_the_own_side_earned() -> None:
    rows = [line(1, "1234", 420), line(1, "5678", 50), line(2, "1357", -50), line(2, "2468", 50)]
    scoring = Scoring(method="matchpoints")
    result = rank(score(session(*rows), scoring), scoring)
    assert {"1": 2, "2": 4, "3": 0, "4": 2, "5": 2, "6": 0, "7": 4, "8": 2} == dict(
        result.standings.select("contestant", "total").rows()
    )
    assert {"all"} == set(result.standings["ranking"])
    assert {2} == set(result.standings["boards"])


def test_partners_are_no_opponents_when_ties_are_parted() -> None:
    """1 and 2 sat together on the only board."""
    scoring = Scoring(method="matchpoints", winners=1, tie_breaks=["who-beat-who"])
    result = rank(score(session(line(1, "1234", 420), line(1, "5678", 50)), scoring), scoring)
    assert [(1, 4), (1, 4), (1, 4), (1, 4)] == result.standings.select("rank", "rank_last").rows()[:4]
