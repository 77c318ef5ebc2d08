"""Masterpoints: as files state them, else by the club's own tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.methods import method_named
from overtrick.core.config.series import Award
from overtrick.core.frames import Session
from overtrick.judge.people.divisions import STRATUM, is_division
from overtrick.judge.people.identity import fold_name
from overtrick.judge.people.season import match_contestant
from overtrick.judge.people.series import share_places

_BETWEEN_COLOURS: Final = "; "


def award(session: Session, tables: Sequence[Award]) -> Session:
    """Fill the `awards` of the standings.

    A colour that the files state for anybody is as they state it; the others are by the first table of the colour that
    fits the ranking. Those who share places share the mean of their points. Rankings with handicaps and of clubs earn
    nothing of their own; those of strata are rankings as others, and a contestant keeps the higher award.

    Args:
        session: ranked.
        tables: `[[awards]]` of the club.
    """
    if not tables and session.contestants["stated_awards"].is_null().all():
        return session
    listed = session.contestants.rows_by_key("contestant", named=True, include_key=True)
    stated = [
        parse_awards(match_contestant(listed.get(row["contestant"], []), row).get("stated_awards"))
        for row in session.standings.iter_rows(named=True)
    ]
    by_tables = _list_earned(session, tables, stated)
    earned = [points | known for points, known in zip(by_tables, stated, strict=True)]
    texts = [format_stated(awards) for awards in _keep_highest(session.standings, earned)]
    return replace(session, standings=session.standings.with_columns(pl.Series("awards", texts, pl.String)))


def _list_earned(
    session: Session, tables: Sequence[Award], stated: Sequence[Mapping[str, float]]
) -> Iterator[dict[str, float]]:
    """Yield the points of each standing by the club's tables, in colours that files do not state."""
    colours = {colour for awards in stated for colour in awards}
    first = pl.col("rank") == pl.col("rank").min()
    winners = session.standings.group_by("ranking").agg(size=pl.len(), boards=pl.col("boards").filter(first).max())
    fields = winners.rows_by_key("ranking", named=True, unique=True)
    of_strata = pl.col("ranking").str.contains(rf"(?:^| ){STRATUM}")
    earns = session.standings.select(earns=~is_division(pl.col("ranking")) | of_strata)["earns"]
    kind = _kind(session)
    for row, ranked in zip(session.standings.iter_rows(named=True), earns, strict=True):
        fitting = [
            table
            for table in tables
            if table.colour not in colours and _fits(table, fields[row["ranking"]], kind, session)
        ]
        shared = [(table.colour, share_places(table.places, row["rank"], row["rank_last"])) for table in fitting]
        yield {colour: float(number) for colour, number in reversed(shared)} if ranked else {}


def _kind(session: Session) -> str:
    if method_named(session.facts.method).of_teams or session.results["team_ns"].is_not_null().any():
        return "teams"
    return "players" if session.results["player_n"].is_not_null().any() else "pairs"


def _fits(table: Award, field: Mapping[str, Any], kind: str, session: Session) -> bool:
    """Return whether a table is for a ranking, of which `size` and the `boards` of the winner are given."""
    size = field["size"]
    return (
        table.at_least <= size <= (table.at_most or size)
        and (table.boards is None or (field["boards"] or 0) >= table.boards)
        and (table.kind is None or table.kind == kind)
        and (table.title is None or fold_name(table.title) in fold_name(session.facts.event or ""))
    )


def _keep_highest(standings: pl.DataFrame, earned: Sequence[dict[str, float]]) -> list[dict[str, float]]:
    """Give each contestant, in its first ranking, the highest award of each colour of all its rankings."""
    best: dict[tuple[Any, ...], dict[str, float]] = {}
    keys = list(standings.select("contestant", "section", "direction").iter_rows())
    for key, points in zip(keys, earned, strict=True):
        highest = best.setdefault(key, {})
        for colour, number in points.items():
            highest[colour] = max(number, highest.get(colour, 0.0))
    return [best.pop(key, {}) for key in keys]


def parse_awards(text: str | None) -> dict[str, float]:
    """Return the points by colour of `24 black; 5 green`."""
    found: dict[str, float] = {}
    for part in (text or "").split(_BETWEEN_COLOURS):
        number, _, colour = part.partition(" ")
        if number:
            found[colour] = found.get(colour, 0.0) + float(number)
    return found


def format_stated(awards: Mapping[str, float]) -> str | None:
    """Return `24 black; 5 green`, without colours of which there is nothing; None if nothing is left."""
    parts = [f"{round(points, 4):g} {colour}".strip() for colour, points in awards.items() if points]
    return _BETWEEN_COLOURS.join(parts) or None
