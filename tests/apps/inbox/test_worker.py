"""Work that goes wrong in a process of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import NoReturn

import polars as pl
import pytest

from overtrick.apps.inbox.folders import Attempts, mark_heavy
from overtrick.apps.inbox.worker import FaultError, LostError, Worker
from overtrick.core.atomic_write import OutputError

pytestmark = pytest.mark.xdist_group("worker")


def answer() -> int:
    return os.getpid()


def crash() -> NoReturn:
    os.abort()


def hang() -> None:
    time.sleep(60)


def devour() -> bytes:
    return bytes(1 << 40)


def take(size: int) -> int:
    held = b"x" * size
    time.sleep(0.5)
    return len(held)


def stumble() -> NoReturn:
    raise ZeroDivisionError("an internal detail")


def panic() -> NoReturn:
    raise pl.exceptions.PanicException("index out of bounds")


def vanish() -> NoReturn:
    raise FileNotFoundError(2, "No such file or directory", "tuesday.pbn")


def refuse() -> NoReturn:
    raise OutputError("site: holds files that overtrick did not write")


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with closing(Worker(longest=20)) as process:
        yield process


@pytest.mark.slow
def test_it_works_in_another_process_which_stays(worker: Worker, tmp_path: Path) -> None:
    first = worker.run(answer, (), tmp_path / "a")
    assert os.getpid() != first == worker.run(answer, (), tmp_path / "a")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no memory")
@pytest.mark.slow
def test_work_that_is_lost_is_explained_and_the_next_is_done(worker: Worker, tmp_path: Path) -> None:
    explained: list[tuple[Callable[[], object], str]] = [
        (crash, "ended (SIGABRT)"),
        (devour, "more than 4 GB of memory"),
    ]
    for work, why in explained:
        with pytest.raises(LostError) as lost:
            worker.run(work, (), tmp_path / "a")
        assert why in str(lost.value)
        assert os.getpid() != worker.run(answer, (), tmp_path / "a")


def test_work_that_hangs_is_ended(tmp_path: Path) -> None:
    with closing(Worker(longest=0.2)) as process, pytest.raises(LostError, match="took more than 0 seconds"):
        process.run(hang, (), tmp_path / "a")


@pytest.mark.slow
def test_a_process_that_the_system_refuses_is_started_later(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Worker()) as process:
        with monkeypatch.context() as patch:
            patch.setattr(SpawnProcess, "start", lambda _: os.close(-1))
            for _ in range(2):
                with pytest.raises(OSError, match="Bad file"):
                    process.run(answer, (), None)
        assert os.getpid() != process.run(answer, (), None)


@pytest.mark.slow
def test_bugs_and_panics_are_faults_and_the_process_stays(worker: Worker, tmp_path: Path) -> None:
    first = worker.run(answer, (), tmp_path / "a")
    with pytest.raises(FaultError, match="ZeroDivisionError: an internal detail"):
        worker.run(stumble, (), tmp_path / "a")
    with pytest.raises(FaultError, match="PanicException: index out of bounds"):
        worker.run(panic, (), tmp_path / "a")
    assert first == worker.run(answer, (), tmp_path / "a")


@pytest.mark.slow
def test_expected_errors_are_raised_as_they_are(worker: Worker, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        worker.run(vanish, (), tmp_path / "a")
    assert ("No such file or directory", "tuesday.pbn") == (error.value.strerror, error.value.filename)
    with pytest.raises(OutputError, match="site: holds files"):
        worker.run(refuse, (), tmp_path / "a")


def test_an_attempt_counts_until_it_ends(tmp_path: Path) -> None:
    attempts = Attempts(tmp_path)
    for why in ("it crashed", "it crashed again"):
        assert not attempts.is_hopeless("make-tuesday")
        attempts.begin("make-tuesday")
        attempts.lose("make-tuesday", why)
    assert attempts.is_hopeless("make-tuesday")
    assert ["it crashed", "it crashed again"] == attempts.reasons("make-tuesday")
    attempts.end("make-tuesday")
    assert not attempts.is_hopeless("make-tuesday")
    assert [] == list(tmp_path.iterdir())


def test_attempts_that_may_have_stopped_the_machine_count_too_but_less(tmp_path: Path) -> None:
    attempts = Attempts(tmp_path)
    for _ in range(5):
        assert not attempts.is_hopeless("make-tuesday")
        mark_heavy(attempts.begin("make-tuesday"))
    assert attempts.is_hopeless("make-tuesday")


def test_a_sound_file_survives_many_kills_of_the_watcher(tmp_path: Path) -> None:
    attempts = Attempts(tmp_path)
    for _ in range(12):
        attempts.begin("make-tuesday")
    assert not attempts.is_hopeless("make-tuesday")


@pytest.mark.skipif(not Path("/proc").exists(), reason="memory is measured as Linux tells it")
@pytest.mark.slow
def test_work_that_takes_much_memory_is_marked(worker: Worker, tmp_path: Path) -> None:
    attempts = Attempts(tmp_path)
    worker.run(take, (20_000_000,), attempts.begin("look-tuesday"))
    worker.run(take, (1_200_000_000,), attempts.begin("make-tuesday"))
    assert ["begun\n", "begun, and took much memory\n"] == [
        (tmp_path / name).read_text("utf-8") for name in ("look-tuesday", "make-tuesday")
    ]


@pytest.mark.skipif(not Path("/proc").exists(), reason="the test looks for processes as Linux lists them")
@pytest.mark.slow
def test_when_the_watcher_is_killed_its_worker_takes_the_attempt_back_and_ends(tmp_path: Path) -> None:
    code = (
        "import os, sys, time; from pathlib import Path; from overtrick.apps.inbox.worker import Worker;"
        "from overtrick.apps.inbox.folders import Attempts; from tests.apps.inbox.test_worker import hang, answer;"
        f"counted = Attempts(Path({str(tmp_path)!r})).begin('make-tuesday'); worker = Worker();"
        "print(worker.run(answer, (), counted), flush=True); worker.run(hang, (), counted)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout
        number = int(process.stdout.readline())
        time.sleep(0.3)
        process.kill()
    for _ in range(200):
        if not Path(f"/proc/{number}").exists():
            break
        time.sleep(0.05)
    assert not Path(f"/proc/{number}").exists()
    assert [] == list(tmp_path.iterdir())
