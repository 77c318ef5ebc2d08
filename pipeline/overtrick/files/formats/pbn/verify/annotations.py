"""Suffixes, NAGs, note references and irregularities (PBN 3.5.2, 3.6.2, 3.7, 3.9), and notes (3.5.4 to 3.6.5)."""

from typing import Final

import polars as pl

from overtrick.core.frames import PART, PROBLEMS, empty
from overtrick.core.problems import report
from overtrick.files.formats.pbn.read.games import Games
from overtrick.files.formats.pbn.read.tag_columns import Tags

_MOST_NOTES: Final = 32
_SUFFIXES: Final = ["!", "?", "!!", "??", "!?", "?!"]
_OF_CALLS: Final = [*range(1, 7), 13]
_OF_CARDS: Final = [*range(7, 13), 14]
_WORTH: Final = 12
"""NAGs from 1 to this judge a call or card, as a suffix does."""
_HIGHEST: Final = 255
_APART: Final = "is not right below the auction or play that it belongs to"


def _numbered(annotations: pl.DataFrame) -> pl.DataFrame:
    """Return annotations other than comments, with `number`: of the NAG or the note, null where there is none."""
    return annotations.filter(pl.col("kind") != "comment").with_columns(
        pl.col("text").str.extract(r"^([0-9]{1,9})$").cast(pl.Int64).alias("number")
    )


def check_annotations(annotations: pl.DataFrame) -> pl.DataFrame:
    """Report annotations that PBN does not have, that belong to the other part, or that a call or card has already."""
    if annotations.is_empty():
        return empty(PROBLEMS)
    marks = _numbered(annotations).with_columns(_fault().alias("code"))
    faulty = marks.filter(pl.col("code").is_not_null())
    problems = [report(str(code), _spelled(rows)) for (code,), rows in faulty.group_by("code", maintain_order=True)]
    again = marks.filter(pl.col("code").is_null()).filter(_repeats())
    return pl.concat([empty(PROBLEMS), *problems, report("pbn-annotation-repeated", _spelled(again))])


def _fault() -> pl.Expr:
    """Return the code of the problem that an annotation is by itself."""
    kind, number, in_auction = pl.col("kind"), pl.col("number"), pl.col("part") == "auction"
    elsewhere = pl.when(in_auction).then(number.is_in(_OF_CARDS)).otherwise(number.is_in(_OF_CALLS))
    unknown_nag = number.is_null() | (number > _HIGHEST) | elsewhere
    unknown_note = number.is_null() | ~number.is_between(1, _MOST_NOTES)
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
    """Mark what a call or card has already: a judgement, a note, an irregularity, that NAG; a trick's second `^L`."""
    worth = (pl.col("kind") == "suffix") | ((pl.col("kind") == "nag") & pl.col("number").is_between(1, _WORTH))
    other = (
        pl.when(pl.col("kind") == "nag").then(pl.format("nag {}", "number")).otherwise(pl.col("kind").cast(pl.String))
    )
    what = pl.when(worth).then(pl.lit("worth")).otherwise(other)
    order = pl.int_range(pl.len())
    again = order.over("record", "part", "index", what) > 0
    is_lead = (pl.col("kind") == "irregularity") & (pl.col("text").str.to_uppercase() == "L")
    return again | (is_lead & (order.over("record", pl.col("index") // 4, is_lead) > 0))


def _spelled(marks: pl.DataFrame) -> pl.DataFrame:
    """Add to marks how they are written, and whether they are at a call or a card."""
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


def check_notes(games: Games, tags: Tags, annotations: pl.DataFrame) -> pl.DataFrame:
    """Report Note tags that explain nothing, notes without a reference, and references without a note."""
    if annotations.is_empty() and "Note" not in tags.row:
        return empty(PROBLEMS)
    references = _numbered(annotations).filter(
        (pl.col("kind") == "note") & pl.col("number").is_between(1, _MOST_NOTES).fill_null(value=False)
    )
    if references.is_empty() and "Note" not in tags.row:
        return empty(PROBLEMS)
    notes = _notes(games)
    sound = notes.filter(pl.col("fault").fill_null(_APART) == _APART)
    key = ["record", "part", "number"]
    missing = references.join(sound, on=key, how="anti").unique(key, keep="first", maintain_order=True)
    unused = sound.join(references, on=key, how="anti")
    return pl.concat(
        [
            report("pbn-note", notes.filter(pl.col("fault").is_not_null())),
            report("pbn-note-missing", missing),
            report("pbn-note-unused", unused),
        ]
    )


def _notes(games: Games) -> pl.DataFrame:
    """List Note tags: record, line, column, value, part, number, fault."""
    parts = ["Auction", "Play", "Note"]
    apart = ~pl.col("name").shift().over("game").is_in(parts).fill_null(value=True)
    heads = games.tags.with_columns(apart.alias("apart")).filter(pl.col("name").is_in(parts))
    part = pl.when(pl.col("name") != "Note").then(pl.col("name").str.to_lowercase()).forward_fill().over("game")
    number = pl.col("text").str.extract(r"^\s*([0-9]{1,9})\s*:").cast(pl.Int64)
    notes = (
        heads.with_columns(part.cast(PART).alias("part"))
        .filter((pl.col("name") == "Note") & ~pl.col("text").str.starts_with("#"))
        .select(
            pl.col("game").alias("record"),
            "line",
            "column",
            pl.col("text").alias("value"),
            "part",
            number.alias("number"),
            "apart",
        )
    )
    again = pl.int_range(pl.len()).over("record", "part", "number") > 0
    valid = pl.col("number").is_between(1, _MOST_NOTES).fill_null(value=False)
    return notes.with_columns(
        pl.when(~valid)
        .then(pl.lit(f"does not begin with a number from 1 to {_MOST_NOTES} and a colon"))
        .when(pl.col("part").is_null())
        .then(pl.lit("comes before any auction or play"))
        .when("apart")
        .then(pl.lit(_APART))
        .when(again)
        .then(pl.lit("explains a number that an earlier note explains"))
        .alias("fault")
    )
