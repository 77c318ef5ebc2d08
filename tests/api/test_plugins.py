"""Plugins of another package: the example in tests/support is installed and used; a faulty one is named and skipped."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import EVENING, ROOT

PACKAGE = ROOT / "tests" / "support" / "plugin_package"
SLIPS = "HOUSE\n1 1 3 6NT N 12\n1 2 4 3NT N 12\n2 1 4 4S S 10\n2 2 3 4S\n"
FAULTY = """\
[overtrick.formats]
nowhere = faulty:NOTHING
taken = faulty:TAKEN
raises = faulty:RAISES

[overtrick.stages]
raises = faulty:fail
wrong = faulty:wrong

[overtrick.problems]
list = faulty:LIST

[overtrick.columns]
taken = faulty:TAKEN_COLUMN
nowhere = faulty:LOST_COLUMN
"""
MODULE = """\
from overtrick.files.formats.registry import PBN, Format
TAKEN = PBN
LIST = ["not", "a", "mapping"]
from overtrick.show.views import Column
import polars as pl
TAKEN_COLUMN = {"traveller": Column("contract", value=pl.lit(1))}
LOST_COLUMN = {"ranking": Column("luck", value=pl.col("charm"))}
def fail(session):
    raise RuntimeError("out of order")
def wrong(session):
    return 7
RAISES = Format("bad", "Bad", (".bad",), recognises=lambda head: head.startswith(b"BAD"), read=fail)
"""


def check(path: Path | str, packages: Path) -> dict[str, list[str]]:
    """Check a file with the packages of a folder; return the messages by problem code."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(packages), str(ROOT / "pipeline")])}
    command = [
        sys.executable,
        "-c",
        "from overtrick.apps.cli import main; main()",
        "check",
        str(path),
        "--format",
        "json",
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    found: dict[str, list[str]] = {}
    for problem in json.loads(done.stdout)["problems"]:
        found.setdefault(problem["code"], []).append(problem["message"])
    return found


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the example package into a folder of its own."""
    folder = tmp_path_factory.mktemp("plugins")
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, PACKAGE], check=True)
    return folder


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """Write a package whose plugins are all faulty."""
    info = tmp_path / "faulty-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(FAULTY, "utf-8")
    (tmp_path / "faulty.py").write_text(MODULE, "utf-8")
    return tmp_path


@pytest.mark.slow
def test_a_format_a_stage_and_problems_of_another_package_are_used(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "evening.house").write_text(SLIPS, "utf-8")
    found = check(tmp_path / "evening.house", installed)
    assert ["a slam: 6NT"] == found["house-slam"]
    assert ["this slip cannot be read: 2 2 3 4S"] == found["house-slip"]
    assert "results-no-board" not in found, "results without a record keep their own boards"


@pytest.mark.slow
def test_faulty_plugins_are_named_and_the_rest_is_as_without_them(faulty: Path) -> None:
    skipped = check(EVENING, faulty)["plugin-skipped"]
    names = (
        "formats:nowhere",
        "formats:taken",
        "stages:raises",
        "stages:wrong",
        "problems:list",
        "columns:taken",
        "columns:nowhere",
    )
    assert [True] * len(names) == [any(f"overtrick.{name}" in message for message in skipped) for name in names]
    assert len(names) == len(skipped)


@pytest.mark.slow
def test_a_column_of_another_package_is_in_all_media(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "evening.csv").write_text("board,ns,ew,contract,declarer,tricks\n1,1,2,6NT,N,12\n2,1,2,3NT,N,9\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), str(ROOT / "pipeline")])}
    command = [sys.executable, "-m", "overtrick", "bulletin", "evening.csv", "--out", "site", "--no-pdf", "--no-dd"]
    subprocess.run(command, env=environment, cwd=tmp_path, check=True, capture_output=True)
    results = json.loads((tmp_path / "site/session.json").read_text())["results"]
    assert [(1, True), (2, False)] == [(row["board"], row["slam"]) for row in results]
    ticked = '<td class="more" data-of="Slam">✓</td>'
    assert ticked in (tmp_path / "site/board-1/index.html").read_text()
    assert ticked not in (tmp_path / "site/board-2/index.html").read_text()


@pytest.mark.slow
def test_a_reader_that_raises_is_an_error_of_its_file(faulty: Path, tmp_path: Path) -> None:
    (tmp_path / "one.bad").write_text("BAD\n", "utf-8")
    assert ["the plugin for Bad cannot read this file: RuntimeError: out of order"] == check(
        tmp_path / "one.bad", faulty
    )["file-plugin-failed"]


@pytest.mark.slow
def test_without_plugins_nothing_is_reported(tmp_path: Path) -> None:
    assert "plugin-skipped" not in check(EVENING, tmp_path)
