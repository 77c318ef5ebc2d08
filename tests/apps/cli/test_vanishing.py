"""Files and folders that disappear while a command runs: a message names them, and nothing is made in their place."""

import io
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from overtrick.apps.cli.app import COMMANDS
from tests.support.commands import FIXTURES, Ran, run

CLUB = '[club]\nname = "Harbour"\n[[deliver.files]]\nname = "own"\nto = "scorer@club.example"\n'

FILES: dict[str, tuple[str, ...]] = {
    "check": ("check", "{in}"),
    "fix": ("fix", "{in}/evening.pbn", "--write"),
    "score": ("score", "{in}", "--total"),
    "bulletin": ("bulletin", "{in}/evening.pbn", "{in}/later.csv", "--out", "{out}/site", "--no-pdf", "--no-dd"),
    "season": ("season", "{in}", "--out", "{out}/season", "--no-pdf"),
    "convert": ("convert", "{in}/evening.pbn", "{out}/evening.json"),
    "correct": ("correct", "{in}/evening.pbn", "--board", "1", "--pair", "1", "--tricks", "9", "--why", "misread"),
    "people": ("people", "{in}"),
    "verify": ("verify", "{in}"),
    "publish": ("publish", "{in}", "{out}/www", "--yes"),
    "deliver": ("deliver", "{in}/evening.pbn", "--to", "own", "--config", "{in}/club.toml", "--dry-run"),
    "ingest": ("ingest", "{in}", "--archive", "{out}/archive", "--workers", "1"),
}
"""How each command that reads evenings is started."""

WITHOUT = {"init", "formats", "template", "config", "terminals", "desk", "lsp", "archive", "chart", "watch"}
"""The commands that read no evening themselves; `watch` reads it in another process."""


def test_every_command_that_reads_evenings_is_here() -> None:
    assert {*COMMANDS} == {*FILES} | WITHOUT


def lose(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Delete a file or folder at the moment when it is first opened or listed; return a list that then holds it."""
    lost: list[Path] = []

    def wrap(module: Any, name: str) -> None:
        real = getattr(module, name)

        def look(place: Any = ".", *rest: Any, **named: Any) -> Any:
            if not lost and isinstance(place, str | Path) and Path(place) == path:
                lost.append(path)
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            return real(place, *rest, **named)

        monkeypatch.setattr(module, name, look)

    for module, name in ((io, "open"), (os, "scandir"), (os, "listdir")):
        wrap(module, name)
    return lost


def run_without(name: str, path: str, folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> Ran | None:
    """Run a command on a folder of two evenings that loses a path; return None if the command did not open it."""
    folder.mkdir()
    shutil.copy(FIXTURES / "club-evening.pbn", folder / "evening.pbn")
    shutil.copy(FIXTURES / "spring-pairs.csv", folder / "later.csv")
    (folder / "club.toml").write_text(CLUB)
    with monkeypatch.context() as patched:
        lost = lose(folder / path, patched)
        ran = run(*(word.format(**{"in": folder, "out": out}) for word in FILES[name]))
    return ran if lost else None


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "ingest")) for name in FILES])
def test_a_file_that_vanishes_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "in"
    ran = run_without(name, "evening.pbn", folder, tmp_path / "out", monkeypatch)
    assert ran is not None
    assert (ran.status == 0) == (name == "people")
    assert str(folder / "evening.pbn") in ran.out + ran.err
    assert "No such file or directory" in ran.out + ran.err


@pytest.mark.parametrize("name", [name for name in FILES if "{in}" in FILES[name]])
def test_a_folder_that_vanishes_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    ran = run_without(name, ".", folder, out, monkeypatch)
    assert ran is not None
    assert ran.status in {1, 2, 3}
    assert str(folder) in ran.out + ran.err
    assert not [*out.glob("**/index.html"), *out.glob("www/*")]
