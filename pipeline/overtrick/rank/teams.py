"""Totals of teams: their matches added up, in victory points where the session has them."""

from collections.abc import Iterator
from fractions import Fraction

import polars as pl

from overtrick.bridge.victory_points import UNIT
from overtrick.order import natural
from overtrick.totals import Total, Totals


def team_totals(matches: pl.DataFrame) -> Iterator[tuple[str, Totals]]:
    """Add up the matches of each team.

    Args:
        matches: a frame of `frames.MATCHES`.

    Yields:
        The ranking's name, `all` after the section's where there are several, and its totals. Sections come in order.
    """
    in_points = matches["victory_points"].is_not_null().all()
    several = matches["section"].n_unique() > 1
    for section in sorted(matches["section"].unique(), key=natural):
        totals: Totals = {}
        for match in matches.filter(pl.col("section").eq_missing(section)).iter_rows(named=True):
            for name, suffix in (("team", ""), ("opponents", "_opponents")):
                who = (None, None, match[name])
                before = totals.get(who, Total(Fraction(0), 0, 0))
                earned = Fraction(match[f"numerator{suffix}"], match["denominator"])
                if in_points:
                    earned = Fraction(match[f"victory_points{suffix}"], UNIT)
                top = 0 if in_points else match["top"] or 0
                totals[who] = Total(before.points + earned, before.top + top, before.boards + match["boards"])
        yield f"{section} all" if several and section is not None else "all", totals


def team_boards(results: pl.DataFrame) -> pl.DataFrame:
    """List what each team won on each of its boards: `team swing denominator`, a row a team and board of a match."""
    teams = [pl.col("team_ns"), pl.col("team_ew")]
    match = ["section", "round", "one_team", "other_team"]
    boards = (
        results.drop_nulls(["team_ns", "team_ew", "board", "denominator"])
        .with_columns(pl.min_horizontal(teams).alias("one_team"), pl.max_horizontal(teams).alias("other_team"))
        .unique([*match, "board"], keep="first", maintain_order=True)
    )
    swing = pl.col("numerator_ns") - pl.col("numerator_ew")
    return pl.concat(
        boards.select(pl.col(f"team_{side}").alias("team"), (sign * swing).alias("swing"), "denominator")
        for side, sign in (("ns", 1), ("ew", -1))
    )
