"""Export form, where a file declares it with `% EXPORT` (PBN 2.1, 3.3 and 3.4)."""

from typing import Final

import polars as pl

from overtrick.frames import PROBLEMS, empty
from overtrick.parse.pbn.games import Games
from overtrick.parse.pbn.tags import Tags
from overtrick.parse.pbn.verify.values import TABLES
from overtrick.problems import found

_MANDATORY: Final = (
    "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract Result".split()
)
_PLACES: Final = {
    **{name: place for place, name in enumerate(_MANDATORY)},
    "Auction": 20,
    "Play": 21,
    **dict.fromkeys(TABLES, 22),
}
_SUPPLEMENTAL: Final = 19
_TABLE: Final = 22


def export_declared(games: Games) -> int | None:
    """Give the line that declares export form; None when none does."""
    declared = games.items.filter((pl.col("kind") == "escape") & pl.col("text").str.contains(r"(?i)^%\s*EXPORT\s*$"))
    return int(declared["line"][0]) if len(declared) else None


def export_form(games: Games, tags: Tags, declared: int | None) -> pl.DataFrame:
    """Report games that are not in the form which the file declares on the line `declared`, once a game."""
    if declared is None:
        return empty(PROBLEMS)
    own = games.tags.select(pl.col("game").alias("record"), "line", "column", "name").filter(pl.col("line") > declared)
    faults = pl.concat([_missing(own, tags), _disordered(own, games), _not_alone(own)]).sort(
        "line", maintain_order=True
    )
    once = faults.group_by("record", maintain_order=True).agg(
        pl.col("line").first(), pl.col("column").first(), pl.col("fault").str.join("; ")
    )
    return found("pbn-export-form", once)


def _fault(rows: pl.DataFrame, fault: pl.Expr) -> pl.DataFrame:
    return rows.select("record", "line", "column", fault.alias("fault"))


def _missing(own: pl.DataFrame, tags: Tags) -> pl.DataFrame:
    """List the mandatory tags that a game lacks; one that an earlier game states with `##` it has."""
    lacking = [pl.when(tags.value(name).is_null()).then(pl.lit(name)).alias(name) for name in _MANDATORY]
    names = pl.select(pl.concat_str(lacking, separator=", ", ignore_nulls=True).alias("names"))["names"]
    first = own.unique("record", keep="first", maintain_order=True)
    first = first.with_columns(names.gather(first["record"]).alias("names")).filter(pl.col("names") != "")
    return _fault(first, pl.format("it lacks {}", "names"))


def _disordered(own: pl.DataFrame, games: Games) -> pl.DataFrame:
    """Find the first tag of each game that stands too late."""
    headed = games.sections["name"].unique().to_list()
    place = pl.col("name").replace_strict(
        {**dict.fromkeys(headed, _TABLE), **_PLACES}, default=_SUPPLEMENTAL, return_dtype=pl.Int64
    )
    known = own.filter(pl.col("name") != "Note").with_columns(place.alias("place"))
    before, name_before = pl.col("place").shift().over("record"), pl.col("name").shift().over("record")
    sorted_by_name = pl.col("place").is_in([_SUPPLEMENTAL, _TABLE])
    late = (pl.col("place") < before) | ((pl.col("place") == before) & sorted_by_name & (pl.col("name") < name_before))
    first = (
        known.with_columns(name_before.alias("before")).filter(late).unique("record", keep="first", maintain_order=True)
    )
    return _fault(first, pl.format("{} stands after {}", "name", "before"))


def _not_alone(own: pl.DataFrame) -> pl.DataFrame:
    first = own.filter(pl.col("column") > 1).unique("record", keep="first", maintain_order=True)
    return _fault(first, pl.format("{} does not begin its line", "name"))
