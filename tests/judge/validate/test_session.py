"""Sessions as a whole: pairs, tables, directions and boards."""

from collections.abc import Sequence

import pytest

from overtrick.judge.validate.session import check_consistency
from tests.support.builders import Row, session

MITCHELL = (
    (("1", "11"), ("2", "12"), ("3", "13")),
    (("1", "13"), ("2", "11"), ("3", "12")),
    (("1", "12"), ("2", "13"), ("3", "11")),
)
"""Three rounds of two boards: who meets whom at tables 1 to 3."""


def evening(**columns: object) -> list[Row]:
    """Write the results of a Mitchell of six pairs: boards 1 and 2 in the first round, and so on at every table."""
    return [
        {
            "record": board,
            "board": board,
            "round": str(number),
            "table": str(table),
            "ns": ns,
            "ew": ew,
            "stated_score_ns": 0,
            **columns,
        }
        for number, meetings in enumerate(MITCHELL, start=1)
        for board in (2 * number - 1, 2 * number)
        for table, (ns, ew) in enumerate(meetings, start=1)
    ]


def told(rows: Sequence[Row]) -> list[tuple[str, str]]:
    problems = check_consistency(session(*rows))
    return problems.select("code", "message").rows()


def changed(place: int, **columns: object) -> list[Row]:
    """Write the evening with one result changed; results of board 1 are 0 to 2."""
    rows = evening()
    return [*rows[:place], {**rows[place], **columns}, *rows[place + 1 :]]


def test_a_sound_evening_is_silent() -> None:
    assert [] == told(evening())


def test_the_same_numbers_in_both_directions_are_different_pairs() -> None:
    rows = [{**row, "ew": str(int(str(row["ew"])) - 10)} for row in evening()]
    assert [] == told(rows)


def test_no_pair_plays_a_board_twice() -> None:
    assert ("pair-board-twice", "board 1: 1 plays this board again, against 12; overtrick counts every result") in told(
        changed(1, ns="1", table="1")
    )


def test_no_pair_plays_itself() -> None:
    assert ("pair-against-itself", "board 1: 2 sits both N-S and E-W") in told(changed(1, ew="2"))


def test_no_pair_sits_at_two_tables_in_a_round() -> None:
    first, second = "round 1: 1 sits at table 1 and also at table 2", "round 1: 11 sits at table 1 and also at table 2"
    assert [("pair-two-tables", first), ("pair-two-tables", second)] == told(changed(0, table="2"))


def test_pairs_that_were_exchanged_are_named_together() -> None:
    expected = "board 1: 11 sits N-S against 1, but on most other boards both sit the other way"
    assert [("pair-wrong-way", expected)] == [row for row in told(changed(0, ns="11", ew="1")) if "wrong" in row[0]]


def test_where_pairs_sit_both_ways_nobody_sits_the_wrong_way() -> None:
    rows = [{**row, "ns": row["ew"], "ew": row["ns"]} if row["round"] == "3" else row for row in evening()]
    assert [] == told(rows)


def test_a_bye_and_a_result_of_the_same_board_contradict_each_other() -> None:
    bye = {**evening()[0], "status": "bye", "ew": None, "stated_score_ns": None}
    assert [("pair-bye-played", "board 1: 1 has a bye, but also a result against 11")] == told([*evening(), bye])


@pytest.mark.parametrize("phantom", ["0", "Phantom", "BYE", "Sit out", "sit-out", "missing pair"])
def test_nobody_has_a_result_against_a_pair_that_is_not_there(phantom: str) -> None:
    said = f"board 1: 1 has a result against {phantom}, which is a phantom pair; overtrick counts the result"
    assert [("pair-phantom", said)] == [row for row in told(changed(0, ew=phantom)) if "phantom" in row[0]]
    assert [] == [row for row in told(changed(0, ew=phantom, status="not played")) if "phantom" in row[0]]


@pytest.mark.parametrize(("names", "codes"), [("Phantom - Phantom", ["pair-phantom"] * 6), ("Ann Bye - Bo Ray", [])])
def test_a_pair_that_is_not_there_is_known_by_its_names(names: str, codes: list[str]) -> None:
    listed = [{"contestant": "11", "names": names}, {"contestant": "1", "names": "Ann Ray - Bo Bye"}]
    problems = check_consistency(session(*evening(), contestants=listed))
    assert codes == problems["code"].to_list()


def test_a_board_with_fewer_results_than_the_others_is_noted() -> None:
    assert [("board-results-missing", "board 1 has only 2 of the usual 3 results")] == told(evening()[1:])


def test_a_board_with_more_results_than_the_others_is_reported() -> None:
    more = {**evening()[0], "ns": "4", "ew": "14", "table": "4"}
    assert [("board-results-surplus", "board 1 has 4 results, but only 3 tables sat")] == told([*evening(), more])


def test_a_complete_board_is_not_blamed_while_others_wait_for_their_results() -> None:
    """Of five tables two are entered on boards 1 to 4 alone."""
    rows = [
        {
            "record": board,
            "board": board,
            "round": str(number),
            "table": str(table),
            "ns": str(table),
            "ew": str(100 + (table - number) % 5),
            "stated_score_ns": 0,
        }
        for number in range(5)
        for table in range(1, 6)
        for board in (2 * ((table + number) % 5) + 1, 2 * ((table + number) % 5) + 2)
        if table <= 3 or board <= 4
    ]
    assert "board-results-surplus" not in [code for code, _ in told(rows)]


def test_the_boards_of_a_meeting_follow_each_other() -> None:
    away = [{**row, "board": 9, "record": 9} if row["board"] == 2 else row for row in evening()]
    assert ("boards-not-consecutive", "1 and 11 meet on boards 1, 9, which are not consecutive") in told(away)


@pytest.mark.parametrize("status", ["not played", "unknown"])
def test_what_was_not_played_is_nobody_s_second_result(status: str) -> None:
    again = {**evening()[0], "status": status, "table": "7"}
    assert [] == told([*evening(), again])


def test_single_games_are_no_session() -> None:
    assert [] == told([{"record": number, "board": 1, "ns": "1", "ew": "2"} for number in range(3)])


def individual(board: int, *lines: str) -> list[Row]:
    """Write lines of players, North, South, East and West: `1 2 3 4`."""
    seated = [line.split() for line in lines]
    return [
        {
            "record": board,
            "board": board,
            "ns": f"{north}+{south}",
            "ew": f"{east}+{west}",
            "player_n": north,
            "player_s": south,
            "player_e": east,
            "player_w": west,
            "stated_score_ns": 0,
        }
        for north, south, east, west in seated
    ]


def test_no_player_of_an_individual_plays_a_board_twice() -> None:
    sound = individual(1, "1 2 3 4", "5 6 7 8")
    assert [] == told(sound)
    assert [
        ("pair-board-twice", "board 1: 2 plays this board again, against 7+8; overtrick counts every result")
    ] == told(individual(1, "1 2 3 4", "5 2 7 8"))


def test_a_board_with_one_result_of_two_is_noted() -> None:
    boards = [individual(board, "1 2 3 4", "5 6 7 8") for board in (1, 2, 3)]
    assert [("board-results-missing", "board 2 has only 1 of the usual 2 results")] == told(
        [*boards[0], boards[1][0], *boards[2]]
    )
