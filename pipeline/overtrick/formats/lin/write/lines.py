"""A board as one line of LIN: names, deal, title and vulnerability, then auction, play and claim."""

from typing import Final

import polars as pl

from overtrick.formats.lin.write.spelling import PLAYERS, dealer, dealt, listed, plain, vulnerability

_ONLY_DEALT: Final = pl.all_horizontal(pl.col(seat).is_null() for seat in PLAYERS) & (pl.col("body") == "")


def spelled(records: pl.DataFrame) -> pl.DataFrame:
    """Add to records what their lines are made of: `hands digit sv`, spelled as LIN does."""
    return records.with_columns(
        dealt(records["deal"]).alias("hands"), dealer().alias("digit"), vulnerability().alias("sv")
    )


def names() -> pl.Expr:
    """List the players of a record."""
    return pl.concat_str((listed(pl.col(seat)) for seat in PLAYERS), separator=",")


def heading() -> pl.Expr:
    """Write what stands above the auction of a spelled record."""
    known = pl.any_horizontal(pl.col(seat).is_not_null() for seat in PLAYERS)
    numbered = pl.when(pl.col("board").is_not_null()).then(pl.format("Board {}", "board"))
    pieces = [
        pl.when(known).then(pl.format("pn|{}|", names())),
        pl.when(~_ONLY_DEALT).then(pl.lit("st||")),
        pl.format("md|{}{}|", "digit", "hands"),
        pl.lit("rh||"),
        pl.format("ah|{}|", numbered.otherwise(plain(pl.col("board_label")))),
        pl.format("sv|{}|", "sv"),
    ]
    return pl.concat_str(piece.fill_null("") for piece in pieces)


def alone() -> pl.Expr:
    """Write a spelled record with its `body` as a line; one without cards and without a body is left out."""
    label = pl.format("qx|o{}|", pl.col("board").cast(pl.String).fill_null(""))
    labelled = pl.when(_ONLY_DEALT | pl.col("hands").is_null()).then(label).otherwise(pl.lit(""))
    body = pl.when(_ONLY_DEALT).then(pl.lit("pg||")).otherwise("body")
    there = pl.col("hands").is_not_null() | (pl.col("body") != "")
    return pl.when(there).then(pl.concat_str(labelled, heading(), body, pl.lit("\n"))).otherwise(pl.lit(""))
