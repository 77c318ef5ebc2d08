"""What a record states is located in its file, each format in its own way."""

import re
from dataclasses import fields, replace
from pathlib import Path

import polars as pl
import pytest

from overtrick import judge
from overtrick.apps.evening.check import examine
from overtrick.core.config import Config
from overtrick.core.frames import PROBLEMS, RECORDS, RESULTS, Facts, Problems, Session, dtypes
from overtrick.core.problems import concat_problems, report
from overtrick.files.assemble import read
from overtrick.files.formats.read import locate, locate_findings
from overtrick.files.formats.registry import FORMATS
from overtrick.judge.validate import SPOILED_DEAL
from tests.support.builders import frame
from tests.support.lin_texts import HANDS

PBN = """[Board "1"]
[Dealer "N"]
[Deal "N:AK... - - -"]
[Declarer "S"]
[Auction "N"]
1C =1= Pass
1NT AP
[Play "W"]
SA HK

[Board "2"]
"""
LIN = f"""pn|Ada,Ben,Cid,Dot|
md|3{",".join(HANDS[:3])},|ah|Board 5|
mb|1N|mb|p|
mb|p|mb|p|
pc|C2C5|
pc|H2C6|
mc|7|
"""
CSV = "board,ns,ew,contract,declarer,tricks\n1,1,2,4S,N,10\n"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Two games of PBN (the second states nothing but its board), a board of LIN and a line of a table."""
    for name, text in {"a.pbn": PBN, "b.lin": LIN, "c.csv": CSV}.items():
        (tmp_path / name).write_text(text, "utf-8")
    return read([str(tmp_path / name) for name in ("a.pbn", "b.lin", "c.csv")])


def places(session: Session, column: str) -> list[tuple[int, int, int]]:
    found = locate(session, session.records["record"], column)
    return found.select("record", "line", "column").rows()


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("deal", [(0, 3, 1), (2, 2, 1)]),
        ("declarer", [(0, 4, 1), (2, 4, 6)]),
        ("tricks", [(2, 7, 1)]),
        ("auction_start", [(0, 5, 1), (2, 3, 1)]),
        ("play_start", [(0, 8, 1), (2, 5, 1)]),
        ("board", []),
    ],
)
def test_a_column_is_located_in_every_format_that_can(
    session: Session, column: str, expected: list[tuple[int, int, int]]
) -> None:
    assert expected == places(session, column)


def test_each_call_has_its_place_and_passes_in_one_word_share_it(session: Session) -> None:
    calls = [(0, 6, 1), (0, 6, 8), (0, 7, 1), *[(0, 7, 5)] * 3, (2, 3, 1), (2, 3, 7), (2, 4, 1), (2, 4, 6)]
    assert calls == places(session, "calls")


def test_each_card_has_its_place_and_those_of_one_command_are_told_apart(session: Session) -> None:
    cards = [(0, 9, 1), (0, 9, 4), (2, 5, 1), (2, 5, 6), (2, 6, 1), (2, 6, 6)]
    assert cards == places(session, "cards")


def found(session: Session, *problems: pl.DataFrame) -> Problems:
    return locate_findings(replace(session, problems=concat_problems([session.problems.clear(), *problems]))).problems


def test_what_is_not_stated_is_placed_at_the_first_line_of_its_record(session: Session) -> None:
    placed = found(session, report("file-binary", session.records.select("record", "source"), "records.deal"))
    files = [Path(source).name for source in placed["source"]]
    assert [("a.pbn", 3), ("a.pbn", 11), ("b.lin", 2), ("c.csv", 2)] == list(zip(files, placed["line"], strict=True))


def test_an_entry_that_is_not_written_is_placed_where_the_entries_begin(session: Session) -> None:
    late = session.records.select("record").head(1).with_columns(index=51)
    assert [(8, 1)] == found(session, report("file-binary", late, "records.cards")).select("line", "column").rows()


def test_a_fact_is_placed_at_the_record_that_states_it_and_is_not_about_that_record(session: Session) -> None:
    fact = pl.DataFrame({"index": [2]})
    assert [(None, 2, 1)] == (
        found(session, report("file-binary", fact, "facts.deal")).select("record", "line", "column").rows()
    )


def test_findings_keep_their_order_and_those_with_a_place_their_place(session: Session) -> None:
    played = session.records.select("record").head(1)
    placed = found(
        session,
        report("file-binary", played.with_columns(index=1), "records.calls"),
        report("file-no-games/text", played.with_columns(line=99, column=7)),
        report("file-binary", played, "records.deal"),
    )
    assert [("file-binary", 6, 8), ("file-no-games", 99, 7), ("file-binary", 3, 1)] == (
        placed.select("code", "line", "column").rows()
    )
    assert dtypes(PROBLEMS) == dict(placed.schema)


def test_each_part_that_a_check_names_is_a_column_or_a_fact() -> None:
    known = {"records": set(RECORDS), "results": set(RESULTS), "facts": {one.name for one in fields(Facts)}}
    texts = [path.read_text("utf-8") for path in Path(judge.__file__).parent.rglob("*.py")]
    named = {match.groups() for text in texts for match in re.finditer(r'"(records|results|facts)\.(\w+)"', text)}
    assert ("records", "deal") in named
    assert set() == {(of, column) for of, column in named if column not in known[of]}


def test_what_the_reader_has_reported_of_a_record_is_not_reported_again(session: Session) -> None:
    said = [("pbn-play-seat", 0), ("play-begins-elsewhere", 0), ("play-begins-elsewhere", 1)]
    problems = frame(PROBLEMS, [{"code": code, "record": record} for code, record in said])
    assert [said[0], said[2]] == found(session, problems).select("code", "record").rows()


def test_no_reader_speaks_for_the_check_that_keeps_a_deal_from_being_scored() -> None:
    assert set() == {code for known in FORMATS for codes in known.supersedes.values() for code in codes} & {
        *SPOILED_DEAL
    }


GAME = '[Event "E"]\n[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
SCORE_TABLE = """[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS;MP_NS;MP_EW"]
1 2 3NT N 9 430 5 5
3 4 3NT N 8   -50  5 5
"""
TAGS = '[Declarer "N"]\n[Contract "3NT"]\n[Result "{tricks}"]\n[Score "NS {score}"]\n[ScoreMP "NS 5"]\n'
TABLE = """board,ns,ew,contract,declarer,tricks,score_ns,points_ns,points_ew
1,1,2,3NT,N,9,430,,5
1,3,"4, later",3NT,N,8,-50,5,5
"""
TRAVELLERS = """<USEBIO Version="1.2"><EVENT EVENT_TYPE="MP_PAIRS"><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>
<TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>2</EW_PAIR_NUMBER>
  <CONTRACT>3NT</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS>9</TRICKS>
  <SCORE>430</SCORE><NS_MATCH_POINTS/><EW_MATCH_POINTS>5</EW_MATCH_POINTS></TRAVELLER_LINE>
<TRAVELLER_LINE><NS_PAIR_NUMBER>3</NS_PAIR_NUMBER><EW_PAIR_NUMBER>4</EW_PAIR_NUMBER><CONTRACT>3NT</CONTRACT>
  <PLAYED_BY>N</PLAYED_BY><TRICKS>8</TRICKS><SCORE>-50</SCORE> <NS_MATCH_POINTS>5</NS_MATCH_POINTS></TRAVELLER_LINE>
</BOARD></EVENT></USEBIO>
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "score", "points"),
    [
        ("a.pbn", GAME + SCORE_TABLE, [(6, 13)], [(6, 17), (7, 20)]),
        ("a.csv", TABLE, [(2, 15)], [(2, 20), (3, 28)]),
        ("a.xml", TRAVELLERS, [(4, 3)], [(4, 39), (6, 64)]),
        (
            "b.pbn",
            "\n".join(GAME + TAGS.format(tricks=tricks, score=score) for tricks, score in ((9, 430), (8, -50))),
            [(8, 1)],
            [(9, 1), (19, 1)],
        ),
    ],
)
def test_stated_scores_and_points_are_found_at_their_cell_element_or_tag(
    tmp_path: Path, name: str, text: str, score: list[tuple[int, int]], points: list[tuple[int, int]]
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    problems = examine([str(tmp_path / name)], Config(), corrections=()).problems
    places = {
        code: [
            (line, column) for one, line, column in problems.select("code", "line", "column").iter_rows() if one == code
        ]
        for code in ("score-mismatch", "number-mismatch")
    }
    assert {"score-mismatch": score, "number-mismatch": points} == places


def test_results_of_a_file_that_has_gone_are_placed_at_their_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TABLE, "utf-8")
    session = read([str(tmp_path / "a.csv")])
    (tmp_path / "a.csv").unlink()
    wrong = session.results.select("record", "source", "line", "column")
    assert [2, 3] == found(session, report("file-binary", wrong, "results.stated_score_ns"))["line"].to_list()
