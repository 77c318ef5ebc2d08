"""Matches round by round: whom each contestant met, what it won, and its total and place after the round."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from overtrick.core.bridge.victory_points import UNIT
from overtrick.core.frames import Session
from overtrick.core.notation import clean
from overtrick.show.html.contestants import Contestant, ContestantRef, Contestants
from overtrick.show.html.ranking_tables import Standing
from overtrick.show.html.result_lines import PointsForm
from overtrick.show.html.team_cards import choose_places
from overtrick.show.text.display import choose_sheet, format_number

NOISE: Final = 1e-6
"""Totals that differ by less are equal: sums of fractions are not exact."""


@dataclass(frozen=True)
class RoundCell:
    """A contestant's round; empty texts if it had no match."""

    opponents: tuple[str, ...] = ()
    """Whom it met: their own numbers, else their lines in the table, else their identities."""
    won: str = ""
    """With a `/` between several matches of the round."""
    total: str = ""
    """After this round."""
    place: str = ""


@dataclass(frozen=True)
class RoundRow:
    """A contestant's line."""

    contestant: ContestantRef
    cells: tuple[RoundCell, ...]
    total: str
    """As in the ranking."""


@dataclass(frozen=True)
class RoundTable:
    """Contestants by rounds, in the order of the ranking."""

    rounds: tuple[str, ...]
    rows: tuple[RoundRow, ...]
    has_more: bool
    """Whether any total has more than the rounds: byes, carry-over, penalties."""
    title: str = ""
    """Of the ranking; empty where there is only one."""

    @property
    def names_opponents(self) -> bool:
        """Whether any cell says whom a contestant met; in an individual none does."""
        return any(cell.opponents for row in self.rows for cell in row.cells)

    @property
    def sheet(self) -> str:
        """How pages show it, as `display.choose_sheet`."""
        return choose_sheet([f"{', '.join(cell.opponents)}: {cell.won}" for cell in row.cells] for row in self.rows)


def make_round_table(
    session: Session, standings: Iterable[tuple[Standing, Contestant]], contestants: Contestants, form: PointsForm
) -> RoundTable | None:
    """Return all rounds of a session; None for fewer than two rounds or three contestants."""
    stated: dict[Contestant, Standing] = {}
    for row, one in standings:
        stated.setdefault(one, row)
    matches = session.matches.to_dicts()
    rounds = list(dict.fromkeys(clean(row["round"]) for row in matches))
    if len(rounds) < 2 or len(stated) < 3 or "" in rounds:
        return None
    numbers = {one: contestants.link(one).number or str(place) for place, one in enumerate(stated, start=1)}
    met = _list_met(matches, contestants)
    sums = dict.fromkeys(stated, 0.0)
    cells: dict[Contestant, list[RoundCell]] = {one: [] for one in stated}
    places = choose_places(session.matches)
    in_points = any(row["victory_points"] is not None for row in matches)

    def show(points: float) -> str:
        return format_number(points, places) if in_points else form.points(points)

    for title in rounds:
        for one in stated:
            sums[one] += sum(points for _, points in met[title, one])
        for one in stated:
            here = met[title, one]
            cells[one].append(
                RoundCell(
                    opponents=tuple(numbers.get(other, other.id) for other, _ in here),
                    won=" / ".join(show(points) for _, points in here),
                    total=show(sums[one]),
                    place=str(1 + sum(other > sums[one] + NOISE for other in sums.values())),
                )
            )
    totals = {one: row.get("total") for one, row in stated.items()}
    more = any(total is not None and abs(total - sums[one]) > 0.005 for one, total in totals.items())
    rows = (RoundRow(contestants.link(one), tuple(cells[one]), form.total(totals[one])) for one in stated)
    return RoundTable(tuple(rounds), tuple(rows), more)


def _list_met(
    matches: Sequence[Mapping[str, Any]], contestants: Contestants
) -> dict[tuple[str, Contestant], list[tuple[Contestant, float]]]:
    """Return, by round and contestant, the opponents and what was won against each."""
    met: dict[tuple[str, Contestant], list[tuple[Contestant, float]]] = defaultdict(list)
    for row in matches:
        sides = [contestants.find(row[name], None, row["section"]) for name in ("team", "opponents")]
        for place, suffix in ((0, ""), (1, "_opponents")):
            one, other = sides[place], sides[1 - place]
            points = row[f"victory_points{suffix}"]
            won = row[f"points{suffix}"] if points is None else points / UNIT
            if one and other and won is not None:
                met[clean(row["round"]), one].append((other, won))
    return met
