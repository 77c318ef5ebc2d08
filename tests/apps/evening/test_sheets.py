"""An evening that is typed in: its sheet, its movement, and what is missing."""

from pathlib import Path

import pytest

from overtrick.apps.evening.sheets import SheetError, list_sittings, make_sheet, type_results
from overtrick.core.config import Config
from overtrick.core.config.movement import Movement
from overtrick.files.correct.entry import read_shorthand, write_shorthand
from overtrick.files.formats.csv import read_results_csv
from tests.support.desk import visit
from tests.support.evaluating import evaluate

MITCHELL = Movement.model_validate({"kind": "mitchell", "tables": 3, "boards": 2})


@pytest.fixture
def sheet() -> bytes:
    facts = {"event": "Tuesday", "date": "2026.03.07", "scoring": "matchpoints"}
    return make_sheet(list_sittings(MITCHELL), {"1": "Ann Ash - Bob Birch"}, facts)


def results(content: bytes) -> list[str]:
    return [write_shorthand(row) for row in read_results_csv(content).results.iter_rows(named=True)]


def test_a_sheet_has_a_line_for_each_table_and_board_and_no_result(sheet: bytes) -> None:
    lines = sheet.decode().splitlines()
    assert 1 + 3 * 6 == len(lines)
    assert "Tuesday,2026.03.07,matchpoints,1,1,1,1,4,,,,,,,,Ann Ash - Bob Birch," == lines[1]
    assert {"unknown"} == set(read_results_csv(sheet).results["status"])


TYPED = ("4SN+1 DK", "P", "60%/40%", "-100", "3NXE-2", "NP", "A+/A-", "", "2HS+1")


def test_what_is_typed_is_read_again_and_the_others_are_missing(sheet: bytes) -> None:
    typed = {line: read_shorthand(text) if text else {} for line, text in enumerate(TYPED, 2)}
    after = type_results(sheet, typed)
    assert [*TYPED, *[""] * 9] == results(after)
    assert sheet == type_results(after, {line: {} for line in typed})


CLUBS_OWN = {
    "other separators, cases, line ends and blank lines": "\r\nBoard;NS;EW;Contract;By;Tricks\r\n"
    "1;1;2;;;\r\n1;3;4;4S;N;10\r\n",
    "all in one column": "board,ns,ew,contract\n1,1,2,\n1,3,4,4S N =\n",
    "no column for results": "board,ns,ew,names_ns,names_ew\n1,1,2,,\n1,3,4,Ann Ash - Bob Birch,Cy Coe - Di Dean\n",
    "quoted cells and a byte order mark": "\ufeffboard,ns,ew,contract,declarer,tricks,names_ns\n"
    '1,1,2,,,,"Ash, Ann"\n1,3,4,,,,\n',
    "a stated score": "board,ns,ew,contract,declarer,tricks,score_ns\n1,1,2,,,,\n1,3,4,4S,N,10,620\n",
}


@pytest.mark.parametrize("text", TYPED)
@pytest.mark.parametrize("kind", CLUBS_OWN)
def test_a_result_goes_into_any_table_of_the_club(kind: str, text: str) -> None:
    content = CLUBS_OWN[kind].encode()
    before = results(content)
    line = 1 + next(at for at, one in enumerate(CLUBS_OWN[kind].splitlines()) if one.startswith("1"))
    after = type_results(content, {line: read_shorthand(text) if text else {}})
    assert [text, *before[1:]] == results(after)
    others = [at for at in range(len(after.splitlines())) if at != line - 1 and at >= line]
    assert [content.splitlines()[at] for at in others] == [after.splitlines()[at] for at in others]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"board,ns,ew\n1,1,2\n", 9, "line 9"),
        (b"no table", 1, "not a table of results"),
        (b"", 1, "not a table of results"),
        (b"board,ns,ew\n\xff,1,2\n", 2, "UTF-8"),
        # In this table C means hearts, so 4C can't be put into it.
        (b"board,ns,ew,contract,declarer,tricks\n1,1,2,,,\n1,3,4,4P,N,10\n1,5,6,4K,S,10\n", 2, "mean|hold"),
    ],
)
def test_a_table_that_can_t_hold_a_result_is_left_alone(content: bytes, line: int, message: str) -> None:
    with pytest.raises(SheetError, match=message):
        type_results(content, {line: read_shorthand("4CN=")})


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


@pytest.mark.slow
def test_an_evening_is_typed_in_without_a_script(tmp_path: Path) -> None:
    scorer = visit(tmp_path)
    assert "Who goes where" in scorer.get("/type?kind=mitchell&tables=3&boards=2").words
    fields = {"kind": "mitchell", "tables": 3, "boards": 2, "name": "tuesday", "method": "matchpoints"}
    begun = scorer.post("/type", {**fields, "pair-1": "Ann Ash - Bob Birch"})
    assert "/evening/tuesday/traveller" == begun.headers["location"]
    line = "board=1&section=&round=1&table=1&ns=1&ew=4".replace("section=&", "")
    fields = {f"result:{line}": "4SN+1", f"seen:{line}": ""}
    saved = scorer.post("/evening/tuesday/traveller", fields, board=1)
    assert "/evening/tuesday/traveller?board=2" == saved.headers["location"]
    assert "Saved." in scorer.get("/evening/tuesday/traveller?board=2").words
    words = scorer.get("/evening/tuesday/traveller").words
    assert "1 results are in, 17 are missing" in words
    assert "Table 2, round 1: board 3, 2 – 5" in words
    begun_again = {"kind": "mitchell", "tables": 3, "boards": 2, "name": "tuesday", "method": "matchpoints"}
    assert 422 == scorer.post("/type", begun_again).status


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
    sheet = make_sheet(list_sittings(movement, together=True), names, {"scoring": "matchpoints"})
    typed = {line: read_shorthand(f"3NN+{1 + line % 2}") for line in range(2, 1 + sheet.count(b"\n"))}
    assert 2 * 7 * 2 == len(typed)
    path.write_bytes(type_results(sheet, typed))
    session = evaluate([str(path)], Config())
    assert set(names.values()) == set(session.standings["names"])
    assert 8 == session.standings.height
