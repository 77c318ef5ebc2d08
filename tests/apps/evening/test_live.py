"""A running game: the copy, who is late, what is missing."""

import csv
import os
import time
from pathlib import Path

import pytest

from overtrick.apps.evening.causes import list_causes
from overtrick.apps.evening.grid import make_grids
from overtrick.apps.evening.live import OVER, Follower, list_sitting_out, list_tables
from overtrick.apps.evening.sheets import list_sittings, make_sheet, type_results
from overtrick.core.config import Config
from overtrick.core.config.movement import Movement
from overtrick.files.correct.entry import read_shorthand
from tests.support import bridgemate
from tests.support.evaluating import evaluate


def test_a_file_is_copied_as_often_as_it_changes_and_never_touched(tmp_path: Path) -> None:
    source, target = tmp_path / "running.bws", tmp_path / "evening.bws"
    source.write_bytes(b"one")
    source.chmod(0o444)
    follower = Follower(source, target)
    assert [True, False] == [follower.look(), follower.look()]
    source.chmod(0o644)
    source.write_bytes(b"one, two")
    assert follower.look()
    assert b"one, two" == target.read_bytes() == source.read_bytes()


def test_a_file_that_is_away_is_named_and_looked_for_again(tmp_path: Path) -> None:
    follower = Follower(tmp_path / "running.bws", tmp_path / "evening.bws")
    assert not follower.look()
    assert "can't be read" in follower.error
    follower.source.write_bytes(b"one")
    assert follower.look()
    assert "" == follower.error


def test_late_tables_and_missing_boards_are_named(tmp_path: Path) -> None:
    movement = Movement.model_validate({"kind": "mitchell", "tables": 3, "boards": 2})
    path = tmp_path / "tuesday.csv"
    sheet = make_sheet(list_sittings(movement), {}, {"event": "x", "date": "", "scoring": "MP"})
    played = {("1", "1"), ("1", "2"), ("1", "3"), ("2", "1"), ("2", "2")}
    rows = [dict(row, line=line) for line, row in enumerate(csv.DictReader(sheet.decode().splitlines()), 2)]
    lines = [row for row in rows if (row["round"], row["table"]) in played]
    left_out = next(row for row in lines if (row["round"], row["table"]) == ("1", "2"))
    typed = {int(row["line"]): read_shorthand("1NN=") for row in lines if row is not left_out}
    path.write_bytes(type_results(sheet, typed))
    tables = list_tables(evaluate([str(path)], Config()))
    assert [("1", 2, 2, ()), ("2", 2, 2, (int(left_out["board"]),)), ("3", 1, 2, ())] == [
        (one.table, one.round, one.boards, one.missing) for one in tables
    ]
    assert ["round finished"] * 3 == [one.state for one in tables]
    assert [] == list_sitting_out(evaluate([str(path)], Config()))


@pytest.mark.slow
def test_a_table_is_finished_when_nothing_more_is_due_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Table 1 has one round, table 2 three of them: table 1 is not late in the third."""
    rounds = ["1,1,1,1,2,1,2,", "1,2,1,1,2,3,4,", "1,2,2,3,4,3,5,", "1,2,3,5,6,3,1,"]
    played = [(1, 1, 1, 1, 2), (1, 1, 2, 1, 2), (2, 1, 1, 3, 4), (2, 1, 2, 3, 4), (2, 2, 3, 3, 5), (2, 2, 4, 3, 5)]
    played.append((2, 3, 5, 3, 1))
    states = {4: ["finished", "round finished"], 5: ["finished", "playing"], 7: ["finished", "playing"]}
    for count, expected in states.items():
        rows = [
            f"{number},1,{table},{turn},{board},{ns},{ew},{ns},N,3 NT,=,,,0"
            for number, (table, turn, board, ns, ew) in enumerate(played[:count], 1)
        ]
        tables = {"Section": bridgemate.SECTION, "ReceivedData": bridgemate.received(*rows)}
        bridgemate.install_helper(tmp_path, monkeypatch, {**tables, "RoundData": bridgemate.movement(*rounds)})
        path = tmp_path / "tuesday.bws"
        path.write_bytes(bridgemate.HEAD)
        session = evaluate([str(path)], Config())
        assert expected == [one.state for one in list_tables(session)]


@pytest.mark.parametrize(("count", "sits"), [(2, []), (3, []), (4, ["Cy - Di"])])
def test_who_sits_out_is_known_once_all_tables_have_begun_the_round(
    count: int, sits: list[str], tmp_path: Path
) -> None:
    names = {"1": "Ann - Bo", "2": "Cy - Di", "3": "Ed - Fay", "4": "Gus - Hal", "5": "Ida - Jo"}
    met = [(1, 1, 1, "1", "2"), (1, 2, 1, "3", "4"), (2, 1, 2, "5", "3"), (2, 2, 2, "1", "4")]
    lines = [f"x,MP,{','.join(map(str, one))},3NT,N,9,{names[one[3]]},{names[one[4]]}" for one in met]
    path = tmp_path / "tuesday.csv"
    head = "event,scoring,round,table,board,ns,ew,contract,declarer,tricks,names_ns,names_ew"
    path.write_text("\n".join([head, *lines[:count]]))
    assert sits == list_sitting_out(evaluate([str(path)], Config()))


def test_a_game_without_a_new_result_for_hours_is_over(tmp_path: Path) -> None:
    source = tmp_path / "running.bws"
    source.write_bytes(b"x")
    follower = Follower(source, tmp_path / "copy.bws")
    assert not follower.is_over
    follower.look()
    assert not follower.is_over
    long_ago = time.time() - OVER - 60
    os.utime(source, (long_ago, long_ago))
    follower.look()
    # A database that was made in the afternoon is followed from the evening on.
    assert not follower.is_over
    follower.begun = long_ago
    assert follower.is_over
    os.utime(source)
    follower.look()
    assert not follower.is_over


def test_a_database_with_its_rounds_names_what_is_missing_without_any_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Table 2 left out board 3 in round 1; round 3 has not begun."""
    rounds = [
        "1,1,1,1,4,1,2,",
        "1,2,1,2,5,3,4,",
        "1,1,2,1,5,3,4,",
        "1,2,2,2,6,5,6,",
        "1,1,3,1,6,5,6,",
        "1,2,3,2,4,1,2,",
    ]
    played = [(1, 1, 1, 1, 4), (1, 1, 2, 1, 4), (2, 1, 4, 2, 5), (1, 2, 3, 1, 5), (2, 2, 5, 2, 6)]
    rows = [
        f"{number},1,{table},{turn},{board},{ns},{ew},{ns},N,3 NT,=,,,0"
        for number, (table, turn, board, ns, ew) in enumerate(played, 1)
    ]
    tables = {"Section": bridgemate.SECTION, "ReceivedData": bridgemate.received(*rows)}
    bridgemate.install_helper(tmp_path, monkeypatch, {**tables, "RoundData": bridgemate.movement(*rounds)})
    path = tmp_path / "tuesday.bws"
    path.write_bytes(bridgemate.HEAD)
    session = evaluate([str(path)], Config())
    assert [("1", ()), ("2", (3,))] == [(one.table, one.missing) for one in list_tables(session)]
    cells = [
        (board, cell) for grid in make_grids(session) for board, columns in grid.boards for cell in sum(columns, ())
    ]
    missing = [(board, cell.row["table"]) for board, cell in cells if "missing" in cell.marks]
    assert {(3, "2"), (4, "1"), (6, "2")} == set(missing)
    causes = [cause for cause in list_causes(session) if cause.code == "bws-missing"]
    assert {"add"} == {one.mend for cause in causes for one in cause.troubles}


def test_missing_results_are_named_in_each_of_several_sections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Table 1 of section B left out board 2 in round 1; that of section A did not."""
    rounds = [f"{section},1,{turn},{board},{board + 1},1,2," for section in (1, 2) for turn, board in ((1, 1), (2, 3))]
    played = [(1, 1, 1), (1, 1, 2), (1, 2, 3), (2, 1, 1), (2, 2, 3)]
    rows = [
        f"{number},{section},1,{turn},{board},1,2,1,N,3 NT,=,,,0"
        for number, (section, turn, board) in enumerate(played, 1)
    ]
    sections = f"{bridgemate.SECTION}2,B,1,0\n"
    tables = {"Section": sections, "ReceivedData": bridgemate.received(*rows)}
    bridgemate.install_helper(tmp_path, monkeypatch, {**tables, "RoundData": bridgemate.movement(*rounds)})
    path = tmp_path / "tuesday.bws"
    path.write_bytes(bridgemate.HEAD)
    session = evaluate([str(path)], Config())
    assert [("A", "1", ()), ("B", "1", (2,))] == [(one.section, one.table, one.missing) for one in list_tables(session)]
    missing = [
        (grid.section, board, cell.key)
        for grid in make_grids(session)
        for board, columns in grid.boards
        for cell in sum(columns, ())
        if "missing" in cell.marks
    ]
    assert ("B", 2, "board=2&section=B&table=1") in missing
