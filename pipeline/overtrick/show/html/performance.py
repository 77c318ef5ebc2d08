"""How a contestant did: the score after each board; as declarer and defender, with and against the field."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from overtrick.core.bridge.cards import SIDE_OF_SEAT
from overtrick.show.html.contestants import ContestantRef
from overtrick.show.html.result_lines import Line, PointsForm
from overtrick.show.text.display import format_percentage

Played = Sequence[tuple[Line, str]]
"""The lines of one contestant in the order played, each with the side it sat on, `NS` or `EW`."""

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
    expected: str = ""
    """The same if all declarers had made the double-dummy tricks of their contracts; empty unless all are known."""


@dataclass(frozen=True)
class PartnerShare:
    """How the player of an individual did with one partner, or against one opponent."""

    partner: ContestantRef
    """The other player."""
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


def make_shares(played: Played, form: PointsForm) -> tuple[Share, ...]:
    """Split a contestant's boards by who declared, and by whether the contract was the field's; omit empty parts."""
    parts: dict[str, list[tuple[Line, str]]] = {
        name: [] for name in ("Declaring", "Defending", "With the field", "Against the field")
    }
    for line, side in played:
        if line["declarer"] and line["level"]:
            parts["Declaring" if SIDE_OF_SEAT[line["declarer"]] == side else "Defending"].append((line, side))
        if line["with_field"] is not None:
            parts["With the field" if line["with_field"] else "Against the field"].append((line, side))
    found = ((name, [one for one in part if _get_points(*one) is not None]) for name, part in parts.items())
    return tuple(
        Share(name, str(len(part)), _format_average(part, form), _format_expected(part, form))
        for name, part in found
        if part
    )


def make_partner_shares(
    played: Played, others: Iterable[Iterable[ContestantRef]], form: PointsForm
) -> tuple[PartnerShare, ...]:
    """Split a player's boards by the others at the table, in the order played; empty for fewer than two of them.

    Args:
        played: the boards.
        others: by board the partner, or the opponents.
        form: how points are written.
    """
    parts: dict[ContestantRef, list[tuple[Line, str]]] = defaultdict(list)
    for at, players in zip(played, others, strict=True):
        for player in players if _get_points(*at) is not None else ():
            parts[player].append(at)
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


def _get_points(line: Line, side: str) -> float | None:
    points: float | None = line[f"points_{side.lower()}"]
    return points


def _format_average(part: Played, form: PointsForm) -> str:
    total = sum(_get_points(line, side) or 0 for line, side in part)
    top = sum(line["top"] or 0 for line, _ in part)
    if top and not form.sign:
        return format_percentage(100 * total / top)
    return form.average(total / len(part))


def _format_expected(part: Played, form: PointsForm) -> str:
    """Return the average of the contracts themselves: an average score, and the bidding's part of the distance."""
    parts = [(line, line[f"parts_{side.lower()}"]) for line, side in part]
    if not all(found and line["dd_tricks"] is not None for line, found in parts):
        return ""
    gained = sum(found[0] / line["parts_of"] for line, found in parts)
    top = sum(line["top"] or 0 for line, _ in part)
    if top and not form.sign:
        return format_percentage(50 + 100 * gained / top)
    return form.average(gained / len(part)) if form.sign else ""
