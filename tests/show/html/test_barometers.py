"""The standing after each round of a Barometer."""

from pathlib import Path

from overtrick.core.config import Config
from overtrick.show.html.html import render_site
from overtrick.show.html.session_page import SessionPage
from tests.support.evaluating import evaluate
from tests.support.pages import parse, text_of
from tests.support.public import make_session_page

ROUNDS = ((("1", "2"), ("3", "4")), (("1", "3"), ("4", "2")))
"""By round, the N-S and E-W pairs of both tables; the first N-S pair makes an overtrick."""


def barometer(folder: Path, *, shift: int = 0) -> SessionPage:
    """Write two rounds of a board each; with a shift, the second table plays the boards in another round."""
    lines = ["event,scoring,round,table,board,ns,ew,contract,declarer,tricks"]
    for number, tables in enumerate(ROUNDS, start=1):
        for table, (ns, ew) in enumerate(tables, start=1):
            board = (number - 1 + (table - 1) * shift) % 2 + 1
            lines.append(f"Baro,MP,{number},{table},{board},{ns},{ew},4S,N,{12 - table}")
    (folder / "baro.csv").write_text("\n".join(lines) + "\n", "utf-8")
    config = Config.model_validate({"scoring": {"winners": 1}})
    return make_session_page(evaluate([str(folder / "baro.csv")], config), config)


def test_each_round_shows_what_was_won_and_the_total_and_place_after_it(tmp_path: Path) -> None:
    page = barometer(tmp_path)
    [table] = page.barometers
    cells = {row.contestant.id: row.cells for row in table.rows}
    assert [(("2",), "100.0", "100.00", "1"), (("3",), "100.0", "100.00", "1")] == [
        (cell.met, cell.text, cell.total, cell.place) for cell in cells["1"]
    ]
    assert [("0.0", "0.00", "3"), ("100.0", "50.00", "2")] == [
        (cell.text, cell.total, cell.place) for cell in cells["2"]
    ]
    assert not table.has_more
    assert "Round by round" in text_of(parse(render_site(page)["rounds/index.html"]))


def test_there_is_no_standing_where_a_board_is_played_in_several_rounds(tmp_path: Path) -> None:
    assert () == barometer(tmp_path, shift=1).barometers
