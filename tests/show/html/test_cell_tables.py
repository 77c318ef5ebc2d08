"""The recap sheet and the matrix."""

from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.show.html.cell_tables import part_by_section
from overtrick.show.html.contestants import Contestant
from tests.support.evaluating import evaluate
from tests.support.public import make_session_page
from tests.support.render_sample import evening
from tests.support.site_sample import individual

PAGE = make_session_page(evening(), Config())


def test_a_recap_has_a_row_a_pair_and_a_column_a_board() -> None:
    north_south, _ = PAGE.recaps
    assert ["1", "3", "2"] == [row.contestant.id for row in north_south.rows]
    assert ["1", "2", "3"] == [head.text for head in north_south.heads]
    assert ["100", "100", "100"] == [cell.text for cell in north_south.rows[0].cells]


def test_a_recap_leaves_out_boards_that_nobody_of_it_played() -> None:
    assert all(len(row.cells) == len(recap.heads) for recap in PAGE.recaps for row in recap.rows)
    assert "4" not in [head.text for head in PAGE.recaps[0].heads]


def test_tops_and_bottoms_are_marked_in_the_recap() -> None:
    assert "top" == PAGE.recaps[0].rows[0].cells[0].mark


def test_where_north_south_stay_the_matrix_has_them_as_rows() -> None:
    matrix = PAGE.matrix
    assert matrix is not None
    (table,) = matrix.tables
    assert ["1", "2", "3"] == [row.contestant.id for row in table.rows]
    assert ["11", "12", "13"] == [head.text for head in table.heads]
    assert ["60", "0", "50"] == [cell.text for cell in table.rows[2].cells]


def test_each_section_has_a_matrix_of_its_own() -> None:
    field = [Contestant(str(n), section, None, "") for section in "AB" for n in (1, 2)]
    apart = [(field[0], field[1]), (field[2], field[3])]
    assert {"Section A": field[:2], "Section B": field[2:]} == part_by_section(field, apart)
    assert {"": field} == part_by_section(field, [*apart, (field[0], field[2])])


def test_in_a_large_field_each_pair_lists_whom_it_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.show.html.cell_tables.MOST_CELLS", 8)
    matrix = make_session_page(evening(), Config()).matrix
    assert matrix is not None
    assert () == matrix.tables
    assert [("11", "60"), ("12", "0"), ("13", "50")] == [*matrix.lists[2].met]


def test_an_individual_has_a_table_of_partners_and_one_of_opponents(tmp_path: Path) -> None:
    (tmp_path / "solo.csv").write_text(individual(), "utf-8")
    config = Config()
    matrix = make_session_page(evaluate([str(tmp_path / "solo.csv")], config), config).matrix
    assert matrix is not None
    partners, opponents = matrix.tables
    assert ("Partners", "Opponents") == (partners.title, opponents.title)
    names = [head.text for head in partners.heads]
    assert ["3", "4", "7"] == [name for name, cell in zip(names, partners.rows[0].cells, strict=True) if cell.text]
    met = [name for name, cell in zip(names, opponents.rows[0].cells, strict=True) if cell.text]
    assert ["2", "3", "4", "5", "6"] == met
