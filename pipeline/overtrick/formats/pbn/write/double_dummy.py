"""What could have been made, as PBN states it (PBN 2.1, 4.2 and 5.7): OptimumResultTable and OptimumScore."""

from typing import Final

import polars as pl

from overtrick.bridge.cards import SEATS, STRAINS, UNKNOWN
from overtrick.frames import Session

_TABLE: Final = "OptimumResultTable"
_SCORE: Final = "OptimumScore"
_HEADER: Final = r"Declarer;Denomination\2R;Result\2R"


def double_dummy_items(session: Session) -> list[pl.DataFrame]:
    """Write the tables and the par scores that are known: frames of `record kind name text`.

    A game that states its own keeps it.
    """
    known = session.double_dummy
    stated = session.items.filter(pl.col("kind") == "tag").select("record", "name")
    tables = known.drop_nulls("tricks").join(stated.filter(name=_TABLE), on="record", how="anti", maintain_order="left")
    scores = known.drop_nulls("par_ns").join(stated.filter(name=_SCORE), on="record", how="anti", maintain_order="left")
    side = pl.when(pl.col("par_ns") < 0).then(pl.lit("EW")).otherwise(pl.lit("NS"))
    parts = [
        _items(scores, "tag", _SCORE, pl.format("{} {}", side, pl.col("par_ns").abs())),
        _items(tables, "tag", _TABLE, pl.lit(_HEADER)),
        _items(_with_rows(tables), "section", _TABLE, pl.col("rows")),
    ]
    return [part for part in parts if len(part)]


def _items(frame: pl.DataFrame, kind: str, name: str, text: pl.Expr) -> pl.DataFrame:
    return frame.select("record", kind=pl.lit(kind), name=pl.lit(name), text=text)


def _with_rows(tables: pl.DataFrame) -> pl.DataFrame:
    """Write twenty rows a table, declarer by declarer, no trumps first."""
    rows = [
        pl.lit(f"{seat} {strain} ") + _tricks(pl.col("tricks").arr.get(5 * SEATS.index(seat) + STRAINS.index(strain)))
        for seat in SEATS
        for strain in reversed(STRAINS)
    ]
    return tables.select("record", pl.concat_str(rows, separator="\n").alias("rows"))


def _tricks(number: pl.Expr) -> pl.Expr:
    return pl.when(number != UNKNOWN).then(number.cast(pl.String)).otherwise(pl.lit("?"))
