"""The README's commands work, and its examples are what the program prints."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import FIXTURES, ROOT, SCRIPTS

BLOCK = re.compile(r"^```(?:bash|console|sh)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SETTINGS = re.compile(r"^```toml\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?:\$ )?(?:\S*/|uvx )?(overtrick .*)$")


def examples() -> list[tuple[str, list[str]]]:
    """Give each `overtrick` command of the README with the lines that it is said to print."""
    found: list[tuple[str, list[str]]] = []
    for block in BLOCK.findall((ROOT / "README.md").read_text("utf-8")):
        printed: list[str] = []
        for line in block.splitlines():
            if command := COMMAND.match(line):
                printed = []
                found.append((command.group(1), printed))
            elif "\n$ " in f"\n{block}" and line.strip(" .…"):
                printed.append(line.rstrip())
    return found


def test_the_readme_shows_how_to_make_a_bulletin() -> None:
    assert any(command.startswith("overtrick bulletin ") for command, _ in examples())


@pytest.mark.parametrize(("command", "printed"), examples())
def test_a_command_of_the_readme_does_what_it_says(command: str, printed: list[str], tmp_path: Path) -> None:
    shutil.copytree(FIXTURES, tmp_path / "fixtures")
    (tmp_path / "club.toml").write_text(SETTINGS.findall((ROOT / "README.md").read_text("utf-8"))[0], "utf-8")
    environment = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    assert done.returncode in {0, 1}, done.stderr
    assert [] == [line for line in printed if line not in lines]


@pytest.mark.parametrize("program", PYTHON.findall((ROOT / "README.md").read_text("utf-8")))
def test_python_of_the_readme_runs(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
    assert "Priya Raman" in done.stdout
