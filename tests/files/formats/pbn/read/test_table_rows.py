"""Supplemental sections (PBN 5)."""

from random import Random

import pytest
from lark import Token
from lark.exceptions import UnexpectedInput

from overtrick.core.grammar import grammar
from overtrick.files.formats.pbn.read.score_tables import Column, read_header
from tests.support.reading import codes, pbn, places

HEADER = '[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]'


def test_a_header_names_order_and_width() -> None:
    assert (Column("Rank", "+", "3R"), Column("Names", "", "45"), Column("Table", "-", "")) == (
        read_header(r"+Rank\3R;Names\45;-Table")
    )


@pytest.mark.parametrize("value", ["", ";", "A;;B", "+"])
def test_a_header_that_is_none(value: str) -> None:
    assert read_header(value) is None


def test_a_table_without_header_is_named() -> None:
    assert ["pbn-table-row"] == codes(pbn('[ScoreTable ";"]\n1 2\n').problems)


def test_rows_are_cut_by_counting_cells_not_lines() -> None:
    results = pbn(f"{HEADER}\n1 2 1NT\nN 7 3 4 2S E 8\n").results
    assert [("1", "2", 7), ("3", "4", 8)] == results.select("ns", "ew", "tricks").rows()


def test_a_row_with_a_cell_too_few_costs_itself_alone() -> None:
    reading = pbn(f'[Board "1"]\n{HEADER}\n1 2 1NT N 7\n3 4 2S 8\n5 6 3C W 9\n')
    assert ["1", "5"] == reading.results["ns"].to_list()
    assert [("pbn-table-row", 4, "expected 5 cells in this table row, got 4: 3 4 2S 8")] == (
        reading.problems.select("code", "line", "message").rows()
    )


def test_comments_and_escapes_in_a_table_are_passed_over() -> None:
    body = '{ the best } \n1 2 1NT N 7\n% hidden\n; and more\n"3;a" 4 2S E 8\n'
    assert ["1", "3;a"] == pbn(f"{HEADER}\n{body}").results["ns"].to_list()


def rows(cells: str, columns: str) -> list[dict[str, object]]:
    return pbn(f'[Board "1"]\n[ScoreTable "{columns}"]\n{cells}\n').results.to_dicts()


COLUMNS = "PairId_NS;PairId_EW;Contract;Declarer;Result;Lead;Score_NS;Score_EW"


def test_the_winning_sides_score_may_stand_alone() -> None:
    lines = rows('1 2 4S N 10 DQ "420" -\n3 4 4S N 9 h10 - "50"\n5 6 Pass - - - "0" -', COLUMNS)
    assert [420, -50, 0] == [line["stated_score_ns"] for line in lines]
    assert ["DQ", "HT", None] == [line["lead"] for line in lines]
    assert ["played", "played", "passed"] == [line["status"] for line in lines]


def test_adjusted_scores_and_byes() -> None:
    lines = rows('1 2 - - - - "A-" "A+"\n3 4 - - - - 60% 40%\n5 - - - - - "Bye" "Bye"', COLUMNS)
    assert [("A-", "A+"), ("60%", "40%"), (None, None)] == [(line["award_ns"], line["award_ew"]) for line in lines]
    assert ["adjusted", "adjusted", "bye"] == [line["status"] for line in lines]
    assert lines[2]["ew"] is None


def test_tricks_may_be_told_from_the_contract() -> None:
    lines = rows("1 2 4S N = - - -\n3 4 3N E +1 - - -\n5 6 4H* S -2 - - -", COLUMNS)
    assert [(10, 0), (10, 0), (8, 1)] == [(line["tricks"], line["doubled"]) for line in lines]


def test_rows_of_a_club_site_without_scores() -> None:
    columns = "PairId_NS;PairId_EW;Contract;Declarer;Result"
    lines = rows("101 1101 4H S 10\n102 1102 PO - -\n103 1103 - N -\n104 1104 A A A", columns)
    assert ["played", "passed", "unknown", "adjusted"] == [line["status"] for line in lines]


def test_totals_name_the_contestants() -> None:
    columns = "Rank;PairId;Direction;TotalScoreMP;TotalPercentage;Names;SessionScoreMP;SessionPercentage"
    body = ' 1 44 "N-S" 3383.0 55.94 "Ada;Ben" 718.9 61.13\n 2 37 "E-W" 3286.7 54.34 "Cid - Dot" 579.1 49.24\n'
    contestants = pbn(f'[TotalScoreTable "{columns}"]\n{body}').contestants
    assert [("44", "NS", "Ada - Ben", 718.9, 61.13), ("37", "EW", "Cid - Dot", 579.1, 49.24)] == (
        contestants.select("contestant", "direction", "names", "stated_total", "stated_percentage").rows()
    )


@pytest.mark.parametrize("cell", ["99999999999999999999", "-1", "0", "1.5", "A", "?", "-"])
def test_numbers_that_are_none_stay_unknown(cell: str) -> None:
    columns = "PairId_NS;Score_NS;ButlerDatum;Multiplicity;MP_NS"
    (line,) = rows(f"1 {cell} {cell} {cell} {cell}", columns)
    assert 1 == line["multiplicity"]
    totals = pbn(f'[TotalScoreTable "Rank;PairId"]\n{cell} 7\n').contestants
    assert [None] == totals["stated_rank"].to_list()


NAMED = r"PairId_NS\2R;PairId_EW\2R;Contract\4L;Declarer\1L;Result\2R;Names_NS;Names_EW"


def test_names_without_quotes_are_cut_at_wide_gaps() -> None:
    body = " 1  1 4S   N 10 Ada Lund-Bo Ek   Cid Orr-Dot Pim\n 2  2 3NT  S  9 Smith-Jones Ray-Poe\n"
    reading = pbn(f'[Board "1"]\n[ScoreTable "{NAMED}"]\n{body}')
    assert [10, 9] == reading.results["tricks"].to_list()
    assert [("1", "Ada Lund - Bo Ek", "1", "Cid Orr - Dot Pim"), ("2", "Smith-Jones", "2", "Ray-Poe")] == (
        reading.results.select("ns", "names_ns", "ew", "names_ew").rows()
    )
    assert [("pbn-table-unquoted", 3, 1)] == places(reading.problems)


def test_rows_that_share_a_line_are_no_names_without_quotes() -> None:
    reading = pbn('[Board "1"]\n[ScoreTable "PairId_NS;Names_NS"]\n1 "Ada - Bo" 2 "Cy - Di"\n')
    assert ["Ada - Bo", "Cy - Di"] == reading.results["names_ns"].to_list()
    assert [] == codes(reading.problems)


def test_names_without_quotes_are_cut_by_the_declared_width() -> None:
    header_ = NAMED.replace("Names_NS;", r"Names_NS\15L;")
    reading = pbn(f'[Board "1"]\n[ScoreTable "{header_}"]\n1 2 4S N 10 Ada Lund-Bo Ek Cid Orr-Dot Pim\n')
    assert [("Ada Lund - Bo Ek", "Cid Orr - Dot Pim")] == reading.results.select("names_ns", "names_ew").rows()


def test_names_that_cant_be_told_apart_are_unknown_and_cost_no_result() -> None:
    reading = pbn(f'[Board "1"]\n[ScoreTable "{NAMED}"]\n1 2 4S N 10 Ada Lund-Bo Ek Cid Orr-Dot Pim\n')
    assert [("1", "2", 10)] == reading.results.select("ns", "ew", "tricks").rows()
    assert ["pbn-table-names"] == codes(reading.problems)
    assert [(None, None)] == reading.results.select("names_ns", "names_ew").rows()


def test_headers_are_read_as_the_grammar_reads_them() -> None:
    dice = Random(0)
    parser = grammar("table_header")
    for _ in range(3_000):
        value = "".join(dice.choice((*"+-;;\\L5", "Rank", " ", "\\3R", "é")) for _ in range(dice.randint(0, 7)))
        try:
            tree = parser.parse(value, start="table_header")
        except UnexpectedInput:
            assert read_header(value) is None, value
            continue
        parts = [
            {token.type: str(token) for token in one.children if isinstance(token, Token)}
            for one in tree.find_data("column")
        ]
        told = [(one["COLUMN_NAME"].strip(), one.get("ORDER", ""), one.get("WIDTH", "")[1:]) for one in reversed(parts)]
        read = read_header(value)
        assert read is not None, value
        assert sorted(told) == sorted((column.name, column.order, column.width) for column in read), value
