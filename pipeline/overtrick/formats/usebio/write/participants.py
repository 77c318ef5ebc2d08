"""Who took part: the ranked contestants with total and place first, then those who earned nothing."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import polars as pl

from overtrick.formats.usebio.write.cells import decimal, filled
from overtrick.frames import Session

Kind = Literal["PAIR", "PLAYER", "TEAM"]
Row = Mapping[str, Any]

_UNKNOWN: Final = "?"
_BETWEEN_NAMES: Final = " - "
_IDENTITY: Final = {"PAIR": "PAIR_NUMBER", "PLAYER": "PLAYER_NUMBER", "TEAM": "TEAM_ID"}


def participants(session: Session, section: str | None, kind: Kind, *, alone: bool) -> list[dict[str, Any]]:
    """List the contestants of a section.

    Args:
        session: ranked.
        section: its name; null for a session that is not parted.
        kind: which element each of them is.
        alone: whether it is the only section, so that all contestants are its own.
    """
    listed, ranked = session.contestants, session.standings
    if not alone:
        listed = listed.filter(pl.col("section").eq_missing(section))
        prefix = pl.col("ranking").str.starts_with(f"{section} ")
        ranked = ranked.filter(pl.col("section").eq_missing(section) | (pl.col("section").is_null() & prefix))
    known, rows = listed.to_dicts(), ranked.to_dicts()
    others = [row for row in known if not any(_same(row, other) for other in rows)]
    merged = [(row, _about(row, known)) for row in rows] + [(row, row) for row in others]
    return [_participant(kind, row, about) for row, about in merged]


def _same(listed: Row, ranked: Row) -> bool:
    """Say whether a ranking names this contestant: a direction that either of them leaves open tells nobody apart."""
    directions = {listed["direction"], ranked["direction"]} - {None}
    return bool(listed["contestant"] == ranked["contestant"] and len(directions) < 2)


def _about(ranked: Row, known: Sequence[Row]) -> Row:
    """Find what is known of a contestant that was ranked: under its direction, else under its number alone."""
    own = [row for row in known if row["contestant"] == ranked["contestant"]]
    exact = [row for row in own if row["direction"] == ranked["direction"]]
    candidates = exact or own
    return candidates[0] if len(candidates) == 1 else {}


def _participant(kind: Kind, row: Row, about: Row) -> dict[str, Any]:
    tied = row.get("rank_last") is not None and row["rank_last"] > row["rank"]
    place = row.get("rank", row.get("stated_rank"))
    names = about.get("names") or row.get("names")
    cells = [
        (_IDENTITY[kind], row["contestant"]),
        ("TEAM_NAME", names if kind == "TEAM" else None),
        ("DIRECTION", row.get("direction") or about.get("direction")),
        ("TOTAL_SCORE", decimal(row.get("total", row.get("stated_total")))),
        ("PERCENTAGE", decimal(row.get("percentage", row.get("stated_percentage")))),
        ("PLACE", None if place is None else f"{place}{'=' if tied else ''}"),
    ]
    players = [] if kind == "TEAM" else _players(_split(names), _split(about.get("members")))
    if kind == "PLAYER":
        return {"kind": kind, "about": filled(cells) + [cell for player in players for cell in player], "players": []}
    return {"kind": kind, "about": filled(cells), "players": players}


def _players(names: list[str], members: list[str]) -> list[list[tuple[str, str]]]:
    """Name the players of a pair, each with a number where the file had one for each of them."""
    count = max(len(names), len(members))
    numbers = members if len(members) == count else [""] * count
    people = zip(names or [""] * count, numbers, strict=False)
    return [
        cells
        for name, number in people
        if (cells := filled([("PLAYER_NAME", None if name == _UNKNOWN else name), ("NATIONAL_ID_NUMBER", number)]))
    ]


def _split(joined: str | None) -> list[str]:
    return joined.split(_BETWEEN_NAMES) if joined else []
