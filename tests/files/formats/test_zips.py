"""Zips of files, which every command reads as a folder of them."""

import io
import zipfile
from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.files.assemble import read
from overtrick.files.formats import zips
from tests.support.commands import FIXTURES, run
from tests.support.evaluating import evaluate
from tests.support.reading import codes

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


@pytest.mark.parametrize(
    "arguments",
    [
        *(("check",), ("score",), ("convert", "made.pbn"), ("bulletin", "--no-pdf", "--no-dd", "--out", "site")),
        ("correct", "--board", "1", "--pair", "1", "--tricks", "8", "--why", "misread"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_each_command_takes_a_zip(arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "evening.zip", packed(evening__csv=fixture(PLAYED)))
    done = run(arguments[0], "evening.zip", *arguments[1:])
    assert 0 == done.status, done.err


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
    spoiled = sound[:60] + bytes(byte ^ 0xFF for byte in sound[60:160]) + sound[160:]
    assert ["file-unreadable"] == codes_of(put(tmp_path / "spoiled.zip", spoiled))
    outside = io.BytesIO()
    with zipfile.ZipFile(outside, "w") as archive:
        archive.writestr("../evening.csv", fixture(PLAYED))
    assert ["file-unreadable"] == codes_of(put(tmp_path / "outside.zip", outside.getvalue()))
    monkeypatch.setattr(zips, "MOST_UNPACKED", 100)
    assert ["file-unreadable"] == codes_of(put(tmp_path / "large.zip", sound))


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
