"""Export form, where a file declares it with `% EXPORT` (PBN 2.1, 3.3 and 3.4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import polars as pl

from overtrick.bridge.cards import RANKS, SEATS
from overtrick.formats.pbn.read.games import Games
from overtrick.formats.pbn.read.side_by_side import Tags
from overtrick.formats.pbn.verify.files import Files
from overtrick.formats.pbn.verify.values import TABLES
from overtrick.frames import PROBLEMS, empty
from overtrick.problems import Finding, report

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
_RISING: Final = "|".join(f"[{RANKS[:place]}]{rank}" for place, rank in enumerate(RANKS) if place)
_SPELLING: Final = {
    "Dealer": "[NESW]",
    "Vulnerable": "None|NS|EW|All",
    "Declarer": r"\^?[NESW]",
    "Contract": "Pass|[1-7](?:NT|[SHDC])X{0,2}|NT|[SHDC]",
    "Result": r"\^?\d+",
    "Deal": "[NESW]:[^a-z]*",
}
"""How the values of tags that import form leaves some freedom are written (3.4, 3.11)."""
_TABLE: Final = 22


def lines_as_declared(declared: int, line_end: int) -> list[Finding]:
    """Report, once, lines that end otherwise than with CR LF (2.3)."""
    fault = {"fault": "lines do not end with CR LF"}
    return [Finding("pbn-export-form", declared, 1, values=fault)] if line_end == 1 else []


def export_declared(games: Games, files: Files) -> dict[int, int]:
    """Give, by the number of the file, the line that declares export form, for each file with one that does."""
    declared = games.items.filter((pl.col("kind") == "escape") & pl.col("text").str.contains(r"(?i)^%\s*EXPORT\s*$"))
    first = files.numbered(declared).unique("file", keep="first", maintain_order=True)
    return dict(first.select("file", "line").iter_rows())


@dataclass(frozen=True)
class Declared:
    """What is declared to be export form: in which files, from which line on (`export_declared`)."""

    files: Files
    lines: Mapping[int, int]

    def of(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Choose the rows that stand below the declaration of their file."""
        line = self.files.of(rows["line"]).replace_strict(self.lines, default=None, return_dtype=pl.UInt32)
        return rows.filter(pl.col("line") > line)


def export_form(
    games: Games, tags: Tags, records: pl.DataFrame, annotations: pl.DataFrame, declared: Declared
) -> pl.DataFrame:
    """Report what is not in the form that its file declares, the first of a kind in a game."""
    if not declared.lines:
        return empty(PROBLEMS)
    own = declared.of(games.tags.select(pl.col("game").alias("record"), "line", "column", "name"))
    parts = [_missing(own, tags), _disordered(own, games), _not_alone(own), _with_suffixes(annotations)]
    faults = pl.concat([*parts, *_misspelt(tags), *_not_from_dealer(tags, records)])
    return report("pbn-export-form", declared.of(faults))


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


def _misspelt(tags: Tags) -> list[pl.DataFrame]:
    """Find values that are written as only import form allows."""
    odd = {name: ~tags.value(name).str.contains(rf"^(?:{pattern}|\??)$") for name, pattern in _SPELLING.items()}
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
    return _fault(first, pl.lit("a call or card has a suffix and not its NAG"))


def _at(tags: Tags, name: str, mask: pl.Series, fault: str) -> pl.DataFrame:
    return _fault(tags.at_fault(name, mask).rename({"game": "record"}), pl.lit(fault))
