"""Double-dummy tables and par as files state them."""

from overtrick.frames import ITEMS, RECORDS, Session
from overtrick.render.context_tables import DoubleDummy
from overtrick.render.double_dummy import differing, double_dummy, stated_tables
from tests.builders import frame

DIGITS = "9ba679ba672236622366"


def stated(*items: tuple[str, str, str]) -> dict[str, DoubleDummy]:
    rows = [{"record": 0, "kind": kind, "name": name, "text": text} for kind, name, text in items]
    return stated_tables(Session(records=frame(RECORDS, [{"record": 0, "board": 7}]), items=frame(ITEMS, rows)))


def test_twenty_digits_are_tricks_by_declarer_and_strain() -> None:
    table = stated(("tag", "DoubleDummyTricks", DIGITS))["7"]
    assert ("North", ("9", "11", "10", "6", "7")) == table.rows[0]
    assert ("West", ("2", "2", "3", "6", "6")) == table.rows[3]


def test_a_table_of_rows_says_the_same_in_any_order() -> None:
    rows = [f"{seat} {strain} {int(DIGITS[5 * s + t], 16)}" for s, seat in enumerate("NSEW")
            for t, strain in enumerate(("NT", "S", "H", "D", "C"))]  # fmt: skip
    table = stated(("tag", "OptimumResultTable", ""), ("section", "OptimumResultTable", "\n".join(reversed(rows))))
    assert stated(("tag", "DoubleDummyTricks", DIGITS)) == table


def test_a_side_can_make_its_better_hand_s_tricks() -> None:
    table = double_dummy({("N", "S"): 9, ("S", "S"): 10, ("E", "C"): 6}, "", "file")
    assert table is not None
    assert [["4♠"], []] == [[bid.text for bid in side.contracts] for side in table.makeable]


def test_tricks_of_a_program_that_did_not_solve_the_board_are_left_out() -> None:
    assert {} == stated(("tag", "DoubleDummyTricks", "18111181111111111111"))


def test_par_names_its_contract_where_the_file_does() -> None:
    assert "4♠+1 · N-S +450" == stated(("tag", "OptimumScore", "NS 4S+1; +450"))["7"].par
    assert (
        "2♥ N 8 · E-W +110" == stated(("tag", "OptimumScore", "EW 110"), ("tag", "OptimumContract", "2H N 8"))["7"].par
    )
    assert "N-S −100" == stated(("tag", "OptimumScore", "NS -100"))["7"].par


def test_tables_that_agree_are_shown_once() -> None:
    one, other = double_dummy({("N", "S"): 9}, "", "file"), double_dummy({("N", "S"): 9}, "", "solver")
    assert (one,) == differing([one, other, None])
