"""Zips of files, which every command reads as a folder of them."""

import io
import warnings
import zipfile
from pathlib import Path

import polars as pl
import pytest

from overtrick.core.atomic_write import MANIFEST
from overtrick.core.config import Config
from overtrick.files.assemble import read
from overtrick.files.formats import zips
from overtrick.files.formats.looks import list_files
from tests.apps.cli.test_settings import VERBS
from tests.support.commands import FIXTURES, run
from tests.support.evaluating import evaluate
from tests.support.reading import codes

DELIVERY = b"""
[deliver]
scorer = 'Ann Ash'
sender = 'a@club.example'
telephone = '1'
server = 'smtps://mail.club.example'
[deliver.ecats]
country = 'Wales'
"""
PLAYED, DEALS = "spring-pairs.csv", "spring-pairs.dup"


def packed(**files: bytes) -> bytes:
    """Return a zip of files; `__` in a name stands for the dot."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "."), data)
    return content.getvalue()


def put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def codes_of(path: Path) -> list[str]:
    return codes(read([str(path)]).problems)


def fixture(name: str) -> bytes:
    return (FIXTURES / name).read_bytes()


@pytest.mark.slow
def test_a_zip_is_read_as_the_folder_that_it_holds(tmp_path: Path) -> None:
    names = (PLAYED, DEALS, "bbo-traveller.html")
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in names:
        put(folder / name, fixture(name))
    archive = tmp_path / "evening.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for name in (*names, "__MACOSX/._spring-pairs.csv", ".DS_Store", "letter.html", "club.toml"):
            made.writestr(name, fixture(name) if name in names else b"<html>x")
    within, beside = read([str(archive)]), read([str(folder)])
    assert [f"{archive}/{name}" for name in sorted(names)] == sorted(within.sources["source"])
    assert within.results.drop("source").equals(beside.results.drop("source"))
    assert within.records.drop("source").equals(beside.records.drop("source"))


@pytest.mark.parametrize("verb", [verb for verb, words in VERBS.items() if "{file}" in words])
def test_each_command_takes_a_zip(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "evening.pbn" if verb == "fix" else "evening.csv"
    sound = "club-evening.pbn" if verb == "fix" else PLAYED
    put(tmp_path / "evening.zip", packed(**{name: fixture(sound)}))
    put(tmp_path / "club.toml", DELIVERY)
    done = run(*(word.format(file="evening.zip", folder=".", out="out") for word in VERBS[verb]))
    assert done.status in {0, 1}, done.err
    assert "evening.zip" not in done.err or "Settings" in done.err, done.err


def test_of_a_zip_only_what_is_of_an_evening_is_read(tmp_path: Path) -> None:
    archive = tmp_path / "club.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("mon/evening.csv", fixture(PLAYED))
        for left_out in ("site/.overtrick-manifest/x", "site/session.csv", "mon/rejected/old.csv", "x.delivered/a.csv"):
            made.writestr(left_out.replace(".overtrick-manifest/x", MANIFEST), fixture(PLAYED))
    assert [f"{archive}/mon/evening.csv"] == list_files(str(archive))


def test_a_correction_beside_a_zip_counts(tmp_path: Path) -> None:
    archive = put(tmp_path / "evening.zip", packed(evening__csv=fixture(PLAYED)))
    run("correct", archive, "--board", "1", "--pair", "1", "--tricks", "8", "--why", "misread")
    assert (tmp_path / "evening.corrections.toml").exists()
    assert 8 == evaluate([str(archive)], Config()).results.row(0, named=True)["tricks"]


def test_a_zip_that_is_damaged_or_holds_too_much_is_one_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = packed(evening__csv=fixture(PLAYED))
    assert ["file-unreadable"] == codes_of(put(tmp_path / "cut.zip", sound[:200]))
    outside = io.BytesIO()
    with zipfile.ZipFile(outside, "w") as archive:
        archive.writestr("../evening.csv", fixture(PLAYED))
    assert ["file-unreadable"] == codes_of(put(tmp_path / "outside.zip", outside.getvalue()))
    monkeypatch.setattr(zips, "MOST_UNPACKED", 100)
    assert ["file-unreadable"] == codes_of(put(tmp_path / "large.zip", sound))


def test_of_a_zip_with_a_damaged_file_the_others_are_read(tmp_path: Path) -> None:
    whole = packed(deals__dup=fixture(DEALS), evening__csv=fixture(PLAYED))
    at = whole.index(b"evening.csv") + 60
    spoiled = whole[:at] + bytes(byte ^ 0xFF for byte in whole[at : at + 100]) + whole[at + 100 :]
    session = read([str(put(tmp_path / "spoiled.zip", spoiled))])
    assert [f"{tmp_path}/spoiled.zip/deals.dup"] == session.sources["source"].to_list()
    assert ["evening.csv"] == [
        Path(source).name for source in session.problems.filter(pl.col("code") == "file-unreadable")["source"]
    ]


@pytest.mark.parametrize(("depth", "is_read"), [(39, True), (40, False), (480, False)])
def test_folders_within_folders_end_somewhere(depth: int, is_read: bool, tmp_path: Path) -> None:
    archive = tmp_path / "deep.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("a/" * depth + "evening.csv", fixture(PLAYED))
    assert is_read == ("file-unreadable" not in codes_of(archive))


def test_two_files_of_one_name_are_not_taken_for_one(tmp_path: Path) -> None:
    archive = tmp_path / "evening.zip"
    with zipfile.ZipFile(archive, "w") as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for content in (fixture(PLAYED), fixture(PLAYED).replace(b"4S", b"3S")):
            made.writestr("evening.csv", content)
    assert ["file-unreadable"] == codes_of(archive)


def test_a_zip_and_a_file_beside_it_are_one_evening(tmp_path: Path) -> None:
    archive = put(tmp_path / "evening.zip", packed(deals__dup=fixture(DEALS)))
    played = put(tmp_path / "evening.csv", fixture(PLAYED))
    done = run("bulletin", archive, played, "--no-pdf", "--no-dd", "--out", tmp_path / "site")
    assert 0 == done.status, done.err
    assert 2 == len(read([str(archive), str(played)]).sources)


def test_files_in_a_zip_are_not_mended_in_place(tmp_path: Path) -> None:
    archive = put(tmp_path / "evening.zip", packed(evening__pbn=b'[Board "1"]  \n[Dealer "n"]\n'))
    before = archive.read_bytes()
    done = run("fix", "--write", archive)
    assert done.status
    assert "unpack the zip" in done.err
    assert before == archive.read_bytes()
