"""The comparison of two contestants: all results, and who can be chosen."""

from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.show.html.performance import Comparison
from tests.support.public import make_session_page
from tests.support.render_sample import LINES, evening


def compared(session: Session) -> Comparison:
    found = make_session_page(session, Config()).comparison
    assert found is not None
    return found


def test_contestants_are_listed_by_their_ranking() -> None:
    groups = compared(evening()).groups
    assert ["North-South", "East-West"] == [title for title, _ in groups]
    assert ["1", "3", "2"] == [one.id for one in groups[0][1]]


def test_a_result_names_both_sides_what_each_earned_and_its_field() -> None:
    found = compared(evening())
    assert len(LINES) == len(found.lines)
    board, ns, ew, outcome, score, earned_ns, earned_ew, field = found.lines[0]
    assert (("3", "board-3"), 1520, "100.0", "0.0", 0) == (found.boards[board], score, earned_ns, earned_ew, field)
    slugs = [one.page for _, refs in found.groups for one in refs]
    assert (["pair-1/index.html"], ["pair-13/index.html"]) == ([slugs[n] for n in ns], [slugs[n] for n in ew])
    assert "7NT" == found.outcomes[outcome].contract.text


def test_an_adjusted_result_has_the_awards_of_both_sides() -> None:
    assert ["A+", "A−"] in [line[4] for line in compared(evening()).lines]


def test_without_results_nobody_is_compared() -> None:
    assert make_session_page(Session(), Config()).comparison is None
