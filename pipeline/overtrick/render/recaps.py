"""The recap sheet, contestants by boards, and the matrix, contestants by contestants."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from overtrick.render.contestants import Contestant, Contestants
from overtrick.render.context import BoardPage, Ranking, ScorecardRow
from overtrick.render.context_summaries import Matrix, MatrixRow, Recap, RecapCell, RecapRow
from overtrick.render.lines import Line, PointsForm
from overtrick.render.text import number

_EMPTY = RecapCell("", "")


def recaps(
    rankings: Iterable[Ranking], boards: Iterable[BoardPage], rows: Mapping[str, Sequence[ScorecardRow]]
) -> tuple[Recap, ...]:
    """Make a recap sheet of every ranking.

    Args:
        rankings: as pages list them.
        boards: all boards, in order.
        rows: the scorecards' rows by the path of the scorecard.
    """
    numbers = [(board.number or "?", f"{board.slug}/index.html") for board in boards]
    return tuple(_recap(ranking, numbers, rows) for ranking in rankings)


def _recap(ranking: Ranking, boards: list[tuple[str, str]], rows: Mapping[str, Sequence[ScorecardRow]]) -> Recap:
    lines = []
    for row in ranking.rows:
        played = {
            one.board_page: RecapCell(_short(one.points or one.score), one.mark) for one in rows[row.contestant.page]
        }
        cells = tuple(played.get(page, _EMPTY) for _, page in boards)
        lines.append(RecapRow(row.contestant, row.rank, row.total, row.percentage, cells))
    seen = [any(line.cells[place].points for line in lines) for place in range(len(boards))]
    kept = [
        RecapRow(**{**vars(line), "cells": tuple(cell for cell, shown in zip(line.cells, seen, strict=True) if shown)})
        for line in lines
    ]
    return Recap(ranking.title, tuple(board for board, shown in zip(boards, seen, strict=True) if shown), tuple(kept))


def _short(points: str) -> str:
    """Leave out decimals that say nothing: a recap sheet is wide enough."""
    return points.rstrip("0").rstrip(".") if "." in points else points


@dataclass
class _Meeting:
    points: float = 0.0
    top: float = 0.0


def matrix(lines: Iterable[Line], contestants: Contestants, form: PointsForm) -> Matrix | None:
    """Set out what contestants won against one another; None where nobody met anybody.

    In a movement where N-S stay N-S, N-S contestants are the rows and E-W contestants the columns.
    """
    meetings: dict[tuple[Contestant, Contestant], _Meeting] = defaultdict(_Meeting)
    for line in lines:
        ns = contestants.find(line["ns"], "NS", line["section"])
        ew = contestants.find(line["ew"], "EW", line["section"])
        if ns and ew and line["points_ns"] is not None and line["points_ew"] is not None:
            _add(meetings[ns, ew], line["points_ns"], line["top"])
            _add(meetings[ew, ns], line["points_ew"], line["top"])
    if not meetings:
        return None
    north = {contestants.find(line["ns"], "NS", line["section"]) for line in lines}
    east = {contestants.find(line["ew"], "EW", line["section"]) for line in lines}
    apart = not north & east - {None}
    met = {one for pair in meetings for one in pair}
    rows = [one for one in contestants if one in met and (one in north or not apart)]
    columns = [one for one in contestants if one in met and (one in east or not apart)]
    percent = not form.sign and all(meeting.top for meeting in meetings.values())
    return Matrix(
        columns=tuple(contestants.ref(one) for one in columns),
        rows=tuple(
            MatrixRow(
                contestants.ref(one),
                tuple(_cell(meetings.get((one, other)), form, percent=percent) for other in columns),
            )
            for one in rows
        ),
        percent=percent,
    )


def _add(meeting: _Meeting, points: float, top: float | None) -> None:
    meeting.points += points
    meeting.top += top or 0


def _cell(meeting: _Meeting | None, form: PointsForm, *, percent: bool) -> str:
    if meeting is None:
        return ""
    return number(100 * meeting.points / meeting.top) if percent else form.points(meeting.points)
