"""CONTRIBUTING names files and folders that exist, and describes every part of the package."""

import re

import pytest

from tests.support.commands import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]*(?:/[\w.-]*)+|\w+\.md")
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


def test_every_part_of_the_package_is_described() -> None:
    package = ROOT / "pipeline" / "overtrick"
    parts = [
        f"{path.relative_to(ROOT).as_posix()}{'/' if path.is_dir() else ''}"
        for path in package.iterdir()
        if (path.is_dir() and (path / "__init__.py").is_file()) or (path.suffix == ".py" and path.stem != "__init__")
    ]
    table = [paths(line)[0] for line in section("Where things are").splitlines() if line.startswith("| `pipeline/")]
    assert sorted(parts) == sorted(table)
