"""The list of what each publication of a session changed, and whom it moved."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from overtrick.core.notation import clean
from overtrick.show.history.changes import Change
from overtrick.show.history.publications import History
from overtrick.show.text.display import count_decimals, format_names, format_percentage


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
