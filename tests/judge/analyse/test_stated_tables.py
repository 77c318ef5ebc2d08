"""Double-dummy tables in the forms that programs write them in."""

import pytest

from overtrick.core.bridge.cards import SEATS, UNKNOWN
from overtrick.core.frames import ITEMS, Session
from overtrick.judge.analyse import read_tables
from tests.support.builders import Row, frame

NORTH, EAST, SOUTH, WEST = [7, 6, 10, 11, 9], [6, 6, 3, 2, 2], [7, 6, 10, 11, 9], [6, 6, 3, 2, 2]
TABLE = NORTH + EAST + SOUTH + WEST
STRAINS = ("C", "D", "H", "S", "NT")

CELLS = [(seat, strain, str(TABLE[5 * s + d])) for s, seat in enumerate(SEATS) for d, strain in enumerate(STRAINS)]
ROWS = "\n".join(" ".join(cells) for cells in CELLS)
TURNED = "\n".join(f"{strain} {seat} {tricks}" for seat, strain, tricks in CELLS)


def tag(name: str, text: str) -> Row:
    return {"record": 0, "line": 9, "column": 1, "kind": "tag", "name": name, "text": text}


def section(name: str, text: str) -> Row:
    return {"record": 0, "line": 10, "column": 1, "kind": "section", "name": name, "text": text}


def read(*items: Row) -> list[list[int]]:
    """Give the tables of a file with these items, and none for what is no table."""
    tables, unreadable = read_tables(Session(listed=frame(ITEMS, items)))
    return tables["tricks"].to_list() + [[]] * len(unreadable)


@pytest.mark.parametrize(
    "items",
    [
        [tag("DoubleDummyTricks", "9ba67 9ba67 22366 22366")],
        [tag("DoubleDummyTricks", "9BA679BA672236622366")],
        [tag("Ability", "N:9ba67 E:22366 S:9BA67 W:22366")],
        [tag("TABLE", "11 2 11 2 10 3 10 3 6 6 6 6 7 6 7 6 9 2 9 2 ")],
        [tag("OptimumResultTable", r"Declarer;Denomination\2R;Result\2R"), section("OptimumResultTable", ROWS)],
        [tag("OptimumResultTable", r"Declarer;Denomination\2R;Result\1R"), section("OptimumResultTable", ROWS)],
        [tag("OptimumResultTable", "Declarer Suit Tricks"), section("OptimumResultTable", ROWS.replace("NT", "N"))],
        [tag("OptimumResultTable", r"Declarer;Denomination;Result\n" + ROWS.replace("\n", r"\n").replace(" ", r"\t"))],
        [tag("OptimumResultTable", "Denomination;Declarer;Result"), section("OptimumResultTable", TURNED)],
        [tag("OptimumResultTable", "Declarer Suit Tricks"), section("OptimumResultTable", f"{{S S 1}}\n{ROWS} ;S S 1")],
    ],
)
def test_a_table_is_read_in_any_of_its_forms(items: list[Row]) -> None:
    assert [TABLE] == read(*items)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("DoubleDummyTricks", "9ba67"),
        ("DoubleDummyTricks", "9ba679ba672236622e66"),
        ("Ability", "9ba67 22366 9BA67 22366"),
        ("TABLE", "11 2 11"),
        ("TABLE", " ".join(["14"] * 20)),
        ("TABLE", " ".join(["999"] * 20)),
        ("OptimumResultTable", "Declarer;Denomination;Result"),
        ("OptimumResultTable", "N NT 14"),
    ],
)
def test_a_text_that_is_not_a_table_is_listed_as_unreadable(name: str, text: str) -> None:
    assert [[]] == read(tag(name, text))


def test_a_number_that_is_not_known_stays_unknown() -> None:
    assert [UNKNOWN, *TABLE[1:]] == read(tag("DoubleDummyTricks", "9ba6?9ba672236622366"))[0]


def test_numbers_that_only_fill_the_table_are_not_known() -> None:
    table = read(tag("DoubleDummyTricks", "18111811111111711117"))[0]
    assert [UNKNOWN, UNKNOWN, UNKNOWN, 8, UNKNOWN] == table[:5]


def test_one_trick_against_a_slam_is_a_number_like_any_other() -> None:
    table = read(tag("DoubleDummyTricks", "cccccccccc1111111111"))[0]
    assert 1 == table[5]
