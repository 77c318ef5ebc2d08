"""Matches that come from a table of results, as games of PBN."""

from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.files.assemble import read
from overtrick.files.formats.pbn.write import export_pbn
from tests.support import one_evening as one
from tests.support.commands import FIXTURES
from tests.support.evaluating import evaluate

HEAD = "event,round,table,board,ns,ew,team_ns,team_ew,contract,declarer,tricks\n"
ROWS = "Cup,1,1,1,11,22,Reds,Blues,4S,N,10\nCup,1,2,1,21,12,Blues,Reds,4S,N,9\n"


def ranked(*paths: Path) -> list[tuple[object, ...]]:
    return one.ranking(evaluate([str(path) for path in paths], Config()))


@pytest.fixture
def match(tmp_path: Path) -> Path:
    path = tmp_path / "match.csv"
    path.write_text(HEAD + ROWS, "utf-8")
    return path


def write(source: Path) -> Path:
    path = source.with_suffix(".pbn")
    path.write_bytes(export_pbn(read([str(source)])).content)
    return path


def test_each_result_is_a_game_with_its_teams_and_its_room(match: Path) -> None:
    games = read([str(write(match))]).records
    assert [("Reds", "Blues", "Open", "11", "22", 10), ("Reds", "Blues", "Closed", "21", "12", 9)] == games.select(
        "home_team", "visit_team", "room", "pair_ns", "pair_ew", "tricks"
    ).rows()


@pytest.mark.slow
def test_the_ranking_of_teams_comes_back_alone_and_beside_its_source(match: Path) -> None:
    pbn = write(match)
    assert ranked(match) == ranked(pbn) == ranked(match, pbn)


def test_results_of_pairs_stay_in_their_table() -> None:
    assert b"HomeTeam" not in export_pbn(read([str(FIXTURES / "spring-pairs.csv")])).content


def test_a_third_table_is_not_in_a_room(match: Path) -> None:
    match.write_text(HEAD + ROWS + ROWS.replace("Cup,1,1,1,11,22", "Cup,1,3,1,13,24"), "utf-8")
    assert b"Room" not in export_pbn(read([str(match)])).content
