"""The list of columns in docs/columns.md: those of the views, and where each is shown."""

import re
from collections.abc import Iterator
from dataclasses import fields

from overtrick.core.config import Config
from overtrick.files.formats.session_rows import list_matches
from overtrick.pipeline import evaluate, read
from overtrick.show import views
from overtrick.show.html.analysis_page import DecidedBoard, GoodLead, HardContract
from overtrick.show.html.board_pages import TravellerRow
from overtrick.show.html.contestants import Hand
from overtrick.show.html.field_contracts import FieldContract, Frequency
from overtrick.show.html.match_pages import MatchRow, SheetEntry
from overtrick.show.html.people_pages import BestBoard, PersonEvening, PersonFigure, PersonMean, PersonSlice
from overtrick.show.html.ranking_tables import SheetTotal, StandingRow
from overtrick.show.html.scorecards import ScorecardRow
from overtrick.show.html.series_pages import SeriesRow
from overtrick.show.views import Column, View
from tests.show.test_views import VIEWS
from tests.support.commands import FIXTURES, ROOT
from tests.support.golden import assert_as_before

PAGE = ROOT / "docs" / "columns.md"
BEGIN, END = "<!-- columns: begin -->\n", "<!-- columns: end -->\n"
LISTED: tuple[tuple[str, View, type], ...] = (
    ("A traveller: `board.rows`", views.TRAVELLER, TravellerRow),
    ("The scores of a board: `board.frequencies.rows`", views.FREQUENCIES, Frequency),
    ("A scorecard: `card.rows`", views.SCORECARD, ScorecardRow),
    ("A ranking: `ranking.rows`", views.RANKING, StandingRow),
    ("A round of matches: `round.rows`", views.MATCHES, MatchRow),
    ("A score sheet: `sheet.rows`", views.SHEET, SheetEntry),
    ("The totals of all score sheets: `page.sheet_totals.sides`", views.SHEETS, SheetTotal),
    ("Beside the diagram of a hand record: `board.hands`", views.HANDS, Hand),
    ("The contracts of a board: `board.contracts`", views.FIELD, FieldContract),
    ("Hardest contracts of an evening: `page.analysis.hardest`", views.HARD_CONTRACTS, HardContract),
    ("Best leads of an evening: `page.analysis.leads`", views.GOOD_LEADS, GoodLead),
    ("Boards that decided the evening: `page.analysis.decided`", views.DECIDED, DecidedBoard),
    ("The table of a series, then a column for each evening: `one.rows`", views.SERIES, SeriesRow),
    ("The players of a season: `one.lines`", views.PLAYERS, PersonMean),
    ("The same on the front page: `page.players`", views.REGULARS, PersonMean),
    ("Hardest contracts of a season: `one.hardest`", views.HARDEST, PersonFigure),
    ("Best leads of a season: `one.leaders`", views.LEADERS, PersonFigure),
    ("The evenings of a player: `one.rows`", views.EVENINGS, PersonEvening),
    ("The partners of a player: `one.partners`", views.PARTNERS, PersonMean),
    ("Head to head: `one.rivals`", views.RIVALS, PersonMean),
    ("A player as declarer and defender: `one.shares`", views.SHARES, PersonMean),
    ("The best boards of a player: `one.boards`", views.BEST_BOARDS, BestBoard),
    ("Where a player's points went: `one.figures`", views.FIGURES, PersonFigure),
    ("The same by kind of board: `one.slices`", views.SLICES, PersonSlice),
)
IN_FILES = (views.TRAVELLER, views.SCORECARD, views.RANKING, views.MATCHES)
"""Views whose rows CSV and JSON have too."""


NOT_OF_A_ROW = {"causes": "card.bars"}


def data_columns() -> set[str]:
    session = evaluate(read([str(FIXTURES / "club-evening.pbn")], Config()), Config())
    listed = (views.list_results(session), views.list_standings(session), list_matches(session))
    return {name for rows in listed for name in rows.columns}


def describe(column: Column, data: set[str]) -> str:
    media = {"pages": column.on_pages, "PDF": column.paper, "CSV and JSON": column.name in data}
    title = " ".join(filter(None, (column.full or column.title, column.side, column.unit)))
    name = NOT_OF_A_ROW.get(column.name, f"row.{column.name}")
    return f"| `{name}` | {title} | {', '.join(name for name, there in media.items() if there)} |"


def lines() -> Iterator[str]:
    data = data_columns()
    for title, view, _ in LISTED:
        yield f"\n{title}\n"
        yield "| name | title | in |"
        yield "|---|---|---|"
        yield from (describe(column, data if view in IN_FILES else set()) for column in view)


def test_a_row_has_what_the_page_lists() -> None:
    for _, view, kind in LISTED:
        known = {field.name for field in fields(kind)} | {*dir(kind)} | NOT_OF_A_ROW.keys()
        assert {column.name for column in view} <= known


def test_every_view_is_listed() -> None:
    """The Butler of the pairs of teams is a ranking."""
    assert {*VIEWS} - {views.ROOM} == {view for _, view, _ in LISTED}


def test_the_page_lists_the_columns_of_the_views() -> None:
    text = PAGE.read_text("utf-8")
    made = re.sub(f"(?s){BEGIN}.*{END}", lambda _: BEGIN + "\n".join(lines()) + "\n\n" + END, text)
    assert BEGIN in text
    assert_as_before(PAGE, made)
