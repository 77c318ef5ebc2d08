"""The line that shows what a command does, on a terminal of any width."""

import io
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from inspect import signature
from itertools import pairwise
from pathlib import Path

import pytest
import typer

from overtrick.cli import output, progress
from overtrick.cli.app import make_app
from overtrick.cli.output import say, show_work
from overtrick.cli.progress import Work, WorkLine, format_line
from tests.support.commands import run

NO_LINE = {("config", "check"), ("formats",), ("lsp",), ("desk",), ("watch",), ("terminals", "poll")}
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


@pytest.mark.parametrize("arguments", ["config check club.toml", "terminals poll evening.json"])
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


def worked(steps: Sequence[tuple[float, int]], total: int) -> Work:
    work = Work("Making evenings", begun=0)
    for now, done in steps:
        work.move(now, done, total)
    return work


def test_the_line_says_what_how_far_and_how_long_still() -> None:
    work = worked([(2.0 * done, done) for done in range(13)], 30)
    assert "| Making evenings ━━━━━━━━━━━━────────────────── 12/30  0:36 left" == format_line(work, 24.0, 80)
    assert "/ Making evenings ━━──── 12/30  0:36 left" == format_line(work, 24.25, 42)
    assert "| Making eve... 12/30 0:36 left" == format_line(work, 24.0, 32)


def test_work_of_unknown_length_shows_the_time_spent() -> None:
    assert "| Packing tables  1:05" == format_line(Work("Packing tables", begun=0), 65, 80)


def test_the_end_of_a_path_is_shown_if_there_is_room() -> None:
    work = worked([(0, 0)], 9)
    work.detail = "evenings/tuesday/board-12/\x1b[31mindex.html"
    lines = [format_line(work, 0, columns) for columns in (100, 70, 40)]
    assert ["evenings/tuesday/board-12/\ufffd[31mindex.html", "...mindex.html", ""] == [
        line.partition("0/9")[2].strip() for line in lines
    ]


@pytest.mark.parametrize("columns", [1, 12, 20, 40, 80, 200])
@pytest.mark.parametrize("words", ["Reading", "Evening 3 of 30: finding better cards", "読む" * 20])
def test_the_line_fits_every_terminal(words: str, columns: int) -> None:
    work = worked([(3.0 * done, 100 * done) for done in range(12)], 12_345)
    work.words, work.detail = words, "読" * 50
    wide = sum(2 if "\u3000" < character < "\ua000" else 1 for character in format_line(work, 33.0, columns))
    assert wide < max(columns, 2)


def test_the_time_left_is_steady_if_steps_come_in_pairs() -> None:
    """Two workers end together every ten seconds."""
    steps = [(10.0 * pair + 0.1 * one, 2 * pair + one) for pair in range(1, 15) for one in (0, 1)]
    work, left = worked([(0, 0)], 30), []
    for now, done in steps:
        work.move(now, done, 30)
        left.append(work.seconds_left(now + 1))
    known = [seconds for seconds in left if seconds is not None]
    assert len(known) > len(left) - 3
    assert max(after - before for before, after in pairwise(known)) < 20
    assert known[-1] < 15


def test_an_overdue_step_is_no_promise() -> None:
    work = worked([(float(done), done) for done in range(11)], 20)
    assert 9 == work.seconds_left(11)
    assert 9 == work.seconds_left(60)


class Terminal(io.StringIO):
    """A terminal that keeps what was written."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    stream = Terminal()
    monkeypatch.setattr(progress, "_PATIENCE", 0)
    monkeypatch.setattr(progress, "_EVERY", 0.005)
    monkeypatch.setattr(output, "_loudness", 1)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def wait_for(text: str, stream: io.StringIO) -> None:
    until = time.monotonic() + 10
    while text not in stream.getvalue():
        assert time.monotonic() < until, stream.getvalue()
        time.sleep(0.005)


def screen(written: str) -> list[str]:
    """Return the lines that are left on a terminal."""
    lines = []
    for line in written.split("\n"):
        shown = ""
        for part in line.split("\r"):
            shown = part + shown[len(part) :]
        lines.append(shown.rstrip())
    return lines


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
    assert "\x1b" not in terminal.getvalue()


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
