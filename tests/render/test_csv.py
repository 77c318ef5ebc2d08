"""CSV for spreadsheets."""

import csv
import io

import polars as pl
import pytest

from overtrick.render.csv import csv_document


@pytest.mark.parametrize("name", ["=1+1", "+47 22", "-Berg", "@cmd", "\tBerg", "\uff1dHYPERLINK()"])
def test_a_name_is_no_formula(name: str) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_document(pl.DataFrame({"names": [name]})), newline="")))
    assert [{"names": f"'{name}"}] == rows


def test_negative_numbers_stay_numbers() -> None:
    assert "score_ns,points_ns\n-50,-1.5\n" == csv_document(pl.DataFrame({"score_ns": [-50], "points_ns": [-1.5]}))


def test_commas_quotes_and_line_ends_stay_within_their_cell() -> None:
    name = 'Berg, "Ann"\nDahl'
    assert [["names"], [name]] == list(
        csv.reader(io.StringIO(csv_document(pl.DataFrame({"names": [name]})), newline=""))
    )


def test_what_is_not_known_is_an_empty_cell() -> None:
    rows = pl.DataFrame({"board": [1], "tricks": [None]}, schema={"board": pl.Int32, "tricks": pl.UInt8})
    assert "board,tricks\n1,\n" == csv_document(rows)
