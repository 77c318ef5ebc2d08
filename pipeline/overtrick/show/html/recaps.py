"""The recap sheet: contestants by boards; and the matrix: contestants by contestants."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from itertools import chain, permutations, product
from operator import itemgetter
from typing import Final

from overtrick.core.bridge.methods import USUAL, method_named
from overtrick.core.frames import Session
from overtrick.core.notation import clean, is_number, natural
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.contestants import Contestant, ContestantRef, Contestants
from overtrick.show.html.ranking_tables import Ranking
from overtrick.show.html.result_lines import Line, PointsForm, list_field_columns
from overtrick.show.html.scorecards import RoundCell, RoundRow, RoundTable, Scorecard, ScorecardRow, find_place
from overtrick.show.text.display import choose_sheet, format_number, format_percentage

_SIDES: Final = {"NS": "EW", "EW": "NS"}


@dataclass
class _Earned:
    """The points of a contestant in a round or up to one, against another contestant, or with another player."""

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
    scored = [line for line in lines if {line["points_ns"], line["points_ew"]} != {None}]
    rounds = sorted({clean(line["round"]) for line in scored}, key=natural)
    if any((method.sheet, method.of_teams, session.facts.by_file, len(rounds) < 2, "" in rounds)):
        return ()
    if _has_repeated_boards(scored, ["key", *list_field_columns(session)]):
        return ()
    earned = _list_earned(scored, contestants)
    chosen = _choose_rankings(rankings)
    return tuple(_make_table(ranking, rounds, earned, form, percent=method.has_top) for ranking in chosen)


def _has_repeated_boards(lines: Sequence[Line], columns: Sequence[str]) -> bool:
    """Report whether a board was played in several rounds within a field; `columns` tell boards and fields apart."""
    rounds = {(*(line[name] for name in columns), clean(line["round"])) for line in lines}
    return len(rounds) > len({place[:-1] for place in rounds})


def _choose_rankings(rankings: Iterable[Ranking]) -> Iterator[Ranking]:
    """Yield the rankings of three or more that don't repeat contestants, as parts of a field such as strata do."""
    seen: set[str] = set()
    for ranking in rankings:
        pages = {row.contestant.page for row in ranking.rows}
        if len(pages) > 2 and not pages & seen:
            yield ranking
        seen |= pages


def _list_earned(lines: Sequence[Line], contestants: Contestants) -> dict[tuple[str, str], _Earned]:
    """Return the points by round and by the path of a scorecard."""
    earned: dict[tuple[str, str], _Earned] = defaultdict(_Earned)
    for line in lines:
        for side, other in _SIDES.items():
            points = line[f"points_{side.lower()}"]
            if points is None:
                continue
            opponents = contestants.link_side(line, other)
            number = opponents.number or (opponents.id if is_number(opponents.id) else "")
            for earner in contestants.find_earners(line, side):
                in_round = earned[clean(line["round"]), contestants.link(earner).page]
                in_round.add(_Earned(points, line["top"] or 0, 1))
                if number and not opponents.players:
                    in_round.opponents[number] = None
    return earned


def _make_table(
    ranking: Ranking, rounds: Sequence[str], earned: dict[tuple[str, str], _Earned], form: PointsForm, *, percent: bool
) -> RoundTable:
    so_far = {row.contestant.page: _Earned() for row in ranking.rows}
    cells: dict[str, list[RoundCell]] = {page: [] for page in so_far}
    for number in rounds:
        in_round = {page: earned.get((number, page), _Earned()) for page in so_far}
        for page, sums in so_far.items():
            sums.add(in_round[page])
        values = {page: _rate(sums, percent=percent) for page, sums in so_far.items()}
        known = [value for value in values.values() if value is not None]
        for page, value in values.items():
            won = _rate(in_round[page], percent=percent)
            in_percent = format_percentage(won), format_percentage(value, 2)
            texts = in_percent if percent else (form.points(won), form.total(value))
            place = "" if value is None else find_place(value, known)
            cells[page].append(RoundCell(tuple(in_round[page].opponents), *texts, place))
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
    """Its result against each of `Matrix.columns`: percent, or points; empty if they did not meet."""
    tones: tuple[str, ...] = ()
    """By cell: `top` for clearly more than average, `bottom` for clearly less, else empty."""
    total: str = ""
    """Its result against all of them, in the unit of the cells."""


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
        return choose_sheet([[column.id[:_SHORT] for column in self.columns], *(row.cells for row in self.rows)])

    @property
    def is_named(self) -> bool:
        """Whether the heads of columns are names."""
        return any(len(column.id) > _SHORT // 2 for column in self.columns)


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
    rankings: Iterable[Ranking], boards: Iterable[BoardPage], cards: Iterable[Scorecard]
) -> tuple[Recap, ...]:
    """Make the recap sheet of every ranking.

    Args:
        rankings: from `ranking_tables.make_rankings`.
        boards: all boards, in order.
        cards: all scorecards.
    """
    rows = {card.contestant.page: card.rows for card in cards}
    numbers = [(board.label, f"{board.slug}/index.html") for board in boards]
    return tuple(_make_recap(ranking, numbers, rows) for ranking in rankings)


def _make_recap(ranking: Ranking, boards: list[tuple[str, str]], rows: Mapping[str, Sequence[ScorecardRow]]) -> Recap:
    played = [_sort_by_board(rows[row.contestant.page]) for row in ranking.rows]
    shown = [board for board in boards if any(board[1] in cells for cells in played)]
    lines = (
        RecapRow(row.contestant, row.rank, row.total, row.percentage, tuple(_join(cells[page]) for _, page in shown))
        for row, cells in zip(ranking.rows, played, strict=True)
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


_Meetings = Mapping[tuple[Contestant, Contestant], _Earned]
"""By a contestant and another one; a pair of them occurs in both orders."""


@dataclass(frozen=True)
class _Cells:
    """How cells show meetings: as percent of the top, or as points."""

    contestants: Contestants
    form: PointsForm
    percent: bool

    def make_table(
        self, title: str, rows: Sequence[Contestant], columns: Sequence[Contestant], meetings: _Meetings
    ) -> MatrixTable:
        """Return the table of these rows and columns."""
        heads = tuple(map(self.contestants.link, columns))
        lines = (self._make_row(row, [meetings.get((row, column)) for column in columns]) for row in rows)
        return MatrixTable(title, heads, tuple(lines))

    def _make_row(self, contestant: Contestant, met: Sequence[_Earned | None]) -> MatrixRow:
        known = [meeting for meeting in met if meeting]
        total = _Earned(sum(meeting.points for meeting in known), sum(meeting.top for meeting in known))
        cells, tones = tuple(map(self.write, met)), tuple(map(self._choose_tone, met))
        return MatrixRow(self.contestants.link(contestant), cells, tones, self.write(total if known else None))

    def write(self, meeting: _Earned | None) -> str:
        """Return the text of a cell; empty if the two did not meet."""
        if meeting is None:
            return ""
        if self.percent:
            return format_number(100 * meeting.points / meeting.top)
        return self.form.points(meeting.points)

    def _choose_tone(self, meeting: _Earned | None) -> str:
        if meeting is None:
            return ""
        share = 100 * meeting.points / meeting.top - 50 if self.percent else meeting.points
        far = _FAR if self.percent else 0
        return "top" if share > far else "bottom" if share < -far else ""


def make_matrix(lines: Sequence[Line], contestants: Contestants, form: PointsForm) -> Matrix | None:
    """Return what contestants won against each other; None if no two of them met.

    In a movement where pairs keep their direction, N-S contestants are the rows and E-W contestants the columns.
    Sections whose contestants met nobody from outside have a table each. In an individual one table is of partners, and
    one is of opponents.

    Pairs 1 and 2 sit N-S, pairs 3 and 4 E-W:

             3    4
        1   60   45
        2   40   55

    If any of them sat both ways, all four are rows, and all four are columns.
    """
    scored = [line for line in lines if None not in {line["points_ns"], line["points_ew"]}]
    if any(map(itemgetter("player_n"), lines)):
        return _make_player_matrix(scored, contestants, form)
    meetings = _list_pair_meetings(scored, contestants)
    if not meetings:
        return None
    ns, ew = map(set, zip(*map(contestants.find_sides, lines), strict=True))
    apart = not ns & ew - {None}
    if not apart:
        ns = ew = ns | ew
    cells = _choose_cells(meetings, contestants, form)
    sections = part_by_section(contestants, meetings)
    if sum(len(ns.intersection(met)) * len(ew.intersection(met)) for met in sections.values()) > MOST_CELLS:
        return Matrix((), _list_meetings(meetings, cells), cells.percent, apart)
    tables = (
        cells.make_table(title, [*filter(ns.__contains__, met)], [*filter(ew.__contains__, met)], meetings)
        for title, met in sections.items()
    )
    return Matrix(tuple(tables), (), cells.percent, apart)


def _choose_cells(meetings: _Meetings, contestants: Contestants, form: PointsForm) -> _Cells:
    return _Cells(contestants, form, not form.sign and all(meeting.top for meeting in meetings.values()))


def _list_pair_meetings(lines: Iterable[Line], contestants: Contestants) -> _Meetings:
    meetings: dict[tuple[Contestant, Contestant], _Earned] = defaultdict(_Earned)
    for line in lines:
        ns, ew = contestants.find_sides(line)
        if ns and ew:
            meetings[ns, ew].add(_Earned(line["points_ns"], line["top"] or 0))
            meetings[ew, ns].add(_Earned(line["points_ew"], line["top"] or 0))
    return meetings


def _make_player_matrix(lines: Iterable[Line], contestants: Contestants, form: PointsForm) -> Matrix | None:
    """Return what the players of an individual scored with each other, and against each other."""
    together: dict[tuple[Contestant, Contestant], _Earned] = defaultdict(_Earned)
    against: dict[tuple[Contestant, Contestant], _Earned] = defaultdict(_Earned)
    for line in lines:
        for side, other in _SIDES.items():
            partners, opponents = (contestants.find_earners(line, name) for name in (side, other))
            earned = _Earned(line[f"points_{side.lower()}"], line["top"] or 0)
            for pair in permutations(dict.fromkeys(partners), 2):
                together[pair].add(earned)
            for pair in product(partners, opponents):
                against[pair].add(earned)
    players = list(filter(set(chain(*against)).__contains__, contestants))
    if not 3 <= len(players) <= _MOST_PLAYERS:
        return None
    cells = _choose_cells(against, contestants, form)
    tables = (
        cells.make_table("Partners", players, players, together),
        cells.make_table("Opponents", players, players, against),
    )
    return Matrix(tables, (), cells.percent, of_players=True)


def part_by_section(
    contestants: Iterable[Contestant], meetings: Collection[tuple[Contestant, Contestant]]
) -> dict[str, list[Contestant]]:
    """Return those who met anybody by `Section A`; all under an empty title if any met another section, or has none."""
    apart = all(contestant.section == other.section is not None for contestant, other in meetings)
    met = set(chain(*meetings))
    fields: dict[str, list[Contestant]] = defaultdict(list)
    for contestant in filter(met.__contains__, contestants):
        fields[f"Section {clean(contestant.section)}" if apart else ""].append(contestant)
    return fields if len(fields) > 1 else {"": [who for field in fields.values() for who in field]}


def _list_meetings(meetings: _Meetings, cells: _Cells) -> tuple[MetRow, ...]:
    """List for each contestant those that it met, in the order of all contestants."""
    order = {contestant: place for place, contestant in enumerate(cells.contestants)}
    met: dict[Contestant, list[tuple[str, str]]] = {}
    for pair in sorted(meetings, key=lambda pair: (order[pair[0]], order[pair[1]])):
        met.setdefault(pair[0], []).append((pair[1].id, cells.write(meetings[pair])))
    return tuple(MetRow(cells.contestants.link(contestant), tuple(others)) for contestant, others in met.items())
