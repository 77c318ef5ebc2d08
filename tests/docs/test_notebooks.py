"""The notebooks in docs/notebooks: every cell runs, from the first to the last, and gives what it asks for."""

import json
import os
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

import polars as pl
import pytest

import overtrick as ot
from tests.support.commands import FIXTURES, ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def run_cells(name: str, folder: Path) -> dict[str, Any]:
    """Run the cells of a notebook in a folder that has the repository's fixtures and docs; return what they defined."""
    notebook = json.loads((ROOT / "docs" / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
    (folder / "fixtures").symlink_to(FIXTURES)
    (folder / "docs").symlink_to(ROOT / "docs")
    defined: dict[str, Any] = {}
    before = Path.cwd()
    os.chdir(folder)
    try:
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), name, "exec"), defined)  # noqa: S102 - our own notebook
    finally:
        os.chdir(before)
    return defined


def test_frames(tmp_path: Path) -> None:
    defined = run_cells("1-frames", tmp_path)
    assert {"NS", "EW"} == set(defined["winners"]["ranking"])
    assert 24 == defined["pair"].height


def test_a_chart(tmp_path: Path) -> None:
    defined = run_cells("2-plot", tmp_path)
    assert 180 == defined["made"]["played"].sum()
    assert "Contracts made, in per cent" in (tmp_path / "made.svg").read_text("utf-8")


def test_questions_in_sql_have_the_answers_of_the_frames(tmp_path: Path) -> None:
    results = ot.evaluate(FIXTURES / "club-evening.pbn").results.filter(pl.col("declarer").is_in(["N", "S"]))
    means = results.group_by("ew").agg(pl.col("points_ew").mean(), boards=pl.len())
    expected = {pair: (boards, pytest.approx(mean)) for pair, mean, boards in means.iter_rows()}
    found = run_cells("3-duckdb", tmp_path)["defenders"]
    assert expected == {str(pair): (boards, mean) for pair, boards, mean in found}


def test_a_check_of_your_own_finds_scores_far_from_the_others(tmp_path: Path) -> None:
    odd = run_cells("4-own-check", tmp_path)["odd"]
    scores = defaultdict(list)
    for board, score in ot.evaluate(FIXTURES / "club-evening.pbn").results.select("board", "score_ns").iter_rows():
        if score is not None:
            scores[board].append(score)
    far = [(board, one) for board, all_of in scores.items() for one in all_of if abs(one - median(all_of)) > 600]
    assert 0 < len(far)
    assert sorted(far) == sorted(odd.select("board", "score_ns").iter_rows())


def test_many_files_are_one_frame(tmp_path: Path) -> None:
    defined = run_cells("5-many-files", tmp_path)
    assert [file.stem for file in defined["files"]] == sorted(set(defined["standings"]["evening"]))
    assert 0 < defined["best"].height
    assert defined["best"]["evenings"].min() >= 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_is_kept_without_what_it_printed(path: Path) -> None:
    cells = [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert cells
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
