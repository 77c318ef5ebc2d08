"""Masterpoints, strata and clubs."""

from pathlib import Path

import pytest

from overtrick.conversion import find_writer
from overtrick.core.config import Config, load_config
from overtrick.core.frames import Session
from tests.support.commands import FIXTURES
from tests.support.evaluating import evaluate

CSV = (FIXTURES / "spring-pairs.csv").read_text("utf-8")
XML = (FIXTURES / "spring-pairs.xml").read_text("utf-8")


def scored(folder: Path, settings: str, members: str = "", **files: str) -> Session:
    """Score files with settings; `mill_csv` is `mill.csv`."""
    evening = folder / "evening"
    evening.mkdir()
    for name, text in (files or {"mill_csv": CSV}).items():
        (evening / name.replace("_", ".")).write_text(text, "utf-8")
    (folder / "club.toml").write_text(settings, "utf-8")
    if members:
        (folder / "members.csv").write_text(members, "utf-8")
    return evaluate([str(evening)], load_config(folder / "club.toml"))


def awards(session: Session) -> dict[tuple[str, str], str | None]:
    rows = session.standings.select("ranking", "contestant", "awards").iter_rows()
    return {(ranking, who): text for ranking, who, text in rows}


def places(session: Session, ranking: str) -> list[tuple[str, int, int]]:
    rows = session.standings.filter(ranking=ranking).select("contestant", "rank", "rank_last")
    return list(rows.iter_rows())


def stating(folder: Path, pair: str, stated: str, config: Config | None = None) -> Session:
    """Score the USEBIO file in which a pair has other elements after its number."""
    path = folder / "evening.xml"
    number = f"<PAIR_NUMBER>{pair}</PAIR_NUMBER>"
    path.write_text(XML.replace(number, number + stated, 1), "utf-8")
    return evaluate([str(path)], config or Config())


GREEN = "<MASTER_POINTS_AWARDED>24</MASTER_POINTS_AWARDED><MASTER_POINT_TYPE>GREEN</MASTER_POINT_TYPE>"


@pytest.mark.parametrize("stated", [GREEN, f"<MASTER_POINTS>{GREEN}</MASTER_POINTS>"])
def test_masterpoints_of_usebio_are_read(tmp_path: Path, stated: str) -> None:
    found = awards(stating(tmp_path, "3", stated))
    assert {("NS", "3"): "24 green"} == {who: text for who, text in found.items() if text}


def test_masterpoints_that_are_not_a_number_are_reported(tmp_path: Path) -> None:
    session = stating(tmp_path, "3", "<MASTER_POINTS_AWARDED>many</MASTER_POINTS_AWARDED>")
    (message,) = session.problems.filter(code="value-unknown")["message"]
    assert "MASTER_POINTS_AWARDED" in message


def test_the_clubs_table_awards_by_place(tmp_path: Path) -> None:
    table = '[[awards]]\ncolour = "black"\nplaces = [12, 6]\nsource = "House rules, 2026"\n'
    found = awards(scored(tmp_path, table))
    assert {("NS", "3"): "12 black", ("NS", "2"): "6 black", ("EW", "4"): "12 black", ("EW", "5"): "6 black"} == {
        who: text for who, text in found.items() if text
    }


@pytest.mark.parametrize("name", ["out.pbn", "out.xml"])
def test_awards_are_written_and_read_again(tmp_path: Path, name: str) -> None:
    colours = "".join(
        f'[[awards]]\ncolour = "{one}"\nplaces = [{best}, 6]\n' for one, best in (("black", 12), ("green", 2.5))
    )
    session = scored(tmp_path, colours)
    written = tmp_path / name
    written.write_bytes(find_writer(written, export=False)(session).content)
    again = evaluate([str(written)], Config())
    assert awards(session)["NS", "3"] == "2.5 green; 12 black"
    assert awards(session) == awards(again)


@pytest.mark.parametrize(
    ("limit", "fits"),
    [("at_least = 3", True), ("at_least = 4", False), ("at_most = 2", False), ("boards = 3", False),
     ('title = "spring"', True), ('title = "autumn"', False), ('kind = "teams"', False), ('kind = "pairs"', True)],
)  # fmt: skip
def test_a_table_is_for_some_rankings(tmp_path: Path, limit: str, fits: bool) -> None:
    found = awards(scored(tmp_path, f"[[awards]]\nplaces = [1]\n{limit}\n"))
    assert fits == (found["NS", "3"] == "1 club")


def test_what_the_file_states_wins_over_the_table(tmp_path: Path) -> None:
    stated = "<MASTER_POINTS_AWARDED>5</MASTER_POINTS_AWARDED><MASTER_POINT_TYPE>BLACK</MASTER_POINT_TYPE>"
    tables = [{"colour": "black", "places": [12]}, {"colour": "green", "places": [3]}]
    found = awards(stating(tmp_path, "2", stated, Config.model_validate({"awards": tables})))
    assert ("3 green", "5 black") == (found["NS", "3"], found["NS", "2"])


def test_strata_rank_separately(tmp_path: Path) -> None:
    members = "name,grade\nAda Quill,A\nBen Moss,B\nFay Reed,B\nGus Lane,B\nJo Thorne,B\nKim Vale,C\n"
    session = scored(tmp_path, '[people]\nstrata = ["A", "B", "C"]\n', members)
    assert [("3", 1, 1), ("2", 2, 2)] == places(session, "stratum B NS")
    assert [] == places(session, "stratum A NS")
    assert [("3", 1, 1), ("2", 2, 2), ("1", 3, 3)] == places(session, "NS")


def test_a_stratum_may_hold_the_weaker_ones(tmp_path: Path) -> None:
    members = "name,grade\nAda Quill,A\nBen Moss,A\nFay Reed,B\nGus Lane,B\nJo Thorne,A\nKim Vale,B\n"
    session = scored(tmp_path, '[people]\nstrata = ["A", "B"]\nstrata_include = "weaker"\n', members)
    assert ["3", "2", "1"] == [who for who, _, _ in places(session, "stratum A NS")]
    assert [] == places(session, "stratum B NS")


def test_clubs_play_one_event_and_rank_over_all_and_within_each(tmp_path: Path) -> None:
    settings = '[scoring]\nclubs = { "mill*" = "Millbrook", "oak*" = "Oakham" }\n'
    session = scored(tmp_path, settings, mill_csv=CSV, oak_csv=CSV.replace("Ada Quill", "Ann Oak").replace("+1", "="))
    assert 6 == len(places(session, "NS"))
    assert ["Millbrook 3", "Millbrook 2", "Millbrook 1"] == [who for who, _, _ in places(session, "club Millbrook NS")]
    assert [("Oakham 3", 1, 1), ("Oakham 2", 2, 2), ("Oakham 1", 3, 3)] == places(session, "club Oakham NS")
    assert 10 == session.results["top"].max()


def test_virtual_files_are_compared_and_not_ranked(tmp_path: Path) -> None:
    old = CSV.replace("2026.03.07", "2025.03.07").replace("Spring", "Old")
    session = scored(tmp_path, '[scoring]\nvirtual = ["old.csv"]\n', new_csv=CSV, old_csv=old)
    assert ["3", "2", "1"] == [who for who, _, _ in places(session, "NS")]
    assert 10 == session.results["top"].max()


def test_the_boards_of_the_winner_decide_for_everybody(tmp_path: Path) -> None:
    # The pair in second place, 2, missed a board; with four boards asked for, not even the winner played enough.
    lines = [
        *((1, 1, 11, 400), (1, 2, 12, 300), (1, 3, 13, 100), (2, 1, 12, 400), (2, 2, 13, 300), (2, 3, 11, 100)),
        *((3, 1, 13, 400), (3, 3, 12, 100)),
    ]
    csv = "board,ns,ew,score_ns\n" + "".join(f"{','.join(map(str, line))}\n" for line in lines)
    earned = []
    for boards in (3, 4):
        (tmp_path / str(boards)).mkdir()
        table = f'[[awards]]\ncolour = "black"\nplaces = [24, 12, 6]\nboards = {boards}\n'
        found = awards(scored(tmp_path / str(boards), table, mill_csv=csv))
        earned.append([found["NS", who] for who in ("1", "2", "3")])
    assert [["24 black", "12 black", "6 black"], [None, None, None]] == earned


def test_a_stratum_without_a_ranking_is_said(tmp_path: Path) -> None:
    members = "name,grade\nAda Quill,A\nBen Moss,A\nFay Reed,B\nGus Lane,B\nJo Thorne,B\nKim Vale,\n"
    session = scored(tmp_path, '[people]\nstrata = ["A", "B", "C"]\n', members)
    said = session.problems.filter(code="stratum-empty")["message"].to_list()
    assert 3 == len(said)
    assert "stratum C has no ranking: it needs two contestants and has 0" in said[-1]
    assert all("no grade: 4)" in text for text in said)
