"""What results tell of the movement."""

from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.movements import Place, expected_seating, numbers_repeat
from overtrick.core.frames import sides
from tests.support import movements
from tests.support.builders import Row, results


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


PUBLISHED = [
    *(movements.mitchell(tables, tables) for tables in (5, 7, 9)),
    movements.mitchell(8, 7, "skip"),
    *(movements.mitchell(tables, tables, "relay") for tables in (4, 8)),
    movements.howell(),
    movements.howell(rounds=5),
]


def seated(movement: movements.Movement) -> dict[tuple[Place, int], str]:
    """Lay a movement out by place and round: pairs, and sets of boards."""
    return {
        ((str(table), name), number): str(who)
        for number, tables in enumerate(movement)
        for table, at in enumerate(tables, start=1)
        for name, who in zip(("ns", "ew", "boards"), at, strict=True)
    }


@pytest.mark.parametrize("movement", PUBLISHED)
def test_a_published_movement_is_what_it_expects(movement: movements.Movement) -> None:
    pairs = {key: who for key, who in seated(movement).items() if key[0][1] != "boards"}
    boards = {key: who for key, who in seated(movement).items() if key[0][1] == "boards"}
    assert pairs == expected_seating(pairs, gaps=True)
    assert boards == expected_seating(boards, gaps=False)


def test_a_part_of_the_tables_does_not_guess_where_the_last_boards_come_from() -> None:
    """Five sets at tables 1, 3 and 5, each of which sits out once: nobody sees the last set go to the next table."""
    sets = {"1": "0_234", "3": "234_1", "5": "_0123"}
    seating = {
        ((table, "boards"), place): number
        for table, numbers in sets.items()
        for place, number in enumerate(numbers)
        if number != "_"
    }
    assert expected_seating(seating, gaps=False).items() <= seating.items()
    assert "0" == expected_seating(seating, gaps=True)[("3", "boards"), 4]


@given(st.sampled_from([movement for movement in PUBLISHED if len(movement) > 4]), st.data())
def test_one_slip_anywhere_in_a_movement_is_put_right(movement: movements.Movement, data: st.DataObject) -> None:
    """In four rounds a slip can be as frequent as the right value."""
    pairs = {key: who for key, who in seated(movement).items() if key[0][1] != "boards"}
    place = data.draw(st.sampled_from(sorted(pairs)))
    other = data.draw(st.sampled_from(sorted(set(pairs.values()))))
    assert pairs[place] == expected_seating({**pairs, place: other}, gaps=True)[place]


def test_pairs_that_follow_no_movement_are_not_where_one_expects_them() -> None:
    drawn = [("1", "5"), ("2", "6"), ("1", "2"), ("5", "6"), ("1", "6"), ("2", "5"), ("5", "1"), ("6", "2")]
    pairs = {
        ((str(place % 2), name), place // 2): who
        for place, meeting in enumerate(drawn)
        for name, who in zip(("ns", "ew"), meeting, strict=True)
    }
    agreeing = sum(expected_seating(pairs, gaps=True).get(place) == who for place, who in pairs.items())
    assert agreeing < 0.9 * len(pairs)


def test_no_seating_expects_no_seating() -> None:
    assert {} == expected_seating({}, gaps=True)
