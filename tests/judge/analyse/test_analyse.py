"""What could have been made on each deal, from the file and from a solver."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from overtrick.core.frames import ITEMS, RECORDS, Session
from overtrick.judge.analyse import analyse
from tests.support.builders import Row, frame
from tests.support.machine_files import SUIT_EACH

DIGITS = "3a333" * 2 + "43888" * 2
TABLE = [3, 3, 3, 10, 3, 8, 8, 8, 3, 4] * 2
"""North and South make four spades, East and West two of any other suit."""
STATED = ("DoubleDummyTricks", DIGITS)


def board(number: int, *tags: tuple[str, str], deal: str | None = SUIT_EACH, **columns: object) -> Row:
    return {"board": number, "board_label": str(number), "deal": deal, "tags": tags, **columns}


def session(*boards: Row) -> Session:
    """Make a session of game records, each with its tags."""
    records, items = [], []
    for record, row in enumerate(boards):
        columns = dict(row)
        tags = columns.pop("tags")
        assert isinstance(tags, tuple)
        records.append({"record": record, "source": "evening.pbn", "line": 10 * record + 1, **columns})
        items += [
            {"record": record, "line": 10 * record + 2 + n, "column": 1, "kind": "tag", "name": name, "text": text}
            for n, (name, text) in enumerate(tags)
        ]
    return Session(records=frame(RECORDS, records), listed=frame(ITEMS, items))


def codes(read: Session) -> list[str]:
    return read.problems["code"].to_list()


def solves(deals: Sequence[str]) -> Mapping[str, bytes]:
    """Answer to every deal with the same table."""
    return dict.fromkeys(deals, bytes(TABLE))


def only(read: Session) -> dict[str, Any]:
    (row,) = read.double_dummy.to_dicts()
    return row


def contracts(read: Session) -> list[str]:
    """Give the par contracts of the only deal: `4S NS 10`."""
    listed = only(read)["par_contracts"]
    assert isinstance(listed, list)
    return [f"{one['level']}{one['strain']}{'X' * one['doubled']} {one['declarer']} {one['tricks']}" for one in listed]


def test_a_table_that_the_file_states_is_taken_and_par_worked_out() -> None:
    read = analyse(session(board(4, STATED)))
    row = only(read)
    assert (0, 4, SUIT_EACH, TABLE, "stated", None) == tuple(row[name] for name in list(row)[:6])
    assert (620, ["4S NS 10"]) == (row["par_ns"], contracts(read))
    assert [] == codes(read)


@pytest.mark.parametrize(("number", "score"), [(1, 420), (2, 500), (4, 620)])
def test_par_depends_on_the_vulnerability_of_the_board(number: int, score: int) -> None:
    assert score == only(analyse(session(board(number, STATED))))["par_ns"]


def test_the_vulnerability_that_the_file_states_goes_before_that_of_the_number() -> None:
    assert 620 == only(analyse(session(board(1, STATED, vulnerable="All"))))["par_ns"]


def test_a_sacrifice_is_doubled() -> None:
    assert ["5CX EW 8", "5DX EW 8", "5HX EW 8"] == contracts(analyse(session(board(2, STATED))))


def test_a_board_that_nobody_can_make_anything_on_has_par_0_and_no_contract() -> None:
    row = only(analyse(session(board(1, ("DoubleDummyTricks", "6" * 20)))))
    assert (0, []) == (row["par_ns"], row["par_contracts"])


def test_without_solver_a_deal_without_table_is_not_listed() -> None:
    assert analyse(session(board(1))).double_dummy.is_empty()


def test_deals_that_the_solver_has_nothing_for_are_counted() -> None:
    read = analyse(session(board(1), board(2), board(3, STATED), board(4, deal=None)), lambda _: {})
    message = "some deals have no double-dummy table (2): the file does not have one, and the solver is not installed"
    assert [("double-dummy-unsolved", message)] == read.problems.select("code", "message").rows()


def test_a_deal_is_solved_once_for_all_the_tables_it_was_played_at() -> None:
    asked: list[str] = []

    def solve(deals: Sequence[str]) -> Mapping[str, bytes]:
        asked.extend(deals)
        return solves(deals)

    row = only(analyse(session(board(4), board(4), board(4)), solve))
    assert [SUIT_EACH] == asked
    assert (TABLE, "solved", TABLE, 620) == (row["tricks"], row["origin"], row["solved"], row["par_ns"])


@pytest.mark.parametrize("deal", [None, "N:- - - -", SUIT_EACH.replace("AKQJT98765432", "AKQJT98765433", 1)])
def test_a_deal_that_can_not_be_played_is_not_solved(deal: str | None) -> None:
    assert analyse(session(board(1, deal=deal)), solves).double_dummy.is_empty()


def test_a_table_that_the_solver_contradicts_stays_and_is_reported() -> None:
    wrong = ("DoubleDummyTricks", DIGITS.replace("a", "9"))
    read = analyse(session(board(4, wrong)), solves)
    row = only(read)
    assert ("stated", 9, 10) == (row["origin"], row["tricks"][3], row["solved"][3])
    expected = (
        "board 4: DoubleDummyTricks gives North 9 tricks in spades, but the solver gives 10 (2 of 20 numbers differ);"
        " overtrick uses the file's table"
    )
    assert [("double-dummy-differs", 2, expected)] == read.problems.select("code", "line", "message").rows()


def test_the_first_of_two_tables_counts_and_the_other_is_reported() -> None:
    read = analyse(session(board(4, STATED), board(4, ("Ability", "N:3a333 E:43888 S:3a333 W:43887"))))
    assert TABLE == only(read)["tricks"]
    expected = "board 4: Ability gives West 7 tricks in clubs, but an earlier table gives 8 (1 of 20 numbers differ)"
    assert [(12, expected)] == [
        (line, text.split(";")[0]) for line, text in read.problems.select("line", "message").rows()
    ]


def test_the_same_table_twice_is_no_problem() -> None:
    assert [] == codes(analyse(session(board(4, STATED, STATED), board(4, STATED)), solves))


def test_a_number_that_is_not_known_differs_from_nothing() -> None:
    read = analyse(session(board(4, ("DoubleDummyTricks", DIGITS.replace("a", "?")))), solves)
    assert [] == codes(read)
    assert None is only(read)["par_ns"]


def test_a_text_that_is_not_a_table_is_reported_at_its_place() -> None:
    read = analyse(session(board(1), board(2, ("Dealer", "E"), ("DoubleDummyTricks", "12"))))
    assert [("double-dummy-unreadable", "evening.pbn", 13, "2")] == read.problems.select(
        "code", "source", "line", "board"
    ).rows()


@pytest.mark.parametrize(
    "tag",
    [
        ("OptimumScore", "NS +620"),
        ("OptimumScore", "EW -620"),
        ("OptimumScore", "EW -620 NS 620"),
        ("OptimumScore", "NS 4S; +620"),
        ("ParScore", "620"),
        ("Minimax", "4SNS620"),
        ("PAR", '"NS 620" "EW -620" "NS:NS 4S" "EW:NS 4S"'),
    ],
)
def test_par_as_the_file_states_it_agrees_with_the_table(tag: tuple[str, str]) -> None:
    assert [] == codes(analyse(session(board(4, STATED, tag))))
    assert 620 == only(analyse(session(board(4, tag))))["par_ns"]


def test_another_par_than_that_of_the_table_is_reported() -> None:
    stated = {**board(4, STATED, ("OptimumScore", "NS -100")), "vulnerable": "All"}
    read = analyse(session(stated))
    assert 620 == only(read)["par_ns"]
    expected = (
        "board 4: OptimumScore says that par is −100 for N-S, but the double-dummy table gives +620;"
        " overtrick uses the table"
    )
    assert [("par-differs", 3, expected)] == read.problems.select("code", "line", "message").rows()


def test_par_of_a_program_that_leaves_the_dealer_out_is_no_problem() -> None:
    everybody_makes_1nt = ("DoubleDummyTricks", "76666" * 4)
    for score in ("NS 90", "NS -90"):
        assert [] == codes(analyse(session(board(1, everybody_makes_1nt, ("OptimumScore", score)))))


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (("ParContract", "NS 4S+1"), ["4S NS 11"]),
        (("ParContract", "EW 3NX-2"), ["3NTX EW 7"]),
        (("OptimumContract", "2H N 8"), ["2H N 8"]),
        (("Minimax", "5CDE-500"), ["5CX E None"]),
    ],
)
def test_without_a_table_the_contract_that_the_file_states_is_taken(tag: tuple[str, str], expected: list[str]) -> None:
    assert expected == contracts(analyse(session(board(1, tag))))


def test_a_session_without_records_has_nothing_to_analyse() -> None:
    assert analyse(Session(), solves).double_dummy.is_empty()


def test_the_deals_of_one_board_that_files_differ_about_are_rows_of_their_own() -> None:
    turned = "N:" + " ".join(reversed(SUIT_EACH.removeprefix("N:").split(" ")))
    read = analyse(session(board(1, STATED), board(1, deal=turned)), solves)
    assert ["stated", "solved"] == read.double_dummy["origin"].to_list()


def test_a_par_without_a_stated_vulnerability_is_not_judged() -> None:
    assert [] == codes(analyse(session(board(4, STATED, ("OptimumScore", "NS -100")))))


@pytest.mark.parametrize("digits", ["0" * 20, "a" * 20])
def test_a_table_that_nobody_solved_is_not_used(digits: str) -> None:
    """Twenty zeros; and ten tricks for everybody in all strains."""
    read = analyse(session(board(4, ("DoubleDummyTricks", digits))))
    assert read.double_dummy.is_empty()
    assert ["double-dummy-unreadable"] == codes(read)
