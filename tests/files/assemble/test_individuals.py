"""Individuals: each result counts once, in whatever order and format it lists its players."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from overtrick.core.config import Config
from overtrick.files.formats.pbn.write import scored_pbn
from tests.support import one_evening as one
from tests.support.evaluating import evaluate

Row = tuple[int, int, tuple[int, int, int, int], str, str, int]
"""A result: round, board, the players N, E, S, W, contract, declarer, tricks."""

ROUNDS = (
    ((8, 4, 1, 6), (2, 7, 3, 5)),
    ((8, 5, 2, 7), (3, 1, 4, 6)),
    ((8, 6, 3, 1), (4, 2, 5, 7)),
    ((8, 7, 4, 2), (5, 3, 6, 1)),
)
TURNED = dict(zip("NESW", "SWNE", strict=True))


def play(seed: int) -> list[Row]:
    rng = Random(seed)
    return [
        (number, board, players, rng.choice(["3NT", "4S", "2H"]), rng.choice("NESW"), rng.randint(6, 11))
        for number, tables in enumerate(ROUNDS, start=1)
        for players in tables
        for board in (2 * number - 1, 2 * number)
    ]


def _turn(row: Row) -> Row:
    number, board, (north, east, south, west), contract, declarer, tricks = row
    return number, board, (south, west, north, east), contract, TURNED[declarer], tricks


def write(path: Path, rows: Sequence[Row]) -> str:
    head = "event,date,scoring,round,board,ns,ew,player_n,player_e,player_s,player_w,contract,declarer,tricks"
    lines = [
        f"Cup,2026.01.05,MP,{number},{board},{n}+{s},{e}+{w},{n},{e},{s},{w},{contract},{declarer},{tricks}"
        for number, board, (n, e, s, w), contract, declarer, tricks in rows
    ]
    path.write_text("\n".join([head, *lines]) + "\n")
    return str(path)


CHANGES: dict[str, Callable[[list[Row], Random], list[list[Row]]]] = {
    "permuted": lambda rows, rng: [rng.sample(rows, len(rows))],
    "turned": lambda rows, _: [[_turn(row) for row in rows]],
    "listed twice": lambda rows, rng: [rng.sample([*rows, *map(_turn, rows)], 2 * len(rows))],
    "doubled": lambda rows, rng: [rows, rng.sample(rows, len(rows))],
    "split": lambda rows, _: [rows[::2], rows[1::2]],
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_ranking_of_players_stays(tmp_path: Path, change: str) -> None:
    rows = play(3)
    whole = evaluate([write(tmp_path / "all.csv", rows)], Config())
    parts = CHANGES[change](rows, Random(5))
    got = evaluate([write(tmp_path / f"part{n}.csv", part) for n, part in enumerate(parts)], Config())
    assert one.ranking(whole) == one.ranking(got)


@pytest.mark.slow
def test_players_are_known_from_their_sides_in_pbn(tmp_path: Path) -> None:
    whole = evaluate([write(tmp_path / "all.csv", play(3))], Config())
    (tmp_path / "all.pbn").write_bytes(scored_pbn(whole).content)
    assert one.ranking(whole) == one.ranking(evaluate([str(tmp_path / "all.pbn")], Config()))
    both = evaluate([str(tmp_path / "all.csv"), str(tmp_path / "all.pbn")], Config())
    assert one.ranking(whole) == one.ranking(both)


@pytest.mark.parametrize("named", [False, True])
def test_players_need_no_column_of_their_side(tmp_path: Path, *, named: bool) -> None:
    path = tmp_path / "all.csv"
    head, *lines = Path(write(path, play(3))).read_text().splitlines()
    by_number = dict(evaluate([str(path)], Config()).standings.select("contestant", "total").iter_rows())
    cells = [line.split(",") for line in lines]
    called = {str(number): f"Ann{number} Ash{number}" if named else str(number) for number in range(1, 9)}
    path.write_text(
        "\n".join(
            [
                ",".join(name for name in head.split(",") if name not in {"ns", "ew"}),
                *(",".join([*row[:5], *(called[who] for who in row[7:11]), *row[11:]]) for row in cells),
            ]
        )
        + "\n"
    )
    got = dict(evaluate([str(path)], Config()).standings.select("contestant", "total").iter_rows())
    assert {called[number]: total for number, total in by_number.items()} == got
