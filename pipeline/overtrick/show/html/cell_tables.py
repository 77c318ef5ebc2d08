"""Cells beside names: contestants by rounds, by boards (the recap sheet), and by each other (cross-table, matrix)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from itertools import chain, permutations, product
from operator import itemgetter
from typing import Any, Final

from overtrick.core.bridge.methods import USUAL, method_named
from overtrick.core.bridge.victory_points import UNIT
from overtrick.core.frames import Session
from overtrick.core.notation import clean, is_number, natural
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.contestants import Contestant, ContestantRef, Contestants
from overtrick.show.html.ranking_tables import Ranking, Standing
from overtrick.show.html.result_lines import Line, PointsForm, list_field_columns
from overtrick.show.html.scorecards import ROUNDING, Scorecard, ScorecardRow
from overtrick.show.html.team_cards import choose_places, format_victory_points, list_match_sides
from overtrick.show.text.display import choose_sheet, format_number, format_percentage


@dataclass(frozen=True)
class Head:
    """The head of a column."""

    text: str
    page: str = ""
    """Its path from the site's root; empty without one."""
    spoken: str = ""
    """What screen readers say instead, such as the names of a contestant; empty where they read the text."""


@dataclass(frozen=True)
class Cell:
    """What a contestant has in a column; empty texts for nothing."""

    text: str = ""
    """Percent, or points. With a `/` between the scores of a board that it played twice, or the matches of a round."""
    mark: str = ""
    """`top` for much, `bottom` for little, else empty."""
    met: tuple[str, ...] = ()
    """The opponents of a round: their own numbers, else their lines in the table, else their identities."""
    total: str = ""
    """After this round."""
    place: str = ""


@dataclass(frozen=True)
class CellRow:
    """The line of a contestant."""

    contestant: ContestantRef
    cells: tuple[Cell, ...]
    total: str = ""
    """As in the ranking; of contestants by each other, what it had against all of them."""
    rank: str = ""


@dataclass(frozen=True)
class CellTable:
    """Contestants by the columns of `heads`, in the order of a ranking."""

    title: str
    """Of the ranking or the section; empty where there is only one."""
    heads: tuple[Head, ...]
    rows: tuple[CellRow, ...]
    has_more: bool = False
    """Whether any total has more than the rounds: byes, carry-over, penalties."""

    @property
    def names_opponents(self) -> bool:
        """Whether any cell says whom a contestant met; in an individual none does."""
        return any(cell.met for row in self.rows for cell in row.cells)

    @property
    def is_named(self) -> bool:
        """Whether the heads of columns are names."""
        return any(head.spoken and len(head.text) > SHORT // 2 for head in self.heads)

    @property
    def sheet(self) -> str:
        """How pages show it, as `display.choose_sheet`."""
        lines = ([", ".join((*cell.met, cell.text)) for cell in row.cells] for row in self.rows)
        return choose_sheet([[head.text[:SHORT] for head in self.heads if head.spoken], *lines])


SHORT: Final = 12
"""Characters that the head of a contestant shows."""

MOST_CROSSED: Final = 40
"""Teams of a cross-table at most: it grows with their square."""

_NOISE: Final = 1e-6
"""Totals that differ by less are equal: sums of fractions are not exact."""


def make_cross_table(
    session: Session, standings: Iterable[tuple[Standing, Contestant]], contestants: Contestants, form: PointsForm
) -> CellTable | None:
    """Return what teams won against each other, in the order of the ranking; None for fewer than three teams."""
    ranked = list(dict.fromkeys(team for _, team in standings))
    if not 3 <= len(ranked) <= MOST_CROSSED:
        return None
    places = choose_places(session.matches)
    won: dict[tuple[Contestant | None, Contestant | None], list[str]] = defaultdict(list)
    for row in list_match_sides(session.matches):
        team, other = (contestants.find(row[name], None, row["section"]) for name in ("team", "opponents"))
        points = format_victory_points(row["victory_points"], places)
        won[team, other].append(points or form.points(row["points"]))
    if not won:
        return None
    teams = list(map(contestants.link, ranked))
    heads = (Head(ref.number or str(place), spoken=ref.names) for place, ref in enumerate(teams, start=1))
    rows = (
        CellRow(ref, tuple(Cell(" / ".join(won.get((team, other), ()))) for other in ranked))
        for ref, team in zip(teams, ranked, strict=True)
    )
    return CellTable("", tuple(heads), tuple(rows))


def make_round_table(
    session: Session, standings: Iterable[tuple[Standing, Contestant]], contestants: Contestants, form: PointsForm
) -> CellTable | None:
    """Return all rounds of a session; None for fewer than two rounds or three contestants."""
    stated: dict[Contestant, Standing] = {}
    for row, team in standings:
        stated.setdefault(team, row)
    matches = list_match_sides(session.matches)
    rounds = list(dict.fromkeys(clean(row["round"]) for row in matches))
    if len(rounds) < 2 or len(stated) < 3 or "" in rounds:
        return None
    met = _list_met(matches, contestants)
    numbers = {team: contestants.link(team).number or str(place) for place, team in enumerate(stated, start=1)}
    places = choose_places(session.matches)
    in_points = any(row["victory_points"] is not None for row in matches)

    def show(points: float) -> str:
        return format_number(points, places) if in_points else form.points(points)

    sums = dict.fromkeys(stated, 0.0)
    cells: dict[Contestant, list[Cell]] = {team: [] for team in stated}
    for title in rounds:
        sums = {team: total + sum(points for _, points in met[title, team]) for team, total in sums.items()}
        for team, total in sums.items():
            opponents = tuple(numbers.get(other, other.id) for other, _ in met[title, team])
            won = " / ".join(show(points) for _, points in met[title, team])
            cells[team].append(Cell(won, "", opponents, show(total), _find_place(total, sums.values())))
    totals = {team: row["total"] for team, row in stated.items()}
    more = any(abs(total - sums[team]) > ROUNDING for team, total in totals.items() if total is not None)
    rows = (CellRow(contestants.link(team), tuple(cells[team]), form.total(totals[team])) for team in stated)
    return CellTable("", tuple(map(Head, rounds)), tuple(rows), more)


def _find_place(total: float, totals: Iterable[float]) -> str:
    """Return the place of a total among all of them."""
    return str(1 + sum(other > total + _NOISE for other in totals))


def _list_met(
    matches: Iterable[Mapping[str, Any]], contestants: Contestants
) -> dict[tuple[str, Contestant], list[tuple[Contestant, float]]]:
    """Return, by round and contestant, the opponents and what was won against each."""
    met: dict[tuple[str, Contestant], list[tuple[Contestant, float]]] = defaultdict(list)
    for row in matches:
        team, other = (contestants.find(row[name], None, row["section"]) for name in ("team", "opponents"))
        won = row["points"] if row["victory_points"] is None else row["victory_points"] / UNIT
        if team and other and won is not None:
            met[clean(row["round"]), team].append((other, won))
    return met


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
) -> tuple[CellTable, ...]:
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
) -> CellTable:
    so_far = {row.contestant.page: _Earned() for row in ranking.rows}
    cells: dict[str, list[Cell]] = {page: [] for page in so_far}
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
            place = "" if value is None else _find_place(value, known)
            cells[page].append(Cell(texts[0], "", tuple(in_round[page].opponents), texts[1], place))
    rows = tuple(
        CellRow(row.contestant, tuple(cells[row.contestant.page]), row.percentage or row.total) for row in ranking.rows
    )
    more = any(row.cells[-1].total != row.total for row in rows)
    return CellTable(ranking.title, tuple(map(Head, rounds)), rows, more)


def _rate(sums: _Earned, *, percent: bool) -> float | None:
    if not sums.lines or (percent and not sums.top):
        return None
    return 100 * sums.points / sums.top if percent else sums.points


_MOST_PLAYERS: Final = 60
"""Players of an individual at most: a larger one has more partners than a table can show."""

MOST_CELLS: Final = 20_000
"""Cells of the largest matrix: in a larger field few of its contestants meet."""


@dataclass(frozen=True)
class MetRow:
    """One contestant of a field too large for a matrix."""

    contestant: ContestantRef
    met: tuple[tuple[str, str], ...]
    """Whom it met, in order, and what it won against each: percent, or points."""


@dataclass(frozen=True)
class Matrix:
    """Who did how well against whom."""

    tables: tuple[CellTable, ...]
    lists: tuple[MetRow, ...]
    """Instead of tables in a large field, where nearly all cells would be empty."""
    percent: bool
    """Whether cells are percent."""
    apart: bool = False
    """Whether rows and columns are two fields, N-S and E-W."""
    of_players: bool = False
    """Whether it is of an individual: the first table is of partners, the second of opponents."""


def make_recaps(
    rankings: Iterable[Ranking], boards: Iterable[BoardPage], cards: Iterable[Scorecard], *, percent: bool
) -> tuple[CellTable, ...]:
    """Make the recap sheet of every ranking.

    Args:
        rankings: from `ranking_tables.make_rankings`.
        boards: all boards, in order.
        cards: all scorecards.
        percent: whether cells are percent, without decimals.
    """
    rows = {card.contestant.page: card.rows for card in cards}
    heads = [Head(board.label, f"{board.slug}/index.html") for board in boards]
    return tuple(_make_recap(ranking, heads, rows, percent=percent) for ranking in rankings)


def _make_recap(
    ranking: Ranking, boards: Sequence[Head], rows: Mapping[str, Sequence[ScorecardRow]], *, percent: bool
) -> CellTable:
    played = [_sort_by_board(rows[row.contestant.page], percent=percent) for row in ranking.rows]
    shown = [board for board in boards if any(board.page in cells for cells in played)]
    lines = (
        CellRow(
            row.contestant,
            tuple(_join(cells[board.page]) for board in shown),
            row.percentage if percent else row.total,
            row.rank,
        )
        for row, cells in zip(ranking.rows, played, strict=True)
    )
    return CellTable(ranking.title, tuple(shown), tuple(lines))


def _sort_by_board(rows: Sequence[ScorecardRow], *, percent: bool) -> Mapping[str, list[Cell]]:
    """Return a contestant's cells by the page of the board: points, or scores if it has no points."""
    cells: dict[str, list[Cell]] = defaultdict(list)
    for row in [row for row in rows if row.points] or [row for row in rows if row.score]:
        cells[row.board_page].append(Cell(_round(row.percentage) if percent else row.points or row.score, row.mark))
    return cells


def _join(cells: Sequence[Cell]) -> Cell:
    """Return one cell for what a contestant scored on a board: `12/8` if it played the board twice."""
    return cells[0] if len(cells) == 1 else Cell("/".join(cell.text for cell in cells))


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
    ) -> CellTable:
        """Return the table of these rows and columns."""
        heads = tuple(Head(ref.id, ref.page, ref.names) for ref in map(self.contestants.link, columns))
        lines = (self._make_row(row, [meetings.get((row, column)) for column in columns]) for row in rows)
        return CellTable(title, heads, tuple(lines))

    def _make_row(self, contestant: Contestant, met: Sequence[_Earned | None]) -> CellRow:
        known = [meeting for meeting in met if meeting]
        total = _Earned(sum(meeting.points for meeting in known), sum(meeting.top for meeting in known))
        cells = tuple(Cell(self.write(meeting), self._choose_mark(meeting)) for meeting in met)
        return CellRow(self.contestants.link(contestant), cells, self.write(total if known else None))

    def write(self, meeting: _Earned | None) -> str:
        """Return the text of a cell; empty if the two did not meet."""
        if meeting is None:
            return ""
        return format_number(100 * meeting.points / meeting.top) if self.percent else self.form.points(meeting.points)

    def _choose_mark(self, meeting: _Earned | None) -> str:
        if meeting is None:
            return ""
        share, far = (100 * meeting.points / meeting.top - 50, _FAR) if self.percent else (meeting.points, 0)
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
