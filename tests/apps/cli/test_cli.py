"""The command line as a whole: statuses, streams, start-up."""

import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import overtrick
from overtrick.apps.cli import _is_light, explain_end, put_command_first
from overtrick.apps.cli.app import make_app
from overtrick.apps.cli.output import palette
from overtrick.apps.evening import check
from tests.support.commands import EVENING, FIXTURES, run, start


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_help_loads_no_slow_libraries() -> None:
    code = "import sys; from overtrick.apps.cli.app import make_app; make_app(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"typer"} == {"typer", "rich", "polars", "numpy", "pydantic", "lark", "jinja2", "typst"} & set(loaded)


def list_loaded(path: str) -> set[str]:
    """Return the modules that are loaded when a check of a file ends."""
    code = f"import sys; from overtrick.apps.cli import main; sys.argv[1:] = ['check', {path!r}]; main()"
    listed = "import atexit, sys; atexit.register(lambda: print(*sys.modules))"
    ran = subprocess.run([sys.executable, "-c", f"{listed}; {code}"], capture_output=True, text=True, check=False)
    return set(ran.stdout.splitlines()[-1].split())


@pytest.mark.slow
def test_checking_a_pbn_file_loads_nothing_for_other_files_and_other_work() -> None:
    loaded = list_loaded(EVENING)
    others = tuple(
        f"overtrick.files.formats.{name}" for name in ("bridgemate", "csv", "dealing_machines", "lin", "usebio")
    )
    unneeded = {
        "rich",
        "jinja2",
        "typst",
        "sqlite3",
        "xml",
        "overtrick.apps.cli.score",
        "overtrick.judge.numbers.search",
        "overtrick.judge.analyse.solver",
    }
    assert {"lark", "overtrick.files.formats.pbn.read.reader"} <= loaded
    assert set() == loaded & unneeded
    assert [] == [module for module in loaded if module.startswith(others)]


@pytest.mark.slow
def test_only_a_check_that_finds_problems_reads_their_texts() -> None:
    code = (
        "from overtrick.core import problems; problems.TABLE = problems.TABLE.with_name('none'); import overtrick as ot"
    )
    for path, status in ((EVENING, 1), (str(FIXTURES / "passed-out-board.pbn"), 0)):
        command = [sys.executable, "-c", f"{code}; ot.check({path!r})"]
        assert status == subprocess.run(command, capture_output=True, check=False).returncode


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["check", "small.pbn", "--format", "json"], True),
        (["check", "small.pbn", "large.pbn"], False),
        (["check", "small.pbn", "folder"], False),
        (["check", "gone.pbn"], False),
        (["check", "-"], False),
        (["bulletin", "small.pbn"], False),
        ([], False),
    ],
)
def test_one_core_is_enough_for_small_files(
    words: list[str], expected: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.pbn").write_text("% PBN 2.1\n")
    Path("large.pbn").write_bytes(b"% \n" * 100_000)
    Path("folder").mkdir()
    assert expected == _is_light(words)


def test_the_version_is_printed() -> None:
    assert f"overtrick {overtrick.__version__}\n" == run("--version").out


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("chekc", EVENING),
        ("check",),
        ("check", EVENING, "--stric"),
        ("check", EVENING, "--format", "xml"),
        ("check", EVENING, "--config", "nowhere.toml"),
        ("score", EVENING, "--method", "matchpoint"),
        ("score", EVENING, "--out", "evening.xls"),
        ("score", EVENING, "--out", "nowhere/evening.csv"),
        ("check", ""),
        ("watch", "", "--out", "bulletins", "--once"),
        ("season", "nowhere.pbn", "--out", "season"),
    ],
)
def test_wrong_usage_ends_with_2_and_prints_no_data(arguments: tuple[str, ...]) -> None:
    ran = run(*arguments)
    assert (2, "") == (ran.status, ran.out if arguments else "")
    assert "" != ran.err + ran.out


def test_an_environment_variable_may_name_the_settings() -> None:
    ran = run("score", EVENING, environment={"OVERTRICK_CONFIG": "nowhere.toml"})
    assert 2 == ran.status
    assert "Settings: nowhere.toml\novertrick: nowhere.toml: can't be read: No such file or directory\n" == ran.err


def test_an_interrupted_run_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "examine", interrupted)
    assert 130 == run("check", EVENING).status


@pytest.mark.slow
def test_a_closed_pipe_ends_a_command_quietly() -> None:
    command = [
        sys.executable,
        "-c",
        "from overtrick.apps.cli import main; main()",
        "score",
        EVENING,
        "--format",
        "json",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"" == process.stderr.read()
    assert 128 + signal.SIGPIPE == process.returncode


@pytest.mark.slow
def test_data_is_utf_8_whatever_the_terminal_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert "Zoë Marchetti - Tom Ashdown" in start("score", EVENING, "--format", "csv").out


@pytest.mark.slow
def test_a_hyphen_means_standard_input() -> None:
    given = start("score", "-", "--format", "csv", given=(FIXTURES / "club-evening.pbn").read_bytes())
    assert run("score", EVENING, "--format", "csv").out == given.out


@pytest.mark.parametrize(
    ("coloured", "stream", "environment"),
    [
        (True, Terminal(), {}),
        (False, Terminal(), {"NO_COLOR": "1"}),
        (True, Terminal(), {"NO_COLOR": ""}),
        (False, Terminal(), {"TERM": "dumb"}),
        (False, io.StringIO(), {}),
        (True, io.StringIO(), {"FORCE_COLOR": "1"}),
        (False, io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}),
    ],
)
def test_colour_is_for_terminals_that_want_it(coloured: bool, stream: io.StringIO, environment: dict[str, str]) -> None:
    assert coloured == palette(stream, environment).on


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have only Unicode file names")
@pytest.mark.slow
def test_a_file_name_may_hold_any_bytes(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/evening-\xe6.pbn"
    Path(os.fsdecode(name)).write_bytes((FIXTURES / "club-evening.pbn").read_bytes())
    ran = start("check", os.fsdecode(name))
    assert "Traceback" not in ran.err
    assert ran.status in {0, 1}


def test_a_quiet_command_writes_problems_alone_to_standard_error(tmp_path: Path) -> None:
    assert "no problems" in run("score", EVENING).err
    assert "" == run("score", EVENING, "-q").err
    broken = tmp_path / "broken.pbn"
    broken.write_text('[Board "1"]\n[Contract "9S"]\n', "utf-8")
    assert "9S" in run("score", "--quiet", broken).err


def test_a_verbose_command_lists_its_steps_with_their_times() -> None:
    lines = run("score", EVENING, "-v").err.splitlines()
    steps = [re.fullmatch(r"[0-9]{2}:[0-9]{2}:[0-9]{2} (.*): [0-9]+", line) for line in lines[:-1]]
    assert ["Reading (kB)", "Checking", "Scoring", "Ranking", "Analysing"] == [step[1] for step in steps if step]


def test_a_command_is_not_quiet_and_verbose() -> None:
    assert 2 == run("score", EVENING, "-q", "-v").status


def test_the_last_line_names_the_file_that_was_written(tmp_path: Path) -> None:
    target = tmp_path / "evening.csv"
    for ran in (run("convert", EVENING, target), run("score", EVENING, "--out", target)):
        assert f"{target}: written" == ran.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-q", "check", "a.pbn"], ["check", "-q", "a.pbn"]),
        (["--config", "club.toml", "-v", "score", "a.pbn"], ["score", "--config", "club.toml", "-v", "a.pbn"]),
        (["--config=club.toml", "check"], ["check", "--config=club.toml"]),
        (["-q", "archive", "compact", "dir"], ["archive", "compact", "-q", "dir"]),
        (["check", "-q", "a.pbn"], ["check", "-q", "a.pbn"]),
        (["-q"], ["-q"]),
        (["--config"], ["--config"]),
        (["--help"], ["--help"]),
        ([], []),
    ],
)
def test_options_of_all_commands_may_come_before_the_command(words: list[str], expected: list[str]) -> None:
    assert expected == put_command_first(words)


def test_every_group_of_commands_takes_options_before_its_name() -> None:
    groups = [str(group.name) for group in make_app().registered_groups]
    assert groups
    assert [[name, "x", "-q", "y"] for name in groups] == [put_command_first(["-q", name, "x", "y"]) for name in groups]


@pytest.mark.slow
def test_a_quiet_check_says_nothing_wherever_it_is_asked_for() -> None:
    assert start("check", "-q", EVENING) == start("-q", "check", EVENING)
    assert "" == start("-q", "check", EVENING).err
    assert "1 file" in start("check", EVENING).err


def test_an_error_about_a_file_that_no_command_expects_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == explain_end(OSError(28, "No space left on device", "site/board-1"))
    assert ("", "overtrick: site/board-1: No space left on device\n") == capsys.readouterr()
    with pytest.raises(ZeroDivisionError):
        explain_end(ZeroDivisionError())
