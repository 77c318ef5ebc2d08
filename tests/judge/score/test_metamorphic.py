"""What does not change an evening never changes its ranking: other orders, names, seats and files."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from overtrick.core.bridge import methods as table
from overtrick.core.bridge.methods import MethodName, method_named
from overtrick.core.config import Config, Scoring
from tests.judge.score import test_metamorphic_sheets, test_metamorphic_teams
from tests.support import one_evening as one
from tests.support.evaluating import evaluate
from tests.support.sweeps import sample

Change = Callable[[list[one.Line], Random], list[list[one.Line]]]

TURNED = dict(zip("NESW", "SWNE", strict=True))
OTHER = dict(zip(range(1, 7), (4, 6, 1, 3, 2, 5), strict=True))


def _permuted(lines: list[one.Line], rng: Random) -> list[list[one.Line]]:
    return [rng.sample(lines, len(lines))]


def _turned(lines: list[one.Line], _: Random) -> list[list[one.Line]]:
    """Turn all tables by 180 degrees: North is South, and each pair keeps its side."""
    return [[line._replace(declarer=TURNED[line.declarer]) for line in lines]]


def _split(lines: list[one.Line], rng: Random) -> list[list[one.Line]]:
    first = set(rng.sample(range(len(lines)), len(lines) // 2))
    return [[line for n, line in enumerate(lines) if (n in first) is half] for half in (True, False)]


def _doubled(lines: list[one.Line], rng: Random) -> list[list[one.Line]]:
    return [lines, rng.sample(lines, len(lines))]


CHANGES: dict[str, Change] = {"permuted": _permuted, "turned": _turned, "split": _split, "doubled": _doubled}
METHODS: list[MethodName] = [
    name for name in get_args(MethodName) if not method_named(name).of_teams and method_named(name).sheet is None
]
"""Those of pairs; its neighbours try those of teams, and those with sheets."""

SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in sample(range(2, 12), 10))]


def test_each_method_of_the_table_is_tried_once() -> None:
    tried = [*METHODS, *test_metamorphic_teams.METHODS, *test_metamorphic_sheets.METHODS]
    assert sorted(table.METHODS) == sorted(tried)


def test_each_way_to_change_nothing_is_tried() -> None:
    """The order of the deals on a sheet counts: there only the tables are mixed."""
    assert {"permuted", "turned", "split", "doubled"} == set(CHANGES) == set(test_metamorphic_teams.CHANGES)
    on_sheets = {"interleaved", "renamed", "turned", "split by table", "doubled"}
    assert on_sheets <= set(test_metamorphic_sheets.CHANGES)


def ranked(folder: Path, parts: list[list[one.Line]], method: MethodName) -> list[tuple[object, ...]]:
    paths = [str(one.write_csv(folder / f"part{n}.csv", part)) for n, part in enumerate(parts)]
    return one.ranking(evaluate(paths, Config(scoring=Scoring(method=method))))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.sweep(2)
def test_a_ranking_stays(method: MethodName, change: str, seed: int, tmp_path: Path) -> None:
    lines = one.play(seed)
    assert ranked(tmp_path, [lines], method) == ranked(tmp_path, CHANGES[change](lines, Random(seed)), method)


@pytest.mark.parametrize("method", METHODS)
def test_other_numbers_rank_the_same_players(
    method: MethodName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = one.play(3)
    before = ranked(tmp_path, [lines], method)
    monkeypatch.setattr(one, "NAMES", {OTHER[number]: names for number, names in one.NAMES.items()})
    after = ranked(tmp_path, [[line._replace(ns=OTHER[line.ns], ew=OTHER[line.ew]) for line in lines]], method)
    assert sorted((row[1], row[3:]) for row in before) == sorted((row[1], row[3:]) for row in after)
