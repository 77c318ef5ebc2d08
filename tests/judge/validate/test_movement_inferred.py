"""Sessions against the movement that most of their results follow."""

from collections.abc import Sequence

import pytest

from overtrick.judge.validate.movement_inferred import check_movement
from tests.support import movements
from tests.support.builders import Row, session


def results(movement: movements.Movement, each: int = 2) -> list[Row]:
    """Write a result for every board of a movement, `each` boards a set."""
    return [
        {
            "record": board,
            "board": board,
            "round": str(number),
            "table": str(table),
            "ns": ns,
            "ew": ew,
            "stated_score_ns": 0,
        }
        for number, tables in enumerate(movement, start=1)
        for table, (ns, ew, boards) in enumerate(tables, start=1)
        for board in range((boards - 1) * each + 1, boards * each + 1)
    ]


def told(rows: Sequence[Row]) -> list[tuple[str, str]]:
    return check_movement(session(*rows)).select("code", "message").rows()


def changed(rows: list[Row], place: int, **columns: object) -> list[Row]:
    return [*rows[:place], {**rows[place], **columns}, *rows[place + 1 :]]


MITCHELL = results(movements.mitchell(7, 7))
HOWELL = results(movements.howell())
INDIVIDUAL = results(movements.individual())


THREE_QUARTERS = results(movements.three_quarter_howell())
SAME_NUMBERS: list[Row] = [{**row, "ew": str(int(str(row["ew"])) - 100)} for row in MITCHELL]


@pytest.mark.parametrize(
    "rows",
    [
        MITCHELL,
        HOWELL,
        THREE_QUARTERS,
        SAME_NUMBERS,
        results(movements.mitchell(8, 7, "skip")),
        results(movements.mitchell(8, 8, "relay"), 3),
        INDIVIDUAL,
        changed(INDIVIDUAL, 0, ns="1+8"),
    ],
)
def test_a_session_that_follows_its_movement_is_silent(rows: list[Row]) -> None:
    assert [] == told(rows)


def test_a_pair_that_belongs_elsewhere_is_named_with_the_one_that_belongs_there() -> None:
    expected = "board 1: in round 1 at table 1, 103 sits E-W, but the movement has 101 there"
    assert [("movement-differs", expected)] == told(changed(MITCHELL, 0, ew="103"))


def test_a_player_of_an_individual_who_belongs_elsewhere_is_named() -> None:
    assert ("8+1", "3+7") == (INDIVIDUAL[0]["ns"], INDIVIDUAL[2]["ns"])
    assert [
        ("movement-differs", "board 1: in round 1 at table 1, 3 sits N-S, but the movement has 1 there"),
        ("movement-differs", "board 3: in round 1 at table 2, 1 sits N-S, but the movement has 3 there"),
    ] == told(changed(changed(INDIVIDUAL, 0, ns="8+3"), 2, ns="1+7"))


def test_pairs_exchanged_at_one_table_of_a_howell_are_named_together() -> None:
    expected = (
        "board 1: in round 1 at table 1, 1 sits N-S and 8 sits E-W, but the movement has them the other way round"
    )
    assert [("movement-wrong-way", expected)] == told(changed(HOWELL, 0, ns="1", ew="8"))


def test_where_tables_turn_round_by_the_movement_only_single_results_are_slips() -> None:
    turned = next(place for place, row in enumerate(THREE_QUARTERS) if row["round"] == "9" and row["table"] == "1")
    for place in (turned, turned + 2):
        row = THREE_QUARTERS[place]
        rows = changed(THREE_QUARTERS, place, ns=row["ew"], ew=row["ns"])
        assert ["movement-wrong-way"] == [code for code, _ in told(rows)]


def test_where_a_number_is_two_pairs_an_exchange_of_the_numbers_is_told_once() -> None:
    exchanged = changed(SAME_NUMBERS, 14, ns="7", ew="1")
    assert ("1", "7") == (SAME_NUMBERS[14]["ns"], SAME_NUMBERS[14]["ew"])
    assert [
        (
            "movement-wrong-way",
            "board 3: in round 2 at table 1, 7 sits N-S and 1 sits E-W, but the movement has them the other way round",
        )
    ] == told(exchanged)


def test_where_each_pair_sits_one_way_the_exchange_is_told_by_another_check() -> None:
    assert [] == told(changed(MITCHELL, 0, ns="101", ew="1"))


def test_a_round_in_which_all_change_direction_is_an_arrow_switch() -> None:
    switched = [{**row, "ns": row["ew"], "ew": row["ns"]} if row["round"] == "7" else row for row in MITCHELL]
    assert [] == told(switched)


def test_a_board_of_another_set_is_named_with_those_that_belong_there() -> None:
    expected = "board 9 is played in round 1 at table 1, but the movement has boards 1 to 2 there"
    assert [("movement-wrong-board", expected)] == told(changed(MITCHELL, 0, board=9, record=9))


def test_a_slip_of_a_whole_table_is_seen_too() -> None:
    both = changed(changed(HOWELL, 0, ew="3"), 1, ew="3")
    assert ["movement-differs", "movement-differs"] == [code for code, _ in told(both)]


def test_few_rounds_make_no_movement() -> None:
    assert [] == told(changed(results(movements.howell(rounds=3)), 0, ew="3"))


def test_without_rounds_or_tables_nothing_is_expected() -> None:
    assert [] == told([{**row, "round": None} for row in changed(HOWELL, 0, ew="3")])
    assert [] == told([{**row, "table": None} for row in changed(HOWELL, 0, ew="3")])


def test_sections_have_movements_of_their_own() -> None:
    both = [{**row, "section": "A"} for row in MITCHELL] + [
        {**row, "section": "B"} for row in changed(HOWELL, 0, ew="3")
    ]
    assert ["board 1: in round 1 at table 1, 3 sits E-W, but the movement has 1 there"] == [
        said for _, said in told(both)
    ]
