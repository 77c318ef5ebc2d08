"""The wheel works without the checkout it was built from."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.support.commands import EVENING, ROOT

SCRIPTS = "Scripts" if os.name == "nt" else "bin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the scripts of an environment with the wheel; it borrows only the dependencies from this environment."""
    dist, home = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", dist, ROOT], check=True)
    (wheel,) = dist.glob("overtrick-*.whl")
    venv.create(home)
    python = home / SCRIPTS / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel], check=True
    )
    packages = sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)})
    (Path(packages) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return home / SCRIPTS


def test_grammars_templates_and_problems_are_found_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    ask = "from overtrick.core.machine import resource as r; print(r('grammars', 'pbn.lark')); print(r('templates'))"
    ask += "; from overtrick.core.problems import CODES, TABLE; CODES['file-no-games']; print(TABLE)"
    answer = subprocess.run(
        [installed / "python", "-c", ask], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert 3 == len(answer)
    assert all(Path(path).is_relative_to(installed.parent) for path in answer)


@pytest.mark.slow
def test_an_installed_overtrick_makes_a_bulletin_anywhere(installed: Path, tmp_path: Path) -> None:
    subprocess.run([installed / "overtrick", "bulletin", EVENING, "--out", "site"], cwd=tmp_path, check=True)
    assert "</html>" in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert [] != list((tmp_path / "site").rglob("*.pdf"))
