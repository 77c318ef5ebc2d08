"""The unit that matchpoints are shown in: 2 a pair beaten and 1 a tie, or 1 and a half (Law 78A)."""

from dataclasses import replace

import polars as pl

from overtrick.config import Scoring
from overtrick.frames import Session


def shown(session: Session, scoring: Scoring) -> Session:
    """Halve the matchpoints that are shown where the club counts 1 and a half; the exact fractions stay as they are.

    Args:
        session: scored and ranked.
        scoring: `matchpoint_unit`.

    Returns:
        The session with the points of results and matches in that unit, and `total correction` of standings where they
        are no victory points.
    """
    if scoring.matchpoint_unit == "2-1" or session.facts.method not in {"matchpoints", "bam"}:
        return session
    halved = session
    if session.matches["victory_points"].is_null().all():
        halved = replace(session, standings=session.standings.with_columns(pl.col("total", "correction") / 2))
    return replace(
        halved,
        results=session.results.with_columns(pl.col("points_ns", "points_ew") / 2),
        matches=session.matches.with_columns(pl.col("points", "points_opponents") / 2),
    )
