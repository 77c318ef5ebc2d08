"""Ctrl-C, at any moment of any command."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.commands import EVENING, FIXTURES

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")

SLOW = """
import sys, time
import overtrick.apps.evening.check, overtrick.pipeline
def slow(*_, **__):
    print("working", flush=True)
    {work}
overtrick.pipeline.evaluate = overtrick.apps.evening.check.examine = slow
from overtrick.apps.cli import main
main()
"""

WORK = {
    "its own step": "time.sleep(60)",
    "a step that catches everything": """
    while True:
        try: time.sleep(60)
        except BaseException: pass""",
    "a library that makes another error of it": """
    try: time.sleep(60)
    except KeyboardInterrupt: raise TypeError("not a data type") from None""",
    "a library that swallows and prints it": """
    class Swallows:
        def __del__(self): time.sleep(60)
    Swallows()
    time.sleep(60)""",
    "a library": "import ctypes; ctypes.CDLL(None).poll(None, 0, 60_000)",
    "threads": """
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(2) as pool: pool.submit(time.sleep, 60).result()""",
    "a worker process": """
    from concurrent.futures import ProcessPoolExecutor
    from overtrick.core.machine import follow_parent
    with ProcessPoolExecutor(2, initializer=follow_parent) as pool: pool.submit(time.sleep, 60).result()""",
}


@contextmanager
def running(code: str, *arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    # A shell's background jobs ignore the signal, and so would this child.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    command = [sys.executable, "-c", code, *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        yield process
        process.kill()


def interrupted(process: subprocess.Popen[str], *, workers: bool = False) -> tuple[int, str]:
    """Send the signal to a command; as a terminal does, to its worker processes, too."""
    if workers:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    # A command that does not listen would take a minute.
    _, messages = process.communicate(timeout=30)
    return process.returncode, messages


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
@pytest.mark.slow
def test_it_ends_with_one_line_whatever_the_command_is_doing(work: str) -> None:
    with running(SLOW.format(work=work), "check", EVENING) as process:
        assert process.stdout
        assert "working\n" == process.stdout.readline()
        assert (130, "overtrick: interrupted\n") == interrupted(process)


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0.05, 0.5, 1.0])
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", FIXTURES),
        ("score", FIXTURES),
        ("bulletin", EVENING, "--out", "site"),
        ("season", FIXTURES, "--out", "season"),
        ("convert", EVENING, "evening.json"),
        ("ingest", FIXTURES, "--archive", "archive", "--workers", "2"),
        ("watch", "inbox", "--out", "sites"),
        ("publish", FIXTURES, "target", "--yes"),
    ],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.sweep(4)
def test_each_command_ends_at_any_moment(
    arguments: tuple[str | Path, ...], moment: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "evening.pbn").write_bytes(Path(EVENING).read_bytes())
    # Before that it is Python that starts.
    begin = "import overtrick.apps.cli; print('begun', flush=True); overtrick.apps.cli.main()"
    with running(begin, *arguments) as process:
        assert process.stdout
        process.stdout.readline()
        time.sleep(moment)
        if process.poll() is None:
            status, messages = interrupted(process, workers=True)
            assert "Traceback" not in messages
            assert "leaked" not in messages
            # The command may have come to its own end in that moment.
            assert status in {0, 1, -signal.SIGINT} or (130, 1) == (status, messages.count("interrupted")), messages
