"""Text for a terminal."""

import pytest

from overtrick.render.terminal import Palette, display_width, printable


def test_a_name_can_not_steer_the_terminal() -> None:
    assert "Ann�[2J�31m�" == printable("Ann\x1b[2J\x9b31m\x07")


def test_a_name_can_not_turn_the_line_around() -> None:
    assert "Ann�ylloM" == printable("Ann\u202eylloM")


def test_a_tab_takes_one_column_as_problems_count_it() -> None:
    assert "1D Pass" == printable("1D\tPass")


@pytest.mark.parametrize(("cells", "text"), [(3, "Ann"), (4, "王五"), (3, "Zoe\u0301"), (4, "♠AKQ")])
def test_width_is_what_the_terminal_shows(cells: int, text: str) -> None:
    assert cells == display_width(text)


def test_a_palette_that_is_off_paints_nothing() -> None:
    assert "error" == Palette(on=False).paint("error", "error")
    assert "\x1b[1;31merror\x1b[0m" == Palette(on=True).paint("error", "error")
