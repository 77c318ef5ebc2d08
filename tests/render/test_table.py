"""Plain text tables for a terminal."""

import polars as pl

from overtrick.frames import STANDINGS, Facts, Session
from overtrick.render.table import format_table, standings_tables
from overtrick.render.terminal import Palette
from tests.support.builders import frame

PLAIN = Palette(on=False)


def test_a_ranking_shows_shared_places_and_lines_numbers_up() -> None:
    rows = [
        {
            "rank": 1,
            "rank_last": 1,
            "contestant": "7",
            "names": "Ann - Bo",
            "total": 104.5,
            "percentage": 62.5,
            "boards": 9,
        },
        {"rank": 2, "rank_last": 3, "contestant": "12", "names": "王 - 李", "total": 98, "percentage": 50, "boards": 9},
        {"rank": 2, "rank_last": 3, "contestant": "1", "names": None, "total": 98, "percentage": 50, "boards": 8},
    ]
    session = Session(
        standings=frame(STANDINGS, [{"ranking": "NS", **row} for row in rows]),
        facts=Facts(event="Club evening", date="2026.03.01", method="matchpoints"),
    )
    assert standings_tables(session, PLAIN) == (
        "Club evening, 2026.03.01, matchpoints\n"
        "\n"
        "North-South\n"
        "place  contestant  names     total     %  boards\n"
        "   1   7           Ann - Bo  104.5  62.5       9\n"
        "   2=  12          王 - 李    98.0  50.0       9\n"
        "   2=  1                      98.0  50.0       8\n"
    )


def test_rankings_of_a_section_carry_its_name() -> None:
    rows = [{"ranking": name, "rank": 1, "rank_last": 1, "contestant": "1"} for name in ("Red NS", "Red EW", "all")]
    titles = standings_tables(Session(standings=frame(STANDINGS, rows)), PLAIN).splitlines()[::4]
    assert ["Red North-South", "Red East-West", "All contestants"] == titles


def test_a_column_without_values_is_left_out() -> None:
    assert format_table(pl.DataFrame({"board": [1, 12], "lead": [None, None]})) == "board\n    1\n   12\n"


def test_nothing_to_list_is_no_table() -> None:
    assert format_table(pl.DataFrame({"board": []})) == ""
    assert standings_tables(Session(), PLAIN) == "There is nothing to rank.\n"


def test_a_name_keeps_to_its_cell() -> None:
    table = format_table(pl.DataFrame({"names": ["Ann\nBerg\x1b[2J"], "board": [1]}))
    assert ["names         board", "Ann�Berg�[2J      1"] == table.splitlines()
