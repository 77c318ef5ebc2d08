"""The list of columns in docs/columns.md: those of the views, and where each is shown."""

import re
from collections.abc import Iterator
from dataclasses import fields

from overtrick.core.config import Config
from overtrick.files.formats.session_rows import list_matches
from overtrick.pipeline import evaluate, read
from overtrick.show import views
from overtrick.show.html.board_pages import TravellerRow
from overtrick.show.html.match_pages import MatchRow
from overtrick.show.html.ranking_tables import StandingRow
from overtrick.show.html.scorecards import ScorecardRow
from overtrick.show.views import Column, View
from tests.support.commands import FIXTURES, ROOT
from tests.support.golden import assert_as_before

PAGE = ROOT / "docs" / "columns.md"
BEGIN, END = "<!-- columns: begin -->\n", "<!-- columns: end -->\n"
VIEWS: tuple[tuple[str, View], ...] = (
    ("A traveller: `board.rows`", views.TRAVELLER),
    ("A scorecard: `card.rows`", views.SCORECARD),
    ("A ranking: `ranking.rows`", views.RANKING),
    ("A round of matches: `round.rows`", views.MATCHES),
)


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
    for title, view in VIEWS:
        yield f"\n{title}\n"
        yield "| name | title | in |"
        yield "|---|---|---|"
        yield from (describe(column, data) for column in view)


def test_a_row_has_what_the_page_lists() -> None:
    for kind, (_, view) in zip((TravellerRow, ScorecardRow, StandingRow, MatchRow), VIEWS, strict=True):
        known = {field.name for field in fields(kind)} | {*dir(kind)} | NOT_OF_A_ROW.keys()
        assert {column.name for column in view} <= known


def test_the_page_lists_the_columns_of_the_views() -> None:
    text = PAGE.read_text("utf-8")
    made = re.sub(f"(?s){BEGIN}.*{END}", lambda _: BEGIN + "\n".join(lines()) + "\n\n" + END, text)
    assert BEGIN in text
    assert_as_before(PAGE, made)
