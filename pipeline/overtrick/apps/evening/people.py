"""Who played: the names of an evening, and names that differ so little that they may be one player."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from overtrick.core.contestants import find_contestants, split_players
from overtrick.core.frames import Session
from overtrick.core.notation import is_number, natural
from overtrick.files.correct.targets import Contestant
from overtrick.files.formats.session_rows import name_sides
from overtrick.judge.people.identity import fold_name
from overtrick.judge.people.near import compare_names, list_candidates
from overtrick.judge.people.proposals import ENOUGH


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

    @property
    def label(self) -> str:
        """What a form takes for the contestant: `3`, `3 NS`, `A3 EW`."""
        return f"{self.section}{self.contestant} {self.direction}".rstrip()

    @property
    def is_named(self) -> bool:
        """Whether everybody of it has a name."""
        return bool(self.names) and not any(name == "?" or is_number(name) for name in self.names)


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
            tuple(filter(None, split_players(row["names"] or ""))),
        )
        for row in rows.iter_rows(named=True)
        if row["contestant"] is not None
    ]
    once = dict.fromkeys(pairs)
    return sorted(once, key=lambda pair: (natural(pair.section), pair.direction != "NS", natural(pair.contestant)))


def list_meant(session: Session, text: str) -> list[Pair]:
    """Return the contestants that a text may mean; nobody for an empty one."""
    found = find_contestants(text, session.contestants)
    return list_pairs(replace(session, contestants=found)) if text else []


def list_results_meant(session: Session, board: str, text: str) -> tuple[str, list[dict[str, Any]]]:
    """Return the results that a contestant has on a board, and the column that tells them apart.

    Nothing if there is only one, if no column tells all of them apart, or if the text means several contestants.
    """
    meant = list_meant(session, text)
    if len(meant) == 1:
        who = Contestant(meant[0].contestant, meant[0].direction or None, meant[0].section or None)
        named = session.results.with_columns(name_sides(session, "ns"), name_sides(session, "ew"))
        found = named.filter(pl.col("board").cast(pl.String) == board, who.sat(None))
        for key in ("round", "table", "section"):
            if found[key].drop_nulls().n_unique() == found.height > 1:
                return key, list(found.iter_rows(named=True))
    return "", []


def list_players(session: Session) -> list[str]:
    """Return the names of all players, each once."""
    texts = session.contestants["names"].drop_nulls().unique().to_list()
    return sorted({name for text in texts for name in split_players(text) if name}, key=natural)


def list_near(session: Session, known: Iterable[tuple[str, Iterable[str]]]) -> list[Near]:
    """Return the names of an evening that may be misspelt: near another one of it, or near one of another evening.

    Names are compared as over a season (`people.near`).

    Args:
        session: the evening.
        known: the names of other evenings, or of the club's members, with where they are from.
    """
    here = {fold_name(name): name for name in reversed(list_players(session))}
    elsewhere = {fold_name(name): (name, where) for where, names in known for name in names}
    found = []
    for pair in list_candidates([*here, *elsewhere]):
        if compare_names(*pair).score < ENOUGH:
            continue
        name, other = sorted(pair, key=here.__contains__, reverse=True)
        if other in here:
            found.append(Near(here[name], here[other], ""))
        elif name in here.keys() - elsewhere:
            found.append(Near(here[name], *elsewhere[other]))
    return sorted(found, key=lambda near: (bool(near.evening), natural(near.name), natural(near.known)))
