"""What travellers and scorecards share: how points, scores and boards are written."""

from dataclasses import replace

import polars as pl
import pytest

from overtrick.core.frames import Session
from overtrick.show.html.result_lines import add_board_keys, choose_points_form, make_outcome, split_score
from overtrick.show.text.display import format_percentage
from tests.support.builders import Row, results
from tests.support.render_sample import FACTS, bid, line


def scored(method: str | None, *points: float) -> Session:
    lines = [line(1, n, str(n), str(100 + n), points_ns=p) for n, p in enumerate(points, start=1)]
    return Session(results=results(*lines), facts=replace(FACTS, method=method))


@pytest.mark.parametrize(
    ("name", "text", "method", "points"),
    [
        ("MP", "12", "matchpoints", 12.0),
        ("MP", "12.5", None, 12.5),
        ("IMP", "+3", "butler", 3.0),
        ("IMP", "\u22121.67", "cross-imps", -5 / 3),
        ("Pts", "+620", "aggregate", 620.0),
    ],
)
def test_points_are_written_as_the_method_counts_them(name: str, text: str, method: str | None, points: float) -> None:
    form = choose_points_form(scored(method, points))
    assert (name, text) == (form.name, form.points(points))


def test_all_points_of_a_session_have_the_same_decimal_places() -> None:
    assert "12.0" == choose_points_form(scored("matchpoints", 2.5, 12.0)).points(12.0)


def test_what_is_not_known_is_empty() -> None:
    form = choose_points_form(scored("matchpoints"))
    assert ("", "", "") == (form.points(None), form.total(None), format_percentage(None))


@pytest.mark.parametrize(
    ("texts", "columns"),
    [
        (("420", ""), {"score_ns": 420}),
        (("", "100"), {"score_ns": -100}),
        (("0", "0"), {"score_ns": 0}),
        (("", ""), {"score_ns": None}),
        (("A+", "A\u2212"), {"award_ns": "A+", "award_ew": "A-"}),
        (("60%", ""), {"award_ns": "60%"}),
    ],
)
def test_a_score_is_in_the_column_of_the_side_that_gained_it(texts: tuple[str, str], columns: Row) -> None:
    (row,) = results(columns).to_dicts()
    assert texts == split_score(row)


def test_a_line_has_a_remark_only_without_a_contract() -> None:
    (row,) = results({"status": "adjusted"}).to_dicts()
    assert ("Adjusted", "") == (make_outcome(row).remark, make_outcome({**row, **bid("4S", "N", 10, 420)}).remark)


def test_boards_are_told_apart_by_number_then_label_then_record() -> None:
    rows = [(0, 7, "7"), (1, 7, " 7 "), (2, None, "7A"), (3, None, "7A "), (4, None, None), (5, None, " ")]
    frame = pl.DataFrame(rows, schema={"record": pl.UInt32, "board": pl.Int32, "board_label": pl.String}, orient="row")
    assert ["7", "7", "label 7A", "label 7A", "record 4", "record 5"] == add_board_keys(frame, Session())[
        "key"
    ].to_list()
