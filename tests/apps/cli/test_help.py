"""Help texts: complete, short, in plain English, and with a right command for every wrong one."""

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.apps.cli.app import OPTIONS, make_app
from overtrick.apps.cli.config import config
from tests.support.commands import FIXTURES, run
from tests.support.inboxes import evening

COMMANDS = tuple(str(command.callback.__name__) for command in make_app().registered_commands if command.callback)
GROUPS = ("archive", "config", "terminals")
HELP = (
    *((), *((name,) for name in (*COMMANDS, *GROUPS))),
    *(("config", "check"), ("config", "schema"), ("terminals", "start"), ("terminals", "poll")),
    *(("archive", "solve"), ("archive", "compact")),
)
WIDTHS = (80, 100)

DIALECT = re.compile(
    r"""\b(
        (is|are|was) no | stands? | held against | (is|are) told | so many | what (has|is|can) | can't say
        | of one that | in any case | tells? of | says? whether | behind | gone on with | goes on | was cut | cut off
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Phrases that read as translated. A help text in plain English needs none of them."""

PYTHON_TYPE = re.compile(r"<\W*(list|str|int|float|bool|path)|\b(PosixPath|None|True|False)\b")


def text(arguments: tuple[str, ...], width: int = 100) -> str:
    ran = run(*arguments, "--help", environment={"COLUMNS": str(width)})
    assert (0, "") == (ran.status, ran.err)
    return ran.out


def summaries(width: int) -> Iterator[str]:
    for arguments in ((), *((name,) for name in GROUPS)):
        names = COMMANDS + GROUPS + ("check", "schema", "start", "poll", "solve", "compact")
        lines = text(arguments, width).splitlines()
        yield from (line for line in lines if re.match(r"  [a-z]+  ", line) and line.split()[0] in names)


def test_every_command_has_help() -> None:
    assert {"check", "score", "bulletin", "season", "convert", "publish", "watch", "ingest"} <= set(COMMANDS)
    assert ["schema", "check"] == [
        command.callback.__name__ for command in config.registered_commands if command.callback
    ]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("arguments", HELP, ids=" ".join)
def test_help_shows_the_usage_and_fits(arguments: tuple[str, ...], width: int) -> None:
    lines = text(arguments, width).splitlines()
    assert lines[0].startswith(" ".join(("Usage: overtrick", *arguments)))
    assert [] == [line for line in lines if len(line) > width]


@pytest.mark.parametrize("arguments", HELP, ids=" ".join)
def test_help_shows_no_python_types(arguments: tuple[str, ...]) -> None:
    assert None is PYTHON_TYPE.search(text(arguments))


@pytest.mark.parametrize(
    ("name", "files"),
    [*((name, "FILE...") for name in ("check", "score", "bulletin", "ingest")), ("season", "[FILE...]")],
)
def test_several_files_are_shown_as_file_with_dots(name: str, files: str) -> None:
    lines = text((name,)).splitlines()
    assert f"Usage: overtrick {name} [OPTIONS] {files}" == lines[0]
    assert [] != [line for line in lines if line.startswith("  FILE...  ")]


@pytest.mark.parametrize("width", WIDTHS)
def test_every_summary_is_one_whole_sentence_on_one_line(width: int) -> None:
    listed = list(summaries(width))
    assert len(COMMANDS) + len(GROUPS) + 6 == len(listed)
    assert [] == [line for line in listed if not re.fullmatch(r"  [a-z]+ +[A-Z][^.]+\.", line)]


@pytest.mark.parametrize("arguments", HELP, ids=" ".join)
def test_help_is_plain_english(arguments: tuple[str, ...]) -> None:
    words = " ".join(text(arguments).split())
    assert [] == [found[0] for found in DIALECT.finditer(words)]


@pytest.mark.parametrize(
    ("suggested", "arguments"),
    [
        (
            [
                ["overtrick", "check", "Tom's evening.pbn", "deals.dup"],
                ["overtrick", "score", "Tom's evening.pbn", "deals.dup"],
                ["overtrick", "bulletin", "Tom's evening.pbn", "deals.dup", "--out", "site"],
            ],
            ["Tom's evening.pbn", "deals.dup", "--format", "json"],
        ),
        ([["overtrick", "check", "evening.pbn", "--strict"]], ["chekc", "evening.pbn", "--strict"]),
        ([["overtrick", "config", "check", "club.toml"]], ["config", "club.toml"]),
        ([["overtrick", "config", "check", "club.toml"]], ["config", "chek", "club.toml"]),
        ([["overtrick", "--help"]], ["frobnicate"]),
    ],
)
def test_a_wrong_command_is_answered_with_right_ones(suggested: list[list[str]], arguments: list[str]) -> None:
    ran = run(*arguments)
    assert (2, "") == (ran.status, ran.out)
    assert suggested == [shlex.split(line) for line in ran.err.splitlines()[1:]]


@pytest.mark.slow
def test_suggested_commands_work_when_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("evening.pbn").write_text(evening(), "utf-8")
    _, *suggested = run("evening.pbn").err.splitlines()
    assert [0, 0, 0] == [run(*shlex.split(line)[1:]).status for line in suggested]
    assert (tmp_path / "site" / "index.html").is_file()


EXAMPLES = [heading.partition(": ")[2] for heading in OPTIONS["correct"] if ": " in heading]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_correct_write_an_entry(example: str, tmp_path: Path) -> None:
    file = tmp_path / "evening.csv"
    if "--tie" in example:
        file.write_text("board,ns,ew,contract,declarer,tricks\n1,1,4,3NT,N,9\n1,2,5,3NT,N,9\n")
    else:
        file = Path(shutil.copy(FIXTURES / "club-evening.pbn", tmp_path / "evening.pbn"))
    shared = () if "--why" in example else ("--why", "typed wrongly")
    for option in ("--title", "--club", "--method") if "--undo" in example else ():
        assert 0 == run("correct", file, option, "butler", "--why", "misspelt").status
    words = ("--title", "Spring Pairs") if example.startswith("--why") else ()
    done = run("correct", file, *words, *shlex.split(example), *(() if "--undo" in example else shared))
    assert 0 == done.status, done.err
    assert "[[corrections]]" in (tmp_path / "evening.corrections.toml").read_text()


def test_the_help_of_correct_lists_each_option_below_one_heading() -> None:
    named = " ".join(OPTIONS["correct"].values()).split()
    assert sorted(set(named)) == sorted(named)
    shown = text(("correct",))
    last = shown.partition("\nOptions:\n")[2]
    assert ["--corrections", "--config", "--quiet", "--verbose", "--no-config", "--help"] == re.findall(
        r"^ +(?:-., )?(--[a-z-]+)", last, re.MULTILINE
    )


def test_a_folder_without_a_command_is_taken_for_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scores").mkdir()
    monkeypatch.chdir(tmp_path)
    assert "  overtrick check scores" in run("scores").err.splitlines()
