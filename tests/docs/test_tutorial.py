"""The tutorial and the examples of the documentation run, and lead where they say."""

import importlib.util
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.support.commands import FIXTURES, ROOT
from tests.support.golden import assert_as_before

TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", TUTORIAL, re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
EXAMPLES = ROOT / "docs" / "examples"
SITE = (ROOT / "mkdocs.yml").read_text("utf-8")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Run every line of the tutorial in a folder with the fixtures; return the folder and what it defined."""
    folder = tmp_path_factory.mktemp("tutorial")
    (folder / "fixtures").symlink_to(FIXTURES)
    defined: dict[str, Any] = {}
    before = Path.cwd()
    os.chdir(folder)
    try:
        for block in BLOCKS:
            exec(compile(block, "tutorial.md", "exec"), defined)  # noqa: S102 - the code of our own page
    finally:
        os.chdir(before)
    return folder, defined


def test_ten_lines_lead_to_a_ranking_a_frame_of_problems_and_a_chart(ran: tuple[Path, dict[str, Any]]) -> None:
    folder, defined = ran
    assert 10 >= len([line for line in BLOCKS[0].splitlines() if line.strip()])
    assert 16 == defined["ranking"].height
    assert ["error"] == defined["problems"]["severity"].to_list()
    assert "Tuesday Pairs" in (folder / "ranking.svg").read_text("utf-8")


def test_the_rest_of_the_tutorial_leaves_what_it_says(ran: tuple[Path, dict[str, Any]]) -> None:
    folder, defined = ran
    assert 180 == defined["made"]["played"].sum()
    assert 192 == pl.read_parquet(folder / "evening.parquet").height
    assert "</html>" in (folder / "site" / "index.html").read_text("utf-8")
    assert 3 == defined["best"].height


@pytest.mark.parametrize(
    ("name", "data"), [("openings", ["every-card.pbn"]), ("leads", ["every-card.pbn"]), ("strength", ["season/*.csv"])]
)
@pytest.mark.slow
def test_an_example_draws_the_picture_of_the_page(name: str, data: list[str], tmp_path: Path) -> None:
    if name == "leads" and importlib.util.find_spec("endplay") is None:
        pytest.skip("needs the extra dd")
    files = [str(file) for pattern in data for file in sorted(EXAMPLES.glob(pattern))]
    out = tmp_path / f"{name}.svg"
    subprocess.run([sys.executable, EXAMPLES / f"{name}.py", *files, out], check=True, capture_output=True)
    assert ET.parse(out).getroot().tag.endswith("svg")  # noqa: S314 - written by the line above
    assert_as_before(EXAMPLES / f"{name}.svg", out.read_text("utf-8"))


def test_the_site_lists_every_page_once() -> None:
    listed = re.findall(r": ([\w-]+\.md)$", SITE, re.MULTILINE)
    made = {"index.md", "contributing.md", "changelog.md", "commands.md", "frames.md"}
    assert sorted({*made, *(page.name for page in (ROOT / "docs").glob("*.md"))}) == sorted(listed)


def test_no_page_repeats_a_paragraph_of_another() -> None:
    """Sentences that two pages share are in neither for long."""
    seen: dict[str, str] = {}
    repeated = []
    for page in [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        for line in {line.strip() for line in FENCED.sub("", page.read_text("utf-8")).splitlines()}:
            if len(line) > 90 and not line.startswith("|"):
                if line in seen:
                    repeated.append(f"{page.name}, {seen[line]}: {line}")
                seen[line] = page.name
    assert [] == repeated
