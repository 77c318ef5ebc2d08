"""How a contestant did: the score after each board; as declarer and defender, with and against the field."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.cards import SIDE_OF_SEAT
from overtrick.core.bridge.methods import USUAL, method_named
from overtrick.core.bridge.score import GAME_LEVEL
from overtrick.core.frames import PLAYED, Session
from overtrick.show.history.changes import number_board
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.contestants import Contestant, ContestantRef, Contestants, make_contract
from overtrick.show.html.ranking_tables import Ranking
from overtrick.show.html.result_lines import Line, Outcome, PointsForm, format_award, list_field_columns, make_outcome
from overtrick.show.text.display import format_count, format_number, format_percentage

Pairs = tuple[tuple[str, str], ...]

_LEVEL = pl.col("level")


def make_statistics(results: pl.DataFrame, evenings: Mapping[str, int] | None = None) -> Pairs:
    """Return names and values that sum up a session, without those that are zero or unknown.

    Args:
        results: rows of `frames.RESULTS`; each counts `multiplicity` times.
        evenings: the number of the evening of each file, if there are several.
    """
    played = results.filter(_LEVEL.is_not_null(), pl.col("status").cast(pl.String).is_in(PLAYED))
    passed = _count_tables(played.filter(_LEVEL == 0))
    lines = {
        "Results": _count_results(results),
        "Games bid": _format_bid_and_made(played.filter(_LEVEL.is_between(1, 5), _LEVEL >= GAME_LEVEL)),
        "Slams bid": _format_bid_and_made(played.filter(_LEVEL >= 6)),
        "Doubled": _format_bid_and_made(played.filter(pl.col("doubled") > 0)),
        "Passed out": format_count(passed, "time", "times") if passed else "",
        "Most common contract": _find_most_common(played.filter(_LEVEL > 0)),
        "Highest score": _find_highest_score(played, evenings or {}),
    }
    return tuple((name, text) for name, text in lines.items() if text)


def _count_tables(rows: pl.DataFrame) -> int:
    return int(rows["multiplicity"].fill_null(1).sum())


def _count_results(results: pl.DataFrame) -> str:
    # On score sheets only a deal that was passed out has a score of its own.
    scored = results.filter(pl.col("score_ns").is_not_null())
    count = _count_tables(scored) if (scored["score_ns"] != 0).any() else 0
    return str(count) if count else ""


def _format_bid_and_made(rows: pl.DataFrame) -> str:
    """Return `14 (9 made)`; results without tricks are counted apart, not as failures."""
    if rows.is_empty():
        return ""
    times_made = _count_tables(rows.filter(pl.col("tricks") >= _LEVEL + 6))
    unknown = _count_tables(rows.filter(pl.col("tricks").is_null()))
    return f"{_count_tables(rows)} ({times_made} made" + (f", {unknown} not known)" if unknown else ")")


def _find_most_common(rows: pl.DataFrame) -> str:
    counts = (
        rows.group_by("level", "strain", "doubled")
        .agg(pl.col("multiplicity").fill_null(1).sum().alias("times"))
        .filter(pl.col("times") == pl.col("times").max(), pl.col("times") > 1)
        .sort("level", "strain", "doubled")
    )
    if not 1 <= len(counts) <= 3:
        return ""
    names = [make_contract(*row).text for row in counts.select("level", "strain", "doubled").iter_rows()]
    each = " each" if len(names) > 1 else ""
    return f"{', '.join(names)} ({counts['times'][0]} times{each})"


def _find_highest_score(rows: pl.DataFrame, evenings: Mapping[str, int]) -> str:
    """Return the highest score of either side; empty if several results share it."""
    best = rows.with_columns(pl.col("score_ns").abs().alias("points"))
    best = best.filter(pl.col("points") == pl.col("points").max(), pl.col("points") > 0)
    if len(best) != 1:
        return ""
    row = best.row(0, named=True)
    board = number_board(row["board"], evenings.get(row["source"]))
    where = f" on board {board}" if board else ""
    return f"{format_number(row['points'])}{where}"


MOST_LINES: Final = 10_000
"""Results of the largest session whose contestants can be compared: the page holds all of them."""

_SIDES: Final = ("NS", "EW")
_TEAMS: Final = ["round", "team_ns", "team_ew"]


@dataclass(frozen=True)
class Comparison:
    """All results of a session, for a page on which a reader chooses two contestants."""

    groups: tuple[tuple[str, tuple[ContestantRef, ...]], ...]
    """The contestants by the title of their ranking; an empty title for those without."""
    outcomes: tuple[Outcome, ...]
    """Each different one once, without its lead."""
    boards: tuple[tuple[str, str], ...]
    """By board what names it, and its folder."""
    lines: tuple[tuple[Any, ...], ...]
    """By result: board, N-S, E-W, outcome, score of N-S or the awards of both sides, what N-S and E-W earned, field.

    Numbers are places in the tuples above, and a side is a list of those who earned its points. Results of one field
    were compared with each other.
    """

    @property
    def data(self) -> dict[str, object]:
        """The object that the script of the page reads."""
        return {"boards": self.boards, "lines": self.lines}


def make_comparison(  # noqa: PLR0913, PLR0917 - all that the other pages of a session are made from
    session: Session,
    lines: Sequence[Line],
    boards: Mapping[str, BoardPage],
    contestants: Contestants,
    rankings: Sequence[Ranking],
    form: PointsForm,
) -> Comparison | None:
    """Return all results of a session; None for fewer than three contestants, and for a very large session."""
    method = method_named(session.facts.method or USUAL)
    found = [([contestants.find_earners(line, side) for side in _SIDES], line) for line in lines]
    known = {earner for sides, _ in found for earner in chain(*sides)}
    if len(known) < 3 or len(found) > MOST_LINES or method.sheet is not None:
        return None
    groups = _group(known, contestants, rankings)
    pages = [ref.page for _, refs in groups for ref in refs]
    numbers, places = ({key: place for place, key in enumerate(keys)} for keys in (pages, boards))
    outcomes: dict[Outcome, int] = {}
    fields: dict[object, int] = {}
    columns = [*list_field_columns(session), *(_TEAMS if method.of_teams else ())]
    rows = tuple(
        (
            places[line["key"]],
            *([numbers[contestants.link(earner).page] for earner in side] for side in sides),
            outcomes.setdefault(make_outcome({**line, "lead": None}), len(outcomes)),
            _describe_score(line),
            *(_describe_earned(line, side.lower(), form) for side in _SIDES),
            fields.setdefault(frozenset((column[:4], line[column]) for column in columns), len(fields)),
        )
        for sides, line in found
    )
    return Comparison(groups, tuple(outcomes), tuple((board.label, board.slug) for board in boards.values()), rows)


def _group(
    known: set[Contestant], contestants: Contestants, rankings: Sequence[Ranking]
) -> tuple[tuple[str, tuple[ContestantRef, ...]], ...]:
    """Return the contestants that played by the first ranking of each, those without a ranking last."""
    played = {contestants.link(player).page: contestants.link(player) for player in contestants if player in known}
    groups = []
    for ranking in rankings:
        here = [played.pop(row.contestant.page, None) for row in ranking.rows]
        groups.append((ranking.title, tuple(player for player in here if player)))
    groups.append(("", tuple(played.values())))
    return tuple((title, refs) for title, refs in groups if refs)


def _describe_score(line: Line) -> int | list[str] | None:
    if line["award_ns"] or line["award_ew"]:
        return [format_award(line[f"award_{side.lower()}"]) for side in _SIDES]
    score: int | None = line["score_ns"]
    return score


def _describe_earned(line: Line, side: str, form: PointsForm) -> str:
    return format_percentage(line[f"percentage_{side}"]) or form.points(line[f"points_{side}"])


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
    """Percent, or points a board without percentages."""
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
    highest_board: str
    """The board after which the score was highest."""
    lowest_board: str


def make_shares(played: Played, form: PointsForm) -> tuple[Share, ...]:
    """Split a contestant's boards by who declared, and by whether the contract was the field's; omit empty parts."""
    parts: dict[str, list[tuple[Line, str]]] = {
        name: [] for name in ("Declaring", "Defending", "With the field", "Against the field")
    }
    for line, side in played:
        for name in _name_parts(line, side) if _get_points(line, side) is not None else ():
            parts[name].append((line, side))
    return tuple(
        Share(name, str(len(part)), _format_average(part, form), _format_expected(part, form))
        for name, part in parts.items()
        if part
    )


def _name_parts(line: Line, side: str) -> Iterator[str]:
    if line["declarer"] and line["level"]:
        yield "Declaring" if SIDE_OF_SEAT[line["declarer"]] == side else "Defending"
    if line["with_field"] is not None:
        yield "With the field" if line["with_field"] else "Against the field"


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
    """Return the score after each board: percent of the top so far, or the sum of points without a top."""
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
    parts = [line[f"parts_{side.lower()}"] for line, side in part]
    if not all(parts) or any(line["dd_tricks"] is None for line, _ in part):
        return ""
    gained = sum(causes[0] / line["parts_of"] for causes, (line, _) in zip(parts, part, strict=True))
    if form.sign:
        return form.average(gained / len(part))
    top = sum(line["top"] or 0 for line, _ in part)
    return format_percentage(50 + 100 * gained / top) if top else ""
