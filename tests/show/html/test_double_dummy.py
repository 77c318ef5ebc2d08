"""Double-dummy tables as pages show them."""

from dataclasses import replace

import polars as pl
import pytest

from overtrick.core.bridge.cards import STRAINS, UNKNOWN
from overtrick.core.config import Config
from overtrick.core.frames import ANALYSIS, DOUBLE_DUMMY, PROBLEMS, Session, blank
from overtrick.core.problems import Finding, report_findings
from overtrick.judge.analyse import analyse
from overtrick.judge.analyse.deals import describe_missing
from overtrick.show.html.field_contracts import DoubleDummy, find_unsolved_hint, make_double_dummy_tables
from overtrick.show.html.html import render_site
from tests.support.builders import Row, frame
from tests.support.pages import parse, text_of
from tests.support.public import make_session_page
from tests.support.render_sample import DEALS, evening

TABLE = [3, 3, 3, 10, 3, 8, 8, 8, 3, 4] * 2


def with_tables(*rows: Row) -> Session:
    return replace(evening(), double_dummy=frame(DOUBLE_DUMMY, rows))


def table(**columns: object) -> tuple[DoubleDummy, ...]:
    """Return the tables of the first board."""
    row = {"record": 0, "board": 1, "deal": DEALS[0], "tricks": TABLE, "origin": "solved", **columns}
    return make_double_dummy_tables(with_tables(row))["1", DEALS[0]]


def test_tricks_go_from_notrump_down_with_partners_one_below_the_other() -> None:
    (shown,) = table()
    assert ("North", ("3", "10", "3", "3", "3")) == shown.rows[0]
    assert ["North", "South", "East", "West"] == [seat for seat, _ in shown.rows]


def test_makeable_contracts_are_the_highest_of_each_strain() -> None:
    ns, ew = table()[0].makeable
    assert ("N-S", ["4♠"]) == (ns.side, [bid.text for bid in ns.contracts])
    assert ("E-W", ["2♥", "2♦", "2♣"]) == (ew.side, [bid.text for bid in ew.contracts])


def test_par_names_the_contracts_and_the_score() -> None:
    game = {"level": 4, "strain": "S", "doubled": 0, "declarer": "NS", "tricks": 11}
    sacrifice = {"level": 5, "strain": "C", "doubled": 1, "declarer": "E", "tricks": 8}
    shown = table(par_ns=500, par_contracts=[game, sacrifice])
    assert "4♠+1 N-S, 5♣X−3 E · N-S +500" == shown[0].par
    assert "Pass · 0" == table(par_ns=0, par_contracts=[])[0].par
    assert "" == table()[0].par


def test_a_number_that_is_not_known_is_left_empty() -> None:
    (shown,) = table(tricks=[255, *TABLE[1:]], origin="stated")
    assert ("North", ("3", "10", "3", "3", "")) == shown.rows[0]


def test_the_solvers_table_is_shown_too_where_the_file_states_another() -> None:
    other = [4, *TABLE[1:]]
    assert ["file"] == [one.origin for one in table(origin="stated", solved=TABLE)]
    assert ["file", "DDS"] == [one.origin for one in table(origin="stated", solved=other)]


def test_par_alone_is_shown_without_a_table() -> None:
    assert ((DoubleDummy((), (), "N-S −110", "file"),)) == table(tricks=None, origin=None, par_ns=-110)


def test_the_board_page_shows_the_table_of_its_deal() -> None:
    session = analyse(evening(), lambda deals: dict.fromkeys(deals, bytes(TABLE)))
    page = render_site(make_session_page(session, Config()))["board-1/index.html"].decode()
    for expected in ("Double dummy", '<td class="num makes">10</td>', '<span class="side">N-S can make</span>', "Par"):
        assert expected in page


@pytest.mark.parametrize(("best", "shown", "value"), [(10, "=", "0"), (11, "one under", "-1"), (8, "2 over", "+2")])
def test_tricks_against_double_dummy_are_words(best: int, shown: str, value: str) -> None:
    played = evening()
    analysis = blank(ANALYSIS, len(played.results)).with_columns(dd_tricks=pl.lit(best, ANALYSIS["dd_tricks"].dtype))
    page = render_site(make_session_page(replace(played, analysis=analysis), Config()))["board-1/index.html"]
    against = [cell for cell in parse(page).iter("td") if "dd" in cell.get("class", "").split()]
    assert f"double dummy {shown}" == text_of(against[0]).strip()
    assert [value] == [number.get("value") for number in against[0].iter("data")]


def test_without_the_solver_the_board_page_says_how_to_get_it() -> None:
    problems = report_findings(
        [
            Finding(
                "double-dummy-unsolved", values={"count": 2, "missing": describe_missing((3, 12), "linux", "x86_64")}
            )
        ],
        None,
    )
    session = replace(evening(), problems=problems)
    assert "pip install 'overtrick[dd]'" in find_unsolved_hint(session)
    page = render_site(make_session_page(session, Config()))["board-1/index.html"].decode()
    assert "Some double-dummy tables are missing because no solver is installed." in page
    assert "" == find_unsolved_hint(replace(session, problems=frame(PROBLEMS, [])))


def test_a_side_that_is_known_in_part_is_not_said_to_make_nothing() -> None:
    tricks = [UNKNOWN] * 20
    tricks[15 + STRAINS.index("S")] = 9
    (shown,) = table(tricks=tricks)
    assert ["E-W"] == [one.side for one in shown.makeable]
