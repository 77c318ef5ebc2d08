"""Suffixes, NAGs, note references and irregularities (PBN 3.5.2, 3.6.2, 3.7 and 3.9)."""

from typing import Final

import polars as pl

from overtrick.frames import PROBLEMS, empty
from overtrick.problems import report

MOST_NOTES: Final = 32
_SUFFIXES: Final = ["!", "?", "!!", "??", "!?", "?!"]
_OF_CALLS: Final = [*range(1, 7), 13]
_OF_CARDS: Final = [*range(7, 13), 14]
_WORTH: Final = 12
"""NAGs from 1 to this say the same as a suffix."""
_HIGHEST: Final = 255


def numbered(annotations: pl.DataFrame) -> pl.DataFrame:
    """Give annotations but comments, with `number`: of the NAG or the note, null where there is none."""
    return annotations.filter(pl.col("kind") != "comment").with_columns(
        pl.col("text").str.extract(r"^(\d{1,9})$").cast(pl.Int64).alias("number")
    )


def annotations_in_order(annotations: pl.DataFrame) -> pl.DataFrame:
    """Report annotations that are none, that belong to the other part, and that a call or card has already."""
    marks = numbered(annotations)
    if marks.is_empty():
        return empty(PROBLEMS)
    marks = marks.with_columns(_fault().alias("code"))
    faulty = marks.filter(pl.col("code").is_not_null())
    problems = [report(str(code), _named(rows)) for (code,), rows in faulty.group_by("code", maintain_order=True)]
    again = marks.filter(pl.col("code").is_null()).filter(_repeats())
    return pl.concat([empty(PROBLEMS), *problems, report("pbn-annotation-repeated", _named(again))])


def _fault() -> pl.Expr:
    """Give the code of what is wrong with an annotation by itself."""
    kind, number, in_auction = pl.col("kind"), pl.col("number"), pl.col("part") == "auction"
    elsewhere = pl.when(in_auction).then(number.is_in(_OF_CARDS)).otherwise(number.is_in(_OF_CALLS))
    unknown_nag = number.is_null() | (number > _HIGHEST) | elsewhere
    unknown_note = number.is_null() | ~number.is_between(1, MOST_NOTES)
    letter = pl.col("text").str.to_uppercase()
    irregular = pl.when(in_auction).then(letter.is_in(["I", "S"])).otherwise(letter.is_in(["R", "L"]))
    return (
        pl.when((kind == "suffix") & ~pl.col("text").is_in(_SUFFIXES))
        .then(pl.lit("pbn-suffix"))
        .when((kind == "nag") & unknown_nag)
        .then(pl.lit("pbn-nag"))
        .when((kind == "note") & unknown_note)
        .then(pl.lit("pbn-note-reference"))
        .when((kind == "irregularity") & ~irregular)
        .then(pl.lit("pbn-irregularity"))
    )


def _repeats() -> pl.Expr:
    """Say what a call or card has once already: its worth, a note, an irregularity, that NAG; a trick one `^L`."""
    worth = (pl.col("kind") == "suffix") | ((pl.col("kind") == "nag") & pl.col("number").is_between(1, _WORTH))
    other = (
        pl.when(pl.col("kind") == "nag").then(pl.format("nag {}", "number")).otherwise(pl.col("kind").cast(pl.String))
    )
    what = pl.when(worth).then(pl.lit("worth")).otherwise(other)
    order = pl.int_range(pl.len())
    again = order.over("record", "part", "index", what) > 0
    is_lead = (pl.col("kind") == "irregularity") & (pl.col("text").str.to_uppercase() == "L")
    return again | (is_lead & (order.over("record", pl.col("index") // 4, is_lead) > 0))


def _named(marks: pl.DataFrame) -> pl.DataFrame:
    """Give marks as they are written, and what they stand at."""
    text, kind = pl.col("text"), pl.col("kind")
    written = (
        pl.when(kind == "nag")
        .then(pl.format("${}", text))
        .when(kind == "note")
        .then(pl.format("={}=", text))
        .when(kind == "irregularity")
        .then(pl.format("^{}", text))
        .otherwise(text)
    )
    place = pl.when(pl.col("part") == "auction").then(pl.lit("call")).otherwise(pl.lit("card"))
    return marks.with_columns(written.alias("mark"), place.alias("at"))
