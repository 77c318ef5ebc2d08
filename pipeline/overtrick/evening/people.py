"""Who played: the names of an evening, and names that differ so little that they may be one player."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

import polars as pl

from overtrick.correct.names import BETWEEN
from overtrick.frames import Session
from overtrick.notation import natural

_NEAR: Final = 0.85
_MOST: Final = 1500


@dataclass(frozen=True)
class Pair:
    """A contestant.

    Attributes:
        contestant: as the results name it.
        section: where its number is another one's in the next section; empty otherwise.
        direction: where its number is another one's on the other side; empty otherwise.
        names: its players.
    """

    contestant: str
    section: str
    direction: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Near:
    """A name that may be a misspelt one.

    Attributes:
        name: the name in this evening.
        known: the name that it is near.
        evening: where that name is from; empty for this evening.
    """

    name: str
    known: str
    evening: str


def list_pairs(session: Session) -> list[Pair]:
    """Return the contestants of an evening with their names."""
    listed = session.contestants.unique(["contestant", "section", "direction"], maintain_order=True)
    numbers = listed.group_by("contestant").agg(
        pl.col("section").drop_nulls().n_unique().alias("sections"),
        pl.col("direction").drop_nulls().n_unique().alias("directions"),
    )
    rows = listed.join(numbers, on="contestant", how="left", maintain_order="left")
    pairs = [
        Pair(
            row["contestant"],
            row["section"] or "" if row["sections"] > 1 else "",
            row["direction"] or "" if row["directions"] > 1 else "",
            tuple(name for name in (row["names"] or "").split(BETWEEN) if name),
        )
        for row in rows.iter_rows(named=True)
        if row["contestant"] is not None
    ]
    once = dict.fromkeys(pairs)
    return sorted(once, key=lambda one: (natural(one.section), one.direction != "NS", natural(one.contestant)))


def list_players(session: Session) -> list[str]:
    """Return the names of all players, each once."""
    texts = session.contestants["names"].drop_nulls().unique().to_list()
    return sorted({name for text in texts for name in text.split(BETWEEN) if name}, key=natural)


def list_near(session: Session, known: Iterable[tuple[str, Iterable[str]]]) -> list[Near]:
    """Return the names of an evening that may be misspelt: near another one of it, or near one of another evening.

    Args:
        session: the evening.
        known: the names of other evenings, or of the club's members, with where they are from.
    """
    own = list_players(session)
    found = [Near(one, other, "") for at, one in enumerate(own) for other in own[at + 1 :] if _is_near(one, other)]
    elsewhere = {name: where for where, names in known for name in names}
    strangers = [name for name in own if name not in elsewhere]
    for name in strangers:
        found += [
            Near(name, other, where)
            for other, where in list(elsewhere.items())[:_MOST]
            if other not in own and _is_near(name, other)
        ]
    return found


def _is_near(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 3:
        return False
    match = SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False)
    return match.quick_ratio() >= _NEAR and match.ratio() >= _NEAR
