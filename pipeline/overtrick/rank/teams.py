"""Totals of teams: their matches added up, in victory points where the session has them."""

from collections.abc import Iterator
from fractions import Fraction

import polars as pl

from overtrick.bridge.victory_points import UNIT
from overtrick.order import natural
from overtrick.totals import Total

Totals = dict[tuple[str | None, ...], Total]
"""By `rank.fields.IDENTITY`."""


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
