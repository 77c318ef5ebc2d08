"""The line that shows what a command does, on a terminal of any width."""

import io
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from inspect import signature
from pathlib import Path

import pytest
import typer

from overtrick.apps.cli import output, progress
from overtrick.apps.cli.app import make_app
from overtrick.apps.cli.output import say, show_work
from overtrick.apps.cli.progress import WorkLine
from tests.support.commands import run

NO_LINE = {
    ("init",),
    ("config", "check"),
    ("config", "schema"),
    ("formats",),
    ("lsp",),
    ("desk",),
    ("watch",),
    ("terminals", "poll"),
}
"""Commands that are short, that write what they do as it happens, or that an editor starts."""


def commands(app: typer.Typer, *above: str) -> Iterator[tuple[tuple[str, ...], Callable[..., object]]]:
    """Yield the words of each command, and its function."""
    for info in app.registered_commands:
        assert info.callback
        yield (*above, info.name or info.callback.__name__), info.callback
    for group in app.registered_groups:
        assert group.typer_instance
        yield from commands(group.typer_instance, *above, str(group.name))


COMMANDS = dict(commands(make_app()))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_can_be_quiet_and_verbose(words: tuple[str, ...]) -> None:
    assert {"quiet", "verbose"} <= signature(COMMANDS[words]).parameters.keys()


@pytest.mark.parametrize("arguments", ["config schema", "terminals poll evening.json"])
def test_commands_of_a_group_read_both_options(arguments: str) -> None:
    assert "exclude each other" in run(*arguments.split(), "-q", "-v").err


def test_a_quiet_check_of_settings_writes_problems_alone(tmp_path: Path) -> None:
    settings = tmp_path / "club.toml"
    settings.write_text('[club]\nname = "Lantern"\n', "utf-8")
    assert "no problems" in run("config", "check", settings).err
    assert "" == run("config", "check", settings, "--quiet").err
    settings.write_text('[club]\nnome = "Lantern"\n', "utf-8")
    assert "nome" in run("config", "check", settings, "--quiet").err


@pytest.mark.parametrize("words", sorted(COMMANDS.keys() - NO_LINE), ids=" ".join)
def test_every_command_that_can_take_long_shows_its_work(words: tuple[str, ...]) -> None:
    text = Path(str(sys.modules[COMMANDS[words].__module__].__file__)).read_text("utf-8")
    assert re.search(r"with [^\n]*show_(work|stages)\(", text)


class Terminal(io.StringIO):
    """A terminal that keeps what was written."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    stream = Terminal()
    monkeypatch.setattr(progress, "_PATIENCE", 0)
    monkeypatch.setattr(progress, "_EVERY", 0.005)
    monkeypatch.setattr(output, "_loudness", 1)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    set_width(monkeypatch, 80)
    return stream


def set_width(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda *_: os.terminal_size((columns, 24)))


def wait_for(text: str, stream: io.StringIO) -> None:
    until = time.monotonic() + 10
    while text not in stream.getvalue():
        assert time.monotonic() < until, stream.getvalue()
        time.sleep(0.005)


def screen(written: str) -> list[str]:
    """Return the lines that are left on a terminal, which must show its cursor again."""
    assert written.rfind("\x1b[?25h") >= written.rfind("\x1b[?25l")
    lines, row = [""], 0
    # Whatever writes again begins the line again.
    for part in re.findall(r"\x1b\[\??\d+[A-Za-z]|[\r\n]|[^\x1b\r\n]+", written):
        if part == "\n":
            row += 1
            lines += [""] * (row == len(lines))
        elif part == "\x1b[1A":
            row -= 1
        elif part == "\x1b[2K":
            lines[row] = ""
        elif part != "\r" and not part.startswith("\x1b"):
            lines[row] = part + lines[row][len(part) :]
    return [line.rstrip() for line in lines]


def show_item(terminal: Terminal, words: str, done: int, total: int, detail: str = "") -> str:
    """Return the line for an item."""
    line = WorkLine(terminal, words)
    line.show(words, done, total, detail)
    line.start()
    wait_for("\x1b[2K", terminal)
    line.stop()
    looks = (re.sub(r"\x1b\[\??\d+[A-Za-z]|[\r\n]", "", look) for look in terminal.getvalue().split("\x1b[2K"))
    return next((look.rstrip() for look in looks if look.strip()), "")


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (80, r"Making evenings ━+\S* +12/30 --:-- left  tuesday/\ufffd\[31m.*…"),
        (40, r"Making evenings ━+\S* +12/30 --:--"),
        (30, r"Making \w*… ━+\S* +12/30 --:--"),
    ],
)
def test_the_line_says_what_how_far_and_how_long_still(
    columns: int, expected: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_width(monkeypatch, columns)
    line = show_item(terminal, "Making evenings", 12, 30, "tuesday/\x1b[31mcard.html, or what comes next")
    assert re.fullmatch(r"[-\\|/] " + expected, line)


def test_work_of_unknown_length_shows_the_time_spent(terminal: Terminal) -> None:
    assert re.fullmatch(r"[-\\|/] Packing tables 0:00:00", show_item(terminal, "Packing tables", 0, 0))


@pytest.mark.parametrize("columns", [1, 12, 20, 40, 80, 200])
@pytest.mark.parametrize("words", ["Reading", "Evening 3 of 30: finding better cards", "読む" * 20])
def test_the_line_fits_every_terminal(
    words: str, columns: int, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_width(monkeypatch, columns)
    line = show_item(terminal, words, 1_234, 12_345, "読" * 50)
    # The terminal itself shows ^C there.
    assert sum(2 if "\u3000" < character < "\ua000" else 1 for character in line) <= max(columns - 2, 1)


def test_the_time_left_is_known_after_some_steps(terminal: Terminal) -> None:
    with redirect_stderr(terminal), show_work("Listing files") as line:
        show = line("Making evenings")
        assert show
        for done in range(4):
            show(done, 30)
            wait_for(f"{done}/30", terminal)
        wait_for(" 00:0", terminal)


def test_lines_stay_above_the_work_and_nothing_of_it_stays(terminal: Terminal) -> None:
    with redirect_stderr(terminal), show_work("Listing files") as line:
        wait_for("Listing files", terminal)
        show = line("Making evenings")
        assert show
        show(1, 3)
        wait_for("1/3", terminal)
        say("tuesday: made")
        show(2, 3)
        wait_for("2/3", terminal)
    with redirect_stderr(terminal):
        say("3 made")
    assert ["tuesday: made", "3 made", ""] == screen(terminal.getvalue())


def test_an_interruption_leaves_nothing_of_the_line(terminal: Terminal) -> None:
    line = WorkLine(terminal, "Solving deals")
    line.start()
    wait_for("Solving deals", terminal)
    erased = line.leave()
    line.stop()
    assert ["overtrick: interrupted", ""] == screen(f"{terminal.getvalue()}^C{erased}overtrick: interrupted\n")


def test_a_dumb_terminal_gets_a_line_for_each_kind_of_work(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with redirect_stderr(terminal), show_work("Listing files") as line:
        wait_for("Listing files\n", terminal)
        show = line("Making evenings")
        assert show
        for done in range(3):
            show(done, 3)
        wait_for("Making evenings\n", terminal)
    assert "Listing files\nMaking evenings\n" == terminal.getvalue()


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch, terminal: Terminal) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 60)
    with redirect_stderr(terminal), show_work("Listing files"):
        time.sleep(0.02)
    assert "" == terminal.getvalue()
