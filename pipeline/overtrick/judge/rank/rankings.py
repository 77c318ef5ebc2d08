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
    results = session.results
    if scoring.virtual:
        names = [source for source in results["source"].unique() if source is not None and scoring.is_virtual(source)]
        results = results.filter(~pl.col("source").is_in(names))
    numbered = results.with_row_index("result")
    earned = seats(numbered).drop_nulls("contestant").with_columns(pl.col("direction").alias("sat"))
    if session.facts.by_file:
        # A contestant plays board 1 of every session, and sits either way.
        earned = earned.with_columns(
            pl.struct(session.facts.evening.alias("evening"), "board").rank("dense").cast(pl.Int32).alias("board")
        )
    apart = scoring.field == "section" and earned["section"].drop_nulls().n_unique() > 1
    lines = earned.with_columns((pl.col("section") if apart else pl.lit(None, dtype=pl.String)).alias("field"))
    if not (numbers_repeat(earned, "section") or len(_listed_twice(session.contestants, "section"))):
        lines = lines.with_columns(section=None)
    # A congress has hundreds of sections: all of them are judged at once.
    repeat = set(where_numbers_repeat(lines, "direction"))
    listed = set(_listed_twice(session.contestants, "direction", "section")["section"])
    either_way = lines.group_by("field", "contestant").agg(pl.col("direction").n_unique() > 1).filter("direction")
    both_ways = set(either_way["field"])
    sheet = bool(method_named(session.facts.method).sheet)
    seated = set(lines.filter(pl.col("player_n").is_not_null())["field"])
    rows, names = [], []
    for section in sorted(set(lines["field"]), key=natural):
        prefix = "" if section is None else f"{section} "
        repeats = section in repeat or None in listed or (section in listed if section is not None else bool(listed))
        winners = 1 if (sheet or section in seated) and scoring.winners == "auto" else scoring.winners
        if winners == "auto":
            winners = 1 if section in both_ways and not repeats else 2
        sides = ("NS", "EW") if winners == 2 else ("all", "all")
        rows += [
            (section, way, len(names) + (side == "EW"), repeats or winners == 2)
            for way, side in zip(("NS", "EW"), sides, strict=True)
        ]
        names += [f"{prefix}{side}" for side in dict.fromkeys(sides)]
    yield from zip(names, _part(lines, rows, len(names)), strict=True)


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
    about = (
        results.select("source").head(1).with_columns(sections=pl.lit(", ".join(sorted(seated["section"].unique()))))
    )
    return report("field-all", about if is_one_field else about.clear())


def _listed_twice(contestants: Contestants, by: str, *within: str) -> pl.DataFrame:
    """Return the numbers that the list of contestants itself has under several sections or directions."""
    return contestants.group_by("contestant", *within).agg(pl.col(by).drop_nulls().n_unique() > 1).filter(by)
