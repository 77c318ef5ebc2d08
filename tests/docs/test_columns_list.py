"""The list of columns in docs/columns.md: those of the views, and where each is shown."""

import os
import re
from collections.abc import Iterator

from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.judge.privacy import apply_privacy
from overtrick.pipeline import evaluate, read
from overtrick.show import views
from overtrick.show.html.session_page import make_session_page
from overtrick.show.views import Column, View
from tests.support.commands import FIXTURES, ROOT

PAGE = ROOT / "docs" / "columns.md"
BEGIN, END = "<!-- columns: begin -->\n", "<!-- columns: end -->\n"
VIEWS: tuple[tuple[str, View], ...] = (
    ("A traveller: `board.rows`", views.TRAVELLER),
    ("A scorecard: `card.rows`", views.SCORECARD),
    ("A ranking: `ranking.rows`", views.RANKING),
)


NOT_OF_A_ROW = {"causes": "card.bars"}


def played() -> Session:
    return evaluate(read([str(FIXTURES / "club-evening.pbn")], Config()), Config())


def data_columns() -> set[str]:
    session = played()
    return {*views.list_results(session).columns, *views.list_standings(session).columns}


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
    page = make_session_page(apply_privacy(played(), Config().privacy), Config())
    rows = (page.boards[0].rows[0], page.scorecards[0].rows[0], page.rankings[0].rows[0])
    for row, (_, view) in zip(rows, VIEWS, strict=True):
        assert [] == [
            column.name for column in view if not hasattr(row, column.name) and column.name not in NOT_OF_A_ROW
        ]


def test_the_page_lists_the_columns_of_the_views() -> None:
    text = PAGE.read_text("utf-8")
    made = re.sub(f"(?s){BEGIN}.*{END}", lambda _: BEGIN + "\n".join(lines()) + "\n\n" + END, text)
    assert BEGIN in text
    if os.environ.get("OVERTRICK_UPDATE_GOLDEN"):
        PAGE.write_text(made, "utf-8")
    assert made == PAGE.read_text("utf-8")
