"""`docs/conformance` holds small files and what a reader should find in them; overtrick finds it.

`OVERTRICK_UPDATE_GOLDEN=1` writes the expected findings again. Run as a program, it compares another reader.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from overtrick.apps.evening.check import examine
from overtrick.core.config import Config
from overtrick.core.notation import contract_text
from tests.support.commands import ROOT
from tests.support.golden import assert_as_before

FOLDER = ROOT / "docs" / "conformance"
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix in {".pbn", ".lin"})


def find(path: Path) -> dict[str, Any]:
    session = examine([str(path)], Config())
    records = session.records.select(
        "board",
        "dealer",
        "vulnerable",
        "deal",
        contract_text().alias("contract"),
        "declarer",
        "tricks",
        pl.col("calls").list.len().alias("calls"),
        pl.col("cards").list.len().alias("cards"),
    )
    findings = session.problems.sort("line", "column", "code", nulls_last=True)
    return {"records": records.to_dicts(), "findings": findings.select("line", "column", "severity", "code").to_dicts()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_our_reader_conforms(path: Path) -> None:
    expected = path.with_name(f"{path.name}.json")
    found = find(path)
    assert_as_before(expected, json.dumps(found, indent=1) + "\n")


def test_the_results_of_other_readers_are_those_of_all_files() -> None:
    rows = (FOLDER / "results.md").read_text("utf-8").splitlines()
    assert [path.name for path in FILES] == [
        row.split(" | ")[0].removeprefix("| ") for row in rows if ".pbn |" in row or ".lin |" in row
    ]


def compare(command: list[str]) -> int:
    """Print how many files another reader reads as expected."""
    wrong = []
    for path in FILES:
        ran = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
        expected = json.loads(path.with_name(f"{path.name}.json").read_text("utf-8"))["records"]
        try:
            same = json.loads(ran.stdout) == expected
        except ValueError:
            same = False
        wrong += [] if same else [path.name]
    print(f"{len(FILES) - len(wrong)} of {len(FILES)} files as expected", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(compare(sys.argv[1:]))
