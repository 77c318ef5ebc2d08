"""How a session and its boards show in Python and in notebooks."""

from dataclasses import replace
from html import escape

import polars as pl
import pytest

import overtrick as ot
from overtrick.core.frames import PROBLEMS, STANDINGS, conform
from tests.support.commands import EVENING, FIXTURES

DIAGRAM = """\
Board 7, dealer S, vulnerable: everybody
                ♠ A 8 6
                ♥ K 8 5
                ♦ K J 10 9 7
                ♣ 10 5
♠ Q 5 4                         ♠ K 10 9 2
♥ Q 7 6                         ♥ J 4
♦ Q 6 2                         ♦ 5 4
♣ K 8 4 3                       ♣ A Q 9 7 2
                ♠ J 7 3
                ♥ A 10 9 3 2
                ♦ A 8 3
                ♣ J 6"""


@pytest.fixture(scope="module")
def session() -> ot.Session:
    """Evaluate the evening."""
    return ot.evaluate(EVENING)


def test_a_session_prints_its_title_its_counts_and_the_head_of_the_ranking(session: ot.Session) -> None:
    title, counts, first, *rest = str(session).splitlines()
    assert "Tuesday Pairs, Lantern Street Bridge Club, 2026.10.13, matchpoints" == title
    assert "24 boards, 192 results, 16 contestants, 0 errors, 0 warnings, 0 notes" == counts
    assert ["NS", "1", "60.16%"] == [*first.split()[:2], first.split()[-1]]
    assert "... and 8 more in .standings" == rest[-1]


def test_a_session_without_anything_says_so() -> None:
    assert str(ot.Session()).startswith("A session without a name\n0 boards, 0 results")


def test_a_notebook_shows_all_names_and_the_problems_and_escapes_them(session: ot.Session) -> None:
    html = session._repr_html_()
    assert all(escape(name) in html for name in session.standings["names"])
    rows = pl.DataFrame({"severity": ["error"], "message": ["<script>"]})
    names = conform(STANDINGS, pl.DataFrame({"ranking": ["NS"], "names": ["<b>A & B"], "total": [3.0]}))
    html = replace(session, problems=conform(PROBLEMS, rows), standings=names)._repr_html_()
    assert "&lt;script&gt;" in html
    assert "&lt;b&gt;A &amp; B" in html
    assert "<script>" not in html


def test_a_board_shows_as_its_diagram(session: ot.Session) -> None:
    board = session.board(7)
    assert DIAGRAM == repr(board)
    assert 8 == board.results.height
    assert "K J 10 9 7" in board._repr_html_()


def test_a_hidden_hand_and_an_unknown_deal_stay_unknown() -> None:
    assert "Board 1, dealer unknown" in repr(ot.evaluate(FIXTURES / "spring-pairs.csv").board(1))
    shown = repr(ot.Board(1, "N", "None", "N:AK2.Q3.T9.A65432 - - -", ot.Session().results))
    assert (4 * 3, 1) == (shown.count("?"), shown.count("♦ 10 9"))


def test_a_board_that_was_not_played_is_a_key_error(session: ot.Session) -> None:
    with pytest.raises(KeyError, match="no board 99"):
        session.board(99)
