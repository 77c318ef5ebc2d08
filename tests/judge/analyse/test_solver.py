"""The double-dummy solver, where the extra is installed; its batches with a substitute."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from overtrick.judge.analyse import solver
from overtrick.judge.analyse.cache import TableCache
from tests.support.machine_files import SUIT_EACH

TABLE = bytes(20)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """Replace the solver, and list the batches that it was asked for."""
    batches: list[Sequence[str]] = []

    def solve_batch(deals: Sequence[str]) -> dict[str, bytes]:
        batches.append(deals)
        return dict.fromkeys(deals, TABLE)

    monkeypatch.setattr(solver, "_solved", solve_batch)
    monkeypatch.setattr(solver, "is_installed", lambda: True)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    return batches


def needs_solver() -> None:
    if not solver.is_installed():
        pytest.skip("the extra dd is not installed")


def test_a_suit_to_each_makes_thirteen_tricks_in_it() -> None:
    needs_solver()
    tricks = solver.solve([SUIT_EACH])[SUIT_EACH]
    spades, hearts, diamonds, clubs = (list(tricks[strain::5]) for strain in (3, 2, 1, 0))
    assert ([13, 0, 13, 0], [0, 13, 0, 13], [13, 0, 13, 0], [0, 13, 0, 13]) == (spades, hearts, diamonds, clubs)


def test_solving_loads_no_package_but_the_library() -> None:
    needs_solver()
    code = (
        "import sys; from overtrick.judge.analyse.solver import solve; "
        f"solve([{SUIT_EACH!r}]); print('endplay' in sys.modules, 'matplotlib' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "False False\n" == ran.stdout


def test_deals_are_solved_in_batches_with_progress_after_each(asked: list[Sequence[str]]) -> None:
    told: list[tuple[int, int]] = []
    deals = [f"deal {n}" for n in range(10)]
    assert dict.fromkeys(deals, TABLE) == solver.solve(deals, lambda done, total: told.append((done, total)))
    assert [4, 4, 2] == [len(batch) for batch in asked]
    assert [(0, 10), (4, 10), (8, 10), (10, 10)] == told


def test_no_batch_is_larger_than_the_solver_takes(asked: list[Sequence[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    solver.solve([f"deal {n}" for n in range(100)])
    assert [40, 40, 20] == [len(batch) for batch in asked]


def test_a_deal_in_the_cache_is_not_solved_again(asked: list[Sequence[str]], tmp_path: Path) -> None:
    cache = TableCache(tmp_path / "tables.sqlite")
    solver.solve(["one"], cache=cache)
    told: list[tuple[int, int]] = []
    assert {"one": TABLE, "two": TABLE} == solver.solve(["one", "two"], cache=cache)
    assert [["one"], ["two"]] == asked
    solver.solve(["one", "two"], lambda *done: told.append(done), cache)
    assert [] == told, "nothing to wait for, nothing to show"


def test_without_the_extra_only_the_cache_answers(
    asked: list[Sequence[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cache = TableCache(tmp_path / "tables.sqlite")
    cache.keep({"one": TABLE})
    monkeypatch.setattr(solver, "is_installed", lambda: False)
    assert ({"one": TABLE}, []) == (solver.solve(["one", "two"], cache=cache), asked)
