"""After any fault, another run makes the archive of an undisturbed run."""

import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil
import pytest

from overtrick.apps.archive.store import Store
from tests.support.archives import FAULTS, assert_same_archive, start_taking_in, take_in, write_files
from tests.support.servers import small_disk

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("faults of an archive")]

FILES, BOARDS = 8, 40
LOCAL = ("--workers", "2")
Run = subprocess.Popen[bytes]


@dataclass(frozen=True)
class Undisturbed:
    """A run without a fault: the archive that it made, its files, and the seconds that it took."""

    archive: Path
    files: list[Path]
    seconds: float


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder = tmp_path_factory.mktemp("undisturbed")
    files = write_files(folder / "files", FILES, BOARDS)
    begun = time.monotonic()
    run = start(folder / "archive", files)
    run.communicate()
    assert 0 == run.returncode
    return Undisturbed(folder / "archive", files, time.monotonic() - begun)


def start(archive: Path, files: list[Path], first: str = "", *, to: tuple[str, str] = LOCAL) -> Run:
    """Start a run with a task and a commit per file."""
    code = f"""{first}
import overtrick.apps.archive.ingest
overtrick.apps.archive.ingest.TASK = overtrick.apps.archive.ingest.COMMIT_SECONDS = 0
from overtrick.apps.cli import main
main()"""
    command = [sys.executable, "-c", code, "ingest", *map(str, files), "--archive", str(archive), *to]
    return subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)


def kill_run(run: Run, _: list[Path], __: Random) -> None:
    run.kill()
    run.communicate()


def kill_worker(run: Run, _: list[Path], random: Random) -> None:
    while run.poll() is None:
        with suppress(psutil.Error):
            children = psutil.Process(run.pid).children()
            if workers := [child for child in children if "spawn_main" in " ".join(child.cmdline())]:
                random.choice(workers).kill()
                break
        time.sleep(0.02)
    run.communicate()


def delete_source(run: Run, files: list[Path], random: Random) -> None:
    gone = random.choice(files)
    content = gone.read_bytes()
    gone.unlink()
    run.communicate()
    gone.write_bytes(content)
    assert run.returncode in {0, 1, 2}, "2: the file was missing when the run looked for it first"


@pytest.mark.parametrize("fault", [kill_run, kill_worker, delete_source])
@pytest.mark.sweep(2)
def test_after_a_fault_the_archive_is_that_of_an_undisturbed_run(
    fault: Callable[[Run, list[Path], Random], None], undisturbed: Undisturbed, tmp_path: Path
) -> None:
    files = undisturbed.files
    random = Random(os.urandom(8))
    for attempt in range(FAULTS):
        archive = tmp_path / str(attempt)
        run = start(archive, files)
        time.sleep(random.uniform(0.1, 1) * undisturbed.seconds)
        fault(run, files, random)
        take_in(archive, *files)
        assert_same_archive(undisturbed.archive, archive)


def test_a_reader_sees_only_whole_files_while_others_write(undisturbed: Undisturbed, tmp_path: Path) -> None:
    files = undisturbed.files
    store = Store(str(tmp_path / "archive"))
    store.create()
    run = start_taking_in(tmp_path / "archive", *files)
    seen = set()
    while run.poll() is None:
        tables = {name: rows.collect() for name, rows in store.scan().items()}
        listed = tables["sources"].select("sha256", "records").sort("sha256")
        for name in ("records", "results"):
            held = tables[name].group_by("sha256").len("records").sort("sha256")
            assert listed.rows() == held.rows()
        seen.add(listed.height)
    run.communicate()
    assert 1 < len(seen)


def test_a_file_that_kills_its_worker_is_quarantined_and_the_others_are_read(tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", 3, 4)
    code = (
        "import os, overtrick.apps.archive.work as w; real = w.read_piece\n"
        f"def read(piece): return os._exit(9) if piece.source == {str(files[1])!r} else real(piece)\n"
        "w.read_piece = read\n"
    )
    (tmp_path / "sitecustomize.py").write_text(code)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    command = [sys.executable, "-c", "from overtrick.apps.cli import main; main()", "ingest", *map(str, files)]
    done = subprocess.run(
        [*command, "--archive", str(tmp_path / "archive"), "--workers", "1"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 1 == done.returncode
    assert "ingest-failed" in done.stderr
    assert [0, 4, 4] == sorted(Store(str(tmp_path / "archive")).sources()["records"])
    assert 1 == len(list((tmp_path / "archive" / "quarantine").iterdir()))


def test_after_a_file_size_limit_the_archive_is_that_of_an_undisturbed_run(
    undisturbed: Undisturbed, tmp_path: Path
) -> None:
    files = undisturbed.files
    for attempt in range(FAULTS):
        archive = tmp_path / str(attempt)
        # Limit the size of files, like a full disk.
        most = Random(attempt).randint(2_000, 10_000)
        code = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))"
        run = start(archive, files, code)
        _, messages = run.communicate()
        assert 2 == run.returncode
        assert b"File too large" in messages
        assert 1 == len(messages.splitlines())
        take_in(archive, *files)
        assert_same_archive(undisturbed.archive, archive)


def test_after_a_full_disk_the_archive_is_that_of_an_undisturbed_run(undisturbed: Undisturbed, tmp_path: Path) -> None:
    files = undisturbed.files
    with small_disk(tmp_path / "disk") as disk:
        for _ in range(FAULTS):
            (disk / "in the way").write_bytes(bytes(Random(os.urandom(8)).randrange(100_000, 250_000)))
            run = start(disk / "archive", files)
            _, messages = run.communicate()
            assert 2 == run.returncode
            assert 1 == len(messages.splitlines())
            shutil.copytree(disk / "archive", tmp_path / "archive")
            take_in(tmp_path / "archive", *files)
            assert_same_archive(undisturbed.archive, tmp_path / "archive")
            for left in (disk / "in the way", disk / "archive", tmp_path / "archive"):
                shutil.rmtree(left) if left.is_dir() else left.unlink()


def test_after_a_truncated_zip_the_archive_is_that_of_an_undisturbed_run(
    undisturbed: Undisturbed, tmp_path: Path
) -> None:
    files = undisturbed.files
    season = tmp_path / "season.zip"
    with zipfile.ZipFile(season, "w", zipfile.ZIP_DEFLATED) as container:
        for file in files:
            container.write(file, file.name)
    whole = season.read_bytes()
    take_in(tmp_path / "expected", season)
    for attempt in range(FAULTS):
        archive = tmp_path / str(attempt)
        season.write_bytes(whole[: Random(os.urandom(8)).randrange(len(whole))])
        assert ["file-damaged"] == take_in(archive, season).problems["code"].to_list()
        season.write_bytes(whole)
        take_in(archive, season)
        assert_same_archive(tmp_path / "expected", archive)


def test_simultaneous_writers_make_one_archive(undisturbed: Undisturbed, tmp_path: Path) -> None:
    files = undisturbed.files
    runs = [start_taking_in(tmp_path / "archive", *order) for order in (files, files[::-1], files[3:])]
    for run in runs:
        run.communicate()
    assert [0, 0, 0] == [run.returncode for run in runs]
    assert_same_archive(undisturbed.archive, tmp_path / "archive")
