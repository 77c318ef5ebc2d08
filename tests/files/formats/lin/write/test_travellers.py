"""Results of travellers in LIN: a board for each, with `ot` beside it, and the ranking that they had."""

from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.files.assemble import read
from overtrick.files.formats.lin.write import write_lin
from tests.support import one_evening as one
from tests.support.commands import FIXTURES
from tests.support.evaluating import evaluate
from tests.support.reading import codes

HEADER = "board,section,round,table,ns,ew,contract,declarer,tricks"
KEPT = (
    *("section", "round", "table", "board", "ns", "ew", "player_n", "player_e", "player_s", "player_w", "team_ns"),
    *("team_ew", "level", "strain", "doubled", "declarer", "tricks", "lead", "status", "award_ns", "award_ew"),
    *("stated_score_ns", "stated_points_ns", "stated_points_ew", "stated_datum"),
)


def through_lin(table: str, folder: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Return what is kept of the results of a table, before and after LIN."""
    path, lin = folder / "a.csv", folder / "a.lin"
    path.write_text(table, "utf-8")
    session = read([str(path)])
    lin.write_bytes(write_lin(session).content)
    again = read([str(lin)])
    assert [] == codes(again.problems)
    return (sorted(session.results.select(KEPT).rows(), key=str), sorted(again.results.select(KEPT).rows(), key=str))


def test_each_result_is_a_board_below_the_header_of_its_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        f"event,{HEADER}\nTuesday,7,A,1,2,6,1,4SX,W,8\nTuesday,7,A,1,3,2,5,Pass,,\n", "utf-8"
    )
    lines = write_lin(read([str(tmp_path / "a.csv")])).content.decode().splitlines()
    assert ["vg|Tuesday,1,P,7,7,,,,|", "rs|4SWx-2,|"] == lines[:2]
    assert 'qx|o7|ot|{"section":"A","table":"2","ns":"6","ew":"1"}|st||sv|b|mc|8|pg||' == lines[3]
    assert "rs|P,|" == lines[5]


@pytest.mark.parametrize(
    "table",
    [
        f"{HEADER},award_ns,award_ew\n1,A,1,1,1,2,3NT,N,9,,\n1,B,1,1,1,2,,,,60%,40%\n1,B,1,2,3,4,4S,E,10,50%,\n",
        "board,ns,ew,score_ns,points_ns,points_ew\n1,1,2,420,2,0\n1,3,4,-50,0,2\n",
        "board,player_n,player_e,player_s,player_w,ns,ew,contract,declarer,tricks\n1,1,2,3,4,1+3,2+4,3NT,N,9\n",
        "board,ns,ew,team_ns,team_ew,contract,declarer,tricks\n1,1,2,Reds,Blues,3NT,N,9\n1,2,1,Blues,Reds,3NT,N,8\n",
        'board,ns,ew,names_ns,contract,declarer,tricks\n1,1,2,"A ""Al"" Bo | Co, Dr - É Rs",1C,S,7\n',
        "board,ns,ew,contract,declarer,tricks\n1,1,2,3NT,N,9\n1,3,4,NP,,\n1,5,6,,,\n",
    ],
    ids=["awards and sections", "points alone", "individual", "teams", "odd names", "not played"],
)
def test_results_come_back(table: str, tmp_path: Path) -> None:
    before, after = through_lin(table, tmp_path)
    assert before == after


@pytest.mark.parametrize(
    "name",
    [
        *("adjusted-scores.pbn", "ace-held-twice.pbn", "butler-evening.pbn", "spring-pairs.xml", "typed-evening.csv"),
        *("bridgewebs.csv", "acblscore-game.AC3", "team-match.csv"),
    ],
)
def test_a_ranking_comes_back(name: str, tmp_path: Path) -> None:
    source, target = FIXTURES / name, tmp_path / "a.lin"
    target.write_bytes(write_lin(read([str(source)])).content)
    alone, again = (one.ranking(evaluate([str(path)], Config())) for path in (source, target))
    assert alone == again


@pytest.mark.slow
def test_names_are_those_of_the_table_and_nobody_is_given_a_seat(tmp_path: Path) -> None:
    path = one.FORMATS[".lin"](tmp_path / "a.lin", one.play())
    session = read([str(path)])
    assert set(one.NAMES.values()) == set(session.contestants["names"])
    assert 0 == session.records["north"].count()


def test_a_match_in_two_rooms_keeps_its_teams_beside_what_ot_says(tmp_path: Path) -> None:
    said = '[Section "Juniors"]\n[HomeTeam "Reds"]\n[VisitTeam "Blues"]\n[Board "1"]\n[Declarer "N"]\n[Contract "4S"]\n'
    rooms = "\n".join(f'{said}[Room "{room}"]\n[Result "{n}"]\n' for room, n in (("Open", 9), ("Closed", 10)))
    (tmp_path / "a.pbn").write_text(rooms, "utf-8")
    (tmp_path / "a.lin").write_bytes(write_lin(read([str(tmp_path / "a.pbn")])).content)
    for name in ("a.pbn", "a.lin"):
        scored = evaluate([str(tmp_path / name)], Config())
        assert [("Blues", 10.0), ("Reds", -10.0)] == scored.standings.select("contestant", "total").rows()


def test_deals_of_a_single_table_need_no_results_beside_them(tmp_path: Path) -> None:
    (tmp_path / "a.pbn").write_text('[Board "1"]\n[Contract "3NT"]\n[Declarer "N"]\n[Result "9"]\n', "utf-8")
    assert b"ot|" not in write_lin(read([str(tmp_path / "a.pbn")])).content


def test_results_without_a_board_number_are_left_out_and_reported() -> None:
    assert "lin-results-not-written" in codes(write_lin(read([str(FIXTURES / "rubber.csv")])).problems)
