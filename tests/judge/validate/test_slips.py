"""Slips in evenings with a movement: each is told once, at its line, and no result that is right."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

import overtrick as ot
from overtrick.core.bridge.movements import KNOWN, Sitting, cyclic, mitchell, switched, with_boards
from overtrick.core.config import Config
from tests.support.sound_movements import rover, scissors, without
from tests.support.sweeps import ALL

Line = dict[str, int]

SEVEN = with_boards(mitchell(7, 7, first_ew=8), 3)
EVENINGS: dict[str, tuple[list[Sitting], dict[str, Any] | None]] = {
    "mitchell": (SEVEN, {"kind": "mitchell", "tables": 7, "boards": 3, "first_ew": 8}),
    "mitchell, equal numbers": (
        with_boards(mitchell(7, 7), 3), {"kind": "mitchell", "tables": 7, "boards": 3, "first_ew": 1},
    ),
    "mitchell with a skip": (
        with_boards(mitchell(8, 7, skip_after=4, first_ew=9), 3),
        {"kind": "mitchell", "tables": 8, "rounds": 7, "boards": 3, "skip_after": 4},
    ),
    "relay and share": (
        with_boards(mitchell(6, 6, relay=True, first_ew=7), 3),
        {"kind": "mitchell", "tables": 6, "boards": 3, "relay": True},
    ),
    "half a table": (without(SEVEN, 14), {"kind": "mitchell", "tables": 7, "boards": 3, "missing": 14}),
    "arrow-switched": (switched(SEVEN, [7]), {"kind": "mitchell", "tables": 7, "boards": 3, "switched": [7]}),
    "howell 5": (with_boards(cyclic(KNOWN["howell", 5], 9), 2), {"kind": "howell", "tables": 5, "boards": 2}),
    "howell 7": (with_boards(cyclic(KNOWN["howell", 7], 13), 2), {"kind": "howell", "tables": 7, "boards": 2}),
    "howell, a pair missing": (
        without(with_boards(cyclic(KNOWN["howell", 5], 9), 2), 3),
        {"kind": "howell", "tables": 5, "boards": 2, "missing": 3},
    ),
    "three-quarter howell": (
        with_boards(cyclic(KNOWN["three-quarter-howell", 8], 13), 2),
        {"kind": "three-quarter-howell", "tables": 8, "boards": 2},
    ),
    "scissors": (scissors(8, 2), None),
    "rover": (with_boards(rover(7), 2), None),
}  # fmt: skip
"""By name, an evening and the movement that a club would write for it; None where settings have none."""

CASES = [
    (name, given)
    for name, (_, movement) in EVENINGS.items()
    for given in (False, True)
    if movement is not None or not given
]
TIMES = 20 if ALL else 1


def list_lines(schedule: Sequence[Sitting]) -> list[Line]:
    return [
        {"round": one.round, "table": one.table, "board": board, "ns": one.ns[0], "ew": one.ew[0]}
        for one in schedule
        for board in one.boards
    ]


def slip(lines: Sequence[Line], lot: Random) -> tuple[int, Line]:
    """Return the place of a line, and what was entered for it: another value, or the pairs exchanged."""
    place = lot.randrange(len(lines))
    line = lines[place]
    what = lot.choice(["ns", "ew", "board", "both", "round", "table", "no such board"])
    if what == "both":
        return place, {**line, "ns": line["ew"], "ew": line["ns"]}
    if what == "no such board":
        return place, {**line, "board": max(other["board"] for other in lines) + lot.randint(1, 9)}
    others = {other[what] for other in lines} - {line[what]}
    if what == "board":
        # A board that the table has in this round anyway is entered twice: no movement says which of the two is right.
        others -= {other["board"] for other in lines if all(other[by] == line[by] for by in ("round", "table"))}
    return place, {**line, what: lot.choice(sorted(others))}


def put(path: Path, lines: Sequence[Line], lot: Random) -> Path:
    scores = (110, 140, 90, 120, -110, -140, -90, 150)
    rows = [",".join(map(str, [*line.values(), lot.choice(scores)])) for line in lines]
    path.write_text("\n".join(["round,table,board,ns,ew,score_ns", *rows]) + "\n")
    return path


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("name", "given"), CASES)
def test_each_slip_is_told_once_and_nothing_else(tmp_path: Path, name: str, *, given: bool) -> None:
    schedule, movement = EVENINGS[name]
    config = Config.model_validate({"movement": [movement]} if given else {})
    exact = 0
    for seed in range(TIMES):
        for number in (0, 1, 2, 3):
            lot = Random(f"{name} {number} {seed}")
            lines = list_lines(schedule)
            slips: dict[int, Line] = {}
            while len(slips) < number:
                place, line = slip(lines, lot)
                slips.setdefault(place, line)
            entered = [slips.get(place, line) for place, line in enumerate(lines)]
            problems = ot.evaluate(put(tmp_path / "evening.csv", entered, lot), config=config).problems
            told = sorted(problems.filter(pl.col("severity") != "info")["line"].to_list())
            exact += told == sorted(place + 2 for place in slips)
    assert exact >= 4 * TIMES * 0.95


@pytest.mark.parametrize("name", ["mitchell", "half a table", "howell 5", "three-quarter howell"])
def test_a_number_that_nobody_has_is_told_with_the_one_that_is_due(tmp_path: Path, name: str) -> None:
    lines = list_lines(EVENINGS[name][0])
    lines[20] = {**lines[20], "ew": 99}
    (problem,) = ot.evaluate(put(tmp_path / "evening.csv", lines, Random(1))).problems.rows(named=True)
    assert (22, "movement-differs") == (problem["line"], problem["code"])


@pytest.mark.parametrize("tables", [(1, 2), (1, 3, 5, 7), (3, 4, 5, 6, 7)])
@pytest.mark.parametrize("rounds", [(7,), (6, 7), (3,)])
def test_an_arrow_switch_of_some_tables_is_no_slip(
    tmp_path: Path, tables: tuple[int, ...], rounds: tuple[int, ...]
) -> None:
    schedule = [
        one._replace(ns=one.ew, ew=one.ns) if one.table in tables and one.round in rounds else one for one in SEVEN
    ]
    problems = ot.evaluate(put(tmp_path / "evening.csv", list_lines(schedule), Random(1))).problems
    assert [] == problems.filter(pl.col("severity") != "info")["message"].to_list()
