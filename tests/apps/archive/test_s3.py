"""An archive in an object store, and files to ingest there: the same rows as in folders, whoever else writes."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from overtrick.apps.archive.ingest import ingest
from overtrick.apps.archive.store import ArchiveError, Store
from tests.support.archives import AtOnce, assert_same_archive, rows, start_taking_in, take_in, write_files
from tests.support.commands import FIXTURES, ROOT, start
from tests.support.servers import PASSWORD, bucket_client, command, s3_server

pytestmark = pytest.mark.slow

PLACE = "s3://club/archive"


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """The environment variables that a user needs for an object store."""
    with s3_server() as server:
        needed = {**server.environment, "AWS_ALLOW_HTTP": "true"}
        for name, value in needed.items():
            monkeypatch.setenv(name, value)
        yield needed


@pytest.fixture
def place(environment: dict[str, str]) -> str:
    """A place in that store."""
    assert environment
    return PLACE


def finish(writer: "subprocess.Popen[bytes]") -> int:
    writer.communicate()
    return writer.returncode


def test_it_holds_the_rows_of_a_local_archive(place: str, tmp_path: Path) -> None:
    one, two = write_files(tmp_path / "files", 2, 4)
    assert 0 == start("ingest", one, two, "--archive", place, "--workers", "1").status
    one.write_text(two.read_text() + "\n% corrected\n")
    assert 0 == finish(start_taking_in(place, one, two))
    assert 0 == start("archive", "compact", place).status
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
from overtrick.apps.archive import store
from overtrick.apps.archive.ingest import ingest
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


def fill_seasons(folder: Path) -> None:
    """Write an evening in two files, one with corrections, and a container, beside files that are not read."""
    (folder / "2026 spring").mkdir(parents=True)
    for suffix in (".csv", ".xml", ".dup"):
        shutil.copy(FIXTURES / f"spring-pairs{suffix}", folder / "2026 spring")
    shutil.copy(FIXTURES / "spring-pairs.csv", folder / "Łódź #1.csv")
    text = '[[corrections]]\nboard = 1\npair = 2\ntricks = 10\nwhy = "entered wrongly"\n'
    (folder / "Łódź #1.corrections.toml").write_text(text, "utf-8")
    (folder / "old.delivered").mkdir()
    (folder / "names.csv").write_text("name,phone\nAda,1\n")
    with zipfile.ZipFile(folder / "older.zip", "w") as container:
        for path in write_files(folder / "old.delivered", 2, 4):
            container.write(path, path.name)


def upload(folder: Path, environment: dict[str, str]) -> None:
    client = bucket_client(environment)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        client.put_object(Bucket="club", Key=path.relative_to(folder.parent).as_posix(), Body=path.read_bytes())
        # Of files of one name the newer counts.
        os.utime(path, (0, 0))


def test_files_in_a_store_become_the_rows_of_those_in_a_folder(environment: dict[str, str], tmp_path: Path) -> None:
    fill_seasons(tmp_path / "seasons")
    upload(tmp_path / "seasons", environment)
    ran = start("ingest", "s3://club/seasons/", "--archive", PLACE, "--workers", "2")
    take_in(tmp_path / "local", tmp_path / "seasons")
    expected, found = rows(tmp_path / "local"), rows(PLACE)
    assert 0 == ran.status, ran.err
    address = pl.col("source").str.replace(str(tmp_path), "s3://club", literal=True)
    assert_frame_equal(expected.pop("sources").with_columns(address).sort("source"), found.pop("sources"))
    for name, frame in expected.items():
        # Only in files on this machine are the places of problems looked up.
        places = ["line", "column"] if name == "problems" else []
        assert_frame_equal(frame.drop(places), found[name].drop(places))
    again = start("ingest", "s3://club/seasons", "s3://club/seasons/older.zip", "--archive", PLACE)
    assert "0 files with 0 records added" in again.err


def test_objects_that_cannot_be_read_are_named_without_credentials(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket_client(environment).put_object(Bucket="club", Key="a.pbn", Body=b'[Board "1"]\n')
    for name in environment:
        monkeypatch.delenv(name)
    options = {**environment, "AWS_S3_ALLOW_UNSAFE_RENAME": "true"}
    store = Store(str(tmp_path / "archive"), options)
    outcome = ingest(store, ["s3://club/a.pbn", "s3://club/none.pbn", "s3://nobody/"], AtOnce())
    assert (1, ["s3://club/none.pbn", "s3://nobody/"]) == (outcome.progress.files, outcome.problems["source"].to_list())
    # A store may repeat what it was sent.
    command(environment, "reset-auth", b"0")
    refused = ingest(store, ["s3://club/a.pbn"], AtOnce()).problems["message"].item()
    assert "403 Forbidden" in refused
    assert PASSWORD not in refused
    with pytest.raises(ArchiveError, match="must not hold a password"):
        ingest(store, [f"s3://key:{PASSWORD}@club/a.pbn"], AtOnce())
