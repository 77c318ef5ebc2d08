"""Cards of teams: both rooms on one line, and a total that the lines add up to."""

from overtrick.config import Config
from overtrick.pipeline import evaluate
from overtrick.render.pages.scorecards import Scorecard
from overtrick.render.pages.session_page import SessionPage, make_session_page
from tests.support.commands import ROOT


def page() -> SessionPage:
    config = Config.model_validate({"scoring": {"team_points": "imps"}})
    return make_session_page(evaluate([str(ROOT / "fixtures" / "two-rooms.lin")], config), config)


def team(name: str) -> Scorecard:
    return next(card for card in page().scorecards if card.contestant.id == name)


def test_a_team_has_a_line_for_each_board_with_both_rooms() -> None:
    (match,) = team("Kestrel").matches
    assert ["1", "2"] == [line.board for line in match.boards]
    assert all(line.own_ns and line.own_ew for line in match.boards)


def test_what_one_team_wins_the_other_loses() -> None:
    (ours,), (theirs,) = team("Kestrel").matches, team("Heron").matches
    assert (ours.won, ours.lost) == (theirs.lost, theirs.won)


def test_the_pairs_of_a_team_are_its_line_up_and_have_a_place_with_it() -> None:
    made = page()
    assert {2} == {len(pairs) for pairs in made.line_ups.values()}
    assert () == made.unranked


def test_a_team_match_has_no_matrix_of_pairs() -> None:
    assert page().matrix is None
