"""What the page that compares two contestants is made from: each result once, with who scored what on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from overtrick.core.bridge.methods import USUAL, method_named
from overtrick.core.frames import Session
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.contestants import Contestant, ContestantRef, Contestants
from overtrick.show.html.ranking_tables import Ranking
from overtrick.show.html.result_lines import (
    Line,
    Outcome,
    PointsForm,
    format_award,
    list_field_columns,
    make_outcome,
)
from overtrick.show.text.display import format_percentage

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
        """What the script of the page reads."""
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
    known = {one for sides, _ in found for side in sides for one in side}
    if len(known) < 3 or len(found) > MOST_LINES or method.sheet is not None:
        return None
    groups = _group(known, contestants, rankings)
    slugs = [ref.page for _, refs in groups for ref in refs]
    numbers = {page: place for place, page in enumerate(slugs)}
    places = {key: place for place, key in enumerate(boards)}
    outcomes: dict[Outcome, int] = {}
    fields: dict[object, int] = {}
    columns = [*list_field_columns(session), *(_TEAMS if method.of_teams else ())]
    rows = tuple(
        (
            places[line["key"]],
            *([numbers[contestants.link(one).page] for one in side] for side in sides),
            outcomes.setdefault(make_outcome({**line, "lead": None}), len(outcomes)),
            _describe_score(line),
            *(_describe_earned(line, side.lower(), form) for side in _SIDES),
            fields.setdefault(frozenset((column[:4], line[column]) for column in columns), len(fields)),
        )
        for sides, line in found
    )
    named = tuple((board.label, board.slug) for board in boards.values())
    return Comparison(groups, tuple(outcomes), named, rows)


def _group(
    known: set[Contestant], contestants: Contestants, rankings: Sequence[Ranking]
) -> tuple[tuple[str, tuple[ContestantRef, ...]], ...]:
    """Return the contestants that played by the first ranking of each, those without a ranking last."""
    played = {contestants.link(one).page: contestants.link(one) for one in contestants if one in known}
    groups = []
    for ranking in rankings:
        here = [played.pop(row.contestant.page, None) for row in ranking.rows]
        groups.append((ranking.title, tuple(one for one in here if one)))
    groups.append(("", tuple(played.values())))
    return tuple((title, refs) for title, refs in groups if refs)


def _describe_score(line: Line) -> int | list[str] | None:
    if line["award_ns"] or line["award_ew"]:
        return [format_award(line[f"award_{side.lower()}"]) for side in _SIDES]
    score: int | None = line["score_ns"]
    return score


def _describe_earned(line: Line, side: str, form: PointsForm) -> str:
    return format_percentage(line[f"percentage_{side}"]) or form.points(line[f"points_{side}"])
