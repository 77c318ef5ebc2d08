"""PBN from what was read in other formats."""

from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.files.formats.pbn.write import as_pbn, export_pbn
from tests.support.bridgemate import HEAD, SECTION, install_helper, received
from tests.support.commands import run
from tests.support.evaluating import evaluate
from tests.support.machine_files import SUIT_EACH
from tests.support.reading import pbn

TABLE = "board,ns,ew,contract,declarer,tricks,lead,award_ns,award_ew,scoring,event,names_ns\n"
ROWS = """1,1,2,4SX,N,10,HA,,,MP,Spring Pairs,Ann - Bob
1,3,4,,,,,60%,40%,MP,Spring Pairs,
1,5,6,Pass,,,,,,MP,Spring Pairs,
"""
RBN = (
    f"D 20260307\nE Cup\nN Ann+Bob:Cy+Di:O\nB 1\nH N:{SUIT_EACH[2:].replace(' ', ':')}\nA NZ:1SA\nC 1S:N\nP DK\nR 13\n"
)

AUCTION = (("N", "1NT"), ("E", "PASS"), ("S", "PASS"), ("W", "PASS"))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "results.csv"
    path.write_text(TABLE + ROWS, "utf-8")
    return path


def exported(path: Path) -> str:
    return export_pbn(evaluate([str(path)], Config())).content.decode("latin-1").replace("\r\n", "\n")


def test_results_become_a_score_table(table: Path) -> None:
    read = pbn(exported(table))
    assert [
        ("1", "2", 4, "S", 1, 10, "HA"),
        ("3", "4", None, None, None, None, None),
        ("5", "6", 0, None, None, None, None),
    ] == (read.results.select("ns", "ew", "level", "strain", "doubled", "tricks", "lead").rows())
    assert ["played", "adjusted", "passed"] == read.results["status"].to_list()


@pytest.mark.slow
def test_what_is_written_scores_the_same_and_keeps_the_standard(table: Path, tmp_path: Path) -> None:
    target = tmp_path / "results.pbn"
    assert 0 == run("convert", table, target).status
    assert run("score", table).out == run("score", target).out
    assert 0 == run("check", target, "--strict").status


def test_dealer_and_vulnerability_follow_the_number_where_nobody_states_them(table: Path) -> None:
    text = exported(table)
    assert '[Dealer "N"]\n[Vulnerable "None"]' in text
    assert '[Event "Spring Pairs"]' in text


def test_what_lin_leaves_open_stays_unknown(tmp_path: Path) -> None:
    path = tmp_path / "one.lin"
    path.write_text("pn|A,B,C,D|md|SAQT632HK7DK4CQ62,S9874HAJ54D82C973,SKJHT983DQT63CAK5|ah|Board 2|pc|H4|pg||\n")
    assert '[Dealer "?"]\n[Vulnerable "?"]' in exported(path)


def test_an_auction_and_a_play_are_written_from_the_record(tmp_path: Path) -> None:
    path = tmp_path / "one.rbn"
    path.write_text(RBN, "utf-8")
    text = exported(path)
    assert '[Auction "N"]\n1S Pass Pass Pass\n' in text
    assert '[Play "E"]\n' in text
    assert '[North "Ann"]' in text


def test_a_session_of_pbn_files_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "one.pbn"
    path.write_text('[Board "1"]\n', "utf-8")
    session = evaluate([str(path)], Config())
    assert session is as_pbn(session)


@pytest.mark.slow
def test_a_table_of_a_bridgemate_that_recorded_its_auction_scores_with_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = received("1,1,1,1,1,1,2,1,N,1 NT,=,HK,,0", "2,1,2,1,1,3,4,3,N,1 NT,+1,,,0")
    head = "ID,Section,Table,Round,Board,Counter,Direction,Bid,Erased\n"
    calls = "".join(f"{n},1,1,1,1,{n},{seat},{call},0\n" for n, (seat, call) in enumerate(AUCTION, start=1))
    install_helper(tmp_path, monkeypatch, {"Section": SECTION, "ReceivedData": rows, "BiddingData": head + calls})
    path = tmp_path / "evening.bws"
    path.write_bytes(HEAD)
    target = tmp_path / "evening.pbn"
    assert 0 == run("convert", path, target).status
    assert run("score", path).out == run("score", target).out
    read = pbn(target.read_text("latin-1"))
    assert [[7, 0, 0, 0]] == read.records["calls"].drop_nulls().to_list()
    assert {"HK", None} == set(read.results["lead"])
