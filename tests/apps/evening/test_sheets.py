"""An evening that is typed in: its sheet, its movement, and what is missing."""

from pathlib import Path

import pytest

from overtrick.apps.evening.edit import ChangedError
from overtrick.apps.evening.sheets import Sheet, list_sittings, make_sheet, read_sheet, save_sheet, type_results
from overtrick.core.config import Config
from overtrick.core.config.movement import Movement
from tests.support.desk import visit
from tests.support.evaluating import evaluate

MITCHELL = Movement.model_validate({"kind": "mitchell", "tables": 3, "boards": 2})


@pytest.fixture
def sheet(tmp_path: Path) -> Sheet:
    facts = {"event": "Tuesday", "date": "2026.03.07", "scoring": "matchpoints"}
    path = tmp_path / "tuesday.csv"
    path.write_bytes(make_sheet(list_sittings(MITCHELL), {"1": "Ann Ash - Bob Birch"}, facts))
    read = read_sheet(path)
    assert read
    return read


def test_a_sheet_has_a_line_for_each_table_and_board(sheet: Sheet) -> None:
    assert 3 * 6 == len(sheet.lines) == len(sheet.missing)
    first = sheet.lines[0].cells
    assert ("1", "1", "1", "1", "4") == tuple(first[name] for name in ("round", "table", "board", "ns", "ew"))


def test_typed_results_are_scored_and_the_others_are_missing(sheet: Sheet) -> None:
    content, wrong = type_results(sheet, {0: "4SN+1 DK", 1: "P", 2: "60/40", 3: "-100", 4: "3NTXE-2"})
    save_sheet(sheet, content)
    read = read_sheet(sheet.path)
    assert read
    assert ({}, ["4SN+1 DK", "P", "60%/40%", "-100", "3NXE-2"]) == (wrong, [line.text for line in read.lines[:5]])
    assert 13 == len(read.missing)
    results = evaluate([str(sheet.path)], Config()).results
    assert [-100, 0, 300, 450] == sorted(results["score_ns"].drop_nulls())


def test_a_wrong_text_is_named_and_changes_nothing(sheet: Sheet) -> None:
    content, wrong = type_results(sheet, {0: "4S", 1: "P"})
    assert [0] == list(wrong)
    save_sheet(sheet, content)
    read = read_sheet(sheet.path)
    assert read
    assert ["", "P"] == [line.text for line in read.lines[:2]]


def test_a_sheet_that_changed_meanwhile_is_not_overwritten(sheet: Sheet) -> None:
    sheet.path.write_bytes(sheet.content + b"\n")
    with pytest.raises(ChangedError):
        save_sheet(sheet, b"")
    assert sheet.path.read_bytes() == sheet.content + b"\n"


def test_all_tables_may_play_the_same_boards_in_a_round() -> None:
    howell = Movement.model_validate({"kind": "howell", "tables": 12, "rounds": 9, "boards": 3})
    sittings = list_sittings(howell, together=True)
    assert 12 * 9 == len(sittings)
    assert {(7, 8, 9)} == {one.boards for one in sittings if one.round == 3}
    meetings = [frozenset((*one.ns, *one.ew)) for one in sittings]
    assert len(meetings) == len(set(meetings))


def test_the_opponents_of_a_missing_pair_sit_out() -> None:
    given = {"kind": "howell", "tables": 4, "boards": 3, "missing": 8}
    sittings = list_sittings(Movement.model_validate(given))
    assert 7 * 3 == len(sittings)


def test_an_evening_is_typed_in_without_a_script(tmp_path: Path) -> None:
    scorer = visit(tmp_path)
    assert "Who goes where" in scorer.get("/type?kind=mitchell&tables=3&boards=2").words
    fields = {"kind": "mitchell", "tables": 3, "boards": 2, "name": "tuesday", "method": "matchpoints"}
    begun = scorer.post("/type", {**fields, "pair-1": "Ann Ash - Bob Birch"})
    assert "/evening/tuesday/sheet" == begun.headers["location"]
    page = scorer.get("/evening/tuesday/sheet")
    saved = scorer.post("/evening/tuesday/sheet", {"line-0": "4SN+1"}, seen=page.seen, board=1)
    assert "/evening/tuesday/sheet?board=2" == saved.headers["location"]
    assert "Saved." in scorer.get("/evening/tuesday/sheet?board=2").words
    words = scorer.get("/evening/tuesday/sheet").words
    assert "Missing results 17" in words
    assert "Table 2, round 1: board 3, 2 – 5" in words
    assert 422 == scorer.post("/type", fields).status


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("kind=howell&tables=3&boards=2", "expected start"),
        ("kind=mitchell&tables=x&boards=2", "expected a whole number"),
        ("kind=mitchell&tables=3", "expected boards"),
        ("kind=table&movement=round,table", "expected a first line"),
    ],
)
def test_a_movement_that_is_not_one_is_explained(tmp_path: Path, query: str, message: str) -> None:
    assert message in visit(tmp_path).get(f"/type?{query}").words


def test_a_movement_may_be_a_table(tmp_path: Path) -> None:
    table = "round,table,ns,ew,boards%0A1,1,1,2,1-3%0A"
    assert "1 – 2 1–3" in visit(tmp_path).get(f"/type?kind=table&movement={table}").words


def test_an_individual_is_typed_in_and_ranks_its_players(tmp_path: Path) -> None:
    movement = Movement.model_validate({"kind": "individual", "tables": 2, "boards": 2})
    names = {str(number): f"{first} Ash" for number, first in enumerate("Ada Ben Cleo Dora Eli Fay Gus Hal".split(), 1)}
    path = tmp_path / "tuesday.csv"
    path.write_bytes(make_sheet(list_sittings(movement, together=True), names, {"scoring": "matchpoints"}))
    sheet = read_sheet(path)
    assert sheet
    assert 2 * 7 * 2 == len(sheet.lines)
    content, wrong = type_results(sheet, {line.number: f"3NN{line.number % 2:+d}" for line in sheet.lines})
    assert {} == wrong
    path.write_bytes(content)
    session = evaluate([str(path)], Config())
    assert set(names.values()) == set(session.standings["names"])
    assert 8 == session.standings.height
