"""How a contestant did: the score after each board; as declarer and defender, with and against the field."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from overtrick.bridge.cards import SIDE_OF_SEAT
from overtrick.render.display import format_percentage
from overtrick.render.pages.contestants import ContestantRef
from overtrick.render.pages.result_lines import Line, PointsForm

Played = Sequence[tuple[Line, str]]
"""The lines of one contestant in the order played, each with the side it sat on, `NS` or `EW`."""

FieldContract = tuple[int, str, str]
"""Level, strain and side of a contract."""

_WIDTH: Final = 100
_HEIGHT: Final = 40


@dataclass(frozen=True)
class Share:
    """How a contestant did on a part of the boards."""

    name: str
    """`Declaring`, `Defending`, `With the field`, `Against the field`."""
    boards: str
    average: str
    """Percent, or points a board where there are no percentages."""


@dataclass(frozen=True)
class PartnerShare:
    """How the player of an individual did with one partner."""

    partner: ContestantRef
    boards: str
    average: str
    """As in `Share`."""


@dataclass(frozen=True)
class RunningChart:
    """The score after each board as a line; the last column of the scorecard has the same numbers."""

    line: str
    """Points of an SVG polyline, in a box 100 wide and 40 high."""
    level: str
    """Height of an average score in that box."""
    area: str
    """The line closed along the level, to be shaded."""
    highest: str
    lowest: str
    last: str
    first_board: str
    last_board: str
    highest_board: str
    """The board after which the score was highest."""
    lowest_board: str


def find_field_contracts(lines: Iterable[Line]) -> dict[str, FieldContract]:
    """Return the contract that most tables of a board reached, by the board's key; none where two are tied."""
    counts: dict[str, Counter[FieldContract]] = defaultdict(Counter)
    for line in lines:
        if reached := _find_contract(line):
            counts[line["key"]][reached] += line["multiplicity"] or 1
    most = {key: counter.most_common(2) for key, counter in counts.items()}
    return {
        key: first[0]
        for key, (first, *others) in most.items()
        if first[1] > 1 and (not others or others[0][1] < first[1])
    }


def make_shares(played: Played, field: Mapping[str, FieldContract], form: PointsForm) -> tuple[Share, ...]:
    """Split a contestant's boards by who declared, and by whether the contract was the field's; omit empty parts."""
    parts: dict[str, list[tuple[Line, str]]] = {
        name: [] for name in ("Declaring", "Defending", "With the field", "Against the field")
    }
    for line, side in played:
        if line["declarer"] and line["level"]:
            parts["Declaring" if SIDE_OF_SEAT[line["declarer"]] == side else "Defending"].append((line, side))
        if line["key"] in field and _find_contract(line):
            with_it = _find_contract(line) == field[line["key"]]
            parts["With the field" if with_it else "Against the field"].append((line, side))
    found = ((name, [one for one in part if _get_points(*one) is not None]) for name, part in parts.items())
    return tuple(Share(name, str(len(part)), _format_average(part, form)) for name, part in found if part)


def make_partner_shares(
    played: Played, partners: Iterable[ContestantRef | None], form: PointsForm
) -> tuple[PartnerShare, ...]:
    """Split a player's boards by partner, in the order played; empty for fewer than two partners."""
    parts: dict[ContestantRef, list[tuple[Line, str]]] = defaultdict(list)
    for at, partner in zip(played, partners, strict=True):
        if partner and _get_points(*at) is not None:
            parts[partner].append(at)
    if len(parts) < 2:
        return ()
    return tuple(PartnerShare(partner, str(len(part)), _format_average(part, form)) for partner, part in parts.items())


def compute_running_scores(played: Played, form: PointsForm) -> list[float | None]:
    """Return the score after each board: percent of the top so far, or the sum of points where there is no top."""
    total = top = 0.0
    scores: list[float | None] = []
    for line, side in played:
        points = _get_points(line, side)
        if points is None:
            scores.append(None)
            continue
        total += points
        top += line["top"] or 0
        scores.append(total if form.sign else 100 * total / top if top else None)
    return scores


def format_running_scores(scores: Iterable[float | None], form: PointsForm) -> list[str]:
    """Return the running scores as texts; empty for a board without points."""
    return [form.points(score) if form.sign else format_percentage(score) for score in scores]


def draw_chart(scores: Sequence[float | None], boards: Sequence[str], form: PointsForm) -> RunningChart | None:
    """Return the running score as a chart; None for fewer than three boards.

    Args:
        scores: from `compute_running_scores`.
        boards: their numbers.
        form: how points are written.
    """
    known = [(place, score) for place, score in enumerate(scores) if score is not None]
    if len(known) < 3:
        return None
    average = 0.0 if form.sign else 50.0
    values = [score for _, score in known]
    low, high = min(*values, average), max(*values, average)
    # Scores that differ by less than 10 are not stretched to the height of the box.
    span = max(high - low, 10.0)
    middle = (high + low) / 2

    def height(value: float) -> float:
        return round(_HEIGHT / 2 - (value - middle) / span * (_HEIGHT - 4), 2)

    step = _WIDTH / (len(known) - 1)
    points = [f"{round(step * n, 2):g},{height(score):g}" for n, (_, score) in enumerate(known)]
    texts = dict(zip((place for place, _ in known), format_running_scores(values, form), strict=True))
    best, worst = max(known, key=lambda at: at[1])[0], min(known, key=lambda at: at[1])[0]
    level = f"{height(average):g}"
    return RunningChart(
        line=" ".join(points),
        level=level,
        area=f"0,{level} {' '.join(points)} {_WIDTH},{level}",
        highest=texts[best],
        lowest=texts[worst],
        last=texts[known[-1][0]],
        first_board=boards[known[0][0]],
        last_board=boards[known[-1][0]],
        highest_board=boards[best],
        lowest_board=boards[worst],
    )


def _find_contract(line: Line) -> FieldContract | None:
    if not line["level"] or line["strain"] is None or line["declarer"] is None:
        return None
    return line["level"], line["strain"], SIDE_OF_SEAT[line["declarer"]]


def _get_points(line: Line, side: str) -> float | None:
    points: float | None = line[f"points_{side.lower()}"]
    return points


def _format_average(part: Played, form: PointsForm) -> str:
    total = sum(_get_points(line, side) or 0 for line, side in part)
    top = sum(line["top"] or 0 for line, _ in part)
    if top and not form.sign:
        return format_percentage(100 * total / top)
    return form.average(total / len(part))
