"""The commands, settings and tables in docs/ work as the pages say."""

import os
import re
import shlex
from pathlib import Path

import pytest
import typer.main

from overtrick.apps.cli.app import make_app
from overtrick.core.config import load_config
from overtrick.files.assemble import read
from overtrick.files.formats.tables.typed import COLUMNS
from tests.support.commands import EVENING, ROOT, Ran, run

PAGES = sorted((ROOT / "docs").glob("*.md"))
SETTINGS = [
    text
    for page in PAGES
    for text in re.findall(r"^```toml\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
]


def console(name: str) -> list[str]:
    """Return the lines of a page's console blocks."""
    text = (ROOT / "docs" / name).read_text("utf-8")
    return [
        line
        for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]


def run_line(line: str, folder: Path) -> Ran:
    """Run a command of a page, with its folders moved below `folder`."""
    _, *words = shlex.split(line.removeprefix("$ "))
    places = {"fixtures/club-evening.pbn": EVENING, "/srv/www/results": str(folder / "www")}
    places |= {name: str(folder / name) for name in ("site", "inbox", "bulletins")}
    return run(*(places.get(word, word) for word in words))


@pytest.mark.parametrize("text", [text for text in SETTINGS if not text.startswith("[[corrections]]")])
def test_the_settings_of_the_pages_are_valid(tmp_path: Path, text: str) -> None:
    (tmp_path / "club.toml").write_text(text, "utf-8")
    load_config(tmp_path / "club.toml")


@pytest.mark.slow
def test_the_page_about_publishing_shows_what_happens(tmp_path: Path) -> None:
    lines = [line for line in console("publishing.md") if "keyring" not in line]
    at = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    make, publish, verify, look = (lines[number] for number in at)
    faults, printed = lines[at[2] + 1 : at[3]], lines[at[3] + 1 :]
    assert [0, 0] == [run_line(make, tmp_path).status, run_line(publish, tmp_path).status]
    for changed in ("index.html", "board-12/index.html"):
        with (tmp_path / "site" / changed).open("a", encoding="utf-8") as page:
            page.write("<!-- corrected -->")
    assert printed == run_line(look, tmp_path).out.splitlines()
    verified = run_line(verify, tmp_path)
    assert (1, faults) == (verified.status, verified.out.splitlines())


@pytest.mark.slow
def test_the_command_of_the_page_about_the_inbox_publishes_and_puts_the_file_away(tmp_path: Path) -> None:
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "tuesday.pbn").write_bytes(Path(EVENING).read_bytes())
    (command,) = [line for line in console("inbox.md") if line.startswith("$ ")]
    assert 0 == run_line(f"{command} --once", tmp_path).status
    assert (tmp_path / "www" / "tuesday" / "index.html").is_file()
    assert (tmp_path / "inbox" / "done" / "tuesday" / "tuesday.pbn").is_file()


def test_the_page_about_tables_shows_a_table_that_is_read_and_lists_all_columns(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "tables.md").read_text("utf-8")
    (tmp_path / "evening.csv").write_text(text.split("```")[1].removeprefix("text\n"), "utf-8")
    session = read([str(tmp_path / "evening.csv")])
    assert ([], 3) == (session.problems["code"].to_list(), session.results.height)
    named = [row.split("|")[1] for row in text.splitlines() if row.startswith("| `")]
    assert set(COLUMNS) == {name for cell in named for name in re.findall(r"`(\w+)`", cell)}


def test_the_links_of_the_pages_exist() -> None:
    pages = [*PAGES, *ROOT.glob("*.md")]
    links = {
        (page.name, page.parent / link)
        for page in pages
        for link in re.findall(r"\]\(([^):#]+)[^):]*\)", page.read_text("utf-8"))
    }
    made = {ROOT / "docs" / name for name in ("commands.md", "frames.md")}
    assert [] == [(name, str(link)) for name, link in links if link not in made and not link.exists()]


def test_the_service_starts_a_valid_command() -> None:
    text = (ROOT / "docs" / "inbox.md").read_text("utf-8")
    _, name, *arguments = shlex.split(next(iter(re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE))))
    group = typer.main.get_command(make_app())
    command = group.commands[name]  # type: ignore[attr-defined]  # the command line of the program is a group
    command.make_context(name, arguments)


@pytest.mark.slow
def test_the_tutorial_for_scorers_leads_to_a_website(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line that it shows is printed."""
    monkeypatch.chdir(tmp_path)
    steps = "\n".join(console("first-website.md")).removeprefix("$ ").split("\n$ ")
    assert 6 == len(steps)
    for step in steps:
        command, *shown = step.splitlines()
        ran = run(*shlex.split(command)[1:])
        printed = [line.replace(f"{tmp_path}/", "") for line in f"{ran.err}\n{ran.out}".splitlines()]
        assert 0 == ran.status
        assert [] == [line for line in shown if line not in printed]
    pages = "".join(page.read_text("utf-8") for page in (tmp_path / "lantern" / "site").rglob("*.html"))
    wanted, hidden = ["Lantern Street", "Ben Moss", "the slip says 10 tricks"], ["Ada", "Quill"]
    assert wanted == [text for text in wanted + hidden if text in pages]


def test_the_hooks_keep_off_the_tables_of_other_projects_and_run_once() -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    patterns = re.findall(r"files: (.*)", hooks)
    assert 2 == len(patterns) == hooks.count("require_serial: true")
    for pattern in patterns:
        assert re.search(pattern, "results/tuesday.pbn")
        assert re.search(pattern, "vugraph.lin")
        assert not re.search(pattern, "pom.xml")
        assert not re.search(pattern, "data.csv")


def test_the_workflow_runs_the_checks_that_every_change_has_to_pass() -> None:
    workflow = (ROOT / ".github" / "workflows" / "checks.yml").read_text("utf-8")
    (command,) = re.findall(r"run: (\.ci/.*)", workflow)
    assert os.access(ROOT / command, os.X_OK)
