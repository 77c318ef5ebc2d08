"""An installation without any extra: each command that needs one says so in a sentence, and all others work."""

import os
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.commands import FIXTURES, ROOT, Ran

PACKAGE = ROOT / "pipeline"


def list_needed(name: str, known: set[str]) -> set[str]:
    """Add a distribution and all that it needs without extras."""
    if name not in known:
        known.add(name)
        for text in distribution(name).requires or ():
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                list_needed(needed.name.lower(), known)
    return known


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with links to the packages of the base installation."""
    folder = tmp_path_factory.mktemp("bare")
    for name in list_needed("overtrick", set()) - {"overtrick"}:
        for file in distribution(name).files or ():
            first = file.parts[0]
            if first not in {"..", "__pycache__"} and not (folder / first).exists():
                (folder / first).symlink_to(str(distribution(name).locate_file(first)))
    return folder


def start(bare: Path, folder: Path, *words: str) -> Ran:
    """Run a command with the base installation alone."""
    paths = os.pathsep.join(map(str, (PACKAGE, bare)))
    code = "from overtrick.apps.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, *words],
        env={**os.environ, "PYTHONPATH": paths},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening")
    (folder / "evening.csv").write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    (folder / "evening.xlsx").write_bytes(b"PK\x03\x04 xl/workbook.xml")
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text("<p>", "utf-8")
    (folder / "club.toml").write_text('[movement]\nkind = "mitchell"\ntables = 3\nboards = 2\nrounds = 3\n', "utf-8")
    return folder


NEEDS = {
    "archive": (
        "ingest evening.csv --archive there",
        "ingest evening.csv --archive s3://bucket/there",
        "archive solve there",
        "archive compact there",
        "chart there --query x",
        "chart s3://bucket/there --query x",
    ),
    "publish": (
        "publish site sftp://example.org/www --yes",
        "publish site s3://bucket/www --yes",
        "verify sftp://example.org/www",
    ),
    "desk": ("desk . --no-browser",),
    "lsp": ("lsp",),
    "bridgemate": ("terminals start evening.json",),
    "sheets": ("template sheet.xlsx", "convert evening.csv sheet.xlsx"),
}
"""By extra, commands that need it."""


@pytest.mark.slow
@pytest.mark.parametrize(("extra", "words"), [(extra, words) for extra, lines in NEEDS.items() for words in lines])
def test_a_command_without_its_extra_says_how_to_get_it(bare: Path, place: Path, extra: str, words: str) -> None:
    before = sorted(place.rglob("*"))
    ran = start(bare, place, *words.split())
    assert ran.status in {1, 2, 3}
    assert f"pip install 'overtrick[{extra}]'" in ran.err
    assert "Traceback" not in ran.err
    assert ": written" not in ran.err
    assert before == sorted(place.rglob("*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "check evening.csv",
        "score evening.csv --analyse",
        "bulletin evening.csv --out out --analyse",
        "convert evening.csv out.pbn",
        "season evening.csv --out season --no-pdf",
        "people .",
        "formats",
        "chart evening.csv --x board --y ns",
        "correct evening.csv --list",
        "fix evening.csv --diff",
        "config schema",
    ],
)
def test_all_other_commands_need_no_extra(bare: Path, place: Path, tmp_path: Path, words: str) -> None:
    (tmp_path / "evening.csv").write_bytes((place / "evening.csv").read_bytes())
    ran = start(bare, tmp_path, *words.split())
    assert (0, True) == (ran.status, "Traceback" not in ran.err), ran.err


@pytest.mark.slow
def test_a_workbook_is_named_as_what_needs_an_extra(bare: Path, place: Path) -> None:
    ran = start(bare, place, "check", "evening.xlsx")
    assert 1 == ran.status
    assert "overtrick[sheets]" in ran.out
