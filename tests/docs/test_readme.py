"""The commands of the README and of the guide work and print what these show."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from overtrick.apps.cli.app import make_app
from tests.support.archives import take_in
from tests.support.commands import EVENING, FIXTURES, ROOT, SCRIPTS, run

pytestmark = pytest.mark.xdist_group("README")

README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "guide.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (overtrick .*)$")


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(README + "\n" + GUIDE) if name == language]


def examples() -> list[tuple[str, list[str]]]:
    """Return each `$ overtrick` command of the README with the output that the README shows."""
    found: list[tuple[str, list[str]]] = []
    for line in "\n".join(blocks("console")).splitlines():
        if command := COMMAND.match(line):
            found.append((command.group(1), []))
        elif line.strip(" .…"):
            found[-1][1].append(line.rstrip())
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a site of the evening."""
    place = tmp_path_factory.mktemp("bulletin") / "site"
    run("bulletin", EVENING, "--out", place, "--no-pdf")
    return place


@pytest.fixture
def folder(site: Path, tmp_path: Path) -> Path:
    """Make a folder with the fixtures, the README's settings, a site and an inbox."""
    shutil.copytree(site, tmp_path / "site")
    shutil.copytree(FIXTURES, tmp_path / "fixtures")
    (tmp_path / "inbox").mkdir()
    shutil.copy(EVENING, tmp_path / "inbox")
    (tmp_path / "club.toml").write_text("\n".join(blocks("toml")), "utf-8")
    return tmp_path


def test_the_readme_is_short() -> None:
    """A newcomer reads it whole."""
    assert README.count("\n") <= 160


def test_the_guide_shows_every_command() -> None:
    known = {
        str(command.name or getattr(command.callback, "__name__", "")) for command in make_app().registered_commands
    }
    groups = {str(group.name) for group in make_app().registered_groups}
    shown = {name for command, _ in examples() for name in re.findall(r"\bovertrick (\w+)", command)}
    # The desk and the language server run until they are ended, so no example of them runs here.
    assert known == (shown - groups) | {"desk", "lsp"}
    assert "archive" in shown
    assert "\novertrick desk " in README


@pytest.mark.parametrize(("command", "printed"), examples())
@pytest.mark.slow
def test_a_command_of_the_readme_prints_what_is_shown(
    command: str, printed: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command.startswith("overtrick chart archive "):
        take_in(folder / "archive", FIXTURES / "spring-pairs.csv")
    if " solve " in command:
        # All deals of the fixtures would take half a minute.
        for path in (folder / "fixtures").iterdir():
            if path.stem != "spring-pairs":
                path.unlink()
    if "--audit" in command:
        # With the settings of the README, there is nothing to explain.
        (folder / "club.toml").unlink()
    monkeypatch.chdir(folder)
    if " lantern " in command and " init " not in command:
        run("init", "lantern", "--yes", "--example")
    lines: list[str] = []
    for part in command.split(" && "):
        done = run(*shlex.split(part)[1:])
        assert done.status in {0, 1}, done.err
        lines += [line.rstrip() for line in (done.out + done.err).splitlines()]
    assert [] == [line for line in printed if line not in lines]


@pytest.mark.slow
def test_a_shell_runs_a_command_of_the_readme(folder: Path) -> None:
    command, printed = next(example for example in examples() if " check " in example[0])
    environment = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, check=False)
    lines = [line.rstrip() for line in (done.stdout + done.stderr).decode().splitlines()]
    assert done.returncode in {0, 1}
    assert [] == [line for line in printed if line not in lines]


@pytest.mark.parametrize("code", blocks("python"))
@pytest.mark.slow
def test_the_python_of_the_readme_runs(code: str, folder: Path) -> None:
    subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, check=True)


@pytest.mark.parametrize("name", ["tests", "bulletin"])
def test_the_commands_that_ci_runs_are_marked(name: str) -> None:
    assert re.search(rf"^<!-- command: {name} -->\n+```bash\n.+\n```$", README, re.MULTILINE)
