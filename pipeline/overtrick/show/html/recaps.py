"""The recap sheet: contestants by boards; and the matrix: contestants by contestants."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from overtrick.core.bridge.methods import USUAL, method_named
from overtrick.core.frames import Session
from overtrick.core.notation import clean, is_number, natural
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.contestants import Contestant, ContestantRef, Contestants
from overtrick.show.html.ranking_tables import Ranking
from overtrick.show.html.result_lines import Line, PointsForm, list_field_columns
from overtrick.show.html.scorecards import NOISE, RoundCell, RoundRow, RoundTable, ScorecardRow
from overtrick.show.text.display import choose_sheet, format_number, format_percentage

_SIDES: Final = {"NS": "EW", "EW": "NS"}


@dataclass
class _Earned:
    """What a contestant earned in a round, or up to one."""

    points: float = 0
    top: float = 0
    lines: int = 0
    opponents: dict[str, None] = field(default_factory=dict)

    def add(self, other: "_Earned") -> None:
        self.points += other.points
        self.top += other.top
        self.lines += other.lines


def make_barometers(
    session: Session, lines: Sequence[Line], rankings: Sequence[Ranking], contestants: Contestants, form: PointsForm
) -> tuple[RoundTable, ...]:
    """Return a table of all rounds for each ranking; none unless each board was played in one round only.

    Otherwise a board's points come from rounds that were still to be played, and nobody had such a standing.
    """
    method = method_named(session.facts.method or USUAL)
    scored = [line for line in lines if line["points_ns"] is not None or line["points_ew"] is not None]
    rounds = sorted({clean(line["round"]) for line in scored}, key=natural)
    if method.sheet or method.of_teams or session.facts.by_file or len(rounds) < 2 or "" in rounds:
        return ()
    columns = ["key", *list_field_columns(session)]
    played_in = {(*(line[name] for name in columns), clean(line["round"])) for line in scored}
    if len(played_in) > len({place[:-1] for place in played_in}):
        return ()
    earned = _list_earned(scored, contestants)
    seen: set[str] = set()
    made = []
    for ranking in rankings:
        pages = {row.contestant.page for row in ranking.rows}
        # Parts of a field, such as strata, repeat its contestants.
        if len(pages) > 2 and not pages & seen:
            made.append(_make_table(ranking, rounds, earned, form, percent=method.has_top))
        seen |= pages
    return tuple(made)


def _list_earned(lines: Sequence[Line], contestants: Contestants) -> dict[tuple[str, str], _Earned]:
    """Return what was earned by round and by the path of a scorecard."""
    earned: dict[tuple[str, str], _Earned] = defaultdict(_Earned)
    for line in lines:
        for side, other in _SIDES.items():
            points = line[f"points_{side.lower()}"]
            if points is None:
                continue
            opponents = contestants.link_side(line, other)
            for one in contestants.find_earners(line, side):
                own = earned[clean(line["round"]), contestants.link(one).page]
                own.add(_Earned(points, line["top"] or 0, 1))
                number = opponents.number or (opponents.id if is_number(opponents.id) else "")
                if number and not opponents.players:
                    own.opponents[number] = None
    return earned


def _make_table(
    ranking: Ranking, rounds: Sequence[str], earned: dict[tuple[str, str], _Earned], form: PointsForm, *, percent: bool
) -> RoundTable:
    so_far = {row.contestant.page: _Earned() for row in ranking.rows}
    cells: dict[str, list[RoundCell]] = {page: [] for page in so_far}
    for number in rounds:
        for page, sums in so_far.items():
            sums.add(earned.get((number, page), _Earned()))
        values = {page: _rate(sums, percent=percent) for page, sums in so_far.items()}
        known = [value for value in values.values() if value is not None]
        for page, value in values.items():
            here = earned.get((number, page), _Earned())
            won = _rate(here, percent=percent)
            cells[page].append(
                RoundCell(
                    opponents=tuple(here.opponents),
                    won=format_percentage(won) if percent else form.points(won),
                    total=format_percentage(value, 2) if percent else form.total(value),
                    place="" if value is None else str(1 + sum(other > value + NOISE for other in known)),
                )
            )
    rows = tuple(
        RoundRow(row.contestant, tuple(cells[row.contestant.page]), row.percentage or row.total) for row in ranking.rows
    )
    more = any(row.cells[-1].total != row.total for row in rows)
    return RoundTable(tuple(rounds), rows, more, ranking.title)


def _rate(sums: _Earned, *, percent: bool) -> float | None:
    if not sums.lines or (percent and not sums.top):
        return None
    return 100 * sums.points / sums.top if percent else sums.points


_MOST_PLAYERS: Final = 60
"""Players of an individual at most: a larger one has more partners than a table can show."""

_SHORT: Final = 12
"""Characters that the head of a column shows."""

MOST_CELLS: Final = 20_000
"""Cells of the largest matrix: in a larger field few of its contestants meet."""


@dataclass(frozen=True)
class RecapCell:
    """A contestant's score on one board of the recap sheet; empty texts if it did not play the board."""

    points: str
    """With a `/` between the scores of a board that it played more than once; so has `percentage`."""
    percentage: str
    """Without decimals; empty at IMPs."""
    mark: str
    """As in `ScorecardRow`."""


@dataclass(frozen=True)
class RecapRow:
    """One contestant of the recap sheet."""

    contestant: ContestantRef
    rank: str
    total: str
    percentage: str
    cells: tuple[RecapCell, ...]


@dataclass(frozen=True)
class Recap:
    """The recap sheet of one ranking."""

    title: str
    boards: tuple[tuple[str, str], ...]
    """Number and page of each board."""
    rows: tuple[RecapRow, ...]

    @property
    def sheet(self) -> str:
        """How pages show it, as `display.choose_sheet`."""
        return choose_sheet([cell.percentage or cell.points for cell in row.cells] for row in self.rows)


@dataclass(frozen=True)
class MatrixRow:
    """One contestant of the matrix."""

    contestant: ContestantRef
    cells: tuple[str, ...]
    """What it won against each of `Matrix.columns`: percent, or points; empty if they did not meet."""
    tones: tuple[str, ...] = ()
    """By cell: `top` for clearly more than average, `bottom` for clearly less, else empty."""
    total: str = ""
    """What it won against all of them, in the unit of the cells."""


@dataclass(frozen=True)
class MetRow:
    """One contestant of a field too large for a matrix."""

    contestant: ContestantRef
    met: tuple[tuple[str, str], ...]
    """Whom it met, in order, and what it won against each: percent, or points."""


@dataclass(frozen=True)
class MatrixTable:
    """Contestants by those that they may have met."""

    title: str
    """`Section A`; empty for the only table."""
    columns: tuple[ContestantRef, ...]
    rows: tuple[MatrixRow, ...]

    @property
    def sheet(self) -> str:
        """How pages show it, as `display.choose_sheet`."""
        return choose_sheet([[one.id[:_SHORT] for one in self.columns], *(row.cells for row in self.rows)])

    @property
    def is_named(self) -> bool:
        """Whether the heads of columns are names."""
        return any(len(one.id) > _SHORT // 2 for one in self.columns)


@dataclass(frozen=True)
class Matrix:
    """Who did how well against whom."""

    tables: tuple[MatrixTable, ...]
    lists: tuple[MetRow, ...]
    """Instead of tables in a large field, where nearly all cells would be empty."""
    percent: bool
    """Whether cells are percent."""
    apart: bool = False
    """Whether rows and columns are two fields, N-S and E-W."""
    of_players: bool = False
    """Whether it is of an individual: the first table is of partners, the second of opponents."""


def make_recaps(
    rankings: Iterable[Ranking], boards: Iterable[BoardPage], rows: Mapping[str, Sequence[ScorecardRow]]
) -> tuple[Recap, ...]:
    """Make the recap sheet of every ranking.

    Args:
        rankings: from `ranking_tables.make_rankings`.
        boards: all boards, in order.
        rows: the rows of each scorecard, by its path.
    """
    numbers = [(board.label, f"{board.slug}/index.html") for board in boards]
    return tuple(_make_recap(ranking, numbers, rows) for ranking in rankings)


def _make_recap(ranking: Ranking, boards: list[tuple[str, str]], rows: Mapping[str, Sequence[ScorecardRow]]) -> Recap:
    played = [_sort_by_board(rows[row.contestant.page]) for row in ranking.rows]
    shown = [board for board in boards if any(board[1] in one for one in played)]
    lines = (
        RecapRow(row.contestant, row.rank, row.total, row.percentage, tuple(_join(one[page]) for _, page in shown))
        for row, one in zip(ranking.rows, played, strict=True)
    )
    return Recap(ranking.title, tuple(shown), tuple(lines))


def _sort_by_board(rows: Iterable[ScorecardRow]) -> Mapping[str, list[RecapCell]]:
    """Return a contestant's cells by the page of the board: points, or scores if it has no points."""
    rows = list(rows)
    scored = [row for row in rows if row.points] or [row for row in rows if row.score]
    cells: dict[str, list[RecapCell]] = defaultdict(list)
    for row in scored:
        cells[row.board_page].append(RecapCell(row.points or row.score, _round(row.percentage), row.mark))
    return cells


def _join(cells: Sequence[RecapCell]) -> RecapCell:
    """Return one cell for what a contestant scored on a board: `12/8` if it played the board twice."""
    if len(cells) == 1:
        return cells[0]
    return RecapCell("/".join(cell.points for cell in cells), "/".join(cell.percentage for cell in cells), "")


def _round(percentage: str) -> str:
    return str(Decimal(percentage).quantize(Decimal(1), ROUND_HALF_UP)) if percentage else ""


_FAR: Final = 10
"""Percent from the average from which a cell of the matrix has a colour."""


@dataclass
class _Meeting:
    points: float = 0.0
    top: float = 0.0


def make_matrix(lines: Iterable[Line], contestants: Contestants, form: PointsForm) -> Matrix | None:
    """Return what contestants won against each other; None if no two of them met.

    In a movement where pairs keep their direction, N-S contestants are the rows and E-W contestants the columns.
    Sections whose contestants met nobody from outside have a table each. In an individual one table is of partners, and
    one is of opponents.
    """
    if any(line["player_n"] for line in lines):
        return _make_player_matrix(lines, contestants, form)
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
    percent = not form.sign and all(meeting.top for meeting in meetings.values())
    fields = [
        (
            section,
            [one for one in field if one in north or not apart],
            [one for one in field if one in east or not apart],
        )
        for section, field in part_by_section([one for one in contestants if one in met], meetings).items()
    ]
    if sum(len(rows) * len(columns) for _, rows, columns in fields) > MOST_CELLS:
        return Matrix((), _list_meetings(meetings, contestants, form, percent=percent), percent, apart)
    tables = (
        MatrixTable(
            f"Section {clean(section)}" if section else "",
            tuple(contestants.link(one) for one in columns),
            tuple(
                _make_row(
                    contestants.link(one), [meetings.get((one, other)) for other in columns], form, percent=percent
                )
                for one in rows
            ),
        )
        for section, rows, columns in fields
    )
    return Matrix(tuple(tables), (), percent, apart)


def _make_player_matrix(lines: Iterable[Line], contestants: Contestants, form: PointsForm) -> Matrix | None:
    """Return what the players of an individual scored with each other, and against each other."""
    together: dict[tuple[Contestant, Contestant], _Meeting] = defaultdict(_Meeting)
    against: dict[tuple[Contestant, Contestant], _Meeting] = defaultdict(_Meeting)
    for line in lines:
        if line["points_ns"] is None or line["points_ew"] is None:
            continue
        sides = {side: contestants.find_earners(line, side.upper()) for side in ("ns", "ew")}
        for side, own in sides.items():
            others = sides["ew" if side == "ns" else "ns"]
            for one in own:
                for fellow in own:
                    if fellow != one:
                        _add(together[one, fellow], line[f"points_{side}"], line["top"])
                for other in others:
                    _add(against[one, other], line[f"points_{side}"], line["top"])
    players = [one for one in contestants if any(one in pair for pair in against)]
    if not 3 <= len(players) <= _MOST_PLAYERS:
        return None
    percent = not form.sign and all(meeting.top for meeting in against.values())
    columns = tuple(contestants.link(one) for one in players)
    tables = (
        MatrixTable(
            title,
            columns,
            tuple(
                _make_row(contestants.link(one), [found.get((one, other)) for other in players], form, percent=percent)
                for one in players
            ),
        )
        for title, found in (("Partners", together), ("Opponents", against))
    )
    return Matrix(tuple(tables), (), percent, of_players=True)


def part_by_section(
    met: Sequence[Contestant], meetings: Iterable[tuple[Contestant, Contestant]]
) -> dict[str, list[Contestant]]:
    """Return contestants by section; all under an empty name if any met another section, or has none."""
    together = any(one.section is None or one.section != other.section for one, other in meetings)
    fields: dict[str, list[Contestant]] = defaultdict(list)
    for one in met:
        fields["" if together else one.section or ""].append(one)
    return fields if len(fields) > 1 else {"": [*met]}


def _list_meetings(
    meetings: Mapping[tuple[Contestant, Contestant], _Meeting],
    contestants: Contestants,
    form: PointsForm,
    *,
    percent: bool,
) -> tuple[MetRow, ...]:
    """List for each contestant those that it met, in the order of all contestants."""
    order = {one: number for number, one in enumerate(contestants)}
    met: dict[Contestant, list[Contestant]] = defaultdict(list)
    for one, other in meetings:
        met[one].append(other)
    return tuple(
        MetRow(
            contestants.link(one),
            tuple(
                (other.id, _format_cell(meetings[one, other], form, percent=percent))
                for other in sorted(met[one], key=order.__getitem__)
            ),
        )
        for one in sorted(met, key=order.__getitem__)
    )


def _make_row(ref: ContestantRef, met: Sequence[_Meeting | None], form: PointsForm, *, percent: bool) -> MatrixRow:
    known = [meeting for meeting in met if meeting]
    total = _Meeting(sum(one.points for one in known), sum(one.top for one in known))
    return MatrixRow(
        ref,
        tuple(_format_cell(meeting, form, percent=percent) for meeting in met),
        tuple(_choose_tone(meeting, percent=percent) for meeting in met),
        _format_cell(total if known else None, form, percent=percent),
    )


def _choose_tone(meeting: _Meeting | None, *, percent: bool) -> str:
    if meeting is None:
        return ""
    share = 100 * meeting.points / meeting.top - 50 if percent else meeting.points
    far = _FAR if percent else 0
    return "top" if share > far else "bottom" if share < -far else ""


def _add(meeting: _Meeting, points: float, top: float | None) -> None:
    meeting.points += points
    meeting.top += top or 0


def _format_cell(meeting: _Meeting | None, form: PointsForm, *, percent: bool) -> str:
    if meeting is None:
        return ""
    return format_number(100 * meeting.points / meeting.top) if percent else form.points(meeting.points)
