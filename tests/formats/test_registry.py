"""Formats are told apart by what a file holds."""

from pathlib import Path

import pytest

from overtrick.assemble import read
from overtrick.formats.registry import recognised
from tests.support.commands import FIXTURES, run, start


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("spring-pairs.csv", "csv"),
        ("spring-pairs.dup", "dup"),
        ("spring-pairs.xml", "usebio"),
        ("club-evening.pbn", None),
        ("empty.pbn", None),
    ],
)
def test_a_file_is_known_by_its_bytes(name: str, known: str | None) -> None:
    found = recognised((FIXTURES / name).read_bytes())
    assert known == (found.name if found else None)


def test_no_pbn_file_is_taken_for_anything_else() -> None:
    assert {None} == {recognised(path.read_bytes()) for path in FIXTURES.glob("*.pbn")}


def test_what_a_comment_of_pbn_speaks_of_is_not_the_format() -> None:
    assert recognised(b'; made from <USEBIO Version="1.2">\n% PBN 2.1\n[Event "Spring Pairs"]\n') is None


def test_the_name_of_a_file_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_bytes((FIXTURES / "spring-pairs.dup").read_bytes())
    session = read([str(path)])
    assert ["dup"] == session.sources["format"].to_list()
    assert [str(path)] * 2 == session.records["source"].to_list()


def test_the_same_evening_scores_the_same_from_every_format() -> None:
    assert run("score", FIXTURES / "spring-pairs.csv").out == run("score", FIXTURES / "spring-pairs.xml").out


def test_a_folder_gives_up_all_formats_but_tables(tmp_path: Path) -> None:
    for name in ("spring-pairs.csv", "spring-pairs.dup", "spring-pairs.xml"):
        (tmp_path / name).write_bytes((FIXTURES / name).read_bytes())
    (tmp_path / "notes.txt").write_text("not ours")
    assert ["dup", "usebio"] == read([str(tmp_path)]).sources["format"].to_list()


def test_deals_for_a_machine_come_through_standard_input() -> None:
    ran = start("check", "-", given=(FIXTURES / "spring-pairs.dup").read_bytes())
    assert (0, "1 file, 2 games, 2 boards: no problems\n") == (ran.status, ran.err)
