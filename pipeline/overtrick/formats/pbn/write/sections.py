"""The sections of export form, one row each: auctions and plays (PBN 3.5, 3.6), supplemental sections (5)."""

from collections.abc import Iterator
from typing import Final

import polars as pl
from polars._typing import PolarsDataType

from overtrick.formats.pbn.write.bodies import auctions, plays
from overtrick.formats.pbn.write.tables import TABLES, split_remarks, table_rows
from overtrick.frames import Session

_SCHEMA: Final[dict[str, PolarsDataType]] = {
    "record": pl.UInt32,
    "name": pl.String,
    "value": pl.String,
    "text": pl.String,
    "fault": pl.String,
    "remarks": pl.List(pl.String),
}


def sections(session: Session, holding: pl.DataFrame) -> pl.DataFrame:
    """Write all sections: record, name, value (of the tag), text, fault (why it had to stay as it was), remarks.

    Args:
        session: what was read.
        holding: the tags that hold (`values.holding_tags`); those that a game leaves out head no section.
    """
    stated = holding.drop_nulls("line")
    listed = session.items.filter(pl.col("kind") == "section")
    written = listed.unique(["record", "name"], keep="first", maintain_order=True)
    headed = written.join(
        stated.select("record", "name", pl.col("text").alias("value")), on=["record", "name"], how="left"
    )
    bare = stated.filter(pl.col("name").is_in(list(TABLES))).join(written, on=["record", "name"], how="anti")
    auctions_and_plays = [
        write(session, *(frame.filter(pl.col("name") == name) for frame in (stated, written)))
        for name, write in (("Auction", auctions), ("Play", plays))
    ]
    tables = pl.DataFrame(
        [
            *_tables(headed.filter(~pl.col("name").is_in(["Auction", "Play"]))),
            *(
                (record, name, header, "", None, [])
                for record, name, header in bare.select("record", "name", "text").rows()
            ),
        ],
        schema=_SCHEMA,
        orient="row",
    )
    return pl.concat([*auctions_and_plays, tables], how="diagonal")


def _tables(written: pl.DataFrame) -> Iterator[tuple[object, ...]]:
    for record, name, header, text in written.select("record", "name", "value", "text").iter_rows():
        cells, remarks = split_remarks(text)
        rows = table_rows(header or "", cells)
        if rows is not None:
            yield record, name, header or "", rows, None, remarks
        else:
            fault = f"the rows of {name} do not fit its header" if name in TABLES else None
            yield record, name, header or "", text, fault, []
