"""Auctions and plays of game records, replayed: what validation judges and pages step through.

Each function takes `frames.RECORDS` and the annotations of `frames.ANNOTATIONS` that mark irregularities, and gives one
element a record, in the order of the records.
"""

import numpy as np
import polars as pl

from overtrick.bridge.auction import SKIPPED, Auctions, Places, replay_auctions
from overtrick.bridge.cards import UNKNOWN, Bytes


def auctions(records: pl.DataFrame, annotations: pl.DataFrame) -> Auctions:
    """Replay the auctions of records; a record without one has an auction of no calls.

    Args:
        records: `frames.RECORDS`, sorted by `record`.
        annotations: `frames.ANNOTATIONS`; those of other records are left alone.
    """
    calls, sizes = _entries(records["calls"])
    marks = irregularities(records, annotations, "auction").filter(pl.col("mark") == "S")
    calls[(np.cumsum(sizes) - sizes)[marks["row"].to_numpy()] + marks["index"].to_numpy()] = SKIPPED
    return replay_auctions(calls, sizes, seats(records["auction_start"]))


def irregularities(records: pl.DataFrame, annotations: pl.DataFrame, part: str) -> pl.DataFrame:
    """List the recorded irregularities (PBN 3.9) of one part, `auction` or `play`, that stand at an entry.

    Returns:
        `row` (of the record in `records`), `record`, `index` (of the call or card), `mark` (a capital letter), and the
        `line` and `column` of the mark.
    """
    marks = annotations.filter((pl.col("kind") == "irregularity") & (pl.col("part") == part))
    sizes = records.select("record", pl.col("calls" if part == "auction" else "cards").list.len().alias("size"))
    return (
        marks.join(sizes.with_row_index("row"), on="record", how="inner", maintain_order="left")
        .filter(pl.col("index") < pl.col("size"))
        .select("row", "record", "index", pl.col("text").str.to_uppercase().alias("mark"), "line", "column")
    )


def seats(column: pl.Series) -> Bytes:
    """Turn a column of seats into their numbers; null becomes `UNKNOWN`."""
    return _codes(column.to_physical())


def _codes(column: pl.Series) -> Bytes:
    codes: Bytes = column.cast(pl.UInt8).fill_null(UNKNOWN).to_numpy()
    return codes


def _entries(column: pl.Series) -> tuple[Bytes, Places]:
    """Give the codes of all lists in a row, to be written into, and the size of each list."""
    sizes: Places = column.list.len().fill_null(0).cast(pl.Int64).to_numpy()
    return column.explode(empty_as_null=False, keep_nulls=False).to_numpy().copy(), sizes
