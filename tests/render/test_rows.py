"""The rows that leave the house."""

import pytest

from overtrick.frames import PROBLEMS, RECORDS, STANDINGS, Session
from overtrick.render.rows import board_count, problem_rows, results_rows, standings_rows, table_count
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
    assert [contract] == results_rows(lines)["contract"].to_list()


def test_a_list_of_results_has_these_columns_in_this_order() -> None:
    columns = "section round table board ns ew contract declarer tricks lead score_ns points_ns points_ew percentage_ns"
    columns += " award_ns award_ew"
    assert columns == " ".join(results_rows(session(*traveller(1, [420]))).columns)


def test_totals_show_no_noise_of_binary_fractions() -> None:
    rows = frame(STANDINGS, [{"ranking": "all", "total": 718.9000000000001, "percentage": 58.35227272727}])
    assert (718.9, 58.3523) == standings_rows(Session(standings=rows)).select("total", "percentage").row(0)


def test_problems_stand_in_the_order_of_their_files() -> None:
    rows: list[Row] = [
        {"source": "b.pbn", "line": 1, "code": "file-empty"},
        {"source": "a.pbn", "line": 9, "column": 5, "code": "file-binary"},
        {"source": "a.pbn", "line": 9, "column": 2, "code": "file-binary"},
        {"source": "a.pbn", "code": "file-no-games"},
    ]
    listed = problem_rows(Session(problems=frame(PROBLEMS, rows)))
    assert [("a.pbn", None), ("a.pbn", 2), ("a.pbn", 5), ("b.pbn", None)] == list(
        listed.select("source", "column").iter_rows()
    )


def test_a_board_that_is_played_twice_counts_once() -> None:
    records = [{"record": n, "board": board} for n, board in enumerate([1, 1, 2, None])]
    assert 2 == board_count(Session(records=frame(RECORDS, records)))


def test_tables_are_counted_section_by_section() -> None:
    rows = [{"section": section, "table": table, "score_ns": 420} for section in "AB" for table in "112"]
    assert 4 == table_count(Session(results=results(*rows)))


def test_tables_are_not_guessed_where_a_result_names_none() -> None:
    assert table_count(Session(results=results({"table": "1", "score_ns": 420}, {"score_ns": 50}))) is None


def test_no_results_no_tables() -> None:
    assert table_count(Session()) is None
