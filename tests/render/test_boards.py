"""Board pages: the deal and the traveller."""

from collections.abc import Iterable
from dataclasses import replace

import polars as pl
import pytest

from overtrick.frames import RECORDS, Session
from overtrick.render.boards import board_pages
from overtrick.render.contestants import Contestants
from overtrick.render.context import BoardPage
from overtrick.render.lines import display_lines, points_form
from tests.support.builders import Row, frame, results
from tests.support.render_sample import DEALS, bid, evening, line


def pages(session: Session) -> dict[str, BoardPage]:
    return board_pages(session, display_lines(session), Contestants(session), points_form(session))


def page(session: Session, number: str = "1") -> BoardPage:
    return next(board for board in pages(session).values() if board.number == number)


def with_records(records: Iterable[Row], *lines: Row) -> Session:
    return Session(records=frame(RECORDS, records), results=results(*lines))


def test_the_traveller_begins_with_the_best_score_for_north_south() -> None:
    assert [("420", ""), ("400", ""), ("", "100")] == [(row.score_ns, row.score_ew) for row in page(evening()).rows]


def test_a_line_has_all_that_a_traveller_has() -> None:
    row = page(evening()).rows[2]
    assert row.lead is not None
    assert ("Cleo Marsh – Dag Holm", "Ina Birch – Jon Reed") == (row.ns.names, row.ew.names)
    assert ("3NTX", "S", "hearts", "Q", "\u22121", "8") == (
        *(row.contract.text, row.declarer, row.lead.suit, row.lead.rank, row.result, row.tricks),
    )
    assert ("0.0", "4.0", "0.0", "100.0") == (row.points_ns, row.points_ew, row.percentage_ns, row.percentage_ew)


def test_a_passed_out_board_scores_nought_for_both() -> None:
    row = page(evening(), "2").rows[0]
    assert ("Pass", "0", "0", "") == (row.contract.text, row.score_ns, row.score_ew, row.result)


def test_lines_without_a_score_come_last_and_say_why() -> None:
    adjusted, bye = page(evening(), "2").rows[-1], page(evening(), "3").rows[-1]
    assert ("Adjusted", "A+", "A\u2212", "2.4") == (
        *(adjusted.remark, adjusted.score_ns, adjusted.score_ew, adjusted.points_ns),
    )
    assert ("Bye", "", "") == (bye.remark, bye.score_ns, bye.ew.names)
    assert ["Not played", ""] == [row.remark for row in page(evening(), "4").rows]


def test_leads_are_a_column_only_where_one_is_known() -> None:
    assert [True, True, False, False] == [board.has_leads for board in pages(evening()).values()]


def test_dealer_and_vulnerability_follow_the_number_when_the_file_is_silent() -> None:
    assert [("North", "None"), ("East", "N-S"), ("South", "E-W"), ("West", "Both")] == [
        (board.dealer, board.vulnerable) for board in pages(evening()).values()
    ]


def test_the_file_wins_over_the_number() -> None:
    board = page(with_records([{"record": 0, "board": 1, "dealer": "S", "vulnerable": "All"}]))
    assert ("South", "Both", "both sides") == (board.dealer, board.vulnerable, board.vulnerable_words)


def test_pages_are_linked_in_the_order_of_the_numbers() -> None:
    records = [{"record": n, "board": board} for n, board in enumerate((10, 9, 1))]
    assert [("", "1", "board-9"), ("board-1", "9", "board-10"), ("board-9", "10", "")] == [
        (board.previous, board.number, board.next) for board in pages(with_records(records)).values()
    ]


def test_the_records_of_a_board_make_one_page_with_the_first_deal_that_is_shown() -> None:
    records: list[Row] = [{"record": 0, "board": 1}, {"record": 1, "board": 1, "deal": DEALS[0]}]
    (board,) = pages(with_records(records)).values()
    assert "A Q 6 4" == board.hands[0].suits[0].ranks
    assert () == board.notes


def test_different_deals_of_one_board_are_owned_up_to() -> None:
    records = [{"record": n, "board": 1, "deal": deal} for n, deal in enumerate(DEALS[:2])]
    (board,) = pages(with_records(records)).values()
    assert ("The files show 2 different deals for this board; the first of them stands here.",) == board.notes


def test_a_board_without_cards_has_no_hands() -> None:
    assert () == page(evening(), "4").hands


def test_boards_without_a_number_keep_their_label_and_come_last() -> None:
    labels = ("../../etc", "12A", None, "", "12a", "2")
    records = [
        {"record": n, "board_label": label, "board": 2 if label == "2" else None} for n, label in enumerate(labels)
    ]
    boards = list(pages(with_records(records)).values())
    assert ["2", "", "", "12A", "12a", "../../etc"] == [board.number for board in boards]
    assert [
        *("board-2", "board-without-number", "board-without-number-2"),
        *("board-12a", "board-12a-2", "board-etc"),
    ] == [board.slug for board in boards]
    assert ["Board 2", "Board without a number"] == [board.heading for board in boards[:2]]


def test_results_find_the_board_of_their_record_by_its_label() -> None:
    session = with_records(
        [{"record": 0, "board_label": "A"}], {**line(1, 1, "1", "2", **bid("4S", "N", 10, 420)), "board": None}
    )
    assert [("A", 1)] == [(board.number, len(board.rows)) for board in pages(session).values()]


def test_results_on_boards_that_no_record_shows_get_a_page() -> None:
    session = with_records([], line(7, 1, "1", "2", **bid("4S", "N", 10, 420)))
    assert ["7"] == [board.number for board in pages(session).values()]


def test_a_line_that_stands_for_several_tables_says_so() -> None:
    session = with_records([], line(7, 1, "1", "2", **bid("4S", "N", 10, 420), multiplicity=3))
    assert 3 == page(session, "7").rows[0].tables


def test_sections_are_a_column_only_when_there_are_several() -> None:
    apart = evening().results.with_columns(
        section=pl.when(pl.col("table") == "1").then(pl.lit("A")).otherwise(pl.lit("B"))
    )
    assert (False, True) == (page(evening()).has_sections, page(replace(evening(), results=apart)).has_sections)


@pytest.mark.parametrize(("text", "datum"), [("\u221290", -90), ("+120", 120), ("0", 0), ("", None)])
def test_a_butler_datum_has_its_sign(text: str, datum: int | None) -> None:
    assert text == page(with_records([], line(7, 1, "1", "2", datum=datum)), "7").datum
