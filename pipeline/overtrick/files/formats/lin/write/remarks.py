"""Remarks on calls and cards, from the annotations of any format: alerts, explanations and chat."""

from typing import Final

import polars as pl

from overtrick.core.frames import ANNOTATIONS, Session, conform, empty
from overtrick.files.formats.lin.spelling import write_text

MARKS: Final = ("suffix", "nag", "irregularity")
"""Kinds of annotations that LIN has no place for."""

_ALERT: Final = "!"
_PARTS: Final = {"Auction": "calls", "Play": "cards"}


def find_remarks(session: Session) -> pl.DataFrame:
    """Return all remarks in their order: `record part index kind text line column written`.

    `kind` is `alert`, `explanation` or `comment`, `text` is what was meant, without braces, and `written` is the text
    as a value can hold it. An explanation of a card is a comment; a comment that is a bare `!` on a call is an alert.
    """
    found = pl.concat([session.annotations, _find_beside_sections(session)])
    found = found.filter(~pl.col("kind").is_in(list(MARKS)))
    found = found.filter(~((pl.col("kind") == "comment") & pl.col("text").str.starts_with("%")))
    found = found.join(_list_notes(session), on=["record", "part", "kind", "text"], how="left", maintain_order="left")
    comment, call = pl.col("kind") == "comment", pl.col("part") == "auction"
    bare = pl.col("text").str.replace(r"(?s)^(?:\{(.*?)\}?|;(.*))$", "${1}${2}").str.strip_chars()
    text = pl.when(comment).then(bare).otherwise(pl.coalesce("noted", "text").str.strip_chars())
    explained = pl.col("kind").is_in(["note", "explanation"])
    alert = (pl.col("kind") == "alert") | (comment & call & (pl.col("text") == _ALERT) & pl.col("index").is_not_null())
    kind = pl.when(explained & call).then(pl.lit("explanation")).otherwise(pl.lit("comment"))
    return (
        found.with_columns(text.alias("text"))
        .with_columns(pl.when(alert).then(pl.lit("alert")).otherwise(kind).alias("kind"))
        .filter(pl.col("text") != "")
        .select(session.annotations.columns)
        .with_columns(write_text(pl.col("text")).alias("written"))
    )


def _find_beside_sections(session: Session) -> pl.DataFrame:
    """Place comments of a PBN game outside auction and play: with its last call or card, or before the first.

    Those after an auction or a play, or after its notes, belong to it; those among the tags open the board.
    """
    files = list_pbn_files(session)
    if files.is_empty():
        return empty(ANNOTATIONS)
    items = session.items.filter(pl.col("source").is_in(files.implode()) & pl.col("record").is_not_null())
    section = pl.col("name").is_in(list(_PARTS))
    head = pl.when((pl.col("kind") == "tag") & (pl.col("name") != "Note")).then(
        pl.when(section).then("name").otherwise(pl.lit(""))
    )
    comments = items.with_columns(head.forward_fill().over("record").alias("head")).filter(pl.col("kind") == "comment")
    last = session.records.select(
        "record", *(pl.col(entries).list.len().cast(pl.Int64) - 1 for entries in _PARTS.values())
    )
    placed = comments.join(last, on="record", how="left", maintain_order="left")
    index = pl.when(pl.col("head") == "Auction").then("calls").when(pl.col("head") == "Play").then("cards")
    part = pl.when(pl.col("head") == "Play").then(pl.lit("play")).otherwise(pl.lit("auction"))
    return conform(
        ANNOTATIONS,
        placed.with_columns(index=pl.when(index >= 0).then(index), part=part, kind=pl.lit("comment")),
    )


def list_pbn_files(session: Session) -> pl.Series:
    """List the files that were read as PBN."""
    return session.sources.filter(pl.col("format") == "pbn")["source"]


def _list_notes(session: Session) -> pl.DataFrame:
    """List what the notes of each game say: `record part kind text noted`; the first of each number counts."""
    headed = session.items.filter((pl.col("kind") == "tag") & pl.col("name").is_in(["Auction", "Play", "Note"]))
    head = pl.when(pl.col("name") != "Note").then(pl.col("name").str.to_lowercase())
    notes = headed.with_columns(head.forward_fill().over("record").alias("part")).filter(pl.col("name") == "Note")
    parts = pl.col("text").str.extract_groups(r"(?s)^\s*([0-9]+)\s*:\s*(.*)$").struct
    return (
        notes.select(
            "record",
            pl.col("part").cast(session.annotations.schema["part"]),
            text=parts.field("1"),
            noted=parts.field("2"),
        )
        .drop_nulls()
        .unique(["record", "part", "text"], keep="first", maintain_order=True)
        .with_columns(pl.lit("note").alias("kind"))
    )
