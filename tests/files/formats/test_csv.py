"""Results as a table."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.cards import CARDS
from overtrick.core.frames import Session
from overtrick.files.assemble.gather import gather
from overtrick.files.formats.csv import is_results_csv, read_results_csv
from overtrick.files.formats.session_rows import list_results, write_csv
from overtrick.judge.score import with_scores
from tests.support.commands import run
from tests.support.reading import codes


def only(text: str) -> dict[str, object]:
    return read_results_csv(text.encode()).results.row(0, named=True)


@pytest.mark.parametrize("header", ["board,ns,ew", "EW;NS;Board", '"ns"\t"ew"\t"board"', "\ufeffboard,ns,ew,mp"])
def test_a_table_of_results_is_known_by_its_columns(header: str) -> None:
    assert is_results_csv(f"{header}\n1,2,3\n".encode())
    assert read_results_csv(f"{header}\n".encode() + b"1,2,3\n").problems.filter(severity="error").is_empty()


@pytest.mark.parametrize("header", ["ranking,rank,contestant", "", "board ns ew", '[Board "1"]'])
def test_other_tables_are_not(header: str) -> None:
    assert not is_results_csv(header.encode())


def test_a_line_is_a_result() -> None:
    row = only("section,round,table,board,ns,ew,contract,declarer,tricks,lead\nA,2,3,4,7,8,4sx,e,-1,10S\n")
    where = {"section": "A", "round": "2", "table": "3", "ns": "7", "ew": "8", "line": 2, "record": 0}
    what = {"level": 4, "strain": "S", "doubled": 1, "declarer": "E", "tricks": 9, "lead": "ST", "status": "played"}
    assert where | what == {name: row[name] for name in where | what}


@pytest.mark.parametrize(
    ("cells", "status"),
    [
        ("4S,10,,", "played"),
        (",,-100,", "played"),
        ("Pass,,,", "passed"),
        (",,,60%", "adjusted"),
        (",,,A+", "adjusted"),
        (",,,", "unknown"),
        ("NP,,,", "not played"),
        ("-,,,", "not played"),
        ("4S,,,", "unknown"),
    ],
)
def test_what_happened_at_the_table(cells: str, status: str) -> None:
    assert status == only(f"board,ns,ew,contract,tricks,score_ns,award_ns\n1,2,3,{cells}\n")["status"]


def test_a_pair_without_a_number_is_known_by_its_names() -> None:
    (line,) = read_results_csv(b"board,ns,ew\n1,Ada - Ben,7\n").results.rows(named=True)
    assert ("Ada - Ben", "Ada - Ben", "7", None) == (line["ns"], line["names_ns"], line["ew"], line["names_ew"])


def test_what_is_said_of_the_session_stands_in_its_boards() -> None:
    text = "board,ns,ew,event,date,scoring,vulnerable\n5,1,2,Spring,2026.03.07,Butler,All\n5,3,4,,,,\n"
    records = read_results_csv(text.encode()).records
    assert [(5, "Spring", "2026.03.07", "Butler", "All")] == (
        records.select("board", "event", "date", "scoring", "vulnerable").rows()
    )


def test_teams_and_players_have_their_own_columns() -> None:
    row = only("board,ns,ew,team_ns,team_ew,player_n\n1,11,22,A,B,7\n")
    assert ("A", "B", "7") == (row["team_ns"], row["team_ew"], row["player_n"])


def test_a_pair_that_sat_in_the_other_line_keeps_its_own() -> None:
    row = only("board,ns,ew,listed_ns,listed_ew\n1,3,1,ew,NS\n")
    assert ("EW", "NS") == (row["listed_ns"], row["listed_ew"])
    read = read_results_csv(b"board,ns,ew,listed_ns\n1,3,1,sideways\n")
    assert ["value-unknown"] == [code for code in read.problems["code"] if code != "file-no-games"]


def test_a_line_names_those_who_sat_there() -> None:
    read = read_results_csv(b"board,ns,ew,names_ns\n1,1,2,Ann - Bob\n")
    assert [("Ann - Bob", None)] == read.results.select("names_ns", "names_ew").rows()


def test_cells_that_mean_nothing_and_columns_not_known_are_named() -> None:
    read = read_results_csv(b"board,ns,ew,contract,mood\nx,1,2,9Z,good\n,1,2,,\n")
    assert [("csv-column", 1), ("value-unknown", 2), ("value-unknown", 2), ("csv-no-board", 3)] == (
        read.problems.select("code", "line").rows()
    )
    assert [("mood", "good", 2)] == read.items.select("name", "text", "line").rows()


def test_columns_that_are_called_like_ours_do_no_harm() -> None:
    read = read_results_csv(b"board,ns,ew,line,record,percentage_ns,numerator_ns\n1,2,3,x,y,z,w\n")
    assert [2] == read.results["line"].to_list()
    assert ["line", "record", "numerator_ns", "percentage_ns"] == read.items["name"].to_list()
    unknown = read.problems.filter(pl.col("code") == "csv-column")["message"].to_list()
    assert [3, False] == [len(unknown), "percentage_ns" in "".join(unknown)]


@pytest.mark.parametrize(
    ("row", "named", "result"),
    [
        ("4SN+1,,9,,", "tricks", (4, "S", "N", 9, None)),
        ("4SN+1,E,,,", "declarer", (4, "S", "E", 11, None)),
        ("4S,N,10,420,-450", "score_ns", (4, "S", "N", 10, 420)),
        ("4S N 10,N,=,+420,-420", None, (4, "S", "N", 10, 420)),
        ("4S,N,10,,-420", None, (4, "S", "N", 10, 420)),
        ("N 4S,,1 off,,", None, (4, "S", "N", 9, None)),
        ("3NT by W made 4,,,,", None, (3, "NT", "W", 10, None)),
        ("P,,,0,0", None, (0, None, None, None, 0)),
    ],
)
def test_two_cells_of_a_result_that_say_different_things_are_told(row: str, named: str | None, result: object) -> None:
    read = read_results_csv(f"board,ns,ew,contract,declarer,tricks,score_ns,score_ew\n7,1,2,{row}\n".encode())
    assert [("csv-contradiction", 2)] * bool(named) == read.problems.select("code", "line").rows()
    assert not named or f"board 7: column {named} says" in read.problems["message"][0]
    assert [result] == read.results.select("level", "strain", "declarer", "tricks", "stated_score_ns").rows()


def test_a_table_that_cannot_be_cut_is_named() -> None:
    assert ["file-damaged"] == codes(read_results_csv(b"board,ns,ew,NS\n1,2,3,4\n").problems)


@given(junk=st.text(max_size=60))
@pytest.mark.slow
def test_no_table_raises(junk: str) -> None:
    read_results_csv(f"board,ns,ew,contract,tricks\n1,2,3,{junk}\n".encode("utf-8", "replace"))


RESULT = st.tuples(
    st.integers(1, 30),
    st.integers(1, 9),
    st.sampled_from("CDHS") | st.just("NT"),
    st.integers(1, 7),
    st.sampled_from("NESW"),
    st.integers(0, 13),
    st.sampled_from(CARDS),
)


@given(st.lists(RESULT, min_size=1, max_size=8))
@pytest.mark.slow
def test_the_results_that_are_written_read_back(rows: list[tuple[int, int, str, int, str, int, str]]) -> None:
    lines = [
        f"{board},{ns},{ns + 20},{level}{strain},{by},{tricks},{lead}"
        for board, ns, strain, level, by, tricks, lead in rows
    ]
    first = _read("board,ns,ew,contract,declarer,tricks,lead\n" + "\n".join(lines) + "\n")
    document = write_csv(list_results(first))
    assert document == write_csv(list_results(_read(document)))


def _read(text: str) -> Session:
    reading = read_results_csv(text.encode())
    session = gather(Session(records=reading.records, results=reading.results, contestants=reading.contestants))
    return Session(results=with_scores(session.results))


def test_a_converted_session_scores_the_same(tmp_path: Path) -> None:
    table = tmp_path / "evening.csv"
    table.write_text(
        "board,ns,ew,contract,declarer,tricks,award_ns,award_ew\n1,1,2,4S,N,10,,\n1,3,4,,,,60%,40%\n1,5,6,4S,N,9,,\n"
    )
    again = tmp_path / "again.csv"
    assert 0 == run("convert", table, again).status
    assert run("score", table).out == run("score", again).out


DEALS = """table,ns,ew,dealer,contract,declarer,tricks,honours_ew,conduct_ns,scoring
1,Larks,Owls,N,2S,N,9,,,Rubber
1,Larks,Owls,E,3NT,E,9,150,100,
1,Larks,Owls,S,Pass,,,,,
"""


def test_a_table_without_board_numbers_holds_deals_in_their_order() -> None:
    reading = read_results_csv(DEALS.encode())
    assert reading.problems.is_empty()
    assert [0, 1, 2] == reading.records["record"].to_list() == reading.results["record"].to_list()
    assert ["N", "E", "S"] == reading.records["dealer"].to_list()
    assert [(None, None), (150, 100), (None, None)] == reading.results.select("honours_ew", "conduct_ns").rows()
    assert ["played", "played", "passed"] == reading.results["status"].to_list()


def test_a_rubber_is_scored_from_such_a_table(tmp_path: Path) -> None:
    """Two spades with an overtrick, then a game with four aces: broken off."""
    file = tmp_path / "rubber.csv"
    file.write_text(DEALS)
    done = run("score", file, "--format", "csv")
    assert ["all,1,1,Owls,,,,550.0,,3,,,", "all,2,2,Larks,,,,-10.0,,3,,,"] == done.out.splitlines()[1:]
    sheets = run("score", file, "--rows", "sheets", "--format", "csv").out.splitlines()
    assert 6 == len(sheets[1:])


def test_two_tables_of_deals_do_not_hide_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(DEALS)
    (tmp_path / "b.csv").write_text(DEALS.replace("Larks", "Jays"))
    done = run("score", tmp_path / "a.csv", tmp_path / "b.csv", "--rows", "results", "--format", "csv")
    assert 6 == len(done.out.splitlines()[1:])


def test_what_means_nothing_in_a_table_of_deals_is_named() -> None:
    text = "ns,ew,contract,declarer,tricks,dealer,honours_ns\n1,2,1NT,N,7,Q,many\n"
    assert ["value-unknown", "value-unknown"] == codes(read_results_csv(text.encode()).problems)


def test_a_datum_may_be_stated() -> None:
    assert -120 == only("board,ns,ew,score_ns,datum\n1,2,3,-100,-120\n")["stated_datum"]
    assert ["value-unknown"] == codes(read_results_csv(b"board,ns,ew,score_ns,datum\n1,2,3,-100,none\n").problems)


def test_a_board_played_at_two_vulnerabilities_is_two() -> None:
    text = "board,ns,ew,vulnerable\n1,1,2,\n1,3,4,All\n1,5,6,Both\n1,7,8,NS\n"
    reading = read_results_csv(text.encode())
    assert [(0, "All"), (1, "NS")] == reading.records.select("record", "vulnerable").rows()
    assert [0, 0, 0, 1] == reading.results["record"].to_list()


def test_cells_beyond_the_columns_are_named() -> None:
    text = 'board,ns,ew,contract\n1,1,2,"1NT, I think"\n2,1,2,1NT,by West\n3,1,2,1NT,,\n'
    problems = read_results_csv(text.encode()).problems
    assert [(3, "this line has more cells than the first line has columns; overtrick leaves out 'by West'")] == (
        problems.filter(problems["code"] == "csv-cells").select("line", "message").rows()
    )


@pytest.mark.parametrize("data", [b"a\0" * 100_000, b'"' + b"," * 400_000, b",".join([b"x" * 200_000] * 9)])
def test_no_line_raises(data: bytes) -> None:
    assert 0 == len(read_results_csv(b"board,ns,ew\n" + data + b"\n").results.drop_nulls("board"))


def test_a_table_may_be_in_utf_16_and_end_with_the_mark_of_old_systems() -> None:
    rows = "board\tns\tew\tcontract\r\n1\t1\t2\tPass\r\n"
    for data in (rows.encode("utf-16"), rows.encode() + b"\x1a"):
        assert is_results_csv(data)
        assert [("1", "2", "passed")] == read_results_csv(data).results.select("ns", "ew", "status").rows()


def test_blank_lines_above_a_table_count_as_lines() -> None:
    found = read_results_csv(b"\n\nboard,ns,ew,contract\n1,2,3,9Z\n")
    assert ([1], [4]) == (found.records["board"].to_list(), found.problems["line"].unique().to_list())


def test_digits_of_other_scripts_are_not_numbers() -> None:
    reading = read_results_csv("board,ns,ew,contract,declarer,tricks\n１,1,2,3NT,N,9\n1,3,4,3NT,N,٩\n".encode())  # noqa: RUF001
    assert [None, 1] == reading.records["board"].to_list()
    assert [("value-unknown", 2), ("value-unknown", 3)] == reading.problems.select("code", "line").rows()


def test_a_table_is_read_up_to_a_number_of_columns_and_always_in_those_it_knows() -> None:
    text = f"board,ns,ew,{','.join(f'c{n}' for n in range(2000))},tricks,contract,declarer\n1,1,2{',' * 2001}9,3NT,N\n"
    reading = read_results_csv(text.encode())
    assert [(3, 9)] == reading.results.select("level", "tricks").rows()
    assert "csv-too-wide" in codes(reading.problems)


@pytest.mark.parametrize(("rows", "told"), [(3, False), (4, True)])
def test_lines_beyond_the_bound_are_told(rows: int, monkeypatch: pytest.MonkeyPatch, *, told: bool) -> None:
    monkeypatch.setattr("overtrick.files.formats.csv.MOST_LINES", 3)
    reading = read_results_csv("\n".join(["board,ns,ew,score_ns", *["1,2,3,420"] * rows]).encode())
    assert (3, told) == (reading.results.height, "file-too-long" in codes(reading.problems))
