"""Where no package has the solver, one sentence says so; it agrees with what the extra `dd` asks for."""

import tomllib

import pytest
from packaging.requirements import Requirement

from overtrick.judge.analyse.deals import describe_missing, packages_for
from tests.support.commands import ROOT

PLACES = [
    ("linux", "x86_64"),
    ("linux", "aarch64"),
    ("win32", "AMD64"),
    ("win32", "ARM64"),
    ("darwin", "arm64"),
    ("darwin", "x86_64"),
]
VERSIONS = [(3, minor) for minor in range(11, 15)]


@pytest.mark.parametrize("python", VERSIONS)
@pytest.mark.parametrize("place", PLACES)
def test_the_extra_asks_for_what_there_is(python: tuple[int, int], place: tuple[str, str]) -> None:
    """`pip download --only-binary=:all: --python-version 3.14 --platform win_amd64 --no-deps ddstable` shows it."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    here = {
        "python_version": f"{python[0]}.{python[1]}",
        "sys_platform": place[0],
        "platform_machine": place[1],
        "extra": "dd",
    }
    asked = [one.name for one in map(Requirement, extras["dd"]) if one.marker is None or one.marker.evaluate(here)]
    assert packages_for(python, *place) == asked


def test_the_documentation_lists_what_there_is() -> None:
    systems = {"linux": "Linux", "win32": "Windows", "darwin": "macOS"}
    page = (ROOT / "docs" / "analysis.md").read_text("utf-8")
    for system, machine in PLACES:
        processor = "x86-64" if machine.lower() in {"x86_64", "amd64"} else "ARM"
        early, late = (next(iter(packages_for((3, minor), system, machine)), "none") for minor in (13, 14))
        assert f"| {systems[system]} | {processor} | {early} | {late} |" in page


@pytest.mark.parametrize(
    ("python", "system", "machine", "sentence"),
    [
        ((3, 14), "linux", "x86_64", "the solver is not installed; get it with: pip install 'overtrick[dd]'"),
        ((3, 13), "darwin", "arm64", "the solver is not installed; get it with: pip install 'overtrick[dd]'"),
        (
            (3, 14),
            "darwin",
            "arm64",
            "no package has the solver for Python 3.14, macOS (arm64); use Python 3.11 to 3.13",
        ),
        (
            (3, 14),
            "linux",
            "aarch64",
            "no package has the solver for Python 3.14, Linux (aarch64); use Python 3.11 to 3.13",
        ),
        ((3, 12), "win32", "ARM64", "no package has the solver for Windows (ARM64)"),
    ],
)
def test_one_sentence_says_what_is_missing(python: tuple[int, int], system: str, machine: str, sentence: str) -> None:
    assert sentence == describe_missing(python, system, machine)


def test_by_default_it_is_about_this_machine() -> None:
    assert "solver" in describe_missing()
