"""An archive in an object store: the same rows with simultaneous writers, and none of a writer that counts as dead."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from overtrick.archive.store import ArchiveError, Store
from tests.support.archives import assert_same_archive, start_taking_in, take_in, write_files
from tests.support.commands import ROOT, start
from tests.support.servers import s3_server

pytestmark = pytest.mark.slow

PLACE = "s3://club/archive"


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A place in an object store, with the environment variables that a user needs for it."""
    with s3_server() as server:
        for name, value in {**server.environment, "AWS_ALLOW_HTTP": "true"}.items():
            monkeypatch.setenv(name, value)
        yield PLACE


def finish(writer: "subprocess.Popen[bytes]") -> int:
    writer.communicate()
    return writer.returncode


def test_it_holds_the_rows_of_a_local_archive(place: str, tmp_path: Path) -> None:
    one, two = write_files(tmp_path / "files", 2, 4)
    assert 0 == start("ingest", one, two, "--archive", place, "--workers", "1").status
    one.write_text(two.read_text() + "\n% corrected\n")
    assert 0 == finish(start_taking_in(place, one, two))
    assert 0 == start("compact", place).status
    take_in(tmp_path / "local", one, two)
    assert_same_archive(tmp_path / "local", place)
    assert 8 == pl.scan_delta(f"{place}/records").collect().height


def test_simultaneous_writers_make_one_archive(place: str, tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", 3, 4)
    writers = [start_taking_in(place, *order) for order in (files, files[::-1])]
    assert [0, 0] == [finish(writer) for writer in writers]
    take_in(tmp_path / "local", *files)
    assert_same_archive(tmp_path / "local", place)


def test_a_slow_writer_that_counts_as_dead_starts_again(place: str, tmp_path: Path) -> None:
    one, two = write_files(tmp_path / "files", 2, 4)
    # Between two of its commits comes another writer, which takes it for dead.
    code = f"""
from overtrick.archive import store
from overtrick.archive.ingest import ingest
from tests.support.archives import AtOnce
commits, commit = [], store.Store._commit
def slow(self, name, *rest):
    commits.append(name)
    if len(commits) == 2:
        ingest(store.Store({place!r}), [{str(two)!r}], AtOnce())
    commit(self, name, *rest)
store.LEASE, store.Store._commit = -60.0, slow
ingest(store.Store({place!r}), [{str(one)!r}], AtOnce())
print(commits.count("records"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    # Its first change, which was taken back, the other writer's, and its own again.
    assert "3" == done.stdout.strip()
    take_in(tmp_path / "local", one, two)
    assert_same_archive(tmp_path / "local", place)


@pytest.mark.usefixtures("place")
def test_a_store_that_does_not_answer_is_reported(tmp_path: Path) -> None:
    ran = start("ingest", tmp_path, "--archive", "s3://nobody/archive", "--workers", "1")
    assert 2 == ran.status
    assert 1 == len(ran.err.splitlines())
    with pytest.raises(ArchiveError, match="can't be read"):
        Store("s3://nobody/archive").sources()
