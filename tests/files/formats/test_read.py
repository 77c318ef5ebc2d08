"""Files, folders and standard input to one session."""

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overtrick.core.frames import FRAMES, Session
from overtrick.files.assemble import read
from overtrick.files.assemble.contestants import settle_contestants
from overtrick.files.assemble.gather import gather
from overtrick.files.formats.looks import list_each_file_once
from overtrick.files.formats.read import read_each, read_files
from tests.support.reading import FIXTURES, codes, differing, fixture, pbn, places
from tests.support.sweeps import some

GAME = '[Event "Evening"]\n[Board "1"]\n[North "Ada"]\n[South "Ben"]\n[East "Cid"]\n[West "Dot"]\n'
RESULT = '[Declarer "N"]\n[Contract "1NT"]\n[Result "8"]\n'


def test_a_folder_is_walked_in_the_order_of_names(tmp_path: Path) -> None:
    (tmp_path / "b.pbn").write_text('[Board "2"]\n')
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.PBN").write_text('[Board "1"]\n')
    (tmp_path / "notes.txt").write_text("not for us")
    session = read([str(tmp_path)])
    assert [1, 2] == session.records["board"].to_list()
    assert [0, 1] == session.records["record"].to_list()
    assert [0, 1] == session.items["record"].to_list()


def test_files_that_are_read_together_hold_what_they_hold_alone(tmp_path: Path) -> None:
    for name in ("one.pbn", "two.pbn", "three.lin", "four.csv"):
        (tmp_path / name).write_bytes((FIXTURES / "bye.pbn").read_bytes())
    (tmp_path / "two.pbn").write_text(f'{GAME}{RESULT}\n[Board "2"]\n', "utf-8")
    (tmp_path / "three.lin").write_text("pn|a,b,c,d|md|1SAK|mb|p|", "utf-8")
    (tmp_path / "four.csv").write_text('[Board "7"]\n[Dealer "X"]\n', "utf-8")
    paths = [str(path) for path in sorted(tmp_path.iterdir())]
    for path, together in zip(paths, read_each(paths), strict=True):
        for part, alone in zip(together, read_files([path]), strict=True):
            for name in [*FRAMES, "facts"]:
                expected, found = getattr(alone, name), getattr(part, name)
                assert expected.equals(found) if isinstance(expected, pl.DataFrame) else expected == found, name


def test_standard_input_is_a_file_named_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'[Board "3"]\n')))
    session = read(["-"])
    assert [("-", 3)] == session.records.select("source", "board").rows()


def test_a_source_is_remembered_with_its_hash(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_bytes(b'[Board "1"]\n')
    about = read([str(path)]).sources.row(0, named=True)
    assert (str(path), "utf-8", 12, 1) == (about["source"], about["encoding"], about["size"], about["records"])
    assert 64 == len(about["sha256"])


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda path: path.mkdir(), "folder-no-files"),
        (lambda path: path.write_bytes(b""), "file-no-games"),
        (lambda path: path.write_bytes(bytes(range(32)) * 32), "file-binary"),
        (lambda path: path.write_bytes(b"hello\n"), "file-unknown"),
        (lambda _: None, "file-unreadable"),
    ],
)
def test_what_cant_be_read_is_a_problem_with_its_place(
    tmp_path: Path, make: Callable[[Path], object], code: str
) -> None:
    path = tmp_path / "x.pbn"
    make(path)
    problems = read([str(path)]).problems
    assert (code, str(path), 1, 1) in problems.select("code", "source", "line", "column").rows()
    assert problems["hint"].null_count() == 0


def test_a_folder_that_can_not_be_looked_into_is_named_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.pbn").write_bytes(b'[Board "1"]\n')
    looked_into = os.scandir

    def scandir(path: str) -> Iterator[os.DirEntry[str]]:
        if path.endswith("closed"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return looked_into(path)

    monkeypatch.setattr(os, "scandir", scandir)
    session = read([str(tmp_path)])
    assert [str(tmp_path / "open" / "a.pbn")] == session.sources["source"].to_list()
    assert [str(tmp_path / "closed")] == session.problems.filter(pl.col("severity") == "error")["source"].to_list()


@pytest.mark.parametrize(
    ("name", "found", "scored"),
    [
        ("ace-held-twice.pbn", "deal-duplicate-card", 1),
        ("twelve-card-hand.pbn", "deal-hand-size", 1),
        ("result-unknown.pbn", "result-unknown", 2),
        ("board-number-with-letter.pbn", "pbn-tag-value", 1),
        ("inherit-from-nothing.pbn", "pbn-inherit-nothing", 1),
        ("unterminated-tag.pbn", "pbn-tag-unclosed", 1),
    ],
)
def test_a_defect_is_named_at_its_place_and_costs_nothing_else(name: str, found: str, scored: int) -> None:
    session = fixture(name)
    lines = (FIXTURES / name).read_text("utf-8").splitlines()
    assert {found} == set(codes(session.problems))
    for _, line, column in places(session.problems):
        assert 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1])
    boards = session.results.filter(session.results["status"] == "played")["board"].drop_nulls().n_unique()
    assert boards >= scored


def test_a_game_with_a_contract_is_a_result_of_its_players() -> None:
    results = session_of(GAME + RESULT).results
    assert [("Ada - Ben", "Cid - Dot", "None", "played")] == results.select("ns", "ew", "vulnerable", "status").rows()


def test_the_vulnerability_of_the_file_counts() -> None:
    assert ["All"] == session_of(GAME + '[Vulnerable "All"]\n' + RESULT).results["vulnerable"].to_list()


def test_a_board_with_a_score_table_is_scored_from_it_alone() -> None:
    table = '[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]\n1 2 1NT N 7\n3 4 1NT N 8\n'
    assert ["1", "3"] == session_of(GAME + RESULT + table).results["ns"].to_list()


def test_a_pair_that_sat_both_ways_is_one_contestant_without_direction() -> None:
    turned = GAME.replace("North", "X").replace("East", "North").replace("X", "East")
    turned = turned.replace("South", "X").replace("West", "South").replace("X", "West").replace('"1"', '"2"')
    contestants = settle_contestants(session_of(f"{GAME}{RESULT}\n{turned}{RESULT}")).contestants
    assert [("Ada - Ben", None), ("Cid - Dot", None)] == contestants.select("contestant", "direction").rows()


def session_of(text: str) -> Session:
    reading = pbn(text)
    return gather(Session(**{field.name: getattr(reading, field.name) for field in fields(reading)}))


ALPHABET = '\x1c\x85\u2028[]{}"\\;%=$!?*+-^ \n\t#Aa1SHN.é'
PIECES = st.sampled_from(
    [
        '[Board "1"]\n',
        '[Auction "N"]\n',
        '[Play "W"]\n',
        "1C Pass ",
        "SA HK ",
        "{ c }",
        "; r\n",
        "\n\n",
        "% e\n",
        "[Deal ",
        '"#"',
    ]
)


@settings(max_examples=some(80))
@given(st.lists(st.one_of(PIECES, st.text(ALPHABET, max_size=12)), max_size=20).map("".join))
@pytest.mark.slow
def test_any_text_gives_the_same_frames_on_both_roads(text: str) -> None:
    assert [] == differing(text)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*-*.pbn")), ids=lambda path: path.stem)
def test_every_fixture_gives_the_same_frames_on_both_roads(path: Path) -> None:
    assert [] == differing(path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("teams", "room"),
    [
        (("Larks", "Owls"), '[Room "Open"]'),
        (("Owls", "Larks"), '[Room "closed"]'),
        ((None, None), ""),
        ((None, None), '[Room "IMP"]'),
    ],
)
def test_the_home_team_sits_north_south_in_the_open_room(teams: tuple[str | None, str | None], room: str) -> None:
    text = f'{GAME}[HomeTeam "Larks"]\n[VisitTeam "Owls"]\n{room}\n{RESULT}'
    assert [teams] == session_of(text).results.select("team_ns", "team_ew").rows()


def test_a_file_that_vanishes_during_the_run_is_named_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("gone.pbn", "here.pbn"):
        (tmp_path / name).write_text('[Event "?"]\n[Board "1"]\n', "utf-8")

    def listed(paths: Sequence[str]) -> list[str]:
        files = list_each_file_once(paths)
        (tmp_path / "gone.pbn").unlink()
        return files

    monkeypatch.setattr("overtrick.files.formats.read.list_each_file_once", listed)
    session = read([str(tmp_path)])
    assert ["here.pbn"] == [Path(name).name for name in session.records["source"]]
    assert "file-unreadable" in session.problems["code"]
