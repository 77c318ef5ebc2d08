"""What does not change an evening never changes its ranking: other orders, names, seats and files."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from overtrick.bridge.methods import MethodName
from overtrick.config import Config, Scoring
from overtrick.pipeline import evaluate
from tests.support import one_evening as one
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
METHODS: tuple[MethodName, ...] = ("matchpoints", "butler", "cross-imps", "aggregate")
"""Those of pairs; `tests/score` tries the tables of teams and the sheets of rubbers."""

SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in sample(range(2, 12), 10))]


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
