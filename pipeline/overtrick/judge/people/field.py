"""The contracts that a season's field found hardest, and the players whose leads won most."""

from collections.abc import Iterator
from typing import Final

import polars as pl

from overtrick.judge.people.intervals import Interval, find_interval
from overtrick.judge.people.season import Season

ENOUGH: Final = 10
"""Results or leads of which a mean is listed."""

LISTED: Final = 10
"""Contracts and players that a page lists."""


def find_hardest(season: Season) -> list[tuple[int, str, Interval]]:
    """Return level and strain of the contracts furthest below double dummy, with declarers' tricks less those.

    The furthest comes first. Each result counts once, and a contract needs `ENOUGH` of them.
    """
    played = season.lines.drop_nulls(["level", "strain", "tricks", "dd_tricks"]).unique(["evening", "result"])
    against = pl.col("tricks").cast(pl.Float64) - pl.col("dd_tricks")
    hard = _summarize(played, against, ["level", "strain"]).filter(pl.col("mean") < 0)
    ordered = hard.sort("mean", "level", "strain")
    return [(level, strain, find_interval(*sums)) for level, strain, *sums in ordered.iter_rows()]


def find_best_leaders(season: Season) -> Iterator[tuple[str, Interval]]:
    """Yield the key of a player and the tricks that each lead won against the mean lead, the best first.

    A lead is the player's whom the file seats before declarer's left hand, else the partnership's. Nobody is listed
    with fewer than `ENOUGH` leads.
    """
    led = season.lines.drop_nulls("lead_gain")
    if led.is_empty():
        return
    spelt = [(key, name) for (name, _), key in season.identities.keys.items()]
    spellings = pl.DataFrame(spelt, {"person": pl.String, "leader_name": pl.String}, orient="row").unique()
    entry = ["evening", "entry"]
    # Two players of a name in one entry cannot be told apart.
    known = season.seats.join(spellings, on="person").unique([*entry, "leader_name"], keep="none")
    pairs = season.seats.filter(pl.col("seat") == 0).select(*entry, "pair")
    leads = (
        led.join(known.select(*entry, "leader_name", "person"), on=[*entry, "leader_name"], how="left")
        .join(pairs, on=entry, how="left")
        .with_columns(pl.coalesce("person", "pair").alias("who"))
        .drop_nulls("who")
        .unique(["evening", "result"])
    )
    ordered = _summarize(leads, pl.col("lead_gain"), ["who"]).filter(pl.col("mean") > 0)
    for who, *sums in ordered.sort("mean", "who", descending=[True, False]).iter_rows():
        yield who, find_interval(*sums)


def _summarize(rows: pl.DataFrame, value: pl.Expr, by: list[str]) -> pl.DataFrame:
    """Return count, mean and deviation of a value in each group that has `ENOUGH` rows."""
    groups = rows.sort("evening", "result").group_by(by, maintain_order=True)
    counted = groups.agg(pl.len().alias("count"), value.mean().alias("mean"), value.std().alias("deviation"))
    return counted.filter(pl.col("count") >= ENOUGH)
