"""What scoring has to say about the data."""

from typing import Any

import polars as pl

from overtrick.core.bridge.methods import MethodName
from overtrick.core.config import Scoring
from overtrick.judge.numbers import score_as_stated
from tests.support.builders import Row, session, traveller


def problems(*rows: Row, method: MethodName = "matchpoints", **policies: Any) -> pl.DataFrame:
    return score_as_stated(session(*rows), Scoring(method=method, **policies)).problems


def stated(scores: list[int], points: list[float | None], **columns: object) -> list[Row]:
    lines = zip(traveller(1, scores, **columns), points, strict=True)
    return [{**row, "stated_points_ns": value} for row, value in lines]


def test_points_that_the_file_states_otherwise_are_shown_with_both_values() -> None:
    found = problems(*stated([50, 420, 170], [0, 2, 2]))
    assert [("warning", "number-mismatch", "evening.pbn", 2, "1", "2")] == found.select(
        "severity", "code", "source", "line", "board", "table"
    ).rows()
    assert [
        (
            "2 against 102: the points in the file are 2.0 / ? (N-S / E-W),"
            " but overtrick calculates 4.0 / 0.0 and uses these"
        )
    ] == found["message"].to_list()


def test_points_of_a_short_board_before_they_are_brought_to_the_top_are_a_note() -> None:
    """The totals show that they are: 1/2 and 7/2 of the short board, beside 0 and 4."""
    rows = [*stated([50, 420, 170], [0, 4, 2]), *({**row, "board": 2} for row in stated([50, 420], [0, 2]))]
    totals = [{"contestant": "1", "stated_total": 0.5}, {"contestant": "2", "stated_total": 7.5}]
    read = session(*rows, contestants=totals)
    found = score_as_stated(read, Scoring(method="matchpoints", winners=2)).problems
    assert [("info", "points-unadjusted")] == found.select("severity", "code").rows()


def test_points_rounded_to_hundredths_are_no_difference_and_to_tenths_a_policy() -> None:
    rows = [*stated([460, 490, 520], [0.3, 3.0, 5.7]), *traveller(2, [0, 0, 0, 0])]
    assert ["numbers-policy"] == problems(*rows)["code"].to_list()
    assert problems(*rows, line_rounding=0.1).is_empty()
    assert problems(*stated([460, 490, 520], [0.33, 3.0, 5.67]), *traveller(2, [0, 0, 0, 0])).is_empty()


def test_half_matchpoints_are_the_same_points() -> None:
    assert problems(*stated([420, 430, 500, 420], [0.5, 2, 3, 0.5])).is_empty()


def test_the_points_of_east_west_are_compared_too() -> None:
    rows = [{**row, "stated_points_ew": 3} for row in traveller(1, [50, 50])]
    assert ["number-mismatch"] * 2 == problems(*rows)["code"].to_list()


def test_another_datum_in_the_file_is_reported_once_a_board() -> None:
    rows = traveller(1, [620, 620, 170, 170], stated_datum=400)
    assert problems(*rows, method="butler").is_empty()
    wrong = problems(*traveller(7, [620, 620, 170, 170], stated_datum=390), method="butler")
    assert [("number-mismatch", "7", None)] == wrong.select("code", "board", "table").rows()
    assert ["the datum in the file is 390, but overtrick calculates 400 and uses it"] == wrong["message"].to_list()


def test_an_adjusted_score_that_means_nothing_is_an_error() -> None:
    found = problems(*traveller(4, ["A+ 105%", 50]))
    assert [("error", "award-unscored", "4", "1")] == found.select("severity", "code", "board", "table").rows()
    assert ["the adjusted score 105% cannot be used with matchpoints; that side earns nothing on the board"] == found[
        "message"
    ].to_list()


def test_a_fouled_board_is_reported_once() -> None:
    deals = ["N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
    deals += ["N:.AKQJT98765432.. AKQJT98765432... ..AKQJT98765432. ...AKQJT98765432"]
    records: list[Row] = [{"record": number, "deal": deal} for number, deal in enumerate(deals)]
    rows = [row for record in (0, 1) for row in traveller(5, [420, 50], record=record)]
    found = score_as_stated(session(*rows, records=records), Scoring()).problems
    assert [("board-fouled", "5", None)] == found.select("code", "board", "table").rows()
    assert found["message"][0].startswith("board 5 was played in 2 forms")


def test_an_evening_without_a_flaw_has_no_problems() -> None:
    assert problems(*traveller(1, [420, "A+ A-", "not played", -50])).is_empty()


def test_a_table_of_a_fouled_board_that_is_not_there_is_named() -> None:
    found = problems(*traveller(1, [50, 420, 170]), fouled=[{"board": 1, "ns": ["2", "nobody"]}])
    assert ["board-fouled", "setting-unmatched"] == found["code"].to_list()
    assert "board 1 was fouled at the table of nobody N-S" in found["message"][1]


def test_honours_at_duplicate_are_told_once_to_be_ignored() -> None:
    rows = [{**row, "honours_ns": 100} for row in traveller(1, [420, 50])]
    found = problems(*rows)
    assert [("info", "honours-ignored")] == found.select("severity", "code").rows()
    assert "2 results have honours" in found["message"].item()


def test_impossible_honours_are_told_and_add_nothing() -> None:
    deal = {"level": 3, "strain": "NT", "doubled": 0, "declarer": "N", "tricks": 9, "board": 1, "ns": "1", "ew": "2"}
    scored = score_as_stated(session({**deal, "honours_ns": 100}, {**deal, "board": 2, "honours_ns": 150}), RUBBER)
    assert ["honours-impossible"] == scored.problems["code"].to_list()
    assert [150] == scored.sheets.filter(pl.col("kind") == "honours")["points"].to_list()


RUBBER = Scoring(method="rubber")
