"""Matchpoints for people in the club's unit: frames count 2 a pair beaten, and what shows points may count 1."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from overtrick.core.config import Config, Scoring
from overtrick.core.frames import SOURCES, Session
from overtrick.core.notation import in_club_unit
from overtrick.files.formats.bridgewebs import write_bridgewebs
from overtrick.files.formats.csv import write_table
from overtrick.files.formats.jannersten import write_jannersten
from overtrick.files.formats.pbn.write import export_pbn, scored_pbn
from overtrick.files.formats.session_rows import list_matches, list_results, list_standings
from overtrick.files.formats.usebio.write import write_usebio
from overtrick.judge.people.season import note_evening
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from overtrick.show.html.html import render_site
from overtrick.show.html.session_page import SessionPage
from tests.support.builders import Row, frame, session, traveller
from tests.support.pages import html_pages, text_of
from tests.support.public import make_session_page

BOARDS = [*traveller(1, [420, 430, 500, 420]), *traveller(2, [50, -110, 110, 110]), *traveller(3, [0, 630, 600, 90])]
HOME: Row = {"team_ns": "Ash", "team_ew": "Oak", "table": "1"}
AWAY: Row = {"team_ns": "Oak", "team_ew": "Ash", "table": "2"}
MATCH = [
    {**row, **side, "round": "1"}
    for board in (1, 2, 3)
    for row, side in zip(traveller(board, [420, 170 * board]), (HOME, AWAY), strict=True)
]


def scored(unit: str = "1-half", rows: Sequence[Row] = BOARDS, **settings: Any) -> Session:
    """Score and rank a file that is written to PBN as a foreign one."""
    records: list[Row] = [{"record": 0, "source": "evening.csv"}]
    read = session(*({**row, "source": "evening.csv"} for row in rows), records=records)
    read = replace(read, sources=frame(SOURCES, [{"source": "evening.csv", "format": "csv"}]))
    scoring = Scoring.model_validate({"method": "matchpoints", "matchpoint_unit": unit, **settings})
    return rank(score(read, scoring), scoring)


def halved(shown: Session) -> Session:
    """Return the session whose frames hold what people see, and need no other unit."""
    policies = {**shown.facts.policies, "matchpoint_unit": "2-1"}
    return replace(in_club_unit(shown), facts=replace(shown.facts, policies=policies))


def test_a_club_may_count_one_a_pair_beaten_and_a_half_a_tie() -> None:
    seen = in_club_unit(scored())
    assert [0.5, 2, 3, 0.5] == seen.results["points_ns"].to_list()[:4]
    total, percentage = seen.standings.select("total", "percentage").row(0)
    assert (7.5, 83.33) == (total, round(percentage, 2))


def test_penalties_are_in_that_unit_too() -> None:
    assert -1 in in_club_unit(scored(penalties=[{"contestant": "3", "amount": 2}])).standings["correction"].to_list()


def test_victory_points_are_not_halved_with_the_matchpoints() -> None:
    result = scored(rows=[{**row, "round": "1"} for row in BOARDS], pair_rounds="matches")
    seen = in_club_unit(result)
    assert seen.standings.equals(result.standings)
    assert (result.matches["points"] / 2).equals(seen.matches["points"])


@pytest.mark.parametrize("settings", [{"unit": "2-1"}, {"method": "cross-imps"}, {"method": "aggregate"}])
def test_otherwise_frames_hold_what_people_see(settings: dict[str, Any]) -> None:
    result = scored(**settings)
    assert result is in_club_unit(result)


WRITERS: dict[str, Callable[[Session], object]] = {
    "standings": lambda one: list_standings(one).rows(),
    "results": lambda one: list_results(one).rows(),
    "matches": lambda one: list_matches(one).rows(),
    "csv": lambda one: write_table(one).content,
    "usebio": lambda one: write_usebio(one).content,
    "bridgewebs": lambda one: write_bridgewebs(one).content,
    "jannersten": lambda one: write_jannersten(one).content,
    "pbn": lambda one: export_pbn(one).content,
    "scored pbn": lambda one: scored_pbn(one).content,
    "season": lambda one: note_evening(one, "", [""] * one.standings.height).entries.rows(),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize(
    "shown",
    [scored(), scored(penalties=[{"contestant": "3", "amount": 2}]), scored(rows=MATCH, method="bam")],
    ids=["pairs", "penalty", "teams"],
)
def test_whatever_writes_points_writes_them_in_the_unit_of_the_club(
    write: Callable[[Session], object], shown: Session
) -> None:
    assert write(halved(shown)) == write(shown)


def test_what_is_written_differs_from_the_usual_unit() -> None:
    assert [] == [
        name for name, write in WRITERS.items() if name != "matches" and write(scored()) == write(scored("2-1"))
    ]


def page(unit: str) -> SessionPage:
    rows: list[Row] = [{**row, "round": str(row["board"])} for row in BOARDS]
    return make_session_page(scored(unit, rows), Config())


def test_pages_show_the_points_in_that_unit() -> None:
    usual, shown = (
        [float(row.total) for ranking in page(unit).rankings for row in ranking.rows] for unit in ("2-1", "1-half")
    )
    assert [total / 2 for total in usual] == shown
    assert ["3.0", "2.0", "0.5", "0.5"] == [row.points_ns for row in page("1-half").boards[0].rows]


def test_percentages_on_pages_do_not_depend_on_the_unit() -> None:
    """Running scores, shares of the boards, the matrix and the rounds are all percentages of the top."""

    def percentages(unit: str) -> dict[str, list[str]]:
        return {
            path: re.findall(r"[0-9]+\.[0-9]+ %", text_of(found))
            for path, found in html_pages(render_site(page(unit))).items()
        }

    assert percentages("2-1") == percentages("1-half")
    usual, shown = (page(unit) for unit in ("2-1", "1-half"))
    assert usual.matrix == shown.matrix
    assert usual.barometers == shown.barometers
    assert [card.chart for card in usual.scorecards] == [card.chart for card in shown.scorecards]


def test_the_boards_of_a_match_of_teams_are_in_that_unit() -> None:
    usual, shown = (
        [
            (match.won, match.lost)
            for card in make_session_page(scored(unit, MATCH, method="bam"), Config()).scorecards
            for match in card.matches
        ]
        for unit in ("2-1", "1-half")
    )
    assert [("4", "2"), ("2", "4")] == usual
    assert [("2", "1"), ("1", "2")] == shown
