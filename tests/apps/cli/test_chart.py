"""`overtrick chart` draws files and queries, and says what it can't draw."""

from pathlib import Path

import polars as pl
import pytest

from tests.support.commands import run

TABLE = pl.DataFrame({"strain": ["NT", "S", "S"], "played": [3, 1, 4]})


@pytest.fixture
def table(tmp_path: Path) -> Path:
    TABLE.write_csv(tmp_path / "table.csv")
    return tmp_path / "table.csv"


def test_a_file_becomes_a_picture(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.svg"
    ran = run("chart", str(table), "--out", str(out))
    assert (0, "", f"{out}: written\n") == (ran.status, ran.out, ran.err)
    assert "played by strain" in (tmp_path / "table.svg").read_text("utf-8")


def test_parquet_is_read_too_and_a_query_chooses_the_rows(tmp_path: Path) -> None:
    TABLE.write_parquet(tmp_path / "table.parquet")
    query = "SELECT strain, sum(played) AS played FROM data GROUP BY strain ORDER BY strain"
    ran = run("chart", str(tmp_path / "table.parquet"), "--query", query)
    assert 0 == ran.status
    assert "Bars of played by strain. NT: 3. S: 5." in ran.out


def test_a_query_may_be_in_a_file(table: Path, tmp_path: Path) -> None:
    (tmp_path / "one.sql").write_text("SELECT strain, played FROM data LIMIT 1")
    assert "NT: 3." in run("chart", str(table), "--query", str(tmp_path / "one.sql")).out


def test_rows_without_a_value_are_counted(table: Path) -> None:
    table.write_text("a,b\nx,1\ny,\n")
    ran = run("chart", str(table))
    assert (0, "1 row without a value left out\n") == (ran.status, ran.err)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["table.csv", "--y", "tricks"], "no column tricks; the columns are: strain, played"),
        (["table.csv", "--query", "SELECT"], "the query fails"),
        (["table.csv", "--query", "SELECT * FROM nowhere"], "the query fails"),
        (["table.csv", "--query", "none.sql"], "none.sql: can't be read"),
        (["none.csv"], "none.csv: no such file"),
        (["."], "not an archive"),
        (["table.csv", "--out", "chart.png"], "ends in .svg"),
        (["table.csv", "--out", "nowhere/chart.svg"], "can't be written"),
    ],
)
def test_wrong_usage_is_said(table: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str) -> None:
    monkeypatch.chdir(table.parent)
    ran = run("chart", *words)
    assert 2 == ran.status
    assert message in ran.err
