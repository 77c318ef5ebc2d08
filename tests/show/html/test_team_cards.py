"""Cards of teams: both rooms on one line, and a total that the lines add up to."""

from functools import cache
from pathlib import Path

from overtrick.core.config import Config
from overtrick.show.html.scorecards import Scorecard
from overtrick.show.html.session_page import SessionPage
from tests.support.commands import ROOT
from tests.support.evaluating import evaluate
from tests.support.public import make_session_page


@cache
def page() -> SessionPage:
    config = Config.model_validate({"scoring": {"team_points": "imps"}})
    return make_session_page(evaluate([str(ROOT / "fixtures" / "two-rooms.lin")], config), config)


def team(name: str) -> Scorecard:
    return next(card for card in page().scorecards if card.contestant.id == name)


def test_a_team_has_a_line_for_each_board_with_both_rooms() -> None:
    (match,) = team("Kestrel").matches
    assert ["1", "2"] == [line.board for line in match.boards]
    assert all(all(line.rooms) for line in match.boards)


def test_the_columns_of_a_match_are_the_rooms_where_the_file_names_them() -> None:
    (ours,), (theirs,) = team("Kestrel").matches, team("Heron").matches
    assert ("Open Room", "Closed Room") == ours.rooms == theirs.rooms
    assert ("E-W", "N-S") == ours.sides == theirs.sides[::-1]
    traveller = page().boards[0].rows
    assert {"Open Room", "Closed Room"} == {row.room for row in traveller}


def test_without_rooms_the_columns_of_a_match_are_the_sides_of_the_team(tmp_path: Path) -> None:
    match = next(card for card in segments(tmp_path).scorecards if card.matches).matches[0]
    assert (("", ""), ("N-S", "E-W")) == (match.rooms, match.sides)


def test_what_one_team_wins_the_other_loses() -> None:
    (ours,), (theirs,) = team("Kestrel").matches, team("Heron").matches
    assert (ours.won, ours.lost) == (theirs.lost, theirs.won)


def test_the_pairs_of_a_team_are_its_line_up_and_have_a_place_with_it() -> None:
    made = page()
    assert {2} == {len(pairs) for pairs in made.line_ups.values()}
    assert () == made.unranked


def test_a_team_match_has_no_matrix_of_pairs() -> None:
    assert page().matrix is None


def segments(folder: Path, carry: str = "") -> SessionPage:
    """Write a match of two segments with a board each; a third pair of the Larks plays in the second."""
    lines = ["event,scoring,round,table,board,ns,ew,team_ns,team_ew,contract,declarer,tricks,names_ns,names_ew"]
    for segment, (ours, tricks) in enumerate((("L1", "L2"), ("L3", "L2")), start=1):
        for table, (ns, ew, made) in enumerate(((ours, "O1", 10), ("O2", tricks, 9)), start=1):
            teams = ("Larks", "Owls") if ns[0] == "L" else ("Owls", "Larks")
            names = [f"{pair} North - {pair} South" for pair in (ns, ew)]
            row = ["Cup", "IMP", f"Segment {segment} of 2", table, segment, ns, ew, *teams, "4S", "N", made, *names]
            lines.append(",".join(map(str, row)))
    (folder / "cup.csv").write_text("\n".join(lines) + "\n", "utf-8")
    brought = [{"contestant": "Owls", "points": 7}] if carry else []
    config = Config.model_validate({"scoring": {"method": "teams", "carry_overs": brought}})
    return make_session_page(evaluate([str(folder / "cup.csv")], config), config)


def test_each_match_names_the_pairs_that_sat_in_it(tmp_path: Path) -> None:
    card = next(card for card in segments(tmp_path).scorecards if card.contestant.id == "Larks")
    assert [["L1", "L2"], ["L3", "L2"]] == [[pair.id for pair in match.players] for match in card.matches]
    assert ["O2", "O1"] == [pair.id for pair in card.matches[0].players_opponents]


def test_two_teams_have_a_line_for_each_segment_with_the_score_so_far(tmp_path: Path) -> None:
    made = segments(tmp_path, carry="7")
    found = made.segments
    assert found is not None
    assert ["Larks", "Owls"] == [team.id for team in found.teams]
    first, second = found.rows[-2:]
    assert ("Segment 1 of 2", "10", "0") == (first.title, first.won, first.lost)
    assert "12" == second.won
    assert [("Carry-over", "0 : 7")] == [(row.title, f"{row.won} : {row.lost}") for row in found.rows[:-2]]
    assert ["0 : 7", "10 : 7", "22 : 7"] == [f"{row.total} : {row.total_lost}" for row in found.rows]
    assert second.page in {f"{card.contestant.page}#{one.anchor}" for card in made.scorecards for one in card.matches}


def test_a_single_segment_without_a_carry_over_has_no_table_of_segments() -> None:
    assert page().segments is None
