"""The page about corrections: its commands do what it says, and it lists every key."""

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.core.config.corrections import Entry, parse_corrections
from overtrick.core.config.file import SettingsFile
from tests.support.commands import FIXTURES, ROOT, run

PAGE = (ROOT / "docs" / "corrections.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", blocks("console"))
@pytest.mark.slow
def test_the_commands_print_what_the_page_shows(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(FIXTURES / "spring-pairs.csv", tmp_path)
    source = (tmp_path / "spring-pairs.csv").read_bytes()
    monkeypatch.chdir(tmp_path)
    shown: list[str] = []
    printed: list[str] = []
    for line in block.splitlines():
        if line.startswith("$ overtrick "):
            done = run(*shlex.split(line)[2:])
            printed += [text.rstrip() for text in (done.out + done.err).splitlines()]
            assert done.status == (1 if "nothing is written" in block else 0), done.err
        elif line:
            shown.append(line)
    assert [] == [line for line in shown if line not in printed]
    assert source == (tmp_path / "spring-pairs.csv").read_bytes()


@pytest.mark.parametrize("text", blocks("toml"))
def test_the_entries_and_settings_of_the_page_are_valid(text: str) -> None:
    if text.startswith("[site]"):
        assert Config.model_validate(tomllib.loads(text)).site.contact
        return
    assert () == parse_corrections(SettingsFile(Path("page.corrections.toml"), text), "page.corrections.toml").findings


def test_the_page_lists_every_key() -> None:
    keys = re.findall(r"`(\w+)`", "".join(row.split("|")[1] for row in PAGE.splitlines() if row.startswith("| ")))
    assert set(Entry.model_fields) == set(keys)
