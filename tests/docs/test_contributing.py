"""CONTRIBUTING names files and folders that exist, and describes every part of the package."""

import re
import subprocess
import sys

import pytest

from tests.support.commands import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]*(?:/[\w.-]*)+|\w+\.md")
DRAW = "import house, sys; sys.stdout.buffer.write(house.draw().encode())"
KINDS = (
    *("format", "PBN tag", "scoring method", "problem", "setting", "page", "language", "publishing target"),
    "public name",
    "command",
)


def paths(text: str) -> list[str]:
    """List the paths in backticks, from the top of the repository."""
    return [code for code in CODE.findall(text) if PATH.fullmatch(code)]


def section(heading: str) -> str:
    """Return the text below a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


@pytest.mark.parametrize("path", sorted(set(paths(PAGE))))
def test_every_path_exists(path: str) -> None:
    place = ROOT / path
    assert place.is_dir() if path.endswith("/") else place.is_file()


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_addition_names_its_files(kind: str) -> None:
    assert paths(section(f"A {kind}"))


def test_every_roof_and_every_room_is_described() -> None:
    package = ROOT / "pipeline" / "overtrick"
    places = [*package.iterdir(), *(room for roof in package.iterdir() if roof.is_dir() for room in roof.iterdir())]
    parts = [
        f"{path.relative_to(ROOT).as_posix()}{'/' if path.is_dir() else ''}"
        for path in places
        if (path.is_dir() and (path / "__init__.py").is_file()) or (path.suffix == ".py" and path.stem != "__init__")
    ]
    table = [paths(line)[0] for line in section("Where things are").splitlines() if line.startswith("| `pipeline/")]
    assert sorted(parts) == sorted(table)


@pytest.mark.slow
def test_the_picture_of_the_house_is_drawn_from_the_imports_of_today() -> None:
    """`python docs/house.py` draws it again."""
    drawn = subprocess.run([sys.executable, "-c", DRAW], capture_output=True, cwd=ROOT / "docs", check=True)
    assert (ROOT / "docs" / "house.svg").read_text("utf-8") == drawn.stdout.decode()
