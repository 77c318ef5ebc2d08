"""A pair's evening, board by board: each deal as the pair saw it, its result, and where that was among all tables."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.cards import SIDE_OF_SEAT
from overtrick.core.notation import clean
from overtrick.show.history.changes import Change
from overtrick.show.history.publications import History
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.contestants import ContestantRef
from overtrick.show.html.field_contracts import Fellows
from overtrick.show.html.result_lines import Line, group_lines
from overtrick.show.html.scorecards import Scorecard, ScorecardRow
from overtrick.show.text.display import count_decimals, format_names, format_percentage, parse_number


@dataclass(frozen=True)
class Move:
    """The change of one contestant's place in a ranking by a publication. Values that are not known are empty."""

    number: str
    """The contestant's number; empty if it is known by its names."""
    names: str
    place: tuple[str, str]
    """Before and after."""
    total: tuple[str, str]
    percentage: tuple[str, str]


@dataclass(frozen=True)
class Moved:
    """The contestants of one ranking that a publication moved."""

    title: str
    """In English: `North-South`, `A North-South`."""
    rows: tuple[Move, ...]
    has_percentages: bool


@dataclass(frozen=True)
class ChangePage:
    """One publication on the list."""

    time: str
    """`2026-03-07 22:15`; empty for the first one, which has what was corrected before."""
    changes: tuple[Change, ...]
    rankings: tuple[Moved, ...]


def make_change_pages(history: History, titles: Mapping[str, str]) -> tuple[ChangePage, ...]:
    """Return what the list shows, the last publication first.

    Args:
        history: of the publications.
        titles: by the name of each ranking of the session, its title.
    """
    later = {(change.number, change.what) for publication in history.publications for change in publication.changes}
    earlier = tuple(change for change in history.changes if (change.number, change.what) not in later)
    pages = [
        ChangePage(publication.shown_time, publication.changes, tuple(_list_moved(publication.moves, titles)))
        for publication in reversed(history.publications)
    ]
    return (*pages, ChangePage("", earlier, ())) if earlier else tuple(pages)


def _list_moved(moves: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> Iterable[Moved]:
    for ranking in dict.fromkeys(str(move["ranking"]) for move in moves):
        rows = [move for move in moves if move["ranking"] == ranking]
        places = {key: _count_places(rows, key) for key in ("total", "percentage")}
        yield Moved(
            titles.get(ranking) or clean(ranking),
            tuple(_make_move(row, places) for row in rows),
            any(row["percentage"] is not None for row in rows),
        )


def _make_move(row: Mapping[str, Any], places: Mapping[str, int]) -> Move:
    contestant, names = clean(row["contestant"]), format_names(row["names"])
    known = format_names(row["contestant"])
    return Move(
        number="" if known == names or not names else contestant,
        names=names or contestant,
        place=_pair(row, "rank", 0),
        total=_pair(row, "total", places["total"]),
        percentage=_pair(row, "percentage", places["percentage"]),
    )


def _pair(row: Mapping[str, Any], key: str, places: int) -> tuple[str, str]:
    return format_percentage(row[f"{key}_before"], places), format_percentage(row[key], places)


def _count_places(rows: Sequence[Mapping[str, Any]], key: str) -> int:
    values = [row[name] for row in rows for name in (key, f"{key}_before")]
    return count_decimals([pl.Series(values, dtype=pl.Float64)])


MOST: Final = 60
"""Tables of a board at most for which the strip has a dot each."""

_SEATS: Final = ("North", "East", "South", "West")
_BELOW: Final = {"N-S": "South", "E-W": "West"}
"""Who sits below: South for N-S, West for E-W, the second of the two names."""
_SIDES: Final = {"N-S": "NS", "E-W": "EW"}
_LETTERS: Final = {"N": "North", "E": "East", "S": "South", "W": "West"}
_WIDTH: Final = 200


@dataclass(frozen=True)
class Dots:
    """All tables of a board in a box 200 wide, the worst result for the pair at the left."""

    path: str
    """An SVG path with a line for each value: drawn in dashes of 10, it shows a dot for each table."""
    own: str
    """A path with the pair's own point; empty if it has no points."""
    height: str


@dataclass(frozen=True)
class EveningCard:
    """A board of an evening."""

    anchor: str
    board: BoardPage
    row: ScorecardRow
    turn: int
    """By how many seats the diagram is turned clockwise, so that the pair sits below."""
    dots: Dots | None
    fellows: Fellows | None


@dataclass(frozen=True)
class Evening:
    """All boards of a contestant in the order played."""

    contestant: ContestantRef
    cards: tuple[EveningCard, ...]


def turn_seats(turn: int) -> tuple[str, ...]:
    """Return who sits above, to the right, below and to the left of a turned diagram.

    With a turn of 1 West sits below: East, South, West, North.
    """
    return tuple(_SEATS[(place + turn) % 4] for place in range(4))


def make_evenings(
    cards: Iterable[Scorecard], boards: Mapping[str, BoardPage], lines: Iterable[Line]
) -> dict[str, Evening]:
    """Return the evening of each contestant who played a board whose deal is known, by the path of its scorecard."""
    at_board = group_lines(lines, "key")
    of_page = {f"{board.slug}/index.html": (board, _Field(at_board[key])) for key, board in boards.items()}
    evenings = {}
    for card in cards:
        if not card.matches and (shown := _make_cards(card, of_page)):
            evenings[card.contestant.page] = Evening(card.contestant, shown)
    return evenings


def _make_cards(card: Scorecard, of_page: Mapping[str, "tuple[BoardPage, _Field]"]) -> tuple[EveningCard, ...]:
    taken: Counter[str] = Counter()
    cards = []
    for row in card.rows:
        board, field = of_page[row.board_page]
        if not board.hands:
            continue
        taken[board.slug] += 1
        anchor = board.slug if taken[board.slug] == 1 else f"{board.slug}-{taken[board.slug]}"
        below = _LETTERS.get(row.seat) or _BELOW.get(row.direction, "South")
        turn = (_SEATS.index(below) - 2) % 4
        cards.append(EveningCard(anchor, board, row, turn, field.place(row), field.count(row)))
    return tuple(cards)


class _Field:
    """The results of one board; what cards show of them is made once for each side and contract."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._paths: dict[str, tuple[dict[float, float], str, int]] = {}
        self._times: Counter[tuple[str, str]] = Counter()
        self._made: Counter[tuple[str, str]] = Counter()
        for line in lines:
            if line["level"] is not None:
                tables = line["multiplicity"] or 1
                key = _name_contract(line)
                self._times[key] += tables
                if line["tricks"] is not None and line["tricks"] >= line["level"] + 6:
                    self._made[key] += tables

    def count(self, row: ScorecardRow) -> Fellows | None:
        """Return how many tables played the contract of a row; None without a contract or with a single table."""
        side = SIDE_OF_SEAT.get(row.declarer, "")
        key = (row.contract.text.rstrip("X"), side)
        tables = self._times.total()
        if not row.contract.text or tables < 2 or key not in self._times:
            return None
        return Fellows(key[0], self._times[key], tables, self._made[key])

    def place(self, row: ScorecardRow) -> Dots | None:
        """Return the tables as dots, the row's own among them; None for a single table, and for very many."""
        side = _SIDES[row.direction].lower()
        if side not in self._paths:
            self._paths[side] = self._draw(side)
        at, path, highest = self._paths[side]
        if not path or not row.points:
            return None
        value = parse_number(row.percentage or row.points)
        nearest = min(at.items(), key=lambda dot: abs(dot[0] - value), default=None)
        return Dots(path, f"M{nearest[1]:g} 5v1" if nearest else "", str(10 * highest))

    def _count(self, column: str) -> Counter[float]:
        """Return how many tables had each value."""
        values: Counter[float] = Counter()
        for line in self._lines:
            if line[column] is not None:
                values[line[column]] += line["multiplicity"] or 1
        return values

    def _draw(self, side: str) -> tuple[dict[float, float], str, int]:
        """Return the place of each value, the path of all dots, and how many of them are in the highest pile."""
        values = self._count(f"percentage_{side}")
        percent = bool(values)
        values = values or self._count(f"points_{side}")
        if not 2 <= values.total() <= MOST:
            return {}, "", 0
        low, high = (0.0, 100.0) if percent else (min(values), max(values))
        span = (high - low) or 1.0
        at = {value: round(5 + (value - low) / span * (_WIDTH - 10), 1) for value in values}
        path = "".join(f"M{at[value]:g} 5v{10 * times - 9}" for value, times in values.items())
        return at, path, max(values.values())


def _name_contract(line: Line) -> tuple[str, str]:
    if not line["level"]:
        return "Pass", ""
    strain = {"NT": "NT", "S": "♠", "H": "♥", "D": "♦", "C": "♣"}.get(clean(line["strain"]), "")
    return f"{line['level']}{strain}", SIDE_OF_SEAT.get(line["declarer"], "")
