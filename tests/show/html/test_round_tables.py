"""Matches round by round."""

from pathlib import Path

from overtrick.core.config import Config
from overtrick.show.html.html import render_site
from overtrick.show.html.session_page import SessionPage
from tests.support.evaluating import evaluate
from tests.support.pages import parse, text_of
from tests.support.public import make_session_page

WINNERS = (("Larks", "Owls"), ("Kites", "Wrens")), (("Kites", "Larks"), ("Owls", "Wrens"))
"""By round, the winner and the loser of each match."""


def swiss(folder: Path) -> SessionPage:
    """Write two rounds of two matches of a board: the winner makes a game that goes down at the other table."""
    lines = ["event,scoring,round,table,board,ns,ew,team_ns,team_ew,contract,declarer,tricks"]
    for number, matches in enumerate(WINNERS, start=1):
        for match, (one, other) in enumerate(matches):
            for table, (ns, ew, tricks) in enumerate(((one, other, 10), (other, one, 9)), start=2 * match + 1):
                lines.append(f"Swiss,IMP,{number},{table},{number},{ns},{ew},{ns},{ew},4S,N,{tricks}")
    (folder / "swiss.csv").write_text("\n".join(lines) + "\n", "utf-8")
    config = Config.model_validate({"scoring": {"method": "teams", "vp_scale": "wbf"}})
    return make_session_page(evaluate([str(folder / "swiss.csv")], config), config)


def test_each_round_shows_whom_a_team_met_its_total_and_its_place(tmp_path: Path) -> None:
    table = swiss(tmp_path).by_round
    assert table is not None
    assert ["1", "2"] == [head.text for head in table.heads]
    rows = {row.contestant.names: row for row in table.rows}
    assert ["1", "1"] == [cell.place for cell in rows["Kites"].cells]
    assert ["1", "3"] == [cell.place for cell in rows["Larks"].cells]
    assert rows["Kites"].total == rows["Kites"].cells[-1].total
    order = list(rows)
    assert order[int(rows["Larks"].cells[1].met[0]) - 1] == "Kites"
    assert not table.has_more


def test_the_page_of_matches_has_a_column_for_each_round(tmp_path: Path) -> None:
    text = text_of(parse(render_site(swiss(tmp_path))["matches/index.html"]))
    assert "Round by round" in text
    assert "without byes" not in text
