"""`[movement]` of the club's settings."""

from pathlib import Path

import pytest

from overtrick.core.bridge.movements import Sitting
from tests.core.config.test_config import complaint, settings

SEVEN = '[movement]\nkind = "mitchell"\ntables = 7\nboards = 2\n'


def schedule(folder: Path, text: str) -> list[Sitting]:
    [movement] = settings(folder, text).movement
    return movement.schedules(first_ew=8)[0]


def test_a_mitchell_has_as_many_rounds_as_tables(tmp_path: Path) -> None:
    rows = schedule(tmp_path, SEVEN)
    assert (49, Sitting(7, 7, (7,), (8,), (11, 12))) == (len(rows), rows[-1])


def test_a_skip_costs_a_round(tmp_path: Path) -> None:
    assert 7 == schedule(tmp_path, SEVEN.replace("7", "8") + "skip_after = 4\n")[-1].round


def test_sections_have_a_movement_each(tmp_path: Path) -> None:
    a, b = SEVEN.replace("[movement]", '[[movement]]\nsection = "A"'), SEVEN.replace("[movement]", "[[movement]]")
    assert ["A", None] == [movement.section for movement in settings(tmp_path, a + b).movement]


def test_a_howell_continues_from_its_first_round(tmp_path: Path) -> None:
    rows = schedule(tmp_path, '[movement]\nkind = "howell"\nboards = 3\nstart = [[6, 1, 1], [5, 2, 2], [4, 3, 3]]\n')
    assert [Sitting(5, 1, (6,), (5,), (13, 14, 15)), Sitting(5, 2, (4,), (1,), (1, 2, 3))] == rows[12:14]


@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_a_table_is_read_from_a_file_beside_the_settings(tmp_path: Path, between: str) -> None:
    rows = ["Round,Table,NS,EW,boards", "1,1,1,4,1-3", "1,2,0,2,4 6", "2,1,4,1,9"]
    (tmp_path / "moves.csv").write_text("\n".join(rows).replace(",", between), "utf-8")
    sittings = schedule(tmp_path, '[movement]\nfile = "moves.csv"\nswitched = [2]\n')
    expected = [
        Sitting(1, 1, (1,), (4,), (1, 2, 3)),
        Sitting(1, 2, (0,), (2,), (4, 6)),
        Sitting(2, 1, (1,), (4,), (9,)),
    ]
    assert expected == sittings


def test_sets_become_boards_by_the_size_of_a_set(tmp_path: Path) -> None:
    (tmp_path / "moves.csv").write_text("round,table,north,south,east,west,set\n1,1,8,1,5,7,2\n", "utf-8")
    sittings = schedule(tmp_path, '[movement]\nfile = "moves.csv"\nboards = 2\n')
    assert [Sitting(1, 1, (8, 1), (5, 7), (3, 4))] == sittings


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("[movement] rounds = 8: expected at most 7", SEVEN + "rounds = 8"),
        (
            "[movement] skip_after = 3: an odd number of tables needs neither skip_after nor relay",
            SEVEN + "skip_after = 3",
        ),
        (
            "[movement] relay = true: expected skip_after or relay, not both",
            SEVEN.replace("7", "8") + "skip_after = 4\nrelay = true",
        ),
        (
            "movement: an even number of tables repeats boards: add skip_after or relay, or play fewer rounds",
            SEVEN.replace("7", "8"),
        ),
        ("[movement] moving = 6: only a Howell or an individual has this key", SEVEN + "moving = 6"),
        (
            "[movement] relay = true: only a Mitchell has this key",
            '[movement]\nkind = "howell"\nboards = 3\nrelay = true',
        ),
        (
            f"movement: expected start, the first round, or tables = {' or '.join(map(str, range(4, 15)))}",
            '[movement]\nkind = "howell"\nboards = 3\ntables = 3',
        ),
        (
            "[movement] start = [[1, 2, 1], [1, 4, 2]]: expected each number at one table only",
            '[movement]\nkind = "howell"\nboards = 3\nstart = [[1, 2, 1], [1, 4, 2]]',
        ),
        (
            "[movement] start = [[1, 2, 1]]: expected 5 numbers in each row: 4 players and their set",
            '[movement]\nkind = "individual"\nboards = 3\nstart = [[1, 2, 1]]',
        ),
        (
            "[movement] start = [[1, 2, 1]]: expected a row for each of 2 tables",
            '[movement]\nkind = "howell"\nboards = 3\ntables = 2\nstart = [[1, 2, 1]]',
        ),
        ("movement: expected boards, the number of boards of a table in one round", SEVEN.replace("boards = 2\n", "")),
        ("movement: expected tables, the number of tables", SEVEN.replace("tables = 7\n", "")),
        ("movement: expected kind or file", "[movement]\ntables = 7"),
        ("[movement] file: none.csv can't be read: No such file or directory", '[movement]\nfile = "none.csv"'),
        ("movement, item 2: expected kind or file", SEVEN.replace("[m", "[[m").replace("t]", "t]]") + "[[movement]]"),
    ],
)
def test_an_error_in_a_movement_says_what_was_expected(tmp_path: Path, answer: str, text: str) -> None:
    assert answer == complaint(tmp_path, text)


@pytest.mark.parametrize(
    ("answer", "table"),
    [
        ("expected a first line with the column names round, table, ns, ew, and set or boards", "round,table,ns,set\n"),
        ("expected boards, the number of boards in a set", "round,table,ns,ew,set\n1,1,1,2,1\n"),
        ("line 3: expected a whole number for ns, got 'x'", "round,table,ns,ew,boards\n1,1,1,2,1\n1,2,x,4,1\n"),
        ("line 2: expected a number or a range such as 5-8 for boards, got ''", "round,table,ns,ew,boards\n1,1,1,2\n"),
    ],
)
def test_an_error_in_a_table_has_its_line(tmp_path: Path, answer: str, table: str) -> None:
    (tmp_path / "moves.csv").write_text(table, "utf-8")
    assert f"[movement] file: moves.csv: {answer}" == complaint(tmp_path, '[movement]\nfile = "moves.csv"')
