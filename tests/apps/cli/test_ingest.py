"""`overtrick ingest` and `overtrick archive compact`."""

import sys
from pathlib import Path

import pytest
import xlsxwriter

from overtrick.apps.archive.store import Store
from tests.support.archives import AtOnce, take_in, write_files
from tests.support.commands import FIXTURES, run, start


@pytest.mark.slow
def test_ingest_counts_what_it_added(tmp_path: Path) -> None:
    write_files(tmp_path / "files", 2, 3)
    ran = start("ingest", tmp_path / "files", "--archive", tmp_path / "archive", "--workers", "1")
    assert (0, "", "2 files with 6 records added, 0 unchanged, 0 failed\n") == (ran.status, ran.out, ran.err)


@pytest.fixture
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.apps.archive.workers.Processes", lambda _: AtOnce())


@pytest.mark.slow
@pytest.mark.usefixtures("no_processes")
def test_a_spreadsheet_in_a_folder_is_ingested(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(str(tmp_path / "spring.xlsx")) as book:
        sheet = book.add_worksheet()
        for at, line in enumerate((FIXTURES / "spring-pairs.csv").read_text("utf-8").splitlines()):
            sheet.write_row(at, 0, line.split(","))
    ran = run("ingest", tmp_path, "--archive", tmp_path / "archive")
    assert (0, "1 file with 2 records added, 0 unchanged, 0 failed\n") == (ran.status, ran.err)


@pytest.mark.usefixtures("no_processes")
def test_ingest_reports_what_it_can_not_read(tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"no zip")
    ran = run("ingest", tmp_path / "broken.zip", "--archive", tmp_path / "archive")
    assert 1 == ran.status
    assert "broken.zip" in ran.err
    assert "file-damaged" in ran.err


def test_an_archive_that_can_t_be_created_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    ran = run("ingest", tmp_path, "--archive", tmp_path / "file" / "archive")
    assert 2 == ran.status
    assert "can't create an archive here" in ran.err


def test_without_the_package_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "deltalake", None)
    monkeypatch.setattr("overtrick.apps.cli.options.find_spec", lambda name: None if name == "deltalake" else name)
    ran = run("ingest", tmp_path, "--archive", tmp_path / "archive")
    assert (2, "overtrick: archives need the package deltalake; get it with: pip install 'overtrick[archive]'\n") == (
        ran.status,
        ran.err,
    )


@pytest.mark.slow
def test_compact_packs_an_archive(tmp_path: Path) -> None:
    for file in write_files(tmp_path / "files", 2, 3):
        take_in(tmp_path / "archive", file)
    store = Store(str(tmp_path / "archive"))
    assert 2 == len(store.tables()["records"].file_uris())
    assert 0 == run("archive", "compact", tmp_path / "archive").status
    assert 1 == len(store.tables()["records"].file_uris())


def test_compact_without_an_archive_is_wrong_usage(tmp_path: Path) -> None:
    ran = run("archive", "compact", tmp_path / "none")
    assert 2 == ran.status
    assert f"create one with: overtrick ingest FILE --archive {tmp_path / 'none'}" in ran.err
