"""The queries of docs/archive.md answer their questions, and polars, DuckDB and Spark agree."""

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from overtrick.apps.archive.solve import list_unsolved
from overtrick.apps.archive.store import Store
from overtrick.apps.archive.tables import FRAMES
from overtrick.core.bridge.cards import CARDS
from overtrick.files.assemble import read
from overtrick.judge.analyse import solver
from tests.support.archives import take_in, write_files
from tests.support.commands import FIXTURES, ROOT, run, start
from tests.support.golden import assert_as_before
from tests.support.played_evening import played_evening

PAGE = (ROOT / "docs" / "archive.md").read_text("utf-8")
QUERIES = {
    name: (language, text)
    for name, language, text in re.findall(r"<!-- query: (.+?) -->\n```(python|sql)\n(.*?)```", PAGE, re.DOTALL)
}
CHARTS = {
    name: (sql, command)
    for name, sql, command in re.findall(
        r"<!-- question: (.+?) -->\n```sql\n(.*?)```\n\n```console\n\$ overtrick (.*?)\n```", PAGE, re.DOTALL
    )
}
QUESTIONS = sorted({name.partition(",")[0] for name in QUERIES if ", " in name})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ingest two evenings of random boards, one of them played again at a second club, and a club's travellers."""
    made = tmp_path_factory.mktemp("documented")
    one, _ = write_files(made / "files", 2, 30)
    (made / "files" / "z-elsewhere.pbn").write_text(one.read_text().replace("Lindqvist, Bo", "Novak, Ema"))
    shutil.copy(FIXTURES / "club-evening.pbn", made / "files")
    take_in(made / "archive", made / "files")
    store = Store(str(made / "archive"))
    tricks = [[(deal + place) % 14 for place in range(20)] for deal in range(60)]
    store.add_solved("double_dummy", pl.DataFrame({"deal": list_unsolved(store).head(60), "tricks": tricks}))
    store.add_solved("analysis", analysed(store))
    return made


def analysed(store: Store) -> pl.DataFrame:
    """Return made-up costs for the results of an archive."""
    played = store.scan()["results"].filter(pl.col("status") == "played").collect()
    number = pl.int_range(pl.len())
    made_up = played.with_columns(
        deal=pl.lit("a deal"),
        dd_tricks=number % 14,
        lead=pl.lit(pl.Series(CARDS)).gather(7 * number % 52),
        lead_cost=pl.when(number % 5 > 0).then(number % 3),
        play_cost=pl.when(number % 4 > 0).then(number % 7),
        defence_cost=pl.when(number % 4 > 0).then(number % 6),
    )
    return made_up.select(*FRAMES["analysis"])


@pytest.fixture
def names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the page's lines before the queries and return the names that they define."""
    monkeypatch.chdir(folder)
    typed: dict[str, Any] = {}
    for setting in ("polars", "duckdb"):
        exec(QUERIES[setting][1], typed)  # noqa: S102 - the page's own lines
    return typed


@pytest.fixture(scope="module")
def spark(folder: Path) -> Iterator[Any]:
    """Start Spark on one core with the tables as the page's lines make them; the tests do not install Spark."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if not shutil.which("java"):
        pytest.skip("Spark needs Java")
    typed: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        settings = "--master local[1] --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=1"
        patch.setenv("PYSPARK_SUBMIT_ARGS", f"{settings} pyspark-shell")
        exec(QUERIES["spark"][1], typed)  # noqa: S102 - the page's own lines
    yield typed["spark"]
    typed["spark"].stop()


def asked(question: str, names: dict[str, Any]) -> tuple[pl.DataFrame, pl.DataFrame]:
    exec(QUERIES[f"{question}, polars"][1], names)  # noqa: S102 - the page's own lines
    found = duckdb.sql(QUERIES[f"{question}, duckdb"][1])
    assert found
    return names[question], frame(found.columns, found.fetchall())


def frame(columns: list[str], rows: list[Any]) -> pl.DataFrame:
    return pl.DataFrame([tuple(row) for row in rows], schema=columns, orient="row", infer_schema_length=None)


@pytest.mark.parametrize("question", QUESTIONS)
def test_polars_and_duckdb_give_the_same_answer(question: str, names: dict[str, Any]) -> None:
    by_polars, by_duckdb = asked(question, names)
    assert 0 < by_polars.height
    assert_frame_equal(by_polars, by_duckdb.select(by_polars.columns), check_dtypes=False)


@pytest.mark.parametrize("question", QUESTIONS)
def test_spark_gives_the_same_answer(question: str, names: dict[str, Any], spark: Any) -> None:
    by_polars, _ = asked(question, names)
    _, text = QUERIES.get(f"{question}, spark", QUERIES[f"{question}, duckdb"])
    found = spark.sql(text)
    by_spark = frame(found.columns, found.collect())
    assert_frame_equal(by_polars, by_spark.select(by_polars.columns), check_dtypes=False)


@pytest.mark.parametrize("name", CHARTS)
def test_a_question_has_one_answer_and_a_picture(
    name: str, names: dict[str, Any], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert names
    sql, command = CHARTS[name]
    by_polars = pl.SQLContext(Store("archive").scan()).execute(sql).collect()
    found = duckdb.sql(sql)
    assert found
    assert 0 < by_polars.height
    assert_frame_equal(by_polars, frame(found.columns, found.fetchall()), check_dtypes=False)
    (tmp_path / f"{name}.sql").write_text(sql, "utf-8")
    monkeypatch.chdir(tmp_path)
    ran = run(*(str(folder / "archive") if word == "archive" else word for word in shlex.split(command)))
    assert (0, f"{name}.svg: written\n") == (ran.status, ran.err)
    drawn = (tmp_path / f"{name}.svg").read_text("utf-8")
    shown = (ROOT / "docs" / "charts" / f"{name}.svg").read_text("utf-8")
    assert title_of(shown) == title_of(drawn)
    assert f"(charts/{name}.svg)" in PAGE


def test_the_page_answers_five_questions_with_pictures() -> None:
    assert 5 == len(CHARTS)


@pytest.mark.slow
def test_the_pictures_are_those_of_a_made_up_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`OVERTRICK_UPDATE_GOLDEN=1` draws them again."""
    if not solver.is_installed():
        pytest.skip("the extra dd is not installed")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "evening.pbn").write_text(played_evening(28, 10, seed=1), "utf-8")
    take_in(tmp_path / "archive", tmp_path / "evening.pbn")
    assert 0 == start("archive", "solve", tmp_path / "archive").status
    monkeypatch.chdir(tmp_path)
    for name, (sql, command) in CHARTS.items():
        Path(f"{name}.sql").write_text(sql, "utf-8")
        assert 0 == run(*shlex.split(command)).status
        committed = ROOT / "docs" / "charts" / f"{name}.svg"
        assert_as_before(committed, Path(f"{name}.svg").read_text("utf-8"))


def title_of(svg: str) -> str:
    return svg.partition("<title")[2].partition("</title>")[0]


def test_contracts_are_those_of_the_files(names: dict[str, Any], folder: Path) -> None:
    contracts, _ = asked("contracts", names)
    files = [read([str(file)]).results for file in (folder / "files").iterdir()]
    assert sum((results["status"] == "played").sum() for results in files) == contracts["played"].sum()


def test_declarers_edge_is_over_the_tricks_of_their_seat_and_strain(names: dict[str, Any]) -> None:
    over, _ = asked("over", names)
    solved = dict(names["double_dummy"].collect().iter_rows())
    played = names["results"].filter(pl.col("status") == "played", pl.col("strain") == "NT")
    deals = played.join(names["records"].select("sha256", "record", "deal"), on=["sha256", "record"]).collect()
    edges = [
        row["tricks"] - solved[row["deal"]][5 * "NESW".index(row["declarer"]) + 4]
        for row in deals.iter_rows(named=True)
        if row["deal"] in solved
    ]
    assert (len(edges), sum(edges) / len(edges)) == over.filter(pl.col("strain") == "NT").row(0)[1:]


def test_a_player_has_a_line_for_each_evening(names: dict[str, Any]) -> None:
    player, _ = asked("player", names)
    assert [("evening-00.pbn", 30), ("evening-01.pbn", 30)] == [
        (Path(source).name, boards) for source, boards in player.select("source", "boards").iter_rows()
    ]


def test_leads_against_notrump_are_counted_once(names: dict[str, Any]) -> None:
    leads, _ = asked("leads", names)
    records = names["records"].filter(pl.col("strain") == "NT", pl.col("cards").list.len() > 0).collect()
    assert records.height == leads["led"].sum()


def test_hands_are_evaluated_as_columns(names: dict[str, Any]) -> None:
    exec(QUERIES["hands"][1], names)  # noqa: S102 - the page's own lines
    hands, shapes = names["hands"], names["shapes"]
    assert {"points_n", "short_e", "long_s", "shape_w", "opening_n"} <= set(hands.columns)
    assert hands.height == shapes["deals"].sum()


def test_tables_are_read_at_the_same_moment(names: dict[str, Any]) -> None:
    exec(QUERIES["one moment"][1], names)  # noqa: S102 - the page's own lines
    assert set(names["results"]["sha256"]) <= set(names["records"]["sha256"])


def test_a_file_is_written_again(names: dict[str, Any], tmp_path: Path, folder: Path) -> None:
    exec(QUERIES["file again"][1], names)  # noqa: S102 - the page's own lines
    (tmp_path / "again.pbn").write_text(names["text"], "utf-8")
    columns = ["board", "deal", "declarer", "tricks", "calls", "cards"]
    expected = read([str(folder / "files" / "club-evening.pbn")]).records.select(columns)
    assert_frame_equal(expected, read([str(tmp_path / "again.pbn")]).records.select(columns))
