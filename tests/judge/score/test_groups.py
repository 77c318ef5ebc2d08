"""Who is compared with whom."""

from collections.abc import Sequence
from typing import Literal

import polars as pl

from overtrick.core.frames import RECORDS
from overtrick.judge.score import with_scores
from overtrick.judge.score.groups import assign_groups, tally
from tests.support.builders import Row, frame, results, traveller

DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
SAME_DEAL_SPELT_UPWARDS = "N:23456789TJQKA... .23456789TJQKA.. ..23456789TJQKA. ...23456789TJQKA"
OTHER_DEAL = "N:.AKQJT98765432.. AKQJT98765432... ..AKQJT98765432. ...AKQJT98765432"


def placed(
    rows: Sequence[Row], records: Sequence[Row] = (), extent: Literal["section", "all"] = "section"
) -> pl.DataFrame:
    return assign_groups(with_scores(results(*rows)), frame(RECORDS, records), extent)


def test_a_board_is_compared_within_its_section() -> None:
    rows = [*traveller(1, [420, 450, 50], section="A"), *traveller(1, [400, 430], section="B")]
    lines = placed(rows)
    assert lines["group"].n_unique() == 2
    assert [(3, 3)] * 3 + [(2, 2)] * 2 == lines.select("actual", "expected").rows()


def test_sections_can_be_one_field() -> None:
    rows = [*traveller(1, [420, 450, 50], section="A"), *traveller(1, [400, 430], section="B")]
    assert [(5, 5)] * 5 == placed(rows, extent="all").select("actual", "expected").rows()


def test_the_fullest_board_says_how_many_tables_are_expected() -> None:
    rows = [*traveller(1, [420, 450, 50]), *traveller(2, [400, "not played", 430]), *traveller(3, [170, "A+ A-", 140])]
    counts = placed(rows).unique("board", keep="first", maintain_order=True).select("board", "actual", "expected")
    assert [(1, 3, 3), (2, 2, 3), (3, 2, 3)] == counts.rows()


def test_a_row_may_stand_for_several_tables() -> None:
    lines = placed(traveller(1, [420, 450], multiplicity=3))
    assert [(6, 6)] * 2 == lines.select("actual", "expected").rows()
    assert [(420, 3, 0), (450, 3, 3)] == tally(lines).drop("group").rows()


def test_a_result_without_a_board_number_is_compared_with_none() -> None:
    lines = placed([{"board": None, "stated_score_ns": 420}, *traveller(1, [50])])
    assert [(None, None), (1, 1)] == lines.select("group", "actual").rows()


def test_tables_that_played_other_cards_are_not_compared() -> None:
    """Law 87: a fouled board."""
    records: list[Row] = [{"record": 0, "deal": DEAL}, {"record": 1, "deal": OTHER_DEAL}]
    lines = placed([*traveller(1, [420, 450], record=0), *traveller(1, [-50], record=1)], records)
    assert [(0, 2, 3, 2), (0, 2, 3, 2), (2, 1, 3, 2)] == lines.select("group", "actual", "expected", "forms").rows()


def test_tables_with_another_vulnerability_are_not_compared() -> None:
    records: list[Row] = [
        {"record": 0, "deal": DEAL, "vulnerable": "NS"},
        {"record": 1, "deal": DEAL, "vulnerable": "All"},
    ]
    lines = placed([*traveller(1, [620], record=0), *traveller(1, [420], record=1)], records)
    assert [2, 2] == lines["forms"].to_list()


def test_the_order_of_cards_in_a_hand_makes_no_other_deal() -> None:
    records: list[Row] = [{"record": 0, "deal": DEAL}, {"record": 1, "deal": SAME_DEAL_SPELT_UPWARDS}]
    lines = placed([*traveller(1, [420], record=0), *traveller(1, [450], record=1)], records)
    assert [1, 1] == lines["forms"].to_list()


def test_a_table_whose_deal_is_not_stated_played_the_boards_only_deal() -> None:
    records: list[Row] = [{"record": 0, "deal": DEAL}, {"record": 1}, {"record": 2, "deal": "N:A... - - -"}]
    rows = [row for record in range(3) for row in traveller(1, [420], record=record)]
    assert [(3, 1)] * 3 == placed(rows, records).select("actual", "forms").rows()


def test_equal_scores_are_counted_together() -> None:
    counts = tally(placed(traveller(1, [120, 430, 120, -50])))
    assert [(-50, 1, 0), (120, 2, 1), (430, 1, 3)] == counts.drop("group").rows()


def test_results_stay_in_their_order() -> None:
    rows = [*traveller(2, [50, 420]), *traveller(1, [430, "A+", 400])]
    assert [1, 2, 3, 4, 5] == placed(rows)["line"].to_list()
