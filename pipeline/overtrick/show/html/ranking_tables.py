"""Rankings: who came where."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.core.notation import clean
from overtrick.judge.people.identity import fold_name
from overtrick.judge.rank import rank_pairs_of_teams
from overtrick.show import views
from overtrick.show.html.contestants import Anchors, Contestant, ContestantRef, Contestants, fill_sections
from overtrick.show.html.result_lines import PointsForm, any_row
from overtrick.show.text.display import (
    FIELDS,
    format_number,
    format_percentage,
    format_place,
    format_signed,
    format_value,
)

_PLACE = ("section", "round", "table", "ns", "ew", "sheet")


@dataclass(frozen=True)
class SheetTotal:
    """The points of a side or a player on all sheets."""

    name: str
    side: ContestantRef | None
    """None for a player, and for who has no page."""
    sheets: str
    won: str
    """The points on its own side of the sheets; those of the opponents are `lost`."""
    lost: str
    difference: str
    """With its sign."""


@dataclass(frozen=True)
class SheetTotals:
    """The totals of all sheets, the largest difference first."""

    sides: tuple[SheetTotal, ...]
    players: tuple[SheetTotal, ...]
    """Empty where no side has the names of its players."""
    columns = views.SHEETS


def make_sheet_totals(session: Session, contestants: Contestants) -> SheetTotals | None:
    """Return the totals of all score sheets; None for a single sheet."""
    found = _add_sheets(session)
    if len(found) < 2:
        return None
    sides: dict[ContestantRef, list[tuple[int, int]]] = defaultdict(list)
    for place, points in found.items():
        about = dict(zip(_PLACE, place, strict=True))
        for side, other in (("NS", "EW"), ("EW", "NS")):
            ref = contestants.link(contestants.find(about[side.lower()], side, about["section"]))
            if ref.id:
                sides[ref].append((points.get(side, 0), points.get(other, 0)))
    of_sides = [_total(ref.names, ref if ref.page else None, at) for ref, at in sides.items()]
    return SheetTotals(_sort(of_sides), _sort(_total(name, None, at) for name, at in _part_by_player(sides)))


def _part_by_player(
    sides: Mapping[ContestantRef, list[tuple[int, int]]],
) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the sheets of each player by the usual spelling; case and accents make nobody another person."""
    players: dict[str, list[tuple[int, int]]] = defaultdict(list)
    spelt: dict[str, Counter[str]] = defaultdict(Counter)
    for ref, at_sheets in sides.items():
        for player in ref.names.split(" – ") if " – " in ref.names else ():
            folded = fold_name(player) or player
            players[folded] += at_sheets
            spelt[folded][player] += len(at_sheets)
    return ((spelt[folded].most_common(1)[0][0], at_sheets) for folded, at_sheets in players.items())


def _add_sheets(session: Session) -> Mapping[tuple[str, ...], Mapping[str, int]]:
    """Return the points of N-S and E-W on each sheet, by its place."""
    summed = session.sheets.group_by(*_PLACE, "direction", maintain_order=True).agg(points="points")
    found: dict[tuple[str, ...], dict[str, int]] = {}
    for *place, direction, points in summed.iter_rows():
        found.setdefault(tuple(place), {})[str(direction)] = sum(points)
    return found


def _total(name: str, side: ContestantRef | None, at_sheets: list[tuple[int, int]]) -> tuple[int, SheetTotal]:
    won, lost = (sum(points[place] for points in at_sheets) for place in (0, 1))
    texts = (str(len(at_sheets)), format_number(won), format_number(lost), format_signed(won - lost))
    return won - lost, SheetTotal(name, side, *texts)


def _sort(totals: Iterable[tuple[int, SheetTotal]]) -> tuple[SheetTotal, ...]:
    return tuple(total for _, total in sorted(totals, key=lambda total: -total[0]))


Standing = Mapping[str, Any]
"""A row of `frames.STANDINGS`; an empty mapping for a contestant that is not ranked."""


LONG: Final = 40
"""Rows from which a ranking is folded."""


@dataclass(frozen=True)
class Bar:
    """A total as a bar, in a box 100 wide: from zero, or to the left of it what was lost."""

    start: str
    width: str
    lost: bool = False


@dataclass(frozen=True)
class StandingRow:
    """One line of a ranking."""

    rank: str
    """`3`, `4=` when shared; empty when not ranked."""
    contestant: ContestantRef
    total: str
    percentage: str
    """Empty at IMPs."""
    boards: str
    awards: str = ""
    """Masterpoints: `24 black; 5 green`."""
    anchor: str = ""
    """Id of this row for links to the contestant; empty from its second row of a page on."""
    bar: Bar | None = None
    more: Mapping[str, str] = field(default_factory=dict)
    """What it has in the columns of `views.RANKING` that are made of a value alone, by their names."""

    @property
    def number(self) -> str:
        """The number of the contestant."""
        return self.contestant.number


@dataclass(frozen=True)
class Ranking:
    """The ranking of one field."""

    name: str
    """`NS`, `EW` or `all`, after the name of a section or a part of the field: `A NS`, `stratum B all`."""
    title: str
    """As a heading: `North-South`, `Section A, East-West`."""
    rows: tuple[StandingRow, ...]

    in_percent = any_row("percentage")
    """Whether any contestant has a percentage."""

    columns = views.columns_of("RANKING")
    """The columns of a page."""

    @property
    def has_boards(self) -> bool:
        """Whether contestants were scored on different numbers of boards."""
        return len({row.boards for row in self.rows}) > 1

    @property
    def is_long(self) -> bool:
        """Whether the page shows its first rows only, until a reader asks for all."""
        return len(self.rows) > LONG

    @property
    def winners(self) -> tuple[StandingRow, ...]:
        """All who share the first place; empty when nobody is ranked."""
        return tuple(row for row in self.rows if row.rank and row.rank == self.rows[0].rank)


def match_standings(session: Session, contestants: Contestants) -> list[tuple[Standing, Contestant]]:
    """Return the rows of the standings in their order, each with its contestant."""
    valued = session.standings.with_columns(views.list_values(views.RANKING))
    rows = fill_sections(valued).iter_rows(named=True)
    found = ((row, contestants.find(row["contestant"], row["direction"], row["section"])) for row in rows)
    return [(row, contestant) for row, contestant in found if contestant]


def make_rankings(
    standings: Iterable[tuple[Standing, Contestant]], contestants: Contestants, form: PointsForm
) -> tuple[Ranking, ...]:
    """Make a ranking of every field, in the order of the standings."""
    fields: dict[str, list[StandingRow]] = {}
    anchors = Anchors()
    standings = list(standings)
    draw = _choose_bars([row for row, _ in standings])
    valued = [column.name for column in views.RANKING if column.value is not None]
    for row, contestant in standings:
        fields.setdefault(row["ranking"] or "all", []).append(
            StandingRow(
                rank=format_rank(row),
                contestant=contestants.link(contestant),
                total=form.total(row["total"]),
                percentage=format_percentage(row["percentage"], 2),
                boards="" if row["boards"] is None else str(row["boards"]),
                awards=clean(row["awards"]),
                anchor=anchors.take(contestant),
                bar=draw(row),
                more={name: format_value(row[name]) for name in valued},
            )
        )
    return tuple(Ranking(clean(name), compose_title(name, fields), tuple(rows)) for name, rows in fields.items())


def make_room(session: Session, scoring: Scoring, contestants: Contestants) -> Ranking | None:
    """Make the Butler of all pairs of a team event, best mean of a board first; None where nothing tells it."""
    rows = [
        StandingRow(
            rank=format_rank(row),
            contestant=contestants.link(contestants.find(row["contestant"], None, None)),
            total=format_signed(row["total"] / row["boards"], 2),
            percentage="",
            boards=str(row["boards"]),
        )
        for row in rank_pairs_of_teams(session, scoring).iter_rows(named=True)
    ]
    return Ranking("pairs", "Butler of the pairs", tuple(rows)) if rows else None


def _choose_bars(standings: Sequence[Standing]) -> Callable[[Standing], Bar | None]:
    """Return what draws the bar of a standing: percent of 100, else a share of the largest total of all rankings."""
    most = max((abs(row["total"]) for row in standings if row["total"] is not None), default=0)
    signed = any((row["total"] or 0) < 0 for row in standings)

    def draw(row: Standing) -> Bar | None:
        if row["percentage"] is not None:
            return Bar("0", f"{min(max(row['percentage'], 0), 100):.4g}")
        if row["total"] is None or not most:
            return None
        share = 100 * row["total"] / most
        if not signed:
            return Bar("0", f"{share:.4g}")
        width = abs(share) / 2
        return Bar(f"{50 - width if share < 0 else 50:.4g}", f"{width:.4g}", share < 0)

    return draw


def format_rank(standing: Standing) -> str:
    """Return a place: `3`, `4=` when shared; empty for a contestant that is not ranked."""
    return format_place(standing.get("rank"), standing.get("rank_last"))


def compose_title(name: str, fields: Collection[str]) -> str:
    """Return the heading of a ranking, such as `Section A, East-West`.

    Args:
        name: of the ranking, as in `frames.STANDINGS`.
        fields: the names of all rankings of the session.
    """
    section, _, field = name.rpartition(" ")
    if field not in FIELDS:
        return clean(name)
    direction = "" if field == "all" else FIELDS[field]
    if part := re.fullmatch(r"(?:(.+) )?(stratum|club|handicap)(?: (.+))?", section):
        titles = {"stratum": f"Stratum {part[3]}", "club": str(part[3]), "handicap": "With handicaps"}
        words = (f"Section {part[1]}" if part[1] else "", titles[part[2]], direction)
        return ", ".join(map(clean, filter(None, words)))
    if section:
        return f"Section {clean(section)}" + (f", {direction}" if direction else "")
    return "Ranking" if not direction and len(fields) == 1 else FIELDS[field]
