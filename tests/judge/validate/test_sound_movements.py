"""Sound movements of many kinds: no problem in them, whole or begun, and one slip is found where it is."""

import pytest

from overtrick.core.bridge.movements import KNOWN, Cyclic, Sitting, cyclic, with_boards
from overtrick.core.config import Movement
from tests.judge.validate.test_movement_given import results, told
from tests.support.builders import Row
from tests.support.sound_movements import HOWELLS, TWO_STAY, every_kind, is_sound
from tests.support.sweeps import sample

SOUND = dict(every_kind())
WHOLE = pytest.mark.parametrize("name", SOUND)


def at(rows: list[Row], number: int, table: int) -> list[int]:
    """Return the places of the results of one table in one round."""
    here = (str(number), str(table))
    return [place for place, row in enumerate(rows) if (row["round"], row["table"]) == here]


def turned(rows: list[Row], *places: int) -> list[Row]:
    return [{**row, "ns": row["ew"], "ew": row["ns"]} if place in places else row for place, row in enumerate(rows)]


@WHOLE
def test_these_movements_are_sound(name: str) -> None:
    assert is_sound(SOUND[name])


@WHOLE
def test_a_sound_movement_is_silent(name: str) -> None:
    assert [] == told(results(SOUND[name]))


@WHOLE
@pytest.mark.parametrize("rounds", sample([5, 4, 2, 7], 2))
@pytest.mark.sweep(2)
def test_a_sound_movement_that_ended_early_is_silent(name: str, rounds: int) -> None:
    begun = [one for one in SOUND[name] if one.round <= rounds]
    assert [] == told(results(begun))


@pytest.mark.parametrize(
    "name", [name for name in SOUND if not name.startswith("scissors") and name != "howell 8, a pair missing"]
)
@pytest.mark.sweep(2)
def test_a_pair_in_place_of_another_is_found(name: str) -> None:
    """Round 2, table 3, in the whole round: a pair is entered N-S that does not sit there."""
    rows = results(SOUND[name])
    places = at(rows, 2, 3)
    stranger = next(str(who) for who in (1, 4, 5) if str(who) not in (rows[places[0]]["ns"], rows[places[0]]["ew"]))
    slipped = [{**row, "ns": stranger} if place in places else row for place, row in enumerate(rows)]
    said = [said for _, said in told(slipped)]
    here, there = f"round 2 at table 3, {stranger} sits N-S", f"round 2: {stranger} sits at table"
    assert any(here in text or there in text for text in said)


@pytest.mark.parametrize(
    "name", ["howell 8", "howell 10", "howell 12", "howell 14", "three-quarter howell 16", "howell 12, a pair missing"]
)
@pytest.mark.parametrize(("number", "table"), [(3, 1), (4, 2), (5, 3)])
def test_a_whole_table_that_was_entered_the_wrong_way_round_is_found(name: str, number: int, table: int) -> None:
    rows = results(SOUND[name])
    places = at(rows, number, table)
    problems = told(turned(rows, *places))
    assert ["movement-wrong-way"] * len(places) == [code for code, _ in problems]
    assert all(f"in round {number} at table {table}, " in said for _, said in problems)


@pytest.mark.parametrize(
    "name", [name for name in ("howell 10, tables turn", "howell 14, tables turn") if name in SOUND]
)
def test_where_the_movement_turns_some_tables_a_turned_one_elsewhere_is_found(name: str) -> None:
    rows = results(SOUND[name])
    places = at(rows, 3, 3)
    problems = told(turned(rows, *places))
    assert ["movement-wrong-way"] * len(places) == [code for code, _ in problems]
    assert all("in round 3 at table 3, " in said for _, said in problems)


@pytest.mark.parametrize(("number", "table"), [(3, 1), (8, 1), (3, 2), (9, 2), (6, 4)])
@pytest.mark.parametrize("boards", [1, 2])
def test_a_round_that_breaks_the_pattern_in_which_a_table_turns_is_found(number: int, table: int, boards: int) -> None:
    rows = results(SOUND["howell 12, in patterns"])
    problems = told(turned(rows, *at(rows, number, table)[:boards]))
    assert ["movement-wrong-way"] * boards == [code for code, _ in problems]
    assert all(f"in round {number} at table {table}, " in said for _, said in problems)


def test_two_pairs_that_changed_places_are_found_where_tables_turn_often() -> None:
    rows = results(SOUND["howell 12, in patterns"])
    here, there = at(rows, 4, 1), at(rows, 4, 5)
    swapped = [dict(row) for row in rows]
    for one, other in zip(here, there, strict=True):
        swapped[one]["ns"], swapped[other]["ns"] = rows[other]["ns"], rows[one]["ns"]
    wrong = {said for code, said in told(swapped) if code == "movement-differs"}
    assert len({*here, *there}) == len(wrong)
    assert all("in round 4 at table " in said for said in wrong)


def test_a_table_that_alone_did_not_switch_in_an_arrow_switched_round_is_found() -> None:
    rows = results(SOUND["relay and share 8, arrow-switched"])
    problems = told(turned(rows, *at(rows, 8, 3)))
    assert all("in round 8 at table 3, " in said or "pair-wrong-way" == code for code, said in problems)
    assert problems


@pytest.mark.parametrize("name", [name for name in SOUND if name.startswith(("mitchell", "skip"))])
def test_a_whole_table_of_a_mitchell_the_wrong_way_round_is_found(name: str) -> None:
    rows = results(SOUND[name])
    places = at(rows, 3, 2)
    assert ["pair-wrong-way"] * len(places) == [code for code, _ in told(turned(rows, *places))]


def test_where_the_movement_turns_tables_one_result_of_a_table_is_still_a_slip() -> None:
    rows = results(SOUND["howell 10, two stay"])
    assert ["movement-wrong-way"] == [code for code, _ in told(turned(rows, at(rows, 6, 2)[0]))]


def test_a_missing_result_is_seen_in_a_session_that_ended_early() -> None:
    rows = results([one for one in SOUND["relay and share 8"] if one.round <= 5])
    assert [("board-results-missing", "board 1 has only 4 of the usual 5 results")] == told(rows[1:])


def given(start: tuple[tuple[int, int, int], ...], boards: int, **keys: object) -> Movement:
    first = [list(row) for row in start]
    return Movement.model_validate({"kind": "howell", "boards": boards, "start": first, **keys})


def played(cycle: Cyclic, rounds: int, boards: int) -> list[Sitting]:
    return with_boards(cyclic(cycle, rounds), boards)


@pytest.mark.parametrize("pairs", [8, 10, 12, 14])
@pytest.mark.parametrize("rounds", [3, 7])
@pytest.mark.parametrize("stated", [("round", "table"), ()])
def test_a_howell_given_by_its_first_round_may_end_early(pairs: int, rounds: int, stated: tuple[str, ...]) -> None:
    start = HOWELLS[pairs]
    rows = results(played(Cyclic(start, pairs - 1, {}), rounds, 2), stated)
    assert [] == told(rows, given(start, 2))


@pytest.mark.parametrize("stated", [("round", "table"), ()])
@pytest.mark.parametrize("rounds", [5, 6, 8])
def test_a_howell_given_by_its_first_round_may_turn_tables(rounds: int, stated: tuple[str, ...]) -> None:
    start = tuple((ns, ew, group) for ns, ew, group in TWO_STAY.start)
    assert [] == told(results(played(TWO_STAY, rounds, 3), stated), given(start, 3, moving=8))


def test_a_three_quarter_howell_given_by_its_first_round_is_silent() -> None:
    known = KNOWN["three-quarter-howell", 8]
    start = tuple((ns, ew, group) for ns, ew, group in known.start)
    assert [] == told(results(played(known, 13, 2)), given(start, 2, moving=13))


def test_in_a_howell_given_by_its_first_round_pairs_may_move_down() -> None:
    cycle = Cyclic(HOWELLS[8], 7, {}, down=True)
    rows = results(played(cycle, 7, 3))
    assert [] == [each for each in told(rows, given(HOWELLS[8], 3)) if "movement" in each[0]]


def test_the_settings_may_say_where_a_howell_turns() -> None:
    start = tuple((ns, ew, group) for ns, ew, group in TWO_STAY.start)
    movement = given(start, 3, moving=8, turned={"2": [5, 6, 7, 8]})
    rows = results(played(TWO_STAY, 8, 3))
    assert [] == told(rows, movement)
    assert ["movement-wrong-way"] * 3 == [code for code, _ in told(turned(rows, *at(rows, 8, 2)), movement)]


def test_a_turned_table_of_a_given_howell_is_found() -> None:
    rows = results(played(Cyclic(HOWELLS[10], 9, {}), 9, 2))
    problems = told(turned(rows, *at(rows, 4, 3)), given(HOWELLS[10], 2))
    assert ["movement-wrong-way"] * 2 == [code for code, _ in problems]
