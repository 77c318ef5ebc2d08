"""Which tokens make up which record, and which board that is."""

import polars as pl
import pytest

from overtrick.files.formats.lin.read.boards import Boards, find_boards, number_boards
from overtrick.files.formats.lin.read.tokens import cut_tokens
from tests.support.lin_texts import HAND, HEADER, MD, ONE_NOTRUMP, OTHER_MD
from tests.support.reading import codes, lin


def placed(text: str) -> Boards:
    return find_boards(cut_tokens(text + "\n"))


def owners(text: str) -> list[tuple[str, int | None]]:
    return placed(text).list_all().select("name", "record").rows()


def test_names_and_titles_before_a_deal_belong_to_it() -> None:
    assert [
        ("pn", 0),
        ("st", 0),
        ("md", 0),
        ("ah", 0),
        ("mb", 0),
        ("pg", 0),
        ("pn", 1),
        ("qx", 1),
        ("md", 1),
    ] == owners(f"pn|a|st||{MD}ah|Board 1|mb|p|pg||\npn|b|qx|o2|{OTHER_MD}")


def test_titles_after_a_deal_stay_with_it_when_the_next_one_has_a_line_of_its_own() -> None:
    assert [0, 0, 0, 1, 1] == [record for _, record in owners(f"{MD}ah|Board 1|sv|o|\nst||{OTHER_MD}")]


def test_on_one_line_names_begin_a_record() -> None:
    assert [0, 0, 1, 1] == [record for _, record in owners(f"{MD}sv|o|pn|a|{OTHER_MD}")]


def test_a_label_without_deal_calls_or_cards_is_not_a_record() -> None:
    assert [("qx", None), ("pg", None), ("qx", 0), ("md", 0)] == owners(f"qx|o1|pg||qx|o2|{MD}")


def test_a_deal_repeated_below_its_label_begins_the_auction_anew() -> None:
    reading = lin(f"qx|o1|{MD}mb|1C|{MD}{ONE_NOTRUMP}")
    assert [(1, "NT")] == reading.records.select("level", "strain").rows()


def test_another_deal_below_one_label_is_another_board() -> None:
    assert 2 == placed(f"qx|o1|{MD}mb|1C|{OTHER_MD}").count


def test_tables_of_one_deal_without_labels_are_records_each() -> None:
    assert [5, 5, 5] == lin(f"{HAND}\n{HAND}\n{HAND}").records["board"].to_list()


@pytest.mark.parametrize(
    ("text", "board", "room"),
    [
        (f"{HEADER}qx|o7|{MD}", 7, "Open"),
        (f"{HEADER}qx|C7,BOARD 7|{MD}", 7, "Closed"),
        (f"{HEADER}qx|7|{MD}", 7, None),
        (f"qx|o7|{MD}", 7, None),
        (f"{MD}ah|Board 12|", 12, None),
        (f"{MD}ah|Bricka 3|", 3, None),
        (f"{MD}ah|Teams 2 Board 9|", 9, None),
        (f"{MD}ah|12a|", 12, None),
        (f"{MD}ah|Board A\\hidden 4|", None, None),
        (f"{MD}", None, None),
    ],
)
def test_a_board_is_known_by_its_label_else_by_its_title(text: str, board: int | None, room: str | None) -> None:
    frame, _ = number_boards(placed(text))
    assert [(board, room)] == frame.select("board", "room").rows()


def test_label_and_title_that_differ_are_reported_and_the_label_counts() -> None:
    reading = lin(f"qx|o7|{MD}ah|Board 8|")
    assert ([7], ["lin-board-differs"]) == (reading.records["board"].to_list(), codes(reading.problems))


def test_a_label_of_many_deals_gives_way_to_the_titles() -> None:
    reading = lin(f"qx|o7|{MD}ah|Board 7|pg||\nqx|o7|{OTHER_MD}ah|Board 8|pg||")
    assert ([7, 8], ["lin-board-stuck"]) == (reading.records["board"].to_list(), codes(reading.problems))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("mb|2C|mb|p|", f"{ONE_NOTRUMP}pc|D8|mc|7|"),
        (f"{ONE_NOTRUMP}pc|D8|mc|7|", "mb|2Cpp|"),
        ("mb|1N|mb|p|", "mb|1Nppp|pc|D8|mc|7|"),
    ],
)
def test_of_a_board_that_is_begun_twice_the_fuller_one_is_read(first: str, second: str) -> None:
    reading = lin(f"{HEADER}qx|o1|{MD}sv|o|{first}{MD}sv|o|{second}\nqx|o2|{OTHER_MD}sv|n|mb|pppp|")
    assert [(1, 7), (0, None)] == reading.records.select("level", "tricks").rows()
    assert [1, 0] == reading.records["cards"].list.eval(pl.element() < 52).list.sum().fill_null(0).to_list()
    assert 1 == codes(reading.problems).count("lin-deal-again")


def test_a_stuck_label_is_reported_once_with_the_number_of_its_deals() -> None:
    boards = (
        f"qx|o7,{words}|{deal}ah|Board {7 + number}|pg||\n"
        for number, (deal, words) in enumerate(
            zip([MD, OTHER_MD, "md|1SA,SK,|"], ["", "BOARD 8", "BOARD 9"], strict=True)
        )
    )
    (said,) = lin("".join(boards)).problems.filter(pl.col("code") == "lin-board-stuck")["message"]
    assert "3 different deals" in said


def test_the_vulnerability_of_the_other_room_is_taken_where_one_states_none() -> None:
    text = f"{HEADER}qx|c1|mb|p|pg||qx|o1|{MD}sv|b|pg||"
    assert ["All", "All"] == lin(text).records["vulnerable"].to_list()


def test_the_deal_of_the_other_room_is_taken_where_one_has_none() -> None:
    frame, _ = number_boards(placed(f"{HEADER}qx|o1|{MD}pg||qx|c1|mb|p|"))
    assert 1 == frame["md"].n_unique()
