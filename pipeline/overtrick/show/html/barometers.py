"""The standing after each round, where all tables play the same boards in a round: in a Barometer it is the score."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from overtrick.core.bridge.methods import USUAL, method_named
from overtrick.core.frames import Session
from overtrick.core.notation import clean, is_number, natural
from overtrick.show.html.contestants import Contestants
from overtrick.show.html.ranking_tables import Ranking
from overtrick.show.html.result_lines import Line, PointsForm, list_field_columns
from overtrick.show.html.round_tables import NOISE, RoundCell, RoundRow, RoundTable
from overtrick.show.text.display import format_percentage

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
    ranking: Ranking,
    rounds: Sequence[str],
    earned: dict[tuple[str, str], _Earned],
    form: PointsForm,
    *,
    percent: bool,
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
