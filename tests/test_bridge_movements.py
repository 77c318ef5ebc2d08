"""What results tell of the movement."""

from collections.abc import Sequence

import polars as pl

from overtrick.bridge.movements import numbers_repeat
from overtrick.frames import sides
from tests.builders import Row, results


def mitchell(tables: int, section: str | None = None) -> list[Row]:
    """N-S 1, 2, 3 ... sit still, E-W 1, 2, 3 ... move up a table, boards move down: an odd number of tables."""
    return [
        {
            "section": section,
            "round": str(turn),
            "board": (table + turn - 2) % tables + 1,
            "ns": str(table),
            "ew": str((table - turn) % tables + 1),
        }
        for turn in range(1, tables + 1)
        for table in range(1, tables + 1)
    ]


def howell() -> list[Row]:
    """Four pairs, three rounds of one board: all meet once."""
    meetings = [("4", "1", "2", "3"), ("4", "2", "3", "1"), ("4", "3", "1", "2")]
    return [
        {"round": str(turn), "board": turn, "ns": ns, "ew": ew}
        for turn, seats in enumerate(meetings, start=1)
        for ns, ew in (seats[:2], seats[2:])
    ]


def seats(rows: Sequence[Row]) -> pl.DataFrame:
    return sides(results(*rows))


def test_a_mitchell_with_the_same_numbers_both_ways_has_twice_as_many_pairs() -> None:
    assert numbers_repeat(seats(mitchell(5)), "direction")


def test_in_a_howell_a_number_is_one_pair_whichever_way_it_sits() -> None:
    assert not numbers_repeat(seats(howell()), "direction")


def test_one_pair_that_is_written_on_the_wrong_line_makes_no_second_pair() -> None:
    slip: Row = {"round": "9", "board": 1, "ns": "1", "ew": "4"}
    assert not numbers_repeat(seats([*howell(), slip]), "direction")


def test_numbers_that_sit_one_way_only_do_not_repeat() -> None:
    rows = [{**row, "ew": f"1{row['ew']}"} for row in mitchell(5)]
    assert not numbers_repeat(seats(rows), "direction")


def test_sections_that_both_begin_at_one_have_different_pairs() -> None:
    both = seats([*mitchell(5, "A"), *mitchell(5, "B")])
    assert numbers_repeat(both, "section")


def test_a_pair_that_moves_to_the_other_section_is_still_one_pair() -> None:
    first, second = (
        {"section": "A", "board": 1, "ns": "7", "ew": "8"},
        {"section": "B", "board": 2, "ns": "8", "ew": "7"},
    )
    assert not numbers_repeat(seats([first, second]), "section")


def test_without_results_nothing_repeats() -> None:
    assert not numbers_repeat(seats([]), "direction")
