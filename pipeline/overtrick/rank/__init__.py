"""Ranking: what contestants earned in all, who is ahead of whom, and whether the file says the same."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

import polars as pl

from overtrick.bridge.methods import TEAM_METHODS
from overtrick.config import Scoring
from overtrick.frames import CONTESTANTS, STANDINGS, Session, conform, dtypes
from overtrick.order import natural
from overtrick.rank.checks import totals_that_differ
from overtrick.rank.fields import IDENTITY, rankings
from overtrick.rank.teams import Totals, team_totals
from overtrick.totals import add_up

_STATED: Final = {name: CONTESTANTS[name].dtype for name in ("stated_total", "stated_percentage")}


def rank(session: Session, scoring: Scoring) -> Session:
    """Rank the contestants of a session.

    Matchpoints are ranked by percentage of the top on the boards a contestant is scored on (sit-outs and boards not
    played cost nothing), everything else by the sum; teams by their matches. All is compared exactly: only equals tie.

    Args:
        session: scored results.
        scoring: `field` and `winners` decide how many rankings there are.

    Returns:
        The session with `standings` filled: rankings in order, the best first, tied contestants by their numbers.
        Where the file states other totals there is a `total-mismatch`. Contestants that earned nothing are not ranked.
    """
    by_percentage = bool(session.results["top"].is_not_null().any())
    if session.facts.method in TEAM_METHODS:
        fields = team_totals(session.matches)
        by_percentage &= bool(session.matches["victory_points"].is_null().any())
    else:
        fields = ((name, add_up(lines, IDENTITY)) for name, lines in rankings(session, scoring))
    known = session.contestants.rows_by_key("contestant", named=True, include_key=True)
    rows = [
        {"ranking": name, **row, **_listed(known[row["contestant"]], row)}
        for name, totals in fields
        for row in _in_order(totals, by_percentage=by_percentage)
    ]
    table = pl.DataFrame(rows, schema={**dtypes(STANDINGS), **_STATED})
    return replace(
        session,
        standings=conform(STANDINGS, table),
        problems=pl.concat([session.problems, totals_that_differ(table)]),
    )


def _in_order(totals: Totals, *, by_percentage: bool) -> Iterator[dict[str, Any]]:
    """Rank the contestants of one field, best first: rows of `frames.STANDINGS` without names."""
    merit = {who: total.share if by_percentage else total.points for who, total in totals.items()}
    best_first = sorted(totals, key=lambda who: (-merit[who], [(natural(part), part or "") for part in reversed(who)]))
    ahead = 0
    for _, equals in groupby(best_first, key=lambda who: merit[who]):
        tied = list(equals)
        for who in tied:
            total = totals[who]
            yield {
                **dict(zip(IDENTITY, who, strict=True)),
                "rank": ahead + 1,
                "rank_last": ahead + len(tied),
                "total": float(total.points),
                "percentage": float(100 * total.share) if by_percentage else None,
                "boards": total.boards,
            }
        ahead += len(tied)


def _listed(known: Iterable[dict[str, Any]], standing: dict[str, Any]) -> dict[str, Any]:
    """Pick a contestant's names and stated totals; nothing where the list leaves open which of several it is."""
    candidates = list(known)
    for column in ("section", "direction"):
        same = [row for row in candidates if row[column] == standing[column]]
        candidates = same or candidates
    if len(candidates) != 1:
        return {}
    return {name: candidates[0][name] for name in ("names", *_STATED)}
