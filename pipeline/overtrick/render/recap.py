"""The recap sheet: what each contestant scored on each board, a row a contestant and a column a board."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from overtrick.render.context import ContestantRef, Ranking, Scorecard, ScorecardRow, SessionPage

BOARDS_ABREAST: Final = 36
"""Columns that fit on paper."""


@dataclass(frozen=True)
class RecapRow:
    """One contestant."""

    number: str
    names: str
    cells: tuple[str, ...]
    """By board; empty where the contestant did not play it, parts with a `/` between where more than once."""
    total: str


@dataclass(frozen=True)
class Recap:
    """One field, or so many of its boards as fit on a sheet."""

    title: str
    unit: str
    """What the cells count: `per cent`, `IMP`."""
    boards: tuple[str, ...]
    rows: tuple[RecapRow, ...]


def recaps(page: SessionPage) -> tuple[Recap, ...]:
    """Make the sheets of a session, contestants in the order of their ranking; none where no board has a number."""
    cards = {card.contestant: card for card in page.scorecards}
    return tuple(sheet for ranking in page.rankings for sheet in _sheets(page, ranking, cards))


def _sheets(page: SessionPage, ranking: Ranking, cards: Mapping[ContestantRef, Scorecard]) -> list[Recap]:
    field = [(row, cards[row.contestant]) for row in ranking.rows if row.contestant in cards]
    played = {row.board for _, card in field for row in card.rows}
    boards = [board.number for board in page.boards if board.number in played]
    unit = "per cent" if page.has_percentages else page.points_name
    sheets = []
    for start in range(0, len(boards), BOARDS_ABREAST):
        abreast = boards[start : start + BOARDS_ABREAST]
        rows = (
            RecapRow(
                row.contestant.number, row.contestant.names, _cells(card, abreast, page), row.percentage or row.total
            )
            for row, card in field
        )
        sheets.append(Recap(ranking.title, unit, tuple(abreast), tuple(rows)))
    return sheets


def _cells(card: Scorecard, boards: list[str], page: SessionPage) -> tuple[str, ...]:
    scored: dict[str, list[str]] = {}
    for row in card.rows:
        scored.setdefault(row.board, []).append(_cell(row, page))
    return tuple("/".join(filter(None, scored.get(board, ()))) for board in boards)


def _cell(row: ScorecardRow, page: SessionPage) -> str:
    if not page.has_percentages:
        return row.points
    return str(Decimal(row.percentage).quantize(Decimal(1), ROUND_HALF_UP)) if row.percentage else ""
