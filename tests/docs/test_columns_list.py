"""The list of columns in docs/columns.md: those of the views, and where each is shown."""

import re
from collections.abc import Iterator
from dataclasses import fields

from overtrick.core.config import Config
from overtrick.files.formats.session_rows import list_matches
from overtrick.pipeline import evaluate, read
from overtrick.show import views
from overtrick.show.html.board_pages import TravellerRow
from overtrick.show.html.field_contracts import Frequency
from overtrick.show.html.match_pages import MatchRow
from overtrick.show.html.ranking_tables import StandingRow
from overtrick.show.html.scorecards import ScorecardRow
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
)
NOT_IN_FILES = (views.FREQUENCIES,)
"""Views whose rows only pages have."""


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
        yield from (describe(column, set() if view in NOT_IN_FILES else data) for column in view)


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
