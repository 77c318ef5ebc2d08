"""Which rankings a session has, and what identifies their contestants (Mitchell or Howell, one section or several)."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge.methods import method_named
from overtrick.core.bridge.movements import numbers_repeat, where_numbers_repeat
from overtrick.core.config import Scoring
from overtrick.core.frames import DIRECTION, PROBLEMS, Contestants, Problems, Seats, Session, empty, seats
from overtrick.core.notation import natural
from overtrick.core.problems import report

IDENTITY: Final = ("section", "direction", "contestant")
"""The columns that identify a contestant; section and direction are null where the number alone is enough."""


def split_rankings(session: Session, scoring: Scoring) -> Iterator[tuple[str, Seats]]:
    """Split a session into its rankings.

    Sections that are scored by themselves are ranked by themselves. A field has two winners, N-S and E-W, when nobody
    sat both ways: either no number occurs in both directions, or the numbers repeat and mean different pairs. The two
    sides of a score sheet play against each other, and players of an individual sit anywhere: they are ranked together.

    Yields:
        The ranking's name (`all`, `NS`, `EW`, after the section's name where there are several) and its lines: the
        frame of `frames.seats` with the columns of `IDENTITY`, `result` (a number), `sat` (the direction, which is
        null in `IDENTITY` where the number is enough) and `field`. Sections come in order, N-S before E-W.
    """
    lines = _list_lines(session, scoring)
    sections = sorted(set(lines["field"]), key=natural)
    # A congress has hundreds of sections: all of them are judged at once.
    listed = set(_listed_twice(session.contestants, "direction", "section")["section"])
    repeating = set(where_numbers_repeat(lines, "direction")) | (set(sections) if None in listed else listed)
    repeating |= {None} if listed else set()
    either_way = lines.group_by("field", "contestant").agg(pl.col("direction").n_unique() > 1).filter("direction")
    together = set(either_way["field"]) - repeating | set(lines.drop_nulls("player_n")["field"])
    if method_named(session.facts.method).sheet:
        together = set(sections)
    rows: list[tuple[str | None, str, int, bool]] = []
    names: list[str] = []
    for section in sections:
        prefix = "" if section is None else f"{section} "
        auto = 1 if section in together else 2
        two = (auto if scoring.winners == "auto" else scoring.winners) == 2
        sides = ("NS", "EW") if two else ("all", "all")
        rows += [
            (section, way, len(names) + (side == "EW"), section in repeating or two)
            for way, side in zip(("NS", "EW"), sides, strict=True)
        ]
        names += [f"{prefix}{side}" for side in dict.fromkeys(sides)]
    yield from zip(names, _part(lines, rows, len(names)), strict=True)


def _list_lines(session: Session, scoring: Scoring) -> Seats:
    """List what contestants earned: the frame that `split_rankings` splits, in the order of the results."""
    results = session.results
    if scoring.virtual:
        names = [source for source in results["source"].drop_nulls().unique() if scoring.is_virtual(source)]
        results = results.filter(~pl.col("source").is_in(names))
    earned = seats(results.with_row_index("result")).drop_nulls("contestant").with_columns(sat="direction")
    if session.facts.by_file:
        # A contestant plays board 1 of every session, and sits either way.
        earned = earned.with_columns(
            board=pl.struct(session.facts.evening.alias("evening"), "board").rank("dense").cast(pl.Int32)
        )
    apart = scoring.field == "section" and earned["section"].drop_nulls().n_unique() > 1
    lines = earned.with_columns(field=pl.col("section") if apart else pl.lit(None, dtype=pl.String))
    repeated = numbers_repeat(earned, "section") or len(_listed_twice(session.contestants, "section"))
    return lines if repeated else lines.with_columns(section=None)


_PLACES: Final[dict[str, pl.DataType | type[pl.DataType]]] = {
    "field": pl.String,
    "direction": DIRECTION,
    "place": pl.UInt32,
    "is_told_apart": pl.Boolean,
}


def _part(lines: Seats, rows: list[tuple[str | None, str, int, bool]], count: int) -> Iterator[Seats]:
    """Part lines by the place of their ranking; `rows` are those of `_PLACES`, `count` is how many rankings there are.

    The direction is kept where it tells contestants apart.
    """
    places = pl.DataFrame(rows, _PLACES, orient="row")
    placed = (
        lines.join(places, on=["field", "direction"], nulls_equal=True, maintain_order="left")
        .with_columns(pl.when("is_told_apart").then("direction"))
        .sort("place", maintain_order=True)
    )
    ends = np.searchsorted(placed["place"].to_numpy(), np.arange(count), side="right").tolist()
    parted = placed.drop("place", "is_told_apart")
    # Slices share their memory: a congress has thousands of sections.
    return (parted[first:last] for first, last in pairwise([0, *ends]))


def propose_one_field(session: Session, scoring: Scoring) -> Problems:
    """Report sections that number their contestants through and have one winner stated: they may be one field."""
    results, ranks = session.results, session.contestants.drop_nulls("stated_rank").unique("contestant")
    seated = seats(results).drop_nulls(["contestant", "section"]).select("section", "contestant").unique()
    sizes = seated.group_by("section").len()["len"]
    chosen = scoring.field == "all" or "field" in scoring.model_fields_set or session.facts.by_file
    if chosen or len(sizes) < 2 or not seated["contestant"].is_unique().all():
        return empty(PROBLEMS)
    placed = ranks.join(seated, on="contestant", suffix="_seated")
    # A ranking of its own for each section ends with the section's last contestant.
    is_one_field = (placed["stated_rank"] == 1).sum() == 1 and (placed["stated_rank"] > sizes.max()).any()
    sections = ", ".join(sorted(seated["section"].unique()))
    about = results.select("source").head(1).with_columns(sections=pl.lit(sections))
    return report("field-all", about if is_one_field else about.clear())


def _listed_twice(contestants: Contestants, by: str, *within: str) -> pl.DataFrame:
    """Return the numbers that the list of contestants itself has under several sections or directions."""
    return contestants.group_by("contestant", *within).agg(pl.col(by).drop_nulls().n_unique() > 1).filter(by)
