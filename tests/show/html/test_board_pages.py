"""Board pages: the deal, the traveller, the frequencies, and the commentary of the file's author."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from overtrick.core.config import Config
from overtrick.core.frames import RECORDS, Session
from overtrick.core.languages import open_language
from overtrick.judge.privacy import apply_privacy
from overtrick.show.html.board_pages import BoardPage, make_board_pages
from overtrick.show.html.contestants import Contestants
from overtrick.show.html.field_contracts import Fellows, count_frequencies
from overtrick.show.html.html import render_site
from overtrick.show.html.result_lines import PointsForm, choose_points_form, list_lines
from tests.support.builders import Row, frame, results
from tests.support.evaluating import evaluate
from tests.support.pages import parse, text_of
from tests.support.public import make_session_page
from tests.support.render_sample import DEALS, FACTS, bid, evening, line


def pages(session: Session) -> dict[str, BoardPage]:
    return make_board_pages(session, list_lines(session), Contestants(session), choose_points_form(session))


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
    assert [True, True, False, False] == [
        "lead" in {column.name for column in board.columns} for board in pages(evening()).values()
    ]


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
    assert 1 == board.deals


def test_different_deals_of_one_board_are_counted() -> None:
    records = [{"record": n, "board": 1, "deal": deal} for n, deal in enumerate(DEALS[:2])]
    (board,) = pages(with_records(records)).values()
    assert 2 == board.deals


def test_a_board_without_cards_has_no_hands() -> None:
    assert () == page(evening(), "4").hands


def test_boards_without_a_number_keep_their_label_and_come_last() -> None:
    labels = ("../../etc", "12A", None, "", "12a", "2")
    records = [
        {"record": n, "board_label": label, "board": 2 if label == "2" else None} for n, label in enumerate(labels)
    ]
    boards = list(pages(with_records(records)).values())
    assert ["2", "", "", "12A", "12a", "../../etc"] == [board.number for board in boards]
    assert [*("board-2", "deal-1", "deal-2"), *("board-12a", "board-12a-2", "board-etc")] == [
        board.slug for board in boards
    ]


def test_results_find_the_board_of_their_record_by_its_label() -> None:
    session = with_records(
        [{"record": 0, "board_label": "A"}], {**line(1, 1, "1", "2", **bid("4S", "N", 10, 420)), "board": None}
    )
    assert [("A", 1)] == [(board.number, len(board.rows)) for board in pages(session).values()]


def test_results_on_boards_that_no_record_shows_get_a_page() -> None:
    session = with_records([], line(7, 1, "1", "2", **bid("4S", "N", 10, 420)))
    assert ["7"] == [board.number for board in pages(session).values()]


def test_a_line_for_several_tables_has_their_number() -> None:
    session = with_records([], line(7, 1, "1", "2", **bid("4S", "N", 10, 420), multiplicity=3))
    assert 3 == page(session, "7").rows[0].tables


def test_sections_are_a_column_only_when_there_are_several() -> None:
    apart = evening().results.with_columns(
        section=pl.when(pl.col("table") == "1").then(pl.lit("A")).otherwise(pl.lit("B"))
    )
    assert (False, True) == (page(evening()).has_sections, page(replace(evening(), results=apart)).has_sections)


def test_results_that_were_compared_apart_are_listed_by_section() -> None:
    apart = evening().results.with_columns(
        section=pl.when(pl.col("table") == "2").then(pl.lit("A")).otherwise(pl.lit("B"))
    )
    across = page(replace(evening(), results=apart)).rows_by_field
    assert [("", 3)] == [(title, len(rows)) for title, rows in across]
    facts = replace(FACTS, policies={"field": "section"})
    within = page(replace(evening(), results=apart, facts=facts)).rows_by_field
    assert [("Section A", ["2"]), ("Section B", ["1", "3"])] == [
        (title, [row.table for row in rows]) for title, rows in within
    ]


@pytest.mark.parametrize(("text", "datum"), [("\u221290", -90), ("+120", 120), ("0", 0), ("", None)])
def test_a_butler_datum_has_its_sign(text: str, datum: int | None) -> None:
    assert text == page(with_records([], line(7, 1, "1", "2", datum=datum)), "7").datum


FORM = PointsForm("MP", sign=False, places=0, total_places=0)


def scored(score: int | None, points: float = 2, **columns: Any) -> dict[str, Any]:
    usual = {"score_ns": score, "level": None, "award_ns": None, "award_ew": None, "multiplicity": 1}
    return {**usual, "points_ns": points, "points_ew": 8 - points, **columns}


def test_scores_are_counted_best_for_north_south_first() -> None:
    table = count_frequencies([scored(-50, 0), scored(420, 6), scored(420, 6), scored(450, 8)], FORM).rows
    assert [("+450", 1, "8"), ("+420", 2, "6"), ("−50", 1, "0")] == [(f.score, f.tables, f.points_ns) for f in table]
    assert ["50", "100", "50"] == [f.share for f in table]


def test_a_line_counts_for_all_tables_that_share_it() -> None:
    assert [3] == [one.tables for one in count_frequencies([scored(110, multiplicity=3)], FORM).rows]


def test_artificial_and_missing_scores_are_not_counted() -> None:
    assert () == count_frequencies([scored(None), scored(140, award_ns="A+", award_ew="A-")], FORM).rows


def test_points_that_differ_between_fields_are_not_named() -> None:
    assert [""] == [one.points_ns for one in count_frequencies([scored(110, 2), scored(110, 4)], FORM).rows]


def test_a_score_is_read_with_its_contracts(tmp_path: Path) -> None:
    """A contract whose declarer nobody wrote down is not a board passed out."""
    rows = ("4S,N,10,420", "4S,S,10,420", "4S,N,10,420", "3NT,,,400", "Pass,,,0", "4SX,N,9,-100")
    lines = (f"1,{ns},{ns + 10},{rest}" for ns, rest in enumerate(rows, start=1))
    (tmp_path / "evening.csv").write_text("\n".join(["board,ns,ew,contract,declarer,tricks,score_ns", *lines]))
    session = evaluate([str(tmp_path / "evening.csv")], Config())
    site = render_site(make_session_page(session, Config()))
    table = parse(site["board-1/index.html"]).find(".//table[@class='frequency']")
    assert table is not None
    cells = [text_of(cell) for cell in table.iterfind(".//td[@class='played']")]
    assert ["4♠ N = \u00d72, 4♠ S =", "3NT", "Passed out", "4♠X N −1"] == cells


BOARD = """[Event "Club pairs"]
{{first thing}}
[Board "1"]
[West "Ann Vale"]
[Deal "N:AQ64.J4.Q98543.7 T8.Q653.KJT76.K2 KJ.KT87..AQJT543 97532.A92.A2.986"]
[Declarer "N"]
[Contract "4S"]
[Result "10"]
{tag}{{A fine <b>hand</b>: lead \\H.

Ann  led well.}}
[Auction "N"]
1S {{what a bid}} Pass 4S Pass
Pass Pass
"""


def commentary_of(tmp_path: Path, text: str, **settings: object) -> tuple[str, ...]:
    source = tmp_path / "evening.pbn"
    source.write_text(text, "utf-8")
    config = Config.model_validate(settings)
    session = apply_privacy(evaluate([str(source)], config), config.privacy)
    return make_session_page(session, config).boards[0].commentary


def test_comments_of_a_game_with_an_annotator_are_commentary_in_their_order(tmp_path: Path) -> None:
    assert ("first thing", "A fine hand: lead \u2665.", "Ann led well.", "what a bid") == commentary_of(
        tmp_path, BOARD.format(tag='[Annotator "Kay Wells"]\n')
    )


@pytest.mark.parametrize("tag", ["", '[Annotator "?"]\n', '[Annotator ""]\n'])
def test_unsigned_comments_may_be_chat_and_are_not_published(tmp_path: Path, tag: str) -> None:
    assert () == commentary_of(tmp_path, BOARD.format(tag=tag))


def test_an_annotator_is_inherited_as_the_file_says(tmp_path: Path) -> None:
    text = BOARD.format(tag='[Annotator "##Kay Wells"]\n') + "\n" + BOARD.format(tag='[Annotator "#"]\n')
    assert commentary_of(tmp_path, text.replace('[Board "1"]', '[Board "2"]', 1))


def test_what_is_written_about_somebody_who_is_not_named_in_full_is_left_out(tmp_path: Path) -> None:
    hidden = commentary_of(
        tmp_path, BOARD.format(tag='[Annotator "Kay Wells"]\n'), privacy={"players": {"Ann Vale": "initials"}}
    )
    assert ("first thing", "what a bid") == hidden


def test_text_in_braces_of_rbn_is_commentary(tmp_path: Path) -> None:
    text = "B 1\nH N:AQ64.J4.Q98543.7:T8.Q653.KJT76.K2:KJ.KT87..AQJT543:\nC 4S:N\nR 10\n{Well bid.}\n"
    (tmp_path / "one.rbn").write_text(text)
    page = make_session_page(evaluate([str(tmp_path / "one.rbn")], Config()), Config())
    assert ("Well bid.",) == page.boards[0].commentary


def test_deals_without_a_number_are_named_by_their_place_in_the_files() -> None:
    boards = [*pages(with_records({"record": n, "deal": deal} for n, deal in enumerate(DEALS))).values()]
    assert [("", "1/3"), ("", "2/3"), ("", "3/3")] == [(board.number, board.label) for board in boards]
    assert "Deal 2 of 3" == open_language("en").format_board(boards[1].number, order=boards[1].order)


def test_each_score_has_its_contracts_and_most_tables_are_told_at_a_glance() -> None:
    lines = [
        line(7, 1, "1", "11", **bid("4S", "N", 10, 420)),
        line(7, 2, "2", "12", **bid("4SX", "S", 9, -100)),
        line(7, 3, "3", "13", **bid("3NT", "E", 9, -400)),
        line(7, 4, "4", "14", level=0, status="passed", score_ns=0),
    ]
    board = page(with_records([], *lines, line(7, 5, "5", "15", **bid("4S", "N", 10, 420))), "7")
    assert board.frequencies
    assert Fellows("4♠", 3, 5, 2) == board.usual
    assert [("+420", 2), ("0", 1), ("−100", 1), ("−400", 1)] == [
        (one.score, one.tables) for one in board.frequencies.rows
    ]
    assert [[("4♠", "N", "=", 2)], [("Pass", "", "", 1)], [("4♠X", "S", "−1", 1)], [("3NT", "E", "=", 1)]] == [
        [(one.contract.text, one.declarer, one.result, one.tables) for one in row.contracts]
        for row in board.frequencies.rows
    ]
    assert None is page(with_records([], *lines[:3]), "7").usual
    assert None is page(with_records([], *lines, lines[2]), "7").usual
