"""What other formats say of calls and cards, as PBN says it: explanations as notes, alerts and chat as comments."""

from typing import Final

import polars as pl

from overtrick.frames import ANNOTATIONS, conform

_MOST_NOTES: Final = 32
"""Notes that an auction may have (PBN 3.5.4)."""


def as_said_in_pbn(annotations: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Turn annotations of other formats into those of PBN.

    Explanations of one call are one note; the same words have one note in a game, and what is beyond the last note that
    PBN has is a comment.

    Returns:
        The annotations, and the notes as items: `record kind name text`.
    """
    explained = pl.col("kind") == "explanation"
    said = annotations.with_columns(pl.col("text").str.replace_all(r"\s+", " ").str.strip_chars())
    one_each = (
        said.filter(explained)
        .group_by("record", "part", "index", maintain_order=True)
        .agg(pl.col("text").str.join("; "), pl.col("line", "column").first())
    )
    # Numbers follow the order in which the texts are first said.
    first = pl.col("place").first().over("record", "part", "text")
    number = first.rank("dense").over("record", "part").cast(pl.Int64)
    numbered = one_each.with_row_index("place").with_columns(number.alias("number"))
    fits = pl.col("number") <= _MOST_NOTES
    notes = numbered.filter(fits).unique(["record", "part", "number"], keep="first", maintain_order=True)
    items = notes.select(
        "record", kind=pl.lit("tag"), name=pl.lit("Note"), text=pl.format("{}:{}", "number", "text"), part="part"
    )
    written = numbered.with_columns(
        kind=pl.when(fits).then(pl.lit("note")).otherwise(pl.lit("comment")),
        text=pl.when(fits).then(pl.col("number").cast(pl.String)).otherwise(_comment(pl.col("text"))),
    )
    others = said.filter(~explained).with_columns(
        kind=pl.when(pl.col("kind") == "alert").then(pl.lit("comment")).otherwise("kind"),
        text=pl.when(pl.col("kind").is_in(["alert", "comment"])).then(_comment(pl.col("text"))).otherwise("text"),
    )
    in_pbn = pl.concat([conform(ANNOTATIONS, part) for part in (written, others)])
    return in_pbn.sort("record", "part", "index", maintain_order=True), items


def _comment(text: pl.Expr) -> pl.Expr:
    inside = text.str.replace_all("{", "(", literal=True).str.replace_all("}", ")", literal=True)
    return pl.lit("{") + inside + pl.lit("}")
