"""The recap sheet, contestants by boards, and the matrix, contestants by contestants."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from overtrick.render.contestants import Contestant, Contestants
from overtrick.render.context import BoardPage, Ranking, ScorecardRow
from overtrick.render.context_summaries import Matrix, MatrixRow, Recap, RecapCell, RecapRow
from overtrick.render.lines import Line, PointsForm
from overtrick.render.text import number


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
    played = [_by_board(rows[row.contestant.page]) for row in ranking.rows]
    shown = [board for board in boards if any(board[1] in one for one in played)]
    lines = (
        RecapRow(row.contestant, row.rank, row.total, row.percentage, tuple(_joined(one[page]) for _, page in shown))
        for row, one in zip(ranking.rows, played, strict=True)
    )
    return Recap(ranking.title, tuple(shown), tuple(lines))


def _by_board(rows: Iterable[ScorecardRow]) -> Mapping[str, list[RecapCell]]:
    """Sort a contestant's boards by their page: points, or scores where nobody gave points."""
    rows = list(rows)
    scored = [row for row in rows if row.points] or [row for row in rows if row.score]
    cells: dict[str, list[RecapCell]] = defaultdict(list)
    for row in scored:
        cells[row.board_page].append(RecapCell(_short(row.points or row.score), _whole(row.percentage), row.mark))
    return cells


def _joined(cells: Sequence[RecapCell]) -> RecapCell:
    """Put what a contestant scored on one board into one cell: `12/8` where it played the board twice."""
    if len(cells) == 1:
        return cells[0]
    return RecapCell("/".join(cell.points for cell in cells), "/".join(cell.percentage for cell in cells), "")


def _short(points: str) -> str:
    """Leave out decimals that say nothing: a recap sheet is wide enough."""
    return points.rstrip("0").rstrip(".") if "." in points else points


def _whole(percentage: str) -> str:
    return str(Decimal(percentage).quantize(Decimal(1), ROUND_HALF_UP)) if percentage else ""


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
