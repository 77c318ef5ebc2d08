"""The page about people: its commands do what it says, and its settings are valid."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.core.config.members import COLUMNS, read_members
from tests.support.commands import FIXTURES, ROOT, run

PAGE = (ROOT / "docs" / "people.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", blocks("console"))
@pytest.mark.slow
def test_the_commands_print_what_the_page_shows(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = (FIXTURES / "spring-pairs.csv").read_text("utf-8")
    club = tmp_path / "club"
    club.mkdir()
    (club / "first.csv").write_text(evening, "utf-8")
    second = evening.replace("2026.03.07", "2026.03.14").replace("Ada Quill", "Ada Quil")
    (club / "second.csv").write_text(second, "utf-8")
    monkeypatch.chdir(tmp_path)
    shown, printed = [], []
    for line in block.splitlines():
        if line.startswith("$ overtrick "):
            done = run(*shlex.split(line)[2:])
            assert 0 == done.status, done.err
            printed += (done.out + done.err).splitlines()
        elif line:
            shown.append(line)
    assert [] == [line for line in shown if line not in printed]


@pytest.mark.parametrize("text", blocks("toml"))
def test_the_settings_of_the_page_are_valid(text: str) -> None:
    Config.model_validate(tomllib.loads(text))


def test_the_list_of_members_of_the_page_is_valid(tmp_path: Path) -> None:
    (text,) = blocks("csv")
    (tmp_path / "members.csv").write_text(text, "utf-8")
    assert [("A. Quill", "Ada Quil"), ()] == [one.aliases for one in read_members(tmp_path / "members.csv")]


def test_the_page_lists_every_column() -> None:
    assert list(COLUMNS) == re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
