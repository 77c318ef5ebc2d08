"""`overtrick people`: near misses of a club, and the line that merges them."""

import json
from pathlib import Path

import pytest

from tests.support.commands import FIXTURES, run

EVENING = (FIXTURES / "spring-pairs.csv").read_text("utf-8")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Make a club with two evenings; on the second, two names are spelt otherwise."""
    folder = tmp_path / "club"
    folder.mkdir()
    second = (
        EVENING.replace("2026.03.07", "2026.03.14").replace("Ada Quill", "Ada Quil").replace("Ben Moss", "BEN MOSS")
    )
    (folder / "first.csv").write_text(EVENING, "utf-8")
    (folder / "second.csv").write_text(second, "utf-8")
    return folder


def test_near_misses_come_with_evidence_and_the_command(club: Path) -> None:
    ran = run("people", club)
    assert 0 == ran.status
    assert "Ada Quil = Ada Quill?" in ran.out
    assert "both with Ben Moss; 1 and 1 evenings, never the same" in ran.out
    assert f"overtrick people {club} --merge 'Ada Quill' 'Ada Quil'" in ran.out
    assert "12 people" not in ran.err
    assert "1 may be somebody else's spelling" in ran.err


def test_one_line_merges_for_good(club: Path) -> None:
    assert 0 == run("people", club, "--merge", "Ada Quill", "Ada Quil").status
    assert "Ada Quill,Ada Quil," in (club / "members.csv").read_text("utf-8")
    ran = run("people", club)
    assert "" == ran.out
    assert "12 people on 2 evenings; 0 may be" in ran.err


def test_two_members_are_never_proposed_again(club: Path) -> None:
    assert 0 == run("people", club, "--apart", "Ada Quill", "Ada Quil").status
    assert "" == run("people", club).out


def test_a_list_keeps_all_else_when_a_spelling_is_added(club: Path) -> None:
    before = b"\xef\xbb\xbfNumber;Name;Phone\r\n7;Ada Quill;12 34\r\n8;Ben Moss;\r\n"
    (club / "members.csv").write_bytes(before)
    assert 0 == run("people", club, "--merge", "ada quill", "Ada Quil").status
    after = (club / "members.csv").read_bytes()
    assert "Number;Name;Phone;aliases\r\n7;Ada Quill;12 34;Ada Quil\r\n8;Ben Moss;\r\n" == after.decode("utf-8-sig")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("Ada Quill", "Ben Moss"), "'Ben Moss' is another member"),
        (("Ada Quill", "A. Quill"), "has the spelling 'A. Quill' already"),
    ],
)
def test_a_merge_that_makes_no_sense_is_refused(club: Path, names: tuple[str, str], message: str) -> None:
    (club / "members.csv").write_text("name,aliases\nAda Quill,A. Quill\nBen Moss,\n", "utf-8")
    ran = run("people", club, "--merge", *names)
    assert 2 == ran.status
    assert message in ran.err


def test_a_name_in_privacy_that_fits_nobody_is_reported(club: Path) -> None:
    (club / "club.toml").write_text('[privacy.players]\n"Ada Quill" = "hidden"\n"Zed" = "hidden"\n"99" = "hidden"\n')
    told = run("people", club).err
    assert "[privacy.players] Zed: nobody has this name or number" in told
    assert "[privacy.players] 99: nobody has this name or number" in told
    assert "Ada Quill: nobody" not in told


def test_json_has_all_of_it(club: Path) -> None:
    told = json.loads(run("people", club, "--format", "json").out)
    assert ["Ada Quil"] == [one["other"] for one in told["proposals"]]
    assert {"proposals", "doubts", "unused"} == set(told)


def test_wrong_lists_and_empty_folders_are_refused(club: Path, tmp_path: Path) -> None:
    (club / "members.csv").write_text("nme\nAda\n")
    assert (2, True) == ((ran := run("people", club)).status, "expected a column 'name'" in ran.err)
    (tmp_path / "empty").mkdir()
    assert 2 == run("people", tmp_path / "empty").status
    assert 2 == run("people", tmp_path / "nowhere").status


@pytest.mark.slow
def test_websites_in_the_folder_are_not_evenings(club: Path) -> None:
    assert 0 == run("season", club, "--out", club / "site", "--no-pdf").status
    assert (
        "12 people on 2 evenings"
        in run("people", club, "--merge", "Ada Quill", "Ada Quil").err + run("people", club).err
    )
