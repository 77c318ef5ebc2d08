"""Double-dummy tables are filled in for a whole archive, each deal once."""

import os
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

from overtrick.apps.archive import solve as solve_module
from overtrick.apps.archive.solve import Progress, list_unsolved, solve_deals
from overtrick.apps.archive.store import ArchiveError, Store
from overtrick.judge.analyse import solver
from tests.support.archives import AtOnce, take_in, write_files
from tests.support.commands import start
from tests.support.machine_files import SUIT_EACH

Tables = Mapping[str, bytes]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Replace the solver by a stand-in, and list the deals that it gets."""
    deals: list[str] = []

    def stand_in(batch: Sequence[str]) -> Tables:
        deals.extend(batch)
        return dict.fromkeys(batch, bytes(range(10)) * 2)

    monkeypatch.setattr(solver, "_solved", stand_in)
    monkeypatch.setattr(solve_module, "is_installed", lambda: True)
    monkeypatch.setattr(solver, "is_installed", lambda: True)
    monkeypatch.setattr(solve_module, "limit_threads", lambda _: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return deals


def archived(tmp_path: Path, *files: Path) -> Store:
    take_in(tmp_path / "archive", *files)
    return Store(str(tmp_path / "archive"))


def tables(store: Store) -> pl.DataFrame:
    return store.scan()["double_dummy"].sort("deal").collect()


def test_every_deal_gets_the_tricks_of_all_declarers(tmp_path: Path, asked: list[str]) -> None:
    store = archived(tmp_path, *write_files(tmp_path / "files", 2, 15))
    reported: list[tuple[int, int]] = []
    done = solve_deals(store, AtOnce(), lambda progress: reported.append((progress.tried, progress.total)))
    assert Progress(total=30, tried=30, solved=30) == done
    # The last task has six deals, and any task may be done first.
    assert [(0, 30), (30, 30)] == [reported[0], reported[-1]]
    assert {6, 8} == {after - before for (before, _), (after, _) in pairwise(reported)}
    deals = store.scan()["records"].select("deal").unique().collect()["deal"]
    assert sorted(deals) == tables(store)["deal"].to_list() == sorted(asked)
    assert [*range(10)] * 2 == tables(store)["tricks"][0].to_list()


@pytest.mark.slow
def test_a_deal_that_has_its_table_is_not_solved_again(tmp_path: Path, asked: list[str]) -> None:
    one, two = write_files(tmp_path / "files", 2, 3)
    solve_deals(archived(tmp_path, one), AtOnce())
    assert 3 == len(asked)
    two.write_text(one.read_text() + two.read_text())
    assert Progress(total=3, tried=3, solved=3) == solve_deals(archived(tmp_path, two), AtOnce())
    assert 6 == len(asked) == len(set(asked))


def test_incomplete_deals_are_left_alone(tmp_path: Path, asked: list[str]) -> None:
    short = SUIT_EACH.replace("AKQJT98765432", "AKQJT9876543", 1)
    twice = SUIT_EACH.replace("AKQJT98765432", "AAQJT98765432", 1)
    hidden = f"N:{SUIT_EACH[2:].split()[0]} - - -"
    games = "".join(f'[Board "{n}"]\n[Deal "{deal}"]\n\n' for n, deal in enumerate([short, twice, hidden], 1))
    (tmp_path / "odd.pbn").write_text(games)
    assert [] == list_unsolved(archived(tmp_path, tmp_path / "odd.pbn")).to_list()
    assert [] == asked


def test_tables_that_another_run_added_in_the_meantime_are_there_once(tmp_path: Path) -> None:
    store = archived(tmp_path)
    other = Store(store.uri)
    rows = pl.DataFrame({"deal": ["one", "two"], "tricks": [[0] * 20, [1] * 20]})
    assert 1 == store.add_solved("double_dummy", rows.head(1))
    assert 1 == other.add_solved("double_dummy", rows)
    assert 0 == store.add_solved("double_dummy", rows)
    assert rows.rows() == tables(store).rows()


def test_an_interrupted_run_keeps_solved_deals(
    tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve_module, "TASK", 4)
    store = archived(tmp_path, *write_files(tmp_path / "files", 1, 10))

    def cut_off(progress: Progress) -> None:
        if progress.tried == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_deals(store, AtOnce(), cut_off)
    solve_deals(store, AtOnce())
    assert 10 == len(asked), "the cache has what was not in the archive yet"
    assert 10 == tables(store).height


@pytest.mark.slow
def test_a_deal_that_kills_its_workers_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = archived(tmp_path, *write_files(tmp_path / "files", 1, 4))
    poison = list_unsolved(store)[1]
    code = (
        "import os\nfrom overtrick.apps.archive import solve\n"
        f"def work(deals, threads): return os._exit(9) if {poison!r} in deals else dict.fromkeys(deals, bytes(20))\n"
        "solve.work = work\n"
    )
    (tmp_path / "sitecustomize.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    ran = start("archive", "solve", store.uri, "--workers", "2")
    assert (1, "3 deals solved, 1 failed") == (ran.status, ran.err.partition(";")[0])
    assert ran.err.endswith("analysed, 0 failed\n"), "the results of that deal are left out too"
    assert poison not in tables(store)["deal"]


def test_without_the_solver_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_module, "is_installed", lambda: False)
    with pytest.raises(ArchiveError, match="pip install"):
        solve_deals(archived(tmp_path), AtOnce())


def test_there_has_to_be_an_archive(tmp_path: Path) -> None:
    ran = start("archive", "solve", tmp_path / "none")
    assert 2 == ran.status
    assert "not an archive" in ran.err
