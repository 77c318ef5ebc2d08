"""Formats are told apart by what a file holds."""

from pathlib import Path

import pytest

from overtrick.files.assemble import read
from overtrick.files.formats.looks import find_format, get_format, recognise, walked_suffixes
from tests.support.commands import FIXTURES, run, start


def test_a_format_is_found_by_the_end_of_a_name() -> None:
    found = find_format(".PBN")
    assert found is not None
    assert ("pbn", None) == (found.name, find_format(".pdf"))
    assert ".csv" not in walked_suffixes()


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("spring-pairs.csv", "csv"),
        ("spring-pairs.dup", "dup"),
        ("spring-pairs.xml", "usebio"),
        ("club-evening.pbn", "pbn"),
        ("empty.pbn", None),
    ],
)
def test_a_file_is_known_by_its_bytes(name: str, known: str | None) -> None:
    found = recognise((FIXTURES / name).read_bytes())
    assert known == (found.name if found else None)


def test_no_pbn_file_is_taken_for_anything_else() -> None:
    found = [recognise(path.read_bytes()) for path in FIXTURES.glob("*.pbn")]
    assert {"pbn"} == {known.name for known in found if known}


def test_what_a_comment_of_pbn_speaks_of_is_not_the_format() -> None:
    found = recognise(b'; made from <USEBIO Version="1.2">\n% PBN 2.1\n[Event "Spring Pairs"]\n')
    assert found is not None
    assert "pbn" == found.name


def test_the_name_of_a_file_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_bytes((FIXTURES / "spring-pairs.dup").read_bytes())
    session = read([str(path)])
    assert ["dup"] == session.sources["format"].to_list()
    assert [str(path)] * 2 == session.records["source"].to_list()


def test_the_same_evening_scores_the_same_from_every_format() -> None:
    assert run("score", FIXTURES / "spring-pairs.csv").out == run("score", FIXTURES / "spring-pairs.xml").out


def test_a_folder_gives_up_all_formats_but_other_tables(tmp_path: Path) -> None:
    (tmp_path / "ranking.csv").write_text("place,pair\n1,3\n")
    for name in ("spring-pairs.csv", "spring-pairs.dup", "spring-pairs.xml"):
        (tmp_path / name).write_bytes((FIXTURES / name).read_bytes())
    (tmp_path / "notes.txt").write_text("not ours")
    assert ["csv", "dup", "usebio"] == read([str(tmp_path)]).sources["format"].to_list()


@pytest.mark.slow
def test_deals_for_a_machine_come_through_standard_input() -> None:
    ran = start("check", "-", given=(FIXTURES / "spring-pairs.dup").read_bytes())
    assert (0, "1 file, 2 games, 2 boards (practice deals): no problems\n") == (ran.status, ran.err)


def test_a_text_whose_first_bytes_happen_to_be_a_deal_is_not_of_a_dealing_machine() -> None:
    text = b"pn|A,B,C,D|md|1SAQT632HK7DK4CQ62,S9874HAJ54D82C973,SKJHT983DQT63CAK5|mb|1Hpp4Hppp|pc|" + b"x" * 200 + b"|"
    known = recognise(text)
    assert known is not None
    assert "lin" == known.name


TEXTS = (
    *("acbl-live.json", "acbl-live-board.html", "acblscore-report.txt", "bbo-traveller.html", "big-deal.csv"),
    *("bridgewebs.csv", "jannersten-results.txt", "salliere-names.csv", "salliere.csv", "spring-pairs.csv"),
    *("spring-pairs.xml", "typed-evening.csv", "two-rooms.lin", "exchange-evening.pbn"),
)


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_known_in_any_encoding_with_any_newlines_and_blank_lines_before_it(name: str) -> None:
    text = (FIXTURES / name).read_text("utf-8-sig").replace("\r\n", "\n")
    forms = (text.encode("utf-16"), text.encode("utf-8-sig"), text.replace("\n", "\r").encode(), f"\n\n{text}".encode())
    known = recognise(text.encode())
    assert known
    assert {known.name} == {found.name for form in forms if (found := recognise(form) or get_format(""))}


def test_a_folder_of_saved_pages_is_an_evening(tmp_path: Path) -> None:
    page = (FIXTURES / "bbo-traveller.html").read_bytes()
    (tmp_path / "board 7.html").write_bytes(page)
    (tmp_path / "board 8.htm").write_bytes(page.replace(b"Board+7", b"Board+8").replace(b"3NS-1", b"3NS="))
    parts = read([str(tmp_path / "board 7.html"), str(tmp_path / "board 8.htm")])
    beside = tmp_path / "board 7_files"
    beside.mkdir()
    (beside / "advertisement.html").write_text("<html><body><a href='shop'>Cards</a></body></html>", "utf-8")
    folder = read([str(tmp_path)])
    assert {7, 8} == {*folder.results["board"]}
    assert folder.results.equals(parts.results)
    assert folder.problems.equals(parts.problems)


@pytest.mark.slow
def test_an_archive_takes_the_saved_pages_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "board 7.html").write_bytes((FIXTURES / "bbo-traveller.html").read_bytes())
    (tmp_path / "pages" / "letter.html").write_text("<html><body>Dear club</body></html>", "utf-8")
    done = run("ingest", tmp_path / "pages", "--archive", tmp_path / "archive")
    assert "1 file" in done.out + done.err, done.out + done.err
