"""Results of LIN sessions: the official list, compared with auction, play and claim."""

from pathlib import Path

import polars as pl
import pytest

from overtrick.files.assemble import read
from overtrick.files.formats.lin.read.contracts import read_items
from overtrick.files.formats.lin.read.tokens import cut_tokens
from tests.support.lin_texts import DEAL, HEADER, MD, ONE_NOTRUMP, PLAYERS, session
from tests.support.reading import codes, lin, validated

Result = tuple[int, str | None, int | None, str | None, int | None]


def item(text: str) -> list[Result]:
    listed = pl.DataFrame({"session": 1, "board": 1, "place": 0, "text": text, "line": 1, "column": 1})
    rows, _ = read_items(listed, cut_tokens(""))
    return rows.select("level", "strain", "doubled", "declarer", "tricks").rows()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4HN=", (4, "H", 0, "N", 10)),
        ("4SWx-4", (4, "S", 1, "W", 6)),
        ("3nNXX+1", (3, "NT", 2, "N", 10)),
        ("3NxS-2", (3, "NT", 1, "S", 7)),
        ("5DE-11", (5, "D", 0, "E", 0)),
        ("4HE", (4, "H", 0, "E", None)),
        ("P", (0, None, None, None, None)),
        ("Pass", (0, None, None, None, None)),
    ],
)
def test_an_item_is_level_strain_declarer_doubling_and_tricks(text: str, expected: Result) -> None:
    assert [expected] == item(text)


@pytest.mark.parametrize("text", ["4HN+9", "4ZN=", "8HN=", "A=="])
def test_an_item_that_is_not_a_result_is_reported(text: str) -> None:
    assert ([], ["lin-result-item"]) == (item(text), codes(lin(session(text, f"o1|{MD}")).problems)[:1])


def test_an_item_that_is_not_a_result_is_reported_in_its_place() -> None:
    problems = lin(session("1NN=,zz", f"o1|{MD}")).problems
    assert [(2, 9)] == problems.filter(problems["code"] == "lin-result-item").select("line", "column").rows()


def test_an_empty_item_is_not_a_result() -> None:
    assert [] == item(" ")


def results(text: str) -> list[tuple[int, str, int | None, int | None]]:
    return lin(text).records.sort("board", "room", nulls_last=True).select("board", "room", "level", "tricks").rows()


def test_results_go_by_board_and_room_not_by_place() -> None:
    text = session("1NN+1,1NN=,1NN-1,P", *(f"{label}|{MD}sv|o|{ONE_NOTRUMP}" for label in ("c2", "o2", "c1", "o1")))
    assert [(1, "Closed", 1, 7), (1, "Open", 1, 8), (2, "Closed", 0, None), (2, "Open", 1, 6)] == results(text)


def test_a_result_of_a_room_that_is_not_shown_is_a_record_with_the_same_deal() -> None:
    records = lin(session("1NN=,3NE+1", f"o1|{MD}sv|o|{ONE_NOTRUMP}")).records
    assert [("Open", DEAL, "Cid"), ("Closed", DEAL, "Gus")] == records.select("room", "deal", "north").rows()
    assert [1, 3] == records["level"].to_list()


def test_results_after_the_last_board_are_left_out_and_reported() -> None:
    reading = lin(session("1NN=,,,,2SE=,2SE=", f"o1|{MD}sv|o|{ONE_NOTRUMP}"))
    assert (1, ["lin-result-beyond"]) == (len(reading.records), codes(reading.problems))


def test_columns_have_the_numbers_of_bn_if_there_is_one() -> None:
    text = f"{HEADER}rs|1NN=,,P,|\nbn|4,7|\n{PLAYERS}qx|o4|{MD}sv|o|{ONE_NOTRUMP}qx|o7|{MD}"
    assert [(4, "Open", 1, 7), (7, "Open", 0, None)] == results(text)


@pytest.mark.parametrize(
    ("listed", "after", "code", "expected"),
    [
        ("1NN+2", "mc|8|", "lin-result-tricks", (1, "N", 9)),
        ("2NN=", "mc|8|", "lin-result-contract", (2, "N", 8)),
        ("1NS=", "mc|7|", "lin-result-contract", (1, "S", 7)),
    ],
)
def test_the_list_counts_and_a_difference_is_reported(
    listed: str, after: str, code: str, expected: tuple[int, str, int]
) -> None:
    reading = lin(session(listed, f"o1|{MD}sv|o|{ONE_NOTRUMP}{after}"))
    assert ([expected], [code]) == (
        reading.records.select("level", "declarer", "tricks").rows(),
        codes(reading.problems),
    )


@pytest.mark.parametrize("listed", ["2NN=", "1NS="])
def test_a_contract_that_differs_from_the_list_is_reported_once(listed: str, tmp_path: Path) -> None:
    path = tmp_path / "match.lin"
    path.write_text(session(listed, f"o1|{MD}sv|o|{ONE_NOTRUMP}mc|8|"), "utf-8")
    reported = codes(validated(read([str(path)])).problems)
    assert ["lin-result-contract"] == [code for code in reported if "contract" in code or "declarer" in code]


def test_a_board_that_the_list_leaves_out_is_read_from_its_play_with_a_note() -> None:
    reading = lin(session(",,P,", f"o1|{MD}sv|o|{ONE_NOTRUMP}mc|8|", f"o2|{MD}"))
    assert [(1, 8), (0, None)] == reading.records.select("level", "tricks").rows()
    assert ["lin-result-unlisted"] == codes(reading.problems)


def test_the_fuller_one_of_two_equal_boards_is_read() -> None:
    reading = lin(session("", f"c1|{MD}sv|o|mb|p|", f"c1|{MD}sv|o|{ONE_NOTRUMP}mc|8|"))
    assert ([(1, 8)], ["lin-board-again"]) == (
        reading.records.select("level", "tricks").rows(),
        codes(reading.problems),
    )
    assert [1] == reading.problems["column"].to_list()
    assert {0, None} == set(reading.items["record"])


def test_rooms_with_different_cards_are_reported() -> None:
    other = MD.replace("SQ532", "SQ53").replace("ST986", "ST9862")
    assert "lin-deal-differs" in codes(lin(session("", f"o1|{MD}", f"c1|{other}")).problems)
