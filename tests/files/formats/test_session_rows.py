"""The rows that JSON, CSV, Parquet and the terminal list, and CSV itself."""

import csv
import io

import polars as pl
import pytest

from overtrick.core.frames import PROBLEMS, RECORDS, STANDINGS, Session
from overtrick.files.formats.session_rows import (
    count_boards,
    count_tables,
    list_problems,
    list_results,
    list_standings,
    write_csv,
)
from tests.support.builders import Row, frame, results, session, traveller


@pytest.mark.parametrize(
    ("contract", "level", "strain", "doubled"),
    [
        ("4SX", 4, "S", 1),
        ("3NT", 3, "NT", 0),
        ("7CXX", 7, "C", 2),
        ("2H", 2, "H", None),
        ("Pass", 0, None, None),
        (None, None, None, 0),
        (None, 4, None, 0),
    ],
)
def test_contracts_read_as_players_write_them(
    contract: str | None, level: int | None, strain: str | None, doubled: int | None
) -> None:
    lines = session({"board": 1, "level": level, "strain": strain, "doubled": doubled})
    assert [contract] == list_results(lines)["contract"].to_list()


def test_a_list_of_results_has_these_columns_in_this_order() -> None:
    columns = "section round table board ns ew contract declarer tricks lead score_ns points_ns points_ew percentage_ns"
    columns += " award_ns award_ew"
    assert columns == " ".join(list_results(session(*traveller(1, [420]))).columns)


def test_totals_show_no_noise_of_binary_fractions() -> None:
    rows = frame(STANDINGS, [{"ranking": "all", "total": 718.9000000000001, "percentage": 58.35227272727}])
    assert (718.9, 58.3523) == list_standings(Session(standings=rows)).select("total", "percentage").row(0)


def test_problems_are_in_the_order_of_their_files() -> None:
    rows: list[Row] = [
        {"source": "b.pbn", "line": 1, "code": "file-no-games"},
        {"source": "a.pbn", "line": 9, "column": 5, "code": "file-binary"},
        {"source": "a.pbn", "line": 9, "column": 2, "code": "file-binary"},
        {"source": "a.pbn", "code": "file-no-games"},
    ]
    listed = list_problems(Session(problems=frame(PROBLEMS, rows)))
    assert [("a.pbn", None), ("a.pbn", 2), ("a.pbn", 5), ("b.pbn", None)] == list(
        listed.select("source", "column").iter_rows()
    )


def test_a_board_that_is_played_twice_counts_once() -> None:
    records = [{"record": n, "board": board} for n, board in enumerate([1, 1, 2, None])]
    assert 2 == count_boards(Session(records=frame(RECORDS, records)))


def test_tables_are_counted_section_by_section() -> None:
    rows = [{"section": section, "table": table, "score_ns": 420} for section in "AB" for table in "112"]
    assert 4 == count_tables(Session(results=results(*rows)))


def test_tables_are_not_guessed_where_a_result_names_none() -> None:
    assert count_tables(Session(results=results({"table": "1", "score_ns": 420}, {"score_ns": 50}))) is None


def test_no_results_no_tables() -> None:
    assert count_tables(Session()) is None


@pytest.mark.parametrize("name", ["=1+1", "+47 22", "-Berg", "@cmd", "\tBerg", "\uff1dHYPERLINK()"])
def test_a_name_is_not_a_formula(name: str) -> None:
    rows = list(csv.DictReader(io.StringIO(write_csv(pl.DataFrame({"names": [name]})), newline="")))
    assert [{"names": f"'{name}"}] == rows


def test_negative_numbers_stay_numbers() -> None:
    assert "score_ns,points_ns\n-50,-1.5\n" == write_csv(pl.DataFrame({"score_ns": [-50], "points_ns": [-1.5]}))


def test_commas_quotes_and_line_ends_stay_within_their_cell() -> None:
    name = 'Berg, "Ann"\nDahl'
    assert [["names"], [name]] == list(csv.reader(io.StringIO(write_csv(pl.DataFrame({"names": [name]})), newline="")))


def test_what_is_not_known_is_an_empty_cell() -> None:
    rows = pl.DataFrame({"board": [1], "tricks": [None]}, schema={"board": pl.Int32, "tricks": pl.UInt8})
    assert "board,tricks\n1,\n" == write_csv(rows)
