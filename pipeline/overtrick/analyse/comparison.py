"""Tables of one deal against one another: what the file states twice, and what the solver finds."""

import numpy as np
import polars as pl

from overtrick.bridge.cards import SEAT_NAMES, SUIT_NAMES, UNKNOWN
from overtrick.frames import Session


def table_faults(
    session: Session, stated: pl.DataFrame, first: pl.DataFrame, rows: pl.DataFrame, unreadable: pl.DataFrame
) -> dict[str, pl.DataFrame]:
    """Find what is wrong with stated tables.

    Args:
        session: where they stand.
        stated: as `stated.stated_tables` gives them, with `place`: the first record of their deal.
        first: those of them that count.
        rows: a row a deal, with `solved`.
        unreadable: what is no table.

    Returns:
        By code of the problem, the rows at fault.
    """
    return {
        "double-dummy-unreadable": _at(session, unreadable.with_columns(_in_a_line(pl.col("text")))),
        "double-dummy-twice": _at(session, _twice(stated, first)),
        "double-dummy-differs": _at(session, _wrong(first, rows)),
    }


def _in_a_line(text: pl.Expr) -> pl.Expr:
    return text.str.replace_all(r"\s+", " ").str.slice(0, 40)


def _twice(stated: pl.DataFrame, first: pl.DataFrame) -> pl.DataFrame:
    """Find tables that are not the first one of their deal."""
    both = stated.join(first.select("place", pl.col("tricks").alias("before")), on="place", maintain_order="left")
    return _differing(both, "before", "tricks")


def _wrong(first: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Find tables that are not the solver's."""
    solved = rows.select(pl.col("record").alias("place"), "solved").drop_nulls("solved")
    return _differing(first.join(solved, on="place", maintain_order="left"), "tricks", "solved")


def _differing(rows: pl.DataFrame, stated: str, other: str) -> pl.DataFrame:
    """Keep rows whose two tables differ where both are known; name the first such number: seat, strain, both tricks."""
    if rows.is_empty():
        return rows
    one, two = (rows[name].to_numpy().reshape(-1, 20) for name in (stated, other))
    apart = (one != two) & (one != UNKNOWN) & (two != UNKNOWN)
    at = apart.argmax(axis=1)
    row = np.arange(len(rows))
    strains = [*SUIT_NAMES, "notrump"]
    return rows.with_columns(
        pl.Series("count", apart.sum(axis=1)),
        pl.Series("seat", [SEAT_NAMES[place // 5] for place in at]),
        pl.Series("strain", [strains[place % 5] for place in at]),
        pl.Series("stated", one[row, at]),
        pl.Series("other", two[row, at]),
    ).filter(pl.Series(apart.any(axis=1)))


def _at(session: Session, rows: pl.DataFrame) -> pl.DataFrame:
    """Say where tables stand: source and board."""
    about = session.records.select("record", "source", pl.col("board_label").alias("board"))
    return rows.drop("source", "board", strict=False).join(about, on="record", how="left", maintain_order="left")
