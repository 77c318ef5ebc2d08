"""Matches of teams and score sheets."""

from collections.abc import Sequence

from overtrick.core.frames import MATCHES, SHEETS, Session
from overtrick.show.html.contestants import Contestants
from overtrick.show.html.match_pages import MatchRound, make_match_rounds, make_score_sheets, set_draw_apart
from overtrick.show.html.result_lines import PointsForm
from tests.support.builders import frame, results

IMPS = PointsForm("IMP", sign=True, places=0, total_places=0)


def rounds_of(session: Session) -> tuple[MatchRound, ...]:
    rest, drawn = set_draw_apart(session)
    return make_match_rounds(rest, Contestants(session), IMPS, drawn)


def test_matches_are_listed_by_round() -> None:
    rows = [
        {"round": n, "team": "Reds", "opponents": "Blues", "boards": 8, "points": 12, "points_opponents": -12,
         "victory_points": 1432, "victory_points_opponents": 500}
        for n in ("1", "2")
    ]  # fmt: skip
    session = Session(matches=frame(MATCHES, rows), results=results({"ns": "Reds", "ew": "Blues"}))
    first, second = rounds_of(session)
    assert ("Round 1", "Round 2") == (first.title, second.title)
    (match,) = first.rows
    assert ("Reds", "Blues") == (match.team.names, match.opponents.names)
    assert ("+12", "−12", "14.32", "5.00") == (
        match.points, match.points_opponents, match.victory_points, match.victory_points_opponents
    )  # fmt: skip


def draw_of(*played: tuple[str, str, str], coming: Sequence[tuple[str, str, str]]) -> list[tuple[str, list[set[str]]]]:
    """List the rounds that are drawn, each with who meets, of an event with these rounds: `round, team, opponents`."""
    lines = [
        {"round": number, "ns": one, "ew": two, "team_ns": one, "team_ew": two, "status": status}
        for rows, status in ((played, "played"), (coming, "unknown"))
        for number, *met in rows
        for one, two in (met, reversed(met))
    ]
    matches = [{"round": number, "team": one, "opponents": two} for number, one, two in played]
    session = Session(matches=frame(MATCHES, matches), results=results(*lines))
    rounds = [one for one in rounds_of(session) if one.is_drawn]
    return [(one.title, [{row.team.names, row.opponents.names} for row in one.rows]) for one in rounds]


def test_the_draw_of_the_next_round_is_listed_after_those_that_were_played() -> None:
    played = ("9", "Reds", "Blues"), ("9", "Greens", "Whites")
    coming = ("10", "Reds", "Greens"), ("10", "Blues", "Whites")
    assert [("Draw, Round 10", [{"Reds", "Greens"}, {"Blues", "Whites"}])] == draw_of(*played, coming=coming)
    later = ("11", "Reds", "Whites"), ("11", "Greens", "Blues")
    assert draw_of(*played, coming=coming) == draw_of(*played, coming=[*later, *coming])


def test_a_bye_that_is_drawn_with_the_round_does_not_begin_it() -> None:
    sides = [("1", "Reds", "Blues", "played"), ("2", "Greens", "Reds", "unknown"), ("2", "Blues", None, "bye")]
    lines = [
        {"round": number, "ns": one, "ew": two, "team_ns": one, "team_ew": two, "status": status}
        for number, one, two, status in sides
    ]
    matches = frame(MATCHES, [{"round": "1", "team": "Reds", "opponents": "Blues"}])
    session = Session(matches=matches, results=results(*lines))
    drawn = [one for one in rounds_of(session) if one.is_drawn]
    assert [("Draw, Round 2", ["Greens"])] == [(one.title, [row.team.names for row in one.rows]) for one in drawn]


def test_a_round_of_which_results_are_missing_is_not_drawn() -> None:
    played = ("1", "Reds", "Blues"), ("3", "Greens", "Whites")
    assert [] == draw_of(*played, coming=[("2", "Reds", "Whites"), ("3", "Reds", "Blues")])
    assert [] == draw_of(coming=[("1", "Reds", "Whites")])


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
    below, above, other = sheet.rows
    assert ("120", "30", "100") == (below.below_ns, above.above_ns, other.above_ew)
    assert [False, False, True] == [entry.new_game for entry in sheet.rows]
    assert ["", "150 : 0", "150 : 100"] == [entry.so_far for entry in sheet.rows]


def test_a_session_without_matches_has_no_page_of_them() -> None:
    session = Session()
    assert () == rounds_of(session)
    assert () == make_score_sheets(session, Contestants(session), [], {})
