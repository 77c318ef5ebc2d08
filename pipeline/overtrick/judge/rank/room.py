"""The Butler of the room: how each pair of the teams did against all other tables of its boards."""

from fractions import Fraction
from itertools import groupby
from typing import Final

import polars as pl

from overtrick.core.bridge.methods import method_named
from overtrick.core.config import Scoring
from overtrick.core.frames import STANDINGS, Session, Standings, dtypes, empty, sides
from overtrick.core.notation import natural
from overtrick.judge.score import follow
from overtrick.judge.score.butler import butler
from overtrick.judge.score.groups import Totals, Who, add_up, assign_groups

_LEAST_TABLES: Final = 4
"""Scores of a board of which a datum is made: two matches."""
_PART: Final = 3
"""A pair has a place if it played at least this part of the most boards: a third."""


def rank_pairs_of_teams(session: Session, scoring: Scoring) -> Standings:
    """Rank the pairs of a team event by their IMPs against the datum of each board (Law 78B), per board.

    Args:
        session: scored, of teams.
        scoring: `datum` and its rounding are followed.

    Returns:
        `frames.STANDINGS` with `ranking` "pairs", and as `total` the IMPs of all boards. Pairs that played less than a
        third of the most boards come last, without a place. Empty where no board was played at four tables, or the
        files do not name the pairs.
    """
    if not method_named(session.facts.method).of_teams:
        return empty(STANDINGS)
    named = _with_pairs(session)
    evening = session.facts.evening if session.facts.by_file else None
    grouped = assign_groups(named, session.records, "section", evening=evening)
    scored = butler(grouped.filter(pl.col("actual") >= _LEAST_TABLES), follow(session, scoring))
    seated = sides(scored).drop_nulls("contestant")
    return _rank(add_up(seated, ("team", "contestant")))


def _with_pairs(session: Session) -> pl.DataFrame:
    """Return the results with their pairs as contestants, and as sections what is compared: a section, or its rounds.

    A board number that a team played in two rounds is another deal in each. A pair is told from its team by its number,
    and is nobody that sits at two tables of a board.
    """
    results = session.results
    teams = pl.concat([results["team_ns"], results["team_ew"]]).unique().implode()
    pairs = results.with_columns(
        pl.when(~pl.col(side).is_in(teams) & pl.col(f"team_{side}").is_not_null()).then(side).alias(side)
        for side in ("ns", "ew")
    )
    at_table = sides(pairs.with_row_index("row").select("row", "round", "board", "ns", "ew", "team_ns", "team_ew"))
    met = at_table.drop_nulls(["team", "board"]).group_by("team", "board").agg(pl.col("round").n_unique())
    seated = at_table.drop_nulls("contestant").group_by("contestant", "round", "board").agg(pl.col("row").n_unique())
    twice = seated.filter(pl.col("row") > 1)["contestant"].unique().implode()
    where = ["section", "round"] if (met["round"] > 1).any() else ["section"]
    return pairs.with_columns(
        *(pl.when(~pl.col(side).is_in(twice)).then(side).alias(side) for side in ("ns", "ew")),
        section=pl.concat_str(where, separator=" ", ignore_nulls=True),
    )


def _rank(totals: Totals) -> Standings:
    most = max((total.boards for total in totals.values()), default=0)

    def order(who: Who) -> tuple[bool, Fraction]:
        total = totals[who]
        return _PART * total.boards < most, -total.points / total.boards

    rows: list[dict[str, object]] = []
    for (few, _), equal in groupby(sorted(totals, key=lambda who: (order(who), natural(who[-1]))), key=order):
        tied = list(equal)
        places = {} if few else {"rank": len(rows) + 1, "rank_last": len(rows) + len(tied)}
        earned = ((who[-1], totals[who]) for who in tied)
        rows += [
            {"ranking": "pairs", **places, "contestant": name, "total": float(total.points), "boards": total.boards}
            for name, total in earned
        ]
    return pl.DataFrame(rows, schema=dtypes(STANDINGS))
