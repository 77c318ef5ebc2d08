"""Files become rows of an archive once, whatever happens to their names."""

import io
import shutil
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from overtrick.apps.archive import ingest as ingest_module
from overtrick.apps.archive import work as work_module
from overtrick.apps.archive.inputs import Piece
from overtrick.apps.archive.store import Store
from overtrick.apps.archive.tables import DATA, as_stated
from overtrick.apps.archive.work import Done, judge_files, work
from overtrick.core.config import Config
from overtrick.files.assemble import read
from overtrick.files.formats.pbn.write import pbn_again
from overtrick.pipeline import evaluate
from tests.support.archives import AtOnce, assert_same_archive, ingested, rows, take_in, write_files
from tests.support.commands import FIXTURES


@pytest.mark.slow
def test_a_file_is_scored_in_the_archive_as_it_is_alone(tmp_path: Path) -> None:
    evening = FIXTURES / "club-evening.pbn"
    take_in(tmp_path / "archive", FIXTURES)
    alone = evaluate(read([str(evening)]), Config()).results
    source = pl.col("source") == str(evening)
    tables = rows(tmp_path / "archive")
    held = tables["results"].join(tables["sources"].filter(source), on="sha256", how="semi")
    columns = ["board", "ns", "ew", "score_ns", "points_ns", "percentage_ew"]
    order = ["record", "line", "column"]
    assert_frame_equal(alone.sort(order).select(columns), held.sort(order).select(columns))


def test_the_same_bytes_twice_add_nothing(tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", 2, 4)
    take_in(tmp_path / "archive", *files)
    before = rows(tmp_path / "archive")
    outcome = take_in(tmp_path / "archive", *files)
    assert (0, 2) == (outcome.progress.files, outcome.progress.skipped)
    for name, frame in rows(tmp_path / "archive").items():
        assert_frame_equal(before[name], frame)


def test_a_copy_is_listed_and_its_rows_are_there_once(tmp_path: Path) -> None:
    (file,) = write_files(tmp_path / "files", 1, 4)
    shutil.copy(file, tmp_path / "files" / "copy.pbn")
    take_in(tmp_path / "archive", tmp_path / "files")
    tables = rows(tmp_path / "archive")
    assert ["copy.pbn", "evening-00.pbn"] == [Path(name).name for name in tables["sources"]["source"]]
    assert 4 == tables["records"].height


@pytest.mark.slow
def test_a_corrected_file_replaces_its_rows(tmp_path: Path) -> None:
    one, two = write_files(tmp_path / "files", 2, 4)
    take_in(tmp_path / "archive", one, two)
    one.write_text(two.read_text() + "\n% corrected\n")
    take_in(tmp_path / "archive", one, two)
    take_in(tmp_path / "fresh", one, two)
    assert_same_archive(tmp_path / "fresh", tmp_path / "archive")


@pytest.mark.slow
def test_files_that_change_names_keep_their_rows(tmp_path: Path) -> None:
    one, two = write_files(tmp_path / "files", 2, 4)
    take_in(tmp_path / "archive", one, two)
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)
    take_in(tmp_path / "archive", one, two)
    take_in(tmp_path / "fresh", one, two)
    assert_same_archive(tmp_path / "fresh", tmp_path / "archive")


@pytest.mark.slow
def test_the_order_of_paths_changes_nothing(tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", 3, 4)
    take_in(tmp_path / "one", *files)
    take_in(tmp_path / "other", *reversed(files))
    assert_same_archive(tmp_path / "one", tmp_path / "other")


def test_files_inside_zip_and_tar_are_read(tmp_path: Path) -> None:
    one, two = write_files(tmp_path / "files", 2, 4)
    with zipfile.ZipFile(tmp_path / "season.zip", "w", zipfile.ZIP_DEFLATED) as container:
        container.write(one, "week/one.pbn")
    with tarfile.open(tmp_path / "season.tar.gz", "w:gz") as container:
        container.add(two, "two.pbn")
    take_in(tmp_path / "archive", tmp_path / "season.zip", tmp_path / "season.tar.gz")
    tables = rows(tmp_path / "archive")
    assert ["season.tar.gz/two.pbn", "season.zip/week/one.pbn"] == [
        str(Path(name).relative_to(tmp_path)) for name in tables["sources"]["source"]
    ]
    assert 8 == tables["records"].height


def test_a_large_file_inside_a_container_is_unpacked_by_the_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("overtrick.apps.archive.inputs.CARRIED", 100)
    files = write_files(tmp_path / "files", 2, 4)
    with tarfile.open(tmp_path / "season.tar", "w") as container:
        for file in files:
            container.add(file, file.name)
    take_in(tmp_path / "archive", tmp_path / "season.tar")
    assert 8 == rows(tmp_path / "archive")["records"].height


@pytest.mark.slow
def test_a_truncated_zip_is_reported_and_ingested_when_it_is_whole(tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", 2, 4)
    season, archive = tmp_path / "season.zip", tmp_path / "archive"
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as container:
        for file in files:
            container.write(file, file.name)
    season.write_bytes(whole.getvalue()[:-200])
    assert ["file-damaged"] == take_in(archive, season).problems["code"].to_list()
    season.write_bytes(whole.getvalue())
    take_in(archive, season)
    take_in(tmp_path / "fresh", season)
    assert_same_archive(tmp_path / "fresh", archive)


def test_a_vanished_file_is_reported_and_the_others_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = write_files(tmp_path / "files", 2, 4)

    def after_deletion(uri: str, options: dict[str, str], settings: Config, pieces: tuple[Piece, ...]) -> Done:
        files[0].unlink(missing_ok=True)
        return work(uri, options, settings, pieces)

    monkeypatch.setattr("overtrick.apps.archive.ingest.work", after_deletion)
    outcome = take_in(tmp_path / "archive", *files)
    assert ["file-unreadable"] == outcome.problems["code"].to_list()
    assert 4 == rows(tmp_path / "archive")["records"].height


def test_a_copy_replaces_a_vanished_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (file,) = write_files(tmp_path / "files", 1, 4)
    shutil.copy(file, tmp_path / "files" / "z-copy.pbn")

    def after_deletion(uri: str, options: dict[str, str], settings: Config, pieces: tuple[Piece, ...]) -> Done:
        file.unlink(missing_ok=True)
        return work(uri, options, settings, pieces)

    monkeypatch.setattr("overtrick.apps.archive.ingest.work", after_deletion)
    take_in(tmp_path / "archive", tmp_path / "files")
    tables = rows(tmp_path / "archive")
    assert ["z-copy.pbn"] == [Path(name).name for name in tables["sources"]["source"]]
    assert 4 == tables["records"].height


@pytest.mark.slow
def test_a_file_on_which_overtrick_fails_is_quarantined_and_read_after_the_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write_files(tmp_path / "files", 3, 4)
    poison = files[1].read_bytes()
    archive = tmp_path / "archive"

    def failing(piece: Piece) -> list[object]:
        if piece.source == str(files[1]):
            raise ValueError("a mistake")
        return _read(piece)  # type: ignore[return-value]

    _read = work_module.read_piece
    monkeypatch.setattr(work_module, "read_piece", failing)
    outcome = take_in(archive, *files)
    assert ["ingest-failed"] == outcome.problems["code"].to_list()
    (kept,) = (archive / "quarantine").iterdir()
    assert poison == (kept / "content").read_bytes()
    assert "ValueError: a mistake" in (kept / "traceback.txt").read_text()
    tables = rows(archive)
    assert [4, 0, 4] == tables["sources"]["records"].to_list()
    assert ["ingest-failed"] == tables["problems"]["code"].to_list()
    monkeypatch.undo()
    take_in(archive, *files)
    take_in(tmp_path / "fresh", *files)
    assert_same_archive(tmp_path / "fresh", archive)


def test_a_bug_in_scoring_costs_one_file_of_a_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = write_files(tmp_path / "files", 3, 4)

    def failing(session, settings):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        if str(files[2]) in session.sources["source"].to_list():
            raise ZeroDivisionError
        return judge_files(session, settings)

    monkeypatch.setattr(work_module, "judge_files", failing)
    take_in(tmp_path / "archive", *files)
    assert [4, 4, 0] == rows(tmp_path / "archive")["sources"]["records"].to_list()


@pytest.mark.slow
def test_a_file_too_large_to_be_one_session_is_scored_and_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file,) = write_files(tmp_path / "files", 1, 40)
    file.write_text(file.read_text().replace("[Dealer", '[DealId "1"]\n[Dealer'))
    monkeypatch.setattr(work_module, "WHOLE", 1000)
    monkeypatch.setattr("overtrick.files.formats.text.BLOCK", 4000)
    take_in(tmp_path / "archive", file)
    tables = rows(tmp_path / "archive")
    assert list(range(40)) == tables["records"]["record"].to_list()
    assert 40 == tables["sources"]["records"].item()
    assert ["ingest-not-compared"] == tables["problems"]["code"].unique().to_list()
    assert 40 == tables["results"]["score_ns"].count()
    assert 0 == tables["results"]["points_ns"].count()
    assert list(range(40)) == tables["items"].filter(name="DealId")["record"].to_list()


EVENINGS = ("line-rounding.pbn", "butler-evening.pbn", "adjusted-scores.pbn")


@pytest.mark.parametrize("name", ["random", *EVENINGS, "odd", "stopped"])
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_rows_are_written_back_as_pbn_that_reads_the_same(tmp_path: Path, name: str) -> None:
    file = FIXTURES / name
    if name == "random":
        (file,) = write_files(tmp_path / "files", 1, 20)
    elif name in {"odd", "stopped"}:
        file = tmp_path / f"{name}.pbn"
        file.write_text(ODD if name == "odd" else STOPPED, "utf-8")
    take_in(tmp_path / "archive", FIXTURES / "club-evening.pbn", file)
    store = Store(str(tmp_path / "archive"))
    session = as_stated(store.rows_of(sha256(file.read_bytes()).hexdigest()))
    (tmp_path / "back.pbn").write_bytes(pbn_again(session).content)
    expected, back = read([str(file)]), read([str(tmp_path / "back.pbn")])
    for frame in ("records", "annotations", "results", "contestants"):
        places = ["source", "line", "column"]
        theirs, ours = (getattr(session, frame).drop(places, strict=False) for session in (expected, back))
        assert_frame_equal(theirs, ours)
    assert set(expected.items["name"]) - {None} <= set(back.items["name"])


@pytest.mark.slow
def test_what_overtrick_does_not_use_is_kept_of_every_format(tmp_path: Path) -> None:
    own, typed = tmp_path / "own.lin", tmp_path / "typed.csv"
    own.write_text((FIXTURES / "two-rooms.lin").read_text().replace("mb|p|", "xx|own|mb|p|", 1))
    head, *lines = (FIXTURES / "spring-pairs.csv").read_text().splitlines()
    typed.write_text("\n".join([f"{head},mood", *(f"{line},calm" for line in lines)]))
    take_in(tmp_path / "archive", own, typed)
    items = rows(tmp_path / "archive")["items"].select("name", "text").unique().sort("name").rows()
    assert [("mood", "calm"), ("xx", "own")] == items


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spring-pairs.xml", "acblscore-game.AC3", "line-rounding.pbn"])
def test_the_contestants_whom_a_file_lists_are_kept(tmp_path: Path, name: str) -> None:
    """Formats that list a result a line have their names nowhere else."""
    take_in(tmp_path / "archive", FIXTURES / "club-evening.pbn", FIXTURES / name)
    store = Store(str(tmp_path / "archive"))
    session = as_stated(store.rows_of(sha256((FIXTURES / name).read_bytes()).hexdigest()))
    expected = read([str(FIXTURES / name)]).contestants
    columns = [column for column in expected.columns if column != "source"]
    assert expected.height > 3
    assert_frame_equal(expected.select(columns), session.contestants.select(columns), check_row_order=False)


ODD = """% PBN 2.1
[Event "Winter pairs"]
[Board "1"]
[North "Bo"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
[Declarer "N"]
[Contract "7S"]
[Result "13"]
[DealId "17"]
[Auction "N"]
7S =1= Pass Pass Pass
[Note "1:all of them"]
[Play "E"]
H2 D2 C2 S2
*

[Event "#"]
[Board "2"]
[North "Ada"]
[Dealer "E"]
[Vulnerable "NS"]
[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
[Declarer "^N"]
[Contract "4S"]
[Result "10"]
{a remark}
"""

STOPPED = """[Event "Tuesday\t"]
[Date "17.11.2026"]
[Board "3"]
[North "Zoë Đurić"]
[Dealer "S"]
[Vulnerable "EW"]
[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
[Declarer "N"]
[Contract "3NT"]
[Result "9"]
[Auction "S"]
Pass Pass 3NT Pass
Pass
[PairNS "1"]
[PairEW "2"]
[Play "E"]
H2 D2 C2 S2

[Event "Tuesday"]
[Board "3"]
[Dealer "S"]
[Vulnerable "EW"]
[Declarer "N"]
[Contract "3NT"]
[Result "10"]
[PairNS "3"]
[PairEW "4"]

[Event "Tuesday"]
[Board "4a"]
[Dealer "W"]
[Vulnerable "All"]
[Deal "N:23456789TJQKA... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
[Declarer "N"]
[Contract "Pass"]
[Result "?"]
[Auction "W"]
Pass
"""


def test_progress_grows_from_nothing_to_all_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two evenings, a copy of one and a file in a container; each file is a task of its own."""
    files = write_files(tmp_path / "files", 2, 1)
    shutil.copy(files[0], tmp_path / "files" / "copy.pbn")
    with zipfile.ZipFile(tmp_path / "files" / "more.zip", "w", zipfile.ZIP_DEFLATED) as container:
        container.writestr("inside.pbn", files[0].read_text("utf-8").replace("North", "Nora"))
    monkeypatch.setattr(ingest_module, "LOOK", 1)
    seen: list[int] = []
    store = Store(str(tmp_path / "archive"))
    folder = [str(tmp_path / "files")]
    outcome = ingest_module.ingest(store, folder, AtOnce(), lambda progress: seen.append(progress.dealt_with))
    assert seen == sorted(seen)
    assert len(set(seen)) > 4
    assert 0 == seen[0]
    assert outcome.progress.total == outcome.progress.dealt_with


@pytest.mark.slow
def test_worker_processes_make_the_same_archive(tmp_path: Path) -> None:
    files = write_files(tmp_path / "files", 4, 4)
    take_in(tmp_path / "one", *files)
    outcome = ingested(tmp_path / "two", *files, workers=2)
    assert (4, 16) == (outcome.progress.files, outcome.progress.records)
    assert_same_archive(tmp_path / "one", tmp_path / "two")


@pytest.mark.slow
def test_every_row_belongs_to_bytes_in_sources(tmp_path: Path) -> None:
    take_in(tmp_path / "archive", FIXTURES)
    tables = rows(tmp_path / "archive")
    known = set(tables["sources"]["sha256"])
    assert [] == [name for name in DATA if not set(tables[name]["sha256"]) <= known]


CORRECTION = '[[corrections]]\nboard = 1\npair = 2\ntricks = 10\nwhy = "entered wrongly"\n'


@pytest.mark.slow
def test_a_file_is_taken_in_with_its_corrections_and_again_when_they_change(tmp_path: Path) -> None:
    plain, corrected = (tmp_path / "files" / name for name in ("plain.csv", "spring.csv"))
    plain.parent.mkdir()
    shutil.copy(FIXTURES / "spring-pairs.csv", corrected)
    plain.write_text(corrected.read_text("utf-8").replace("2026.03.07", "2026.03.14"), "utf-8")
    take_in(tmp_path / "archive", plain, corrected)
    assert {9} == tricks(tmp_path / "archive")
    (tmp_path / "files" / "spring.corrections.toml").write_text(CORRECTION, "utf-8")
    assert 1 == take_in(tmp_path / "archive", plain, corrected).progress.files
    assert {9, 10} == tricks(tmp_path / "archive")
    assert 0 == take_in(tmp_path / "archive", plain, corrected).progress.files
    (tmp_path / "files" / "spring.corrections.toml").unlink()
    take_in(tmp_path / "archive", plain, corrected)
    assert {9} == tricks(tmp_path / "archive")


def tricks(archive: Path) -> set[int]:
    """Return the tricks of pair 2 on board 1 in all files."""
    results = rows(archive)["results"]
    return set(results.filter(pl.col("board") == 1, pl.col("ns") == "2")["tricks"])


def test_rulings_count_in_an_archive(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "spring-pairs.csv", tmp_path / "spring.csv")
    text = '[[corrections]]\nboard = 1\npair = 2\naward = ["60%", "40%"]\nwhy = "x"\n'
    (tmp_path / "spring.corrections.toml").write_text(text, "utf-8")
    take_in(tmp_path / "archive", tmp_path / "spring.csv")
    results = rows(tmp_path / "archive")["results"]
    assert ["60%"] == results.filter(pl.col("board") == 1, pl.col("ns") == "2")["award_ns"].to_list()


def test_what_is_wrong_with_corrections_is_a_problem_of_their_file(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "spring-pairs.csv", tmp_path / "spring.csv")
    (tmp_path / "spring.corrections.toml").write_text(CORRECTION.replace("board = 1", "board = 9"), "utf-8")
    take_in(tmp_path / "archive", tmp_path / "spring.csv", tmp_path / "spring.corrections.toml")
    tables = rows(tmp_path / "archive")
    (problem,) = tables["problems"].filter(pl.col("code") == "correction-unmatched").to_dicts()
    assert tables["sources"]["sha256"].to_list() == [problem["sha256"]]
    assert "spring.corrections.toml:2: board 9, pair 2: no result is on this board" in problem["message"]
    assert 1 == tables["sources"].height
