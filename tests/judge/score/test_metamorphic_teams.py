"""What does not change a match never changes its ranking: other orders, seats and files."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from overtrick.core.bridge.methods import MethodName, method_named
from overtrick.core.config import Config, Scoring
from tests.support import one_evening as one
from tests.support.evaluating import evaluate

Row = tuple[int, int, str, str, str, str, int]
"""A result: round, board, the teams N-S and E-W, contract, declarer, tricks."""

TURNED = dict(zip("NESW", "SWNE", strict=True))
MEETINGS = (("A", "B", "C", "D"), ("A", "C", "B", "D"), ("A", "D", "B", "C"))


def play(seed: int) -> list[Row]:
    """Return three rounds of two matches, each board at both tables of each match."""
    rng = Random(seed)
    return [
        (number, board, ns, ew, rng.choice(["3NT", "4S", "2H", "5CX"]), rng.choice("NESW"), rng.randint(5, 12))
        for number, teams in enumerate(MEETINGS, start=1)
        for home, visit in (teams[:2], teams[2:])
        for board in range(4 * number - 3, 4 * number + 1)
        for ns, ew in ((home, visit), (visit, home))
    ]


def write(path: Path, rows: list[Row]) -> str:
    head = "event,date,round,board,ns,ew,team_ns,team_ew,contract,declarer,tricks"
    lines = [
        f"League,2026.01.05,{number},{board},{ns},{ew},{ns},{ew},{contract},{declarer},{tricks}"
        for number, board, ns, ew, contract, declarer, tricks in rows
    ]
    path.write_text("\n".join([head, *lines]) + "\n")
    return str(path)


CHANGES: dict[str, Callable[[list[Row], Random], list[list[Row]]]] = {
    "permuted": lambda rows, rng: [rng.sample(rows, len(rows))],
    "turned": lambda rows, _: [[(*row[:5], TURNED[row[5]], row[6]) for row in rows]],
    "split": lambda rows, rng: [[row for row in rows if row[0] < 3], [row for row in rows if row[0] == 3]],
    "doubled": lambda rows, rng: [rows, rng.sample(rows, len(rows))],
}


METHODS: list[MethodName] = [name for name in get_args(MethodName) if method_named(name).of_teams]
OTHER = dict(zip("ABCD", ("Owls", "7", "Larks", "B"), strict=True))


@pytest.mark.parametrize("method", METHODS)
def test_other_names_rank_the_same_teams(method: MethodName, tmp_path: Path) -> None:
    rows, config = play(4), Config(scoring=Scoring(method=method))
    renamed = [(*row[:2], OTHER[row[2]], OTHER[row[3]], *row[4:]) for row in rows]
    before, after = (evaluate([write(tmp_path / "a.csv", each)], config).standings for each in (rows, renamed))
    told = ("contestant", "rank", "total", "boards")
    assert sorted((OTHER[who], *rest) for who, *rest in before.select(told).rows()) == sorted(after.select(told).rows())


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("method", METHODS)
def test_a_ranking_of_teams_stays(method: MethodName, change: str, tmp_path: Path) -> None:
    rows = play(4)
    config = Config(scoring=Scoring(method=method))
    parts = CHANGES[change](rows, Random(2))
    whole = evaluate([write(tmp_path / "all.csv", rows)], config)
    got = evaluate([write(tmp_path / f"part{n}.csv", part) for n, part in enumerate(parts)], config)
    assert len(whole.standings) == 4
    assert one.ranking(whole) == one.ranking(got)
