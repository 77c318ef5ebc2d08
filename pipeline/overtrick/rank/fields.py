"""Which rankings a session has, and what tells their contestants apart (Mitchell or Howell, one section or several)."""

import re
from collections.abc import Iterator

import polars as pl

from overtrick.bridge.movements import numbers_repeat
from overtrick.config import Scoring
from overtrick.frames import Session, sides

IDENTITY = ("section", "direction", "contestant")
"""Columns that name a contestant of a ranking; section and direction are null where the number alone is enough."""


def rankings(session: Session, scoring: Scoring) -> Iterator[tuple[str, pl.DataFrame]]:
    """Part a session into its rankings.

    Sections that are scored by themselves are ranked by themselves. A field has two winners, N-S and E-W, when nobody
    sat both ways: either no number occurs in both directions, or the numbers repeat and name different pairs.

    Yields:
        The ranking's name (`all`, `NS`, `EW`, after the section's name where there are several) and its lines: the
        frame of `frames.sides` with the columns of `IDENTITY`. Sections come in order, N-S before E-W.
    """
    seats = sides(session.results).drop_nulls("contestant")
    apart = scoring.field == "section" and seats["section"].drop_nulls().n_unique() > 1
    sections = sorted(seats["section"].unique(), key=natural) if apart else [None]
    for section in sections:
        field = seats.filter(pl.col("section").eq_missing(section)) if apart else seats
        prefix = "" if section is None else f"{section} "
        yield from ((prefix + name, lines) for name, lines in _winners(field, session.contestants, scoring))


def natural(text: str | None) -> list[tuple[int, str]]:
    """Give a key that sorts texts as people do: no text first, `2` before `10`, `A2` before `A10`."""
    parts = re.findall(r"(\d+)|(\D+)", text or "")
    return [(int(digits), "") if digits else (-1, letters) for digits, letters in parts]


def _winners(field: pl.DataFrame, contestants: pl.DataFrame, scoring: Scoring) -> Iterator[tuple[str, pl.DataFrame]]:
    listed = contestants.join(field.select("contestant").unique(), on="contestant", how="semi")
    by_section = numbers_repeat(field, "section") or _listed_twice(listed, "section", [])
    by_direction = numbers_repeat(field, "direction") or _listed_twice(listed, "direction", ["section"])
    both_ways = field.group_by("contestant").agg(pl.col("direction").n_unique() > 1)["direction"].any()
    one_winner = both_ways and not by_direction if scoring.winners == "auto" else scoring.winners == 1
    lines = field if by_section else field.with_columns(section=None)
    if not one_winner:
        yield "NS", lines.filter(pl.col("direction") == "NS")
        yield "EW", lines.filter(pl.col("direction") == "EW")
    else:
        yield "all", lines if by_direction else lines.with_columns(direction=None)


def _listed_twice(contestants: pl.DataFrame, by: str, within: list[str]) -> bool:
    """Say whether the list of contestants itself has one number under several directions or sections."""
    several = contestants.group_by("contestant", *within).agg(pl.col(by).drop_nulls().n_unique() > 1)
    return bool(several[by].any())
