"""Export form, where a file declares it with `% EXPORT` (PBN 2.1, 3.3 and 3.4)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import polars as pl

from overtrick.core.bridge.cards import RANKS, SEATS
from overtrick.core.frames import PROBLEMS, empty
from overtrick.core.grammar import filled_in
from overtrick.core.problems import Finding, report
from overtrick.files.formats.pbn.read.games import Games
from overtrick.files.formats.pbn.read.tag_columns import Tags
from overtrick.files.formats.pbn.tags import TAGS, names
from overtrick.files.formats.pbn.verify.tally import Files

_OTHERS, _AUCTION, _PLAY, _TABLES = range(100, 104)
"""Places of tags after the mandatory ones, which are numbered from 0."""
_RISING: Final = "|".join(f"[{RANKS[:place]}]{rank}" for place, rank in enumerate(RANKS) if place)


def check_line_ends(declared: int, line_end: int) -> list[Finding]:
    """Report, once, lines that do not end with CR LF (2.3)."""
    fault = {"fault": "lines do not end with CR LF"}
    return [Finding("pbn-export-form", declared, 1, values=fault)] if line_end == 1 else []


def find_declarations(games: Games, files: Files) -> dict[int, int]:
    """Return, by the number of the file, the line that declares export form, for each file that has one."""
    declared = games.items.filter((pl.col("kind") == "escape") & pl.col("text").str.contains(r"(?i)^%\s*EXPORT\s*$"))
    first = files.numbered(declared).unique("file", keep="first", maintain_order=True)
    return dict(first.select("file", "line").iter_rows())


class Declared(NamedTuple):
    """Which files declare export form, and from which line on (`find_declarations`)."""

    files: Files
    lines: Mapping[int, int]

    def of(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows below the declaration of their file."""
        line = self.files.of(rows["line"]).replace_strict(self.lines, default=None, return_dtype=pl.UInt32)
        return rows.filter(pl.col("line") > line)


def check_export_form(
    games: Games, tags: Tags, records: pl.DataFrame, annotations: pl.DataFrame, declared: Declared
) -> pl.DataFrame:
    """Report what is not in the form that its file declares, the first fault of a kind in a game."""
    if not declared.lines:
        return empty(PROBLEMS)
    own = declared.of(games.tags.select(pl.col("game").alias("record"), "line", "column", "name"))
    parts = [_missing(own, tags), _disordered(own, games), _not_alone(own), _with_suffixes(annotations)]
    faults = pl.concat([*parts, *_misspelt(tags), *_not_from_dealer(tags, records)])
    return report("pbn-export-form", declared.of(faults))


def _fault(rows: pl.DataFrame, fault: pl.Expr) -> pl.DataFrame:
    return rows.select("record", "line", "column", fault.alias("fault"))


def _missing(own: pl.DataFrame, tags: Tags) -> pl.DataFrame:
    """List the mandatory tags that a game lacks; a `##` in an earlier game makes up for one."""
    lacking = [pl.when(tags.value(name).is_null()).then(pl.lit(name)).alias(name) for name in names(mandatory=True)]
    lists = pl.select(pl.concat_str(lacking, separator=", ", ignore_nulls=True).alias("names"))["names"]
    first = own.unique("record", keep="first", maintain_order=True)
    first = first.with_columns(lists.gather(first["record"]).alias("names")).filter(pl.col("names") != "")
    return _fault(first, pl.format("the game lacks {}", "names"))


def _disordered(own: pl.DataFrame, games: Games) -> pl.DataFrame:
    """Find the first tag of each game that comes too late."""
    headed = games.sections["name"].unique().to_list()
    places = {
        **dict.fromkeys([*headed, *names(heads="table")], _TABLES),
        **{name: place for place, name in enumerate(names(mandatory=True))},
        "Auction": _AUCTION,
        "Play": _PLAY,
    }
    place = pl.col("name").replace_strict(places, default=_OTHERS, return_dtype=pl.Int64)
    known = own.filter(pl.col("name") != "Note").with_columns(place.alias("place"))
    before, name_before = pl.col("place").shift().over("record"), pl.col("name").shift().over("record")
    sorted_by_name = pl.col("place").is_in([_OTHERS, _TABLES])
    late = (pl.col("place") < before) | ((pl.col("place") == before) & sorted_by_name & (pl.col("name") < name_before))
    first = (
        known.with_columns(name_before.alias("before")).filter(late).unique("record", keep="first", maintain_order=True)
    )
    return _fault(first, pl.format("{} comes after {}", "name", "before"))


def _not_alone(own: pl.DataFrame) -> pl.DataFrame:
    first = own.filter(pl.col("column") > 1).unique("record", keep="first", maintain_order=True)
    return _fault(first, pl.format("{} is not at the beginning of its line", "name"))


def _misspelt(tags: Tags) -> list[pl.DataFrame]:
    """Find values that only import form writes so (3.4, 3.11)."""
    exported = {tag.name: tag.export.pattern for tag in TAGS.values() if tag.export and tag.export.pattern}
    odd = {
        name: ~tags.value(name).str.contains(rf"^(?:{filled_in(pattern, exact=True)}|\??)$")
        for name, pattern in exported.items()
    }
    odd["Deal"] |= tags.value("Deal").str.contains(_RISING)
    return [_at(tags, name, mask, f"{name} is written as in import form") for name, mask in odd.items()]


def _not_from_dealer(tags: Tags, records: pl.DataFrame) -> list[pl.DataFrame]:
    """Find deals and auctions that do not begin with the dealer (3.4.11, 3.5)."""
    dealer = records["dealer"].cast(pl.String)
    first = {name: tags.value(name).str.slice(0, 1).str.to_uppercase() for name in ("Deal", "Auction")}
    return [
        _at(tags, name, (seat != dealer) & seat.is_in(list(SEATS)), f"{name} does not begin with the dealer")
        for name, seat in first.items()
    ]


def _with_suffixes(annotations: pl.DataFrame) -> pl.DataFrame:
    """Find the first suffix of each game, where export form has a NAG (3.5.2)."""
    first = annotations.filter(pl.col("kind") == "suffix").unique("record", keep="first", maintain_order=True)
    return _fault(first, pl.lit("a call or card has a suffix instead of its NAG"))


def _at(tags: Tags, name: str, mask: pl.Series, fault: str) -> pl.DataFrame:
    return _fault(tags.at_fault(name, mask), pl.lit(fault))
