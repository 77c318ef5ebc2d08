"""`ot`: what overtrick writes beside a board of LIN."""

import pytest

from overtrick.files.formats.lin.read.reader import read_lin
from tests.support.lin_texts import MD
from tests.support.reading import codes

HEAD = "vg|Tuesday,1,P,1,1,,,,|rs|3NN=,|"


def test_it_seats_the_result_of_its_board() -> None:
    read = read_lin(f'{HEAD}qx|o1|ot|{{"table":"2","ns":"6","ew":"1","date":"2026.10.13"}}|{MD}sv|o|pg||\n')
    row = read.results.row(0, named=True)
    assert ("1", "2", "6", "1", 3, 9) == tuple(row[name] for name in ("round", "table", "ns", "ew", "level", "tricks"))
    assert ["2026.10.13"] == read.records["date"].to_list()
    assert [] == codes(read.problems)


def test_a_board_needs_no_cards() -> None:
    read = read_lin('vg|,,P,1,1,,,,|qx|o1|ot|{"ns":"6","ew":"1","award_ns":"60%","award_ew":"40%"}|pg||')
    assert [(1, "6", "1", "60%", "40%")] == read.results.with_columns(board=read.records["board"]).select(
        "board", "ns", "ew", "award_ns", "award_ew"
    ).rows()


@pytest.mark.parametrize("value", ["", "x", "[]", '{"ns":6}', '{"who":"6"}', '{"board":"2"}', '{"ns":', "[" * 9000])
def test_a_value_that_is_not_understood_is_reported_and_its_board_stays(value: str) -> None:
    read = read_lin(f"{HEAD}qx|o1|ot|{value}|{MD}sv|o|pg||\n")
    assert ["lin-own"] == codes(read.problems)
    assert ([3], 0) == (read.records["level"].to_list(), len(read.results))


def test_a_cell_that_cannot_be_read_is_reported() -> None:
    read = read_lin(f'{HEAD}qx|o1|ot|{{"ns":"6","ew":"1","award_ns":"x"}}|{MD}sv|o|pg||\n')
    assert ["value-unknown"] == codes(read.problems)
