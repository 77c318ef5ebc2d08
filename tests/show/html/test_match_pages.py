"""Matches of teams and score sheets."""

from overtrick.core.frames import MATCHES, SHEETS, Session
from overtrick.show.html.contestants import Contestants
from overtrick.show.html.match_pages import make_match_rounds, make_score_sheets
from overtrick.show.html.result_lines import PointsForm
from tests.support.builders import frame, results

IMPS = PointsForm("IMP", sign=True, places=0, total_places=0)


def test_matches_are_listed_by_round() -> None:
    rows = [
        {"round": n, "team": "Reds", "opponents": "Blues", "boards": 8, "points": 12, "points_opponents": -12,
         "victory_points": 1432, "victory_points_opponents": 500}
        for n in ("1", "2")
    ]  # fmt: skip
    session = Session(matches=frame(MATCHES, rows), results=results({"ns": "Reds", "ew": "Blues"}))
    first, second = make_match_rounds(session, Contestants(session), IMPS)
    assert ("Round 1", "Round 2") == (first.title, second.title)
    (match,) = first.rows
    assert ("Reds", "Blues") == (match.team.names, match.opponents.names)
    assert ("+12", "−12", "14.32", "5.00") == (
        match.points, match.points_opponents, match.victory_points, match.victory_points_opponents
    )  # fmt: skip


def test_a_score_sheet_writes_each_side_above_and_below_its_line() -> None:
    usual = {"table": "1", "ns": "1", "ew": "2", "sheet": 1}
    rows = [
        {**usual, "deal": 1, "game": 1, "direction": "NS", "kind": "tricks", "below": True, "points": 120},
        {**usual, "deal": 1, "game": 1, "direction": "NS", "kind": "overtricks", "below": False, "points": 30},
        {**usual, "deal": 2, "game": 2, "direction": "EW", "kind": "undertricks", "below": False, "points": 100},
    ]
    session = Session(sheets=frame(SHEETS, rows), results=results({"ns": "1", "ew": "2"}))
    (sheet,) = make_score_sheets(session, Contestants(session), [], {})
    assert ("Table 1, Sheet 1", "150", "100") == (sheet.title, sheet.total_ns, sheet.total_ew)
    below, above, other = sheet.entries
    assert ("120", "30", "100") == (below.below_ns, above.above_ns, other.above_ew)
    assert [False, False, True] == [entry.new_game for entry in sheet.entries]
    assert ["", "150 : 0", "150 : 100"] == [entry.so_far for entry in sheet.entries]


def test_a_session_without_matches_has_no_page_of_them() -> None:
    session = Session()
    assert () == make_match_rounds(session, Contestants(session), IMPS)
    assert () == make_score_sheets(session, Contestants(session), [], {})
