"""Cards of teams: a match at a time, and a line for each board with what happened in both rooms."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.victory_points import UNIT
from overtrick.core.notation import clean, is_number, natural
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.contestants import NOBODY, Contestant, ContestantRef, Contestants
from overtrick.show.html.result_lines import ROOMS, Line, Outcome, PointsForm, format_award, make_outcome
from overtrick.show.text.display import format_number, format_signed

_OTHER: Final = {"ns": "ew", "ew": "ns"}
_SIDES: Final = {"ns": "N-S", "ew": "E-W"}

Side = tuple[Line, str]
"""A line and the side of a team at its table, `ns` or `ew`."""
Tables = tuple[Side | None, Side | None]
"""The tables of a board in a match; None for one that is not known."""


@dataclass(frozen=True, kw_only=True)
class RoomResult(Outcome):
    """The result of one half of a team on a board."""

    score: str
    """For the team, with its sign; an artificial score reads `A+`."""


@dataclass(frozen=True)
class TeamBoard:
    """A board of a match, as one of its teams sees it."""

    board: str
    board_page: str
    """Path of the board's page from the site's root."""
    rooms: tuple[RoomResult | None, RoomResult | None]
    """By `TeamMatch.rooms`; None for a table that is not known."""
    won: str
    """Points of the team, empty if none."""
    lost: str
    seated: tuple[tuple[ContestantRef, ContestantRef], ...] = ()
    """The team's pair and its opponents in each room; empty if as on the board before."""


@dataclass(frozen=True)
class TeamMatch:
    """A match on a team's card."""

    round: str
    """`Round 3`, or as the file names it; empty if it does not."""
    opponents: ContestantRef
    boards: tuple[TeamBoard, ...]
    won: str
    """The sum of what was gained; the sum of what was lost is `lost`."""
    lost: str
    points: str
    victory_points: str
    """Empty without a scale; so is `victory_points_opponents`."""
    victory_points_opponents: str
    rooms: tuple[str, str] = ("", "")
    """`Open Room`, `Closed Room`; empty if the files do not name them: where the team sat N-S is first then."""
    sides: tuple[str, str] = ("N-S", "E-W")
    """How the team sat in each room; empty if that changes within the match."""
    players: tuple[ContestantRef, ...] = ()
    """The pairs that played for the team, and those of the opponents; empty where the files name none."""
    players_opponents: tuple[ContestantRef, ...] = ()
    gained: tuple[float, float] | None = None
    """`won` and `lost` as numbers; None where no board has points."""
    earned: float | None = None
    """The points that count for the total: victory points where the match gives them, else points."""
    so_far: str = ""
    """The sum of what was earned up to this match; empty after a match of which it is not known."""
    anchor: str = ""
    """Names it on the card: `match-1`."""


class TeamCards:
    """The cards of all teams of a session."""

    def __init__(
        self, matches: pl.DataFrame, boards: Mapping[str, BoardPage], contestants: Contestants, form: PointsForm
    ) -> None:
        """Keep what the cards share.

        Args:
            matches: `frames.MATCHES`.
            boards: all boards by their key, in order.
            contestants: who played.
            form: how points are written.
        """
        self._matches = list_match_sides(matches)
        self._places = choose_places(matches)
        self._boards = boards
        self._order = {key: place for place, key in enumerate(boards)}
        self._contestants = contestants
        self._form = form

    def list_matches(self, team: Contestant, played: Iterable[tuple[Line, str]]) -> tuple[TeamMatch, ...]:
        """Return the matches of a team in the order of their rounds.

        Args:
            team: the team.
            played: its lines, each with the side it sat on, `NS` or `EW`.
        """
        parts: dict[tuple[str | None, str | None, str | None], list[Side]] = defaultdict(list)
        for line, direction in played:
            side = direction.lower()
            parts[line["section"], line["round"], line[f"team_{_OTHER[side]}"]].append((line, side))
        ordered = sorted(parts.items(), key=lambda at: natural(at[0][1]))
        matches = (self._make_match(team, *place, lines) for place, lines in ordered)
        listed = []
        total: float | None = 0.0
        for turn, match in enumerate(matches, start=1):
            total = None if total is None or match.earned is None else total + match.earned
            listed.append(replace(match, anchor=f"match-{turn}", so_far=self._form.total(total)))
        return tuple(listed)

    def _make_match(
        self, team: Contestant, section: str | None, number: str | None, opponents: str | None, lines: Sequence[Side]
    ) -> TeamMatch:
        of_board: dict[str, list[Side]] = defaultdict(list)
        for at in lines:
            of_board[at[0]["key"]].append(at)
        gains = {key: _find_gain(tables, signed=self._form.sign) for key, tables in of_board.items()}
        known = [gain for gain in gains.values() if gain]
        gained = (sum(won for won, _ in known), sum(lost for _, lost in known)) if known else None
        won, lost = map(self._form.unsigned, gained) if gained else ("", "")
        place = {"team": team.id, "round": number, "opponents": opponents}
        row = next((row for row in self._matches if row.items() >= place.items()), {})
        victory = row.get("victory_points")
        rooms, sides = _name_rooms(of_board.values())
        tables = {key: _arrange(at, by_room=any(rooms)) for key, at in of_board.items()}
        return TeamMatch(
            round=name_round(number),
            opponents=self._contestants.link(self._contestants.find(opponents, None, section)),
            boards=tuple(
                _make_board(tables[key], self._boards[key], gains[key], self._form, seated)
                for key, seated in self._seat(tables, {team.id, opponents})
            ),
            rooms=rooms,
            sides=sides,
            won=won,
            lost=lost,
            gained=gained,
            earned=row.get("points") if victory is None else victory / UNIT,
            players=self._find_pairs(lines, team.id, ours=True),
            players_opponents=self._find_pairs(lines, opponents, ours=False),
            points=self._form.points(row.get("points")),
            victory_points=format_victory_points(victory, self._places),
            victory_points_opponents=format_victory_points(row.get("victory_points_opponents"), self._places),
        )

    def _seat(
        self, of_board: Mapping[str, Tables], teams: set[str | None]
    ) -> Iterator[tuple[str, tuple[tuple[ContestantRef, ContestantRef], ...]]]:
        """Yield the boards in order, each with `TeamBoard.seated`."""
        before: tuple[tuple[ContestantRef, ContestantRef], ...] = ((NOBODY, NOBODY), (NOBODY, NOBODY))
        for key in sorted(of_board, key=self._order.__getitem__):
            here = tuple(
                (self._find_pair(at, teams, ours=True), self._find_pair(at, teams, ours=False)) for at in of_board[key]
            )
            yield key, () if here == before else here
            before = here

    def _find_pair(self, at: Side | None, teams: set[str | None], *, ours: bool) -> ContestantRef:
        """Return the team's pair at a table, or its opponents; `NOBODY` where the file names the team alone."""
        if at is None:
            return NOBODY
        line, side = at[0], at[1] if ours else _OTHER[at[1]]
        return NOBODY if line[side] in teams else self._contestants.link_side(line, side.upper())

    def _find_pairs(self, lines: Sequence[Side], team: str | None, *, ours: bool) -> tuple[ContestantRef, ...]:
        """Return the pairs of a team in a match, or of its opponents, the one that sat N-S first."""
        seated = [(line, side if ours else _OTHER[side]) for line, side in lines]
        found = (
            self._contestants.link_side(line, side.upper())
            for line, side in sorted(seated, key=lambda at: at[1] == "ew")
            if line[side] != team
        )
        return tuple(dict.fromkeys(pair for pair in found if pair.id))


_SWAPPED: Final = {
    f"{name}{end}": f"{name}{other}"
    for name in ("points", "victory_points")
    for end, other in (("", "_opponents"), ("_opponents", ""))
} | {"team": "opponents", "opponents": "team"}
"""By column of `frames.MATCHES`, the one that has its value for the opponents."""


def list_match_sides(matches: pl.DataFrame) -> list[Mapping[str, Any]]:
    """Return each match as its team sees it, and then as its opponents do, with the columns of `frames.MATCHES`."""
    swapped = ({**row, **{name: row[other] for name, other in _SWAPPED.items()}} for row in matches.to_dicts())
    return list(chain(*zip(matches.to_dicts(), swapped, strict=True)))


def choose_places(matches: pl.DataFrame) -> int:
    """Return how many decimals show all victory points of matches: 0 or 2."""
    scored = pl.concat([matches["victory_points"], matches["victory_points_opponents"]]).drop_nulls()
    return 2 if (scored % UNIT != 0).any() else 0


def format_victory_points(points: int | None, places: int) -> str:
    """Return victory points, given in hundredths; empty for None."""
    return "" if points is None else format_number(points / UNIT, places)


def name_round(number: str | None) -> str:
    """Return the heading of a round: `Round 3`, or its own name."""
    text = clean(number)
    return f"Round {text}" if is_number(text) else text


def _find_gain(tables: Sequence[Side], *, signed: bool) -> tuple[float, float] | None:
    """Return what the team won and lost on a board: IMPs of one of both, else the points of both teams."""
    for line, side in tables:
        won, other = line[f"points_{side}"], line[f"points_{_OTHER[side]}"]
        if won is not None:
            return (max(won, 0), max(-won, 0)) if signed else (won, other or 0)
    return None


def _name_rooms(of_boards: Iterable[Sequence[Side]]) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return `TeamMatch.rooms` and `sides`: the rooms if each table is in one, and none has a board twice."""
    boards = [[(line["room"], side) for line, side in tables] for tables in of_boards]
    known = set(chain(*boards))
    rooms = [[room for room, _ in tables] for tables in boards]
    if None in chain(*rooms) or any(len(set(names)) < len(names) for names in rooms):
        return ("", ""), ("N-S", "E-W")
    opened, closed = ROOMS.values()
    sat = dict(known)
    home = sat.get(opened) or _OTHER[sat[closed]]
    fixed = known <= {(opened, home), (closed, _OTHER[home])}
    return (opened, closed), (_SIDES[home], _SIDES[_OTHER[home]]) if fixed else ("", "")


def _arrange(tables: Sequence[Side], *, by_room: bool) -> Tables:
    """Return the tables of a board in the columns of a match: by their rooms, else by the side of the team."""
    found = {line["room"] if by_room else side: (line, side) for line, side in reversed(tables)}
    first, second = ROOMS.values() if by_room else _SIDES
    return found.get(first), found.get(second)


def _make_board(
    tables: Tables,
    board: BoardPage,
    gain: tuple[float, float] | None,
    form: PointsForm,
    seated: tuple[tuple[ContestantRef, ContestantRef], ...],
) -> TeamBoard:
    first, second = (_make_result(*at) if at else None for at in tables)
    won, lost = ("" if not part else form.unsigned(part) for part in gain or (0, 0))
    page = f"{board.slug}/index.html"
    # A board that nobody won reads `0`.
    return TeamBoard(board.label, page, (first, second), "0" if gain == (0, 0) else won, lost, seated)


def _make_result(line: Line, side: str) -> RoomResult:
    score = line["score_ns"]
    award = format_award(line[f"award_{side}"])
    text = "" if score is None else format_signed(score if side == "ns" else -score)
    return RoomResult(**vars(make_outcome(line)), score=award or text)
