"""A folder of evenings: what is one evening, and where dropped files go."""

import zipfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from overtrick.apps.archive.inputs import list_files as list_archive_files
from overtrick.apps.desk.serve import LONGEST, MEMORY
from overtrick.apps.evening.club import list_evening_files
from overtrick.apps.evening.shelf import find_shelved, list_shelf, resume_arrivals, take_in
from overtrick.apps.inbox.arriving import ArrivalError, check_name, unpack
from overtrick.apps.inbox.worker import FaultError, LostError, Worker
from overtrick.files.formats.looks import list_files, list_places
from tests.support.commands import FIXTURES, run

RESULTS = (FIXTURES / "spring-pairs.csv").read_bytes()
DEALS = (FIXTURES / "spring-pairs.dup").read_bytes()
PBN = (FIXTURES / "club-evening.pbn").read_bytes()


def names(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and ".overtrick" not in path.parts
    }


@pytest.mark.parametrize("error", [LostError("it took more than 60 seconds"), FaultError("ValueError: no")])
def test_a_file_that_ends_its_reader_is_named_and_the_others_are_taken_in(tmp_path: Path, error: Exception) -> None:
    def run(work: Callable[..., Any], arguments: Sequence[Any], _: Path | None) -> object:
        if arguments[0].name == "bad.csv":
            raise error
        return work(*arguments)

    arrived = take_in(tmp_path, [("bad.csv", RESULTS), ("tuesday.csv", RESULTS)], run=run)
    assert [
        ("bad.csv", "", f"overtrick cannot read it: {error}"),
        ("tuesday.csv", "tuesday", "an evening of its own"),
    ] == [(one.name, one.evening, one.why) for one in arrived]
    assert not (tmp_path / "bad").exists()


@pytest.mark.slow
def test_another_process_reads_what_arrives(tmp_path: Path) -> None:
    worker = Worker(MEMORY, LONGEST)
    try:
        arrived = take_in(tmp_path, [("tuesday.csv", RESULTS), ("letter.docx", b"PK-not")], run=worker.run)
    finally:
        worker.close()
    assert [("letter.docx", ""), ("tuesday.csv", "tuesday")] == sorted((one.name, one.evening) for one in arrived)


def test_folders_and_files_of_one_name_are_evenings(tmp_path: Path) -> None:
    (tmp_path / "monday").mkdir()
    (tmp_path / "monday" / "x.pbn").write_bytes(PBN)
    (tmp_path / "done" / "sunday").mkdir(parents=True)
    (tmp_path / "done" / "sunday" / "x.pbn").write_bytes(PBN)
    for name in ("tuesday.pbn", "tuesday.dup", "club.toml", "members.csv", "notes.txt", ".hidden.pbn"):
        (tmp_path / name).write_bytes(PBN if name.endswith("pbn") else DEALS if name.endswith("dup") else b"a,b\n")
    assert {"monday", "sunday", "tuesday"} == {one.name for one in list_shelf(tmp_path)}
    found = find_shelved(tmp_path, "tuesday")
    assert found
    assert ["tuesday.dup", "tuesday.pbn"] == [path.name for path in found.files]
    assert "tuesday.corrections.toml" == found.corrections.name


def test_deals_that_come_with_one_file_of_results_are_its_own(tmp_path: Path) -> None:
    arrived = take_in(tmp_path, [("hands.dup", DEALS), ("tuesday.csv", RESULTS)])
    assert {"tuesday/hands.dup", "tuesday/tuesday.csv"} == names(tmp_path)
    assert {"the only results that came with these deals"} == {one.why for one in arrived}


def test_files_of_two_evenings_are_two_evenings(tmp_path: Path) -> None:
    take_in(tmp_path, [("tuesday.pbn", PBN), ("spring.csv", RESULTS), ("strange.dup", DEALS)])
    assert {"tuesday/tuesday.pbn", "spring/spring.csv", "strange/strange.dup"} == names(tmp_path)


def test_a_newer_file_takes_the_place_of_the_other_which_is_kept(tmp_path: Path) -> None:
    take_in(tmp_path, [("tuesday.csv", RESULTS)])
    (again,) = take_in(tmp_path, [("tuesday.csv", RESULTS)])
    assert "the same file was there already" == again.why
    newer = RESULTS.replace(b"HQ", b"HK")
    (arrived,) = take_in(tmp_path, [("tuesday.csv", newer)])
    assert "a newer file of this name; the other one is in the folder earlier" == arrived.why
    assert newer == (tmp_path / "tuesday" / "tuesday.csv").read_bytes()
    assert RESULTS == (tmp_path / "tuesday" / "earlier" / "tuesday.csv").read_bytes()


def test_a_file_of_no_kind_is_named_and_not_kept(tmp_path: Path) -> None:
    (arrived,) = take_in(tmp_path, [("letter.docx", b"PK-not")])
    assert ("", "overtrick does not know this kind of file") == (arrived.evening, arrived.why)
    assert set() == names(tmp_path)


def test_a_scorer_may_choose_the_evening(tmp_path: Path) -> None:
    (tmp_path / "tuesday.csv").write_bytes(RESULTS)
    take_in(tmp_path, [("hands.dup", DEALS)], into="tuesday")
    assert {"tuesday.csv", "hands.dup"} == names(tmp_path)


def test_a_zip_is_unpacked(tmp_path: Path) -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("evening/tuesday.csv", RESULTS)
        archive.writestr("__MACOSX/._tuesday.csv", b"x")
    take_in(tmp_path, unpack([("all.zip", packed.getvalue())]))
    assert {"tuesday/tuesday.csv"} == names(tmp_path)


def zipped(files: dict[str, bytes]) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


OTHER = RESULTS.replace(b"2026.03.07", b"2026.03.09")


def test_files_of_one_name_in_a_zip_or_a_drop_are_two_evenings(tmp_path: Path) -> None:
    week = zipped({"mon/results.csv": RESULTS, "wed/results.csv": OTHER, "again/Results.csv": RESULTS})
    take_in(tmp_path, unpack([("week.zip", week)]))
    assert {"again/mon-results.csv", "wed/wed-results.csv", "again/again-Results.csv"} == names(tmp_path)
    dropped = unpack([("a.csv", RESULTS), ("a.csv", OTHER), ("a.csv", RESULTS)])
    assert [("a.csv", RESULTS), ("a-2.csv", OTHER)] == dropped


def test_files_of_a_chosen_folder_have_its_name_where_two_have_theirs() -> None:
    chosen = [("week/mon/results.csv", RESULTS), ("week/wed/results.csv", OTHER), ("week/hands.dup", DEALS)]
    assert ["week-mon-results.csv", "week-wed-results.csv", "hands.dup"] == [name for name, _ in unpack(chosen)]
    for name in ("../a.csv", "/etc/a.csv", "week/../../a.csv", "week\\a.csv", "week//a.csv"):
        with pytest.raises(ArrivalError):
            unpack([(name, RESULTS)])


def test_a_workbook_is_no_zip_of_files(tmp_path: Path) -> None:
    assert 0 == run("template", tmp_path / "evening.xlsx").status
    content = (tmp_path / "evening.xlsx").read_bytes()
    assert [("evening", content)] == unpack([("evening", content)])


def test_what_a_killed_desk_left_is_taken_in_whole_or_not_at_all(tmp_path: Path) -> None:
    arriving = tmp_path / ".overtrick" / "arriving"
    for place, content in (("0a1b", RESULTS), ("2c3d.part", RESULTS[:100])):
        (arriving / place).mkdir(parents=True)
        (arriving / place / f"{place[:4]}.csv").write_bytes(content)
    (arrived,) = resume_arrivals(tmp_path)
    assert ("0a1b.csv", "0a1b") == (arrived.name, arrived.evening)
    assert RESULTS == (tmp_path / "0a1b" / "0a1b.csv").read_bytes()
    assert [] == list(arriving.iterdir())
    assert [] == resume_arrivals(tmp_path)


def test_a_damaged_zip_is_refused() -> None:
    with pytest.raises(ArrivalError, match="can't be read"):
        list(unpack([("all.zip", b"PK\x03\x04 and no more")]))


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "\x00", "nul", "a:b", "x" * 300])
def test_a_name_that_no_file_can_have_is_refused(name: str) -> None:
    with pytest.raises(ArrivalError):
        check_name(name)


def test_every_way_to_read_a_folder_finds_the_same_evenings(tmp_path: Path) -> None:
    """The folder of a club holds its website, an archive, earlier versions and settings beside its evening."""
    evening = tmp_path / "tuesday.csv"
    evening.write_bytes(RESULTS)
    others = (
        *("club.toml", "members.csv", "tuesday.corrections.toml", ".tuesday.pbn", "earlier/tuesday.pbn"),
        *("site/overtrick-site.json", "site/tuesday/evening.pbn", "season/overtrick-season.json", "season/a.pbn"),
        *("archive/results/_delta_log/0.json", "archive/results/a.pbn", ".overtrick/a.pbn", "rejected/b.pbn"),
        *("tuesday.delivered/a.pbn", "notes.txt"),
    )
    for name in others:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("" if name.endswith(".toml") else "{}", "utf-8")
    assert [str(evening)] == list_files(str(tmp_path))
    assert ([evening], []) == list_places(tmp_path)
    assert [evening] == list_evening_files(tmp_path)
    assert [("tuesday", (evening,))] == [(shelved.name, shelved.files) for shelved in list_shelf(tmp_path)]
    assert [evening] == list_archive_files([str(tmp_path)])[0]
