"""Sessions against the movement that the club gives."""

from collections.abc import Sequence

import pytest

from overtrick.core.bridge.movements import KNOWN, Sitting, cyclic, mitchell, switched, with_boards
from overtrick.core.config import Movement
from overtrick.judge.validate import validate
from tests.support.builders import Row, session

SEVEN = Movement(kind="mitchell", tables=7, boards=2)
HOWELL = Movement(kind="howell", tables=4, boards=4)

MITCHELL = with_boards(mitchell(7, 7, first_ew=8), 2)
EIGHT_PAIRS = with_boards(cyclic(KNOWN["howell", 4], 7), 4)


def results(schedule: Sequence[Sitting], stated: Sequence[str] = ("round", "table")) -> list[Row]:
    """Write a result for every board of every table, with its round and table where these are stated."""
    left_out = {"round", "table"} - set(stated)
    rows = [
        {
            "record": board,
            "board": board,
            "round": str(one.round),
            "table": str(one.table),
            "ns": "+".join(map(str, one.ns)),
            "ew": "+".join(map(str, one.ew)),
            "stated_score_ns": 0,
        }
        for one in schedule
        for board in one.boards
    ]
    return [{name: value for name, value in row.items() if name not in left_out} for row in rows]


def told(rows: Sequence[Row], *movements: Movement) -> list[tuple[str, str]]:
    problems = validate(session(*rows), movements=movements).problems
    return problems.select("code", "message").rows()


def codes(rows: Sequence[Row], *movements: Movement) -> list[str]:
    return [code for code, _ in told(rows, *movements)]


def changed(rows: list[Row], place: int, **columns: object) -> list[Row]:
    return [*rows[:place], {**rows[place], **columns}, *rows[place + 1 :]]


@pytest.mark.parametrize(
    ("movement", "schedule"),
    [
        (SEVEN, MITCHELL),
        (SEVEN, with_boards(mitchell(7, 7), 2)),
        (SEVEN, with_boards(mitchell(7, 7, first_ew=101), 2)),
        (SEVEN.model_copy(update={"switched": [7]}), switched(MITCHELL, [7])),
        (SEVEN.model_copy(update={"first_board": 15}), with_boards(mitchell(7, 7, first_ew=8), 2, 15)),
        (SEVEN.model_copy(update={"rounds": 5}), with_boards(mitchell(7, 5, first_ew=8), 2)),
        (Movement(kind="mitchell", tables=8, boards=3, skip_after=4), with_boards(mitchell(8, 7, skip_after=4), 3)),
        (Movement(kind="mitchell", tables=8, boards=3, relay=True), with_boards(mitchell(8, 8, relay=True), 3)),
        (HOWELL, EIGHT_PAIRS),
        (Movement(kind="howell", start=[[8, 1, 1], [6, 5, 2], [4, 2, 3], [7, 3, 5]], boards=4), EIGHT_PAIRS),
        (
            Movement(kind="three-quarter-howell", tables=8, boards=2),
            with_boards(cyclic(KNOWN["three-quarter-howell", 8], 13), 2),
        ),
        (Movement(kind="individual", tables=2, boards=3), with_boards(cyclic(KNOWN["individual", 2], 7), 3)),
    ],
)
@pytest.mark.parametrize("stated", [("round", "table"), ("table",), ("round",), ()])
@pytest.mark.sweep(2)
def test_a_session_that_keeps_to_its_movement_is_silent(
    movement: Movement, schedule: list[Sitting], stated: tuple[str, ...]
) -> None:
    assert [] == told(results(schedule, stated), movement)


@pytest.mark.parametrize(
    ("columns", "code", "said"),
    [
        ({"ew": "21"}, "movement-differs", "board 3: in round 1 at table 2, 21 sits E-W, but the movement has 9 there"),
        ({"ns": "22"}, "movement-differs", "board 3: in round 1 at table 2, 22 sits N-S, but the movement has 2 there"),
        (
            {"ns": "9", "ew": "2"},
            "movement-wrong-way",
            "board 3: in round 1 at table 2, 9 sits N-S and 2 sits E-W, but the movement has them the other way round",
        ),
        (
            {"round": "5"},
            "movement-differs",
            "board 3: 2 and 9 have a result in round 5 at table 2, but the movement has them in round 1 at table 2",
        ),
        (
            {"ns": "21", "ew": "22", "table": "9"},
            "movement-differs",
            "board 3: 21 and 22 have a result in round 1 at table 9, which the movement does not have",
        ),
    ],
)
def test_a_result_that_the_movement_does_not_have_is_told_once(columns: Row, code: str, said: str) -> None:
    rows = changed(results(MITCHELL), 2, **columns)
    assert [(code, said)] == [problem for problem in told(rows, SEVEN) if problem[0] != "movement-missing"]


def test_a_board_of_another_set_is_named_with_those_that_belong_there() -> None:
    said = "board 9 is played in round 1 at table 2, but the movement has boards 3 to 4 there"
    missing = "board 3: 2 and 9 have no result, but in the movement they play it in round 1 at table 2"
    problems = told(changed(results(MITCHELL), 2, board=9, record=9), SEVEN)
    assert {("movement-wrong-board", said), ("movement-missing", missing)} == {
        problem for problem in problems if problem[0] != "pair-board-twice"
    }


def test_without_rounds_and_tables_who_meets_on_which_board_is_judged() -> None:
    said = "board 3: 2 and 21 have a result, but in the movement they do not meet on this board"
    assert ("movement-differs", said) in told(changed(results(MITCHELL, ()), 2, ew="21"), SEVEN)
    turned = changed(results(EIGHT_PAIRS, ()), 0, ns="1", ew="8")
    assert ["movement-wrong-way"] == codes(turned, HOWELL)


def test_a_board_that_has_no_result_is_missing_at_its_table() -> None:
    rows = results(MITCHELL)
    said = "board 3: 2 and 9 have no result, but in the movement they play it in round 1 at table 2"
    assert [("movement-missing", said)] == told([*rows[:2], *rows[3:]], SEVEN)


def test_a_missing_board_names_its_section_where_there_are_several() -> None:
    rows = [{**row, "section": section} for section in "AB" for row in results(MITCHELL)]
    said = "board 3: 2 and 9 have no result, but in the movement they play it in round 1 at table 2, section A"
    assert [("movement-missing", said)] == told([*rows[:2], *rows[3:]], SEVEN)


def test_a_board_that_was_not_played_is_not_missing() -> None:
    assert [] == told(changed(results(MITCHELL), 2, status="not played", stated_score_ns=None), SEVEN)


def test_whose_opponents_are_missing_sits_out() -> None:
    half = HOWELL.model_copy(update={"missing": 7})
    sat = results([one for one in EIGHT_PAIRS if 7 not in one.ns + one.ew])
    assert [] == told(sat, half)
    said = "board 13: 1 and 7 have a result in round 3 at table 2, but in the movement a pair sits out there"
    [played] = [row for row in results(EIGHT_PAIRS) if row["board"] == 13 and "7" in (row["ns"], row["ew"])]
    assert [("movement-differs", said)] == [each for each in told([*sat, played], half) if "movement" in each[0]]


def test_the_missing_pair_of_equal_numbers_is_of_east_and_west() -> None:
    half = SEVEN.model_copy(update={"missing": 7})
    assert [] == told(results([one for one in with_boards(mitchell(7, 7), 2) if one.ew != (7,)]), half)


def test_a_player_of_an_individual_who_belongs_elsewhere_is_named_alone() -> None:
    movement = Movement(kind="individual", tables=2, boards=3)
    rows = results(movement.schedules(1)[0])
    assert ("8+1", "5+7") == (rows[0]["ns"], rows[0]["ew"])
    said = "board 1: in round 1 at table 1, 9 sits N-S, but the movement has 1 there"
    assert [("movement-differs", said)] == told(changed(rows, 0, ns="9+8"), movement)


def test_a_movement_that_most_results_contradict_is_not_used() -> None:
    skip = Movement(kind="mitchell", tables=8, boards=3, skip_after=4)
    rows = results(with_boards(mitchell(8, 7, relay=True, first_ew=9), 3))
    said = "only 48 of 168 results follow the movement in club.toml, so overtrick does not use it"
    assert ("movement-another", said) in told(rows, skip)
    assert not {"movement-wrong-board", "movement-missing"} & set(codes(rows, skip))


def test_each_section_is_held_against_its_own_movement() -> None:
    both = [{**row, "section": "A"} for row in results(MITCHELL)] + [
        {**row, "section": "B"} for row in changed(results(EIGHT_PAIRS), 0, ns="9")
    ]
    movements = [SEVEN.model_copy(update={"section": "A"}), HOWELL.model_copy(update={"section": "B"})]
    assert ["movement-differs"] == codes(both, *movements)
    assert ["movement-differs"] == codes(both, movements[0])


def test_results_without_numbers_are_not_judged() -> None:
    assert [] == told([{**row, "ns": "Ann", "ew": "Bo"} for row in results(MITCHELL[:1])], SEVEN)
