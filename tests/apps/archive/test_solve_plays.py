"""What leads and plays gave up is filled in for a whole archive, each play once."""

from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree

import polars as pl
import pytest

from overtrick.apps.archive import solve as solve_module
from overtrick.apps.archive import solve_plays as plays_module
from overtrick.apps.archive.solve import Progress, solve_deals
from overtrick.apps.archive.solve_plays import solve_plays
from overtrick.apps.archive.store import Store
from overtrick.judge.analyse import solver
from tests.support.archives import AtOnce, take_in
from tests.support.commands import start
from tests.support.machine_files import SUIT_EACH
from tests.support.played_evening import played_evening

BOARDS, TABLES = 3, 4
RESULTS = BOARDS * TABLES


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Replace the solver by a stand-in, and list its plays: the lead gives up a trick, the second card two."""
    keys: list[str] = []

    def solve_batch(plays: Sequence[str]) -> dict[str, bytes]:
        keys.extend(plays)
        return {key: bytes([8, 9, *[7] * 51][: 1 + len(key.split()[-1]) // 2]) for key in plays}

    monkeypatch.setattr(solver, "_solved", lambda deals: dict.fromkeys(deals, bytes([8] * 20)))
    monkeypatch.setattr(solver, "_solved_plays", solve_batch)
    monkeypatch.setattr(solve_module, "is_installed", lambda: True)
    monkeypatch.setattr(solver, "is_installed", lambda: True)
    monkeypatch.setattr(solver, "limit_threads", lambda _: None)
    monkeypatch.setattr(solve_module, "limit_threads", lambda _: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return keys


def archived(folder: Path, text: str, name: str = "evening.pbn") -> Store:
    (folder / name).write_text(text)
    take_in(folder / "archive", folder / name)
    return Store(str(folder / "archive"))


def rows(store: Store, table: str = "analysis") -> pl.DataFrame:
    return store.scan()[table].collect()


def solved(store: Store) -> Progress:
    solve_deals(store, AtOnce())
    return solve_plays(store, AtOnce())


@pytest.mark.slow
@pytest.mark.usefixtures("asked")
def test_each_result_has_the_costs_of_its_lead_and_its_cards(tmp_path: Path) -> None:
    store = archived(tmp_path, played_evening(BOARDS, TABLES, seed=3))
    assert Progress(RESULTS, RESULTS, RESULTS) == solved(store)
    found = rows(store)
    assert ([8] * RESULTS, [1] * RESULTS) == (found["dd_tricks"].to_list(), found["lead_cost"].to_list())
    made = found["dd_tricks"] + found["lead_cost"] - found["play_cost"] + found["defence_cost"]
    assert found["tricks"].to_list() == made.to_list()
    results = rows(store, "results")
    assert results["tricks"].to_list() == found.sort("record")["tricks"].to_list()
    assert set(found["lead"]) == set(rows(store, "plays")["cards"].str.slice(0, 2))


@pytest.mark.slow
@pytest.mark.usefixtures("asked")
def test_the_play_is_null_where_only_the_lead_is_known(tmp_path: Path) -> None:
    text = played_evening(1, 1, seed=3)
    before, _, play = text.partition("[Play ")
    store = archived(tmp_path, f"{before}[Play {play.splitlines()[0]}\n{play.splitlines()[1][:2]}\n")
    solved(store)
    assert [(8, 1, None, None)] == rows(store).select("dd_tricks", "lead_cost", "play_cost", "defence_cost").rows()


@pytest.mark.usefixtures("asked")
def test_without_a_lead_only_the_tricks_of_the_contract_are_known(tmp_path: Path) -> None:
    store = archived(tmp_path, played_evening(1, 1, seed=3).partition("[Play ")[0])
    solved(store)
    assert [(8, None, None, None)] == rows(store).select("dd_tricks", "lead", "lead_cost", "play_cost").rows()


@pytest.mark.slow
def test_a_play_in_two_files_is_solved_once(tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = played_evening(BOARDS, TABLES, seed=3)
    solved(archived(tmp_path, text))
    number = len(asked)
    # The archive itself has the plays: the user's cache may be gone.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    store = archived(tmp_path, text.replace("Lindqvist, Bo", "Novak, Ema"), "copy.pbn")
    assert Progress(RESULTS, RESULTS, RESULTS) == solved(store)
    assert number == len(asked)
    assert 2 * RESULTS == rows(store).height
    assert number == rows(store, "plays").height


@pytest.mark.usefixtures("asked")
@pytest.mark.slow
def test_results_of_a_replaced_file_leave_the_analysis(tmp_path: Path) -> None:
    solved(archived(tmp_path, played_evening(BOARDS, TABLES, seed=3)))
    store = archived(tmp_path, played_evening(1, TABLES, seed=4))
    assert 0 == rows(store).height
    solved(store)
    assert TABLES == rows(store).height


@pytest.mark.slow
def test_an_interrupted_run_keeps_what_was_solved(
    tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plays_module, "TASK", 4)
    store = archived(tmp_path, played_evening(BOARDS, TABLES, seed=3))
    solve_deals(store, AtOnce())

    def cut_off(progress: Progress) -> None:
        if progress.tried >= 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_plays(store, AtOnce(), cut_off)
    before = rows(store).height
    assert 8 <= before < RESULTS
    assert Progress(RESULTS - before, RESULTS - before, RESULTS - before) == solve_plays(store, AtOnce())
    assert len(asked) == len(set(asked))
    assert RESULTS == rows(store).height


@pytest.mark.usefixtures("asked")
@pytest.mark.slow
def test_boards_of_different_files_are_not_mixed(tmp_path: Path) -> None:
    archived(tmp_path, played_evening(BOARDS, 1, seed=3))
    store = archived(tmp_path, played_evening(BOARDS, 1, seed=4), "other.pbn")
    solved(store)
    deals = rows(store, "records").select("sha256", "board", "deal")
    assert 2 * BOARDS == rows(store).join(deals, on=["sha256", "board", "deal"]).height


@pytest.mark.usefixtures("asked")
def test_an_archive_of_an_earlier_version_gets_the_tables(tmp_path: Path) -> None:
    store = archived(tmp_path, played_evening(1, 2, seed=3))
    for table in ("plays", "analysis"):
        rmtree(tmp_path / "archive" / table)
    assert "analysis" not in Store(store.uri).scan()
    assert 2 == solved(Store(store.uri)).solved


@pytest.mark.slow
def test_the_command_solves_deals_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not solver.is_installed():
        pytest.skip("the extra dd is not installed")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    dealt = f'\n[Board "2"]\n[Deal "{SUIT_EACH}"]\n'
    store = archived(tmp_path, played_evening(1, 1, seed=3) + dealt)
    ran = start("archive", "solve", store.uri, "--workers", "1")
    assert (0, "2 deals solved, 0 failed; 1 result analysed, 0 failed\n") == (ran.status, ran.err)
    tricks = dict(rows(store, "double_dummy").select("deal", "tricks").rows())
    assert [13, 0, 13, 0] == tricks[SUIT_EACH][3::5], "spades are North's"
    found = rows(store)
    made = found["dd_tricks"] + found["lead_cost"] - found["play_cost"] + found["defence_cost"]
    assert found["tricks"].to_list() == made.to_list()
