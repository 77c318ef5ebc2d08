"""The Butler of the room: the pairs of a team event against all tables of their boards."""

from bisect import bisect
from collections import defaultdict
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

from overtrick.core.config import Config, Scoring
from overtrick.core.frames import Session
from overtrick.core.languages import open_language
from overtrick.judge.rank import rank_pairs_of_teams
from overtrick.show.pdf.data import Texts, list_bulletin
from tests.support.evaluating import evaluate
from tests.support.public import make_session_page

TEAMS = ("Reds", "Blues", "Greens", "Golds")
ROUNDS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
SCALE = [20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000]
"""The least difference of each number of IMPs (Law 78B)."""
HEAD = "round,table,board,team_ns,team_ew,names_ns,names_ew,score_ns\n"


def pair(team: str, half: int) -> str:
    return f"{team} Ann{half} - {team} Bob{half}"


def play(seed: int, matches: int = 2, *, boards_repeat: bool = True) -> list[tuple[int, int, str, str, int]]:
    """Return round, board, both pairs and the score of each table of a round robin; a pair is "Reds 0"."""
    rng = Random(seed)
    return [
        (number, board + (0 if boards_repeat else 10 * number), *seated, rng.choice([-620, -100, 50, 110, 420, 1430]))
        for number, met in enumerate(ROUNDS, start=1)
        for one, other in met[:matches]
        for board, seated in product(
            (1, 2, 3), ((f"{TEAMS[one]} 0", f"{TEAMS[other]} 0"), (f"{TEAMS[other]} 1", f"{TEAMS[one]} 1"))
        )
    ]


def read(tmp_path: Path, rows: list[tuple[int, int, str, str, int]]) -> Session:
    lines = []
    for table, (number, board, *seated, score) in enumerate(rows):
        teams, halves = zip(*(who.split() for who in map(str, seated)), strict=True)
        names = [pair(team, int(half)) for team, half in zip(teams, halves, strict=True)]
        lines.append(",".join(map(str, (number, table, board, *teams, *names, score))))
    path = tmp_path / "teams.csv"
    path.write_text(HEAD + "\n".join(lines) + "\n")
    return evaluate([str(path)], Config())


def butler_of(rows: list[tuple[int, int, str, str, int]]) -> dict[str, int]:
    """Return the IMPs of each pair, one result after the other: the mean, rounded away from zero to a ten."""
    scores = defaultdict(list)
    for number, board, _, _, score in rows:
        scores[number, board].append(score)
    totals: dict[str, int] = defaultdict(int)
    for number, board, ns, ew, score in rows:
        mean = Fraction(sum(scores[number, board]), len(scores[number, board]))
        tens, rest = divmod(abs(mean), 10)
        datum = (1 if mean > 0 else -1) * 10 * (int(tens) + (rest >= 5))
        earned = bisect(SCALE, abs(score - datum)) * (1 if score > datum else -1)
        for who, sign in ((ns, 1), (ew, -1)):
            team, half = who.split()
            totals[pair(team, int(half))] += sign * earned
    return totals


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("boards_repeat", [True, False])
def test_each_pair_is_compared_with_all_tables_of_the_same_deal(
    tmp_path: Path, seed: int, *, boards_repeat: bool
) -> None:
    rows = play(seed, boards_repeat=boards_repeat)
    room = rank_pairs_of_teams(read(tmp_path, rows), Scoring())
    assert butler_of(rows) == dict(room.select("contestant", "total").iter_rows())
    assert {9} == set(room["boards"])
    assert room["total"].to_list() == sorted(room["total"], reverse=True)


def test_a_single_match_has_no_room(tmp_path: Path) -> None:
    assert rank_pairs_of_teams(read(tmp_path, play(1, matches=1)), Scoring()).is_empty()


def test_a_pair_of_few_boards_comes_last_without_a_place(tmp_path: Path) -> None:
    rows = play(2)
    number, board, ns, ew, score = rows[0]
    assert ns == "Reds 0"
    changed = [(number, board, "Reds 2", ew, score), *rows[1:]]
    last = rank_pairs_of_teams(read(tmp_path, changed), Scoring()).row(-1, named=True)
    assert (pair("Reds", 2), 1, None) == (last["contestant"], last["boards"], last["rank"])


def test_a_session_of_pairs_has_none(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("board,ns,ew,score_ns\n" + "".join(f"1,{n},{n + 10},{100 * n}\n" for n in range(1, 6)))
    assert rank_pairs_of_teams(evaluate([str(path)], Config()), Scoring()).is_empty()


def test_the_page_and_the_bulletin_show_it_with_the_team_of_each_pair(tmp_path: Path) -> None:
    rows = play(0)
    page = make_session_page(read(tmp_path, rows), Config())
    assert page.room is not None
    best = page.room.rows[0]
    totals = butler_of(rows)
    winner = max(totals, key=lambda name: totals[name])
    assert (winner.replace(" - ", " – "), "1") == (best.contestant.names, best.rank)
    assert f"{totals[winner] / 9:+.2f}" == best.total
    assert winner.split()[0] == page.teams[best.contestant.page].names
    printed = list_bulletin(page, Texts(open_language("en")))["room"]["rows"][0]
    assert (f"{best.contestant.names} ({winner.split()[0]})", best.total) == (printed["contestant"], printed["total"])
