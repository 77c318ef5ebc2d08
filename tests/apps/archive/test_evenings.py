"""The files of one evening are one session in an archive, whenever they come and whoever reads them."""

import pickle
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from overtrick.apps.archive import work
from overtrick.apps.archive.evenings import Boards
from overtrick.apps.archive.ingest import ingest
from overtrick.apps.archive.inputs import OF_EVENING
from overtrick.apps.archive.store import Store
from overtrick.apps.archive.tables import as_stated
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.files.assemble import assemble
from overtrick.files.formats.base import Small
from overtrick.files.formats.looks import find_format
from overtrick.files.formats.pbn.write import pbn_again
from overtrick.files.formats.read import read_files, read_source
from overtrick.files.formats.text import Source
from tests.support.archives import AtOnce, assert_same_archive, ingested, rows, take_in, write_files
from tests.support.evaluating import evaluate

HEAD = "event,date,scoring,board,ns,ew,contract,declarer,tricks,names_ns,names_ew\n"
PLAYED = ("4S,N,10", "4S,N,11", "3NT,E,9", "2H,W,8")
NAMES = {1: "Ada Quill - Ben Moss", 2: "Cy Dunn - Di Eads", 3: "Fay Reed - Gus Lane", 4: "Hal Birch - Ivy Marsh"}


def _lines(date: str, boards: range, changed: str = "") -> str:
    """Return results of two tables, of pairs 1 and 2 N-S and 3 and 4 E-W."""
    lines: list[str] = []
    for board in boards:
        for table in (0, 1):
            ns, ew = 1 + table, 3 + (table + board) % 2
            played = changed if changed and not lines else PLAYED[(board + table) % 4]
            lines.append(f"Tuesday,{date},MP,{board},{ns},{ew},{played},{NAMES[ns]},{NAMES[ew]}\n")
    return HEAD + "".join(lines)


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """Return a folder with one evening as `tuesday.csv`, `tuesday.pbn` and `tuesday.xml`."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "tuesday.csv").write_text(_lines("2026.10.13", range(1, 7)))
    for suffix in ("pbn", "xml"):
        session = evaluate([str(folder / "tuesday.csv")], Config())
        form = find_format(f".{suffix}")
        assert form
        assert form.write
        (folder / f"tuesday.{suffix}").write_bytes(form.write(session).content)
    return folder


def _results(archive: Path) -> pl.DataFrame:
    columns = ["board", "ns", "ew", "tricks", "points_ns", "percentage_ew"]
    return rows(archive)["results"].select(columns).sort("board", "ns", "ew")


def test_each_file_of_a_folder_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in ("2026-10-06", "2026-10-13", "2026-10-20"):
        (tmp_path / f"{day}.csv").write_text(_lines(day, range(1, 7)))
    read: list[str] = []

    def read_and_note(source: Source, name: str) -> Iterator[Session | Small]:
        read.append(Path(name).name)
        return read_source(source, name)

    monkeypatch.setattr(work, "read_source", read_and_note)
    ingest(Store(str(tmp_path / "archive")), [str(tmp_path)], AtOnce())
    assert ["2026-10-06.csv", "2026-10-13.csv", "2026-10-20.csv"] == read


@pytest.mark.slow
def test_results_in_three_formats_are_in_the_archive_once(tmp_path: Path, evening: Path) -> None:
    take_in(tmp_path / "one", evening / "tuesday.csv")
    take_in(tmp_path / "all", evening)
    assert 12 == _results(tmp_path / "all").height
    assert_frame_equal(_results(tmp_path / "one"), _results(tmp_path / "all"), check_dtypes=False)
    told = rows(tmp_path / "all")["problems"].filter(pl.col("code") == "ingest-evening")["message"].to_list()
    same = [f"tuesday.{suffix} holds the same 12 results" for suffix in ("pbn", "xml")]
    assert ["; ".join(["one evening: 12 results from tuesday.csv", *same])] == told


@pytest.mark.slow
def test_the_same_evening_again_adds_nothing(tmp_path: Path, evening: Path) -> None:
    take_in(tmp_path / "archive", evening)
    before = rows(tmp_path / "archive")
    outcome = take_in(tmp_path / "archive", evening)
    assert (0, 3) == (outcome.progress.files, outcome.progress.skipped)
    for name, frame in rows(tmp_path / "archive").items():
        assert_frame_equal(before[name], frame)


@pytest.mark.parametrize("late", ["tuesday.csv", "tuesday.pbn", "tuesday.xml"])
@pytest.mark.slow
def test_a_file_that_comes_later_joins_its_evening(tmp_path: Path, evening: Path, late: str) -> None:
    (evening / late).rename(tmp_path / late)
    take_in(tmp_path / "archive", evening)
    (tmp_path / late).rename(evening / late)
    take_in(tmp_path / "archive", evening)
    take_in(tmp_path / "fresh", evening)
    assert_same_archive(tmp_path / "fresh", tmp_path / "archive")


@pytest.mark.slow
def test_a_file_named_alone_joins_nothing_until_the_others_are_named_too(tmp_path: Path, evening: Path) -> None:
    for name in ("tuesday.csv", "tuesday.pbn"):
        take_in(tmp_path / "archive", evening / name)
    assert 24 == _results(tmp_path / "archive").height
    take_in(tmp_path / "archive", evening)
    assert 12 == _results(tmp_path / "archive").height


@pytest.mark.slow
def test_a_changed_file_is_put_together_with_its_evening_again(tmp_path: Path, evening: Path) -> None:
    take_in(tmp_path / "archive", evening)
    (evening / "tuesday.xml").unlink()
    (evening / "tuesday.pbn").unlink()
    (evening / "tuesday.pbn").write_bytes(b"% deals alone\n")
    (evening / "tuesday-results.csv").write_text(_lines("2026.10.13", range(1, 7), changed="1C,W,7"))
    outcome = take_in(tmp_path / "archive", evening)
    assert outcome.problems.is_empty()
    assert {"result-differs"} == set(
        rows(tmp_path / "archive")["problems"].filter(pl.col("severity") == "error")["code"]
    )


def test_parts_of_an_evening_are_compared_as_one_field(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    head, *lines = _lines("2026.10.13", range(1, 7)).splitlines(keepends=True)
    (folder / "whole.csv").write_text(head + "".join(lines))
    take_in(tmp_path / "one", folder)
    (folder / "whole.csv").unlink()
    for name, part in (("table1.csv", lines[::2]), ("table2.csv", lines[1::2])):
        (folder / name).write_text(head + "".join(part))
    take_in(tmp_path / "parts", folder)
    assert_frame_equal(_results(tmp_path / "one"), _results(tmp_path / "parts"))


def test_other_days_and_other_folders_are_other_evenings(tmp_path: Path) -> None:
    for folder, date in (("a", "2026.10.13"), ("b", "2026.10.13"), ("c", "2026.10.20")):
        (tmp_path / "files" / folder).mkdir(parents=True)
        (tmp_path / "files" / folder / "tuesday.csv").write_text(
            _lines(date, range(1, 7), changed=f"1C,W,{ord(folder) - 90}")
        )
    (tmp_path / "files" / "c" / "tuesday-results.csv").write_text(_lines("2026.10.27", range(1, 7)))
    take_in(tmp_path / "archive", tmp_path / "files")
    assert 48 == _results(tmp_path / "archive").height
    assert not rows(tmp_path / "archive")["sources"]["sha256"].str.contains(OF_EVENING, literal=True).any()


@pytest.mark.slow
def test_an_evening_in_a_container_is_one(tmp_path: Path, evening: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        # The files of an evening need not be neighbours.
        for number, file in enumerate(sorted(evening.iterdir())):
            packed.write(file, f"deep/{file.name}")
            packed.writestr(f"deep/other{number}.csv", _lines(f"2025.01.0{number + 1}", range(1, 5)))
    take_in(tmp_path / "archive", tmp_path / "all.zip")
    assert 12 + 3 * 8 == _results(tmp_path / "archive").height
    outcome = take_in(tmp_path / "archive", tmp_path / "all.zip")
    assert (0, 6) == (outcome.progress.files, outcome.progress.skipped)


def test_a_copied_evening_is_listed_and_its_rows_are_there_once(tmp_path: Path, evening: Path) -> None:
    shutil.copytree(evening, tmp_path / "files" / "copy")
    outcome = take_in(tmp_path / "archive", evening)
    tables = rows(tmp_path / "archive")
    assert 6 == outcome.progress.files == tables["sources"].height
    assert 3 == tables["sources"]["sha256"].n_unique()
    assert 12 == tables["results"].height


@pytest.mark.slow
def test_worker_processes_put_evenings_together_as_one_does(tmp_path: Path, evening: Path) -> None:
    write_files(evening / "others", 5, 4)
    take_in(tmp_path / "one", evening)
    ingested(tmp_path / "two", evening, workers=2)
    assert_same_archive(tmp_path / "one", tmp_path / "two")


@pytest.mark.slow
def test_corrections_of_an_evening_count_in_an_archive(tmp_path: Path, evening: Path) -> None:
    text = '[[correction]]\nboard = 1\npair = "1"\nresult = "1NT N 7"\nwhy = "the slip"\n'
    (evening / "tuesday.corrections.toml").write_text(text)
    take_in(tmp_path / "archive", evening)
    expected = evaluate([str(evening)], Config()).results
    board = pl.col("board") == 1
    columns = ["ns", "ew", "level", "tricks", "points_ns"]
    held = rows(tmp_path / "archive")["results"].filter(board).select(columns).sort("ns")
    assert_frame_equal(expected.filter(board).select(columns).sort("ns"), held, check_dtypes=False)


def test_every_row_of_an_evening_belongs_to_a_file_and_a_record_of_it(tmp_path: Path, evening: Path) -> None:
    (evening / "tuesday.csv").write_text(_lines("2026.10.13", range(1, 8)))
    take_in(tmp_path / "archive", evening)
    tables = rows(tmp_path / "archive")
    for name in ("records", "results", "problems", "items"):
        assert tables[name].join(tables["sources"], on="sha256", how="anti").is_empty()
    numbered = tables["results"].join(tables["records"], on=["sha256", "record"], how="anti")
    assert numbered.is_empty()
    assert tables["results"]["board"].equals(
        tables["results"].join(tables["records"], on=["sha256", "record"], maintain_order="left")["board_right"]
    )


@pytest.mark.slow
def test_the_pbn_file_of_an_evening_is_written_again_as_it_was(tmp_path: Path, evening: Path) -> None:
    take_in(tmp_path / "archive", evening)
    archive = Store(str(tmp_path / "archive"))
    key = archive.sources().filter(pl.col("source").str.ends_with(".pbn"))["sha256"].item()
    again = tmp_path / "again.pbn"
    again.write_bytes(pbn_again(as_stated(archive.rows_of(key))).content)
    columns = ["board", "ns", "ew", "tricks", "points_ns"]
    expected, got = (
        evaluate([str(path)], Config()).results.select(columns) for path in (evening / "tuesday.pbn", again)
    )
    assert_frame_equal(expected, got)


def test_the_boards_of_a_large_file_are_a_set_that_takes_a_bit_for_each() -> None:
    some, others = {-3, 1, 1023, 1024, 2_000_000_000}, {2, 1025, 10_000}
    assert some == set(Boards(some))
    assert len(some) == len(Boards(some))
    assert Boards(some).isdisjoint(Boards(others))
    assert not Boards(some).isdisjoint(Boards(others | {1024}))
    assert some | others == Boards(some) | Boards(others)
    assert Boards(some) <= Boards(some | others)
    assert 2_000 > len(pickle.dumps(Boards(range(1, 10_001))))


def test_of_two_objects_of_one_name_the_newer_counts(tmp_path: Path) -> None:
    for number, tricks in enumerate(("4S,N,9", "4S,N,10")):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "tuesday.csv").write_text(_lines("2026.10.13", range(1, 3), tricks), "utf-8")
    paths = [str(tmp_path / str(number) / "tuesday.csv") for number in (0, 1)]
    for order, made in (((2, 1), 9), ((1, 2), 10)):
        session = assemble(read_files(paths), "together", changed=dict(zip(paths, order, strict=True)))
        assert made == session.results.filter(pl.col("board") == 1, pl.col("ns") == "1")["tricks"].item()
