"""A Dask cluster makes the same archive as processes on this machine."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import psutil
import pytest
from polars.testing import assert_frame_equal

from overtrick.apps.archive.store import Store
from tests.apps.archive.test_faults import start as ingesting
from tests.support.archives import FAULTS, assert_same_archive, rows, take_in, write_files
from tests.support.commands import start
from tests.support.machine_files import SUIT_EACH
from tests.support.servers import bucket_client, s3_server

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("cluster")]

LOOPBACK = ("--host", "127.0.0.1")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    """The address of a scheduler, and its two workers."""
    folder = tmp_path_factory.mktemp("cluster")
    started = folder / "scheduler.json"
    python = [sys.executable, "-m"]
    scheduling = [*python, "distributed.cli.dask_scheduler", *LOOPBACK, "--port", "0", "--no-dashboard"]
    working = [*python, "distributed.cli.dask_worker", *LOOPBACK, "--nthreads", "1", "--no-dashboard"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    scheduler = subprocess.Popen([*scheduling, "--scheduler-file", str(started)], **quiet)  # type: ignore[call-overload]
    while not started.exists() or not started.read_text():
        assert scheduler.poll() is None
        time.sleep(0.1)
    address = json.loads(started.read_text())["address"]
    workers = [subprocess.Popen([*working, address], **quiet) for _ in range(2)]  # type: ignore[call-overload]
    yield address, workers
    for process in [*workers, scheduler]:
        for child in psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []:
            child.kill()
        process.kill()
        process.wait()


def test_a_cluster_makes_the_same_archive(cluster: tuple[str, list["subprocess.Popen[bytes]"]], tmp_path: Path) -> None:
    address, _ = cluster
    files = write_files(tmp_path / "files", 4, 10)
    take_in(tmp_path / "local", *files)
    ran = start("ingest", *files, "--archive", tmp_path / "archive", "--scheduler", address)
    assert (0, "4 files with 40 records added, 0 unchanged, 0 failed\n") == (
        ran.status,
        ran.err.splitlines(keepends=True)[-1],
    )
    assert_same_archive(tmp_path / "local", tmp_path / "archive")


def test_a_cluster_fetches_files_from_an_object_store(
    cluster: tuple[str, list["subprocess.Popen[bytes]"]], tmp_path: Path
) -> None:
    address, _ = cluster
    take_in(tmp_path / "local", *write_files(tmp_path / "files", 2, 4))
    with s3_server() as server:
        client = bucket_client(server.environment)
        for path in (tmp_path / "files").iterdir():
            client.put_object(Bucket="club", Key=f"files/{path.name}", Body=path.read_bytes())
        options = {**server.environment, "AWS_ALLOW_HTTP": "true"}.items()
        storage = [word for name, value in options for word in ("--storage", f"{name}={value}")]
        archive = tmp_path / "archive"
        ran = start("ingest", "s3://club/files/", "--archive", archive, "--scheduler", address, *storage)
    assert 0 == ran.status, ran.err
    assert_frame_equal(rows(tmp_path / "local")["results"], rows(archive)["results"])
    assert {"s3://club/files/evening-00.pbn", "s3://club/files/evening-01.pbn"} == set(
        rows(archive)["sources"]["source"]
    )


def test_a_cluster_solves_the_deals_of_an_archive(
    cluster: tuple[str, list["subprocess.Popen[bytes]"]], tmp_path: Path
) -> None:
    pytest.importorskip("endplay")
    address, _ = cluster
    (tmp_path / "suits.pbn").write_text(f'[Board "1"]\n[Deal "{SUIT_EACH}"]\n')
    take_in(tmp_path / "archive", tmp_path / "suits.pbn")
    ran = start("archive", "solve", tmp_path / "archive", "--scheduler", address)
    assert (0, "1 deal solved, 0 failed; 0 results analysed, 0 failed\n") == (ran.status, ran.err)


def test_a_cluster_that_loses_a_worker_makes_the_same_archive(
    cluster: tuple[str, list["subprocess.Popen[bytes]"]], tmp_path: Path
) -> None:
    address, workers = cluster
    files = write_files(tmp_path / "files", 4, 10)
    take_in(tmp_path / "local", *files)
    random = Random(os.urandom(8))
    for attempt in range(FAULTS):
        archive = tmp_path / str(attempt)
        run = ingesting(archive, files, to=("--scheduler", address))
        while not Store(str(archive)).exists():
            time.sleep(0.05)
        time.sleep(random.uniform(0, 2))
        for child in psutil.Process(random.choice(workers).pid).children(recursive=True):
            child.kill()
        _, messages = run.communicate()
        assert (0, b"") == (run.returncode, b"".join(messages.splitlines()[1:]))
        assert_same_archive(tmp_path / "local", archive)


def test_a_scheduler_that_does_not_answer_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
    ran = start("ingest", tmp_path, "--archive", tmp_path / "archive", "--scheduler", "tcp://127.0.0.1:1")
    assert 2 == ran.status
    assert "tcp://127.0.0.1:1: no scheduler answers there" in ran.err
