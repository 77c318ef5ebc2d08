"""Where a record's tag stands in its file, for problems that are found long after reading."""

import polars as pl

from overtrick.frames import Session


def at_tag(session: Session, rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """Give rows of records (or of frames with `record`) the line and column of one of their tags.

    Args:
        session: whose items hold the tags.
        rows: any rows with `record`.
        name: the tag's name.

    Returns:
        The rows with `source line column board` for a problem; a record that inherited the tag is placed at its own
        first line.
    """
    tags = session.items.filter((pl.col("kind") == "tag") & (pl.col("name") == name))
    tags = tags.unique("record", keep="first", maintain_order=True).select("record", "line", "column")
    about = session.records.select(
        "record", "source", pl.col("line").alias("first_line"), pl.col("board_label").alias("board")
    )
    placed = (
        rows.drop("source", "line", "column", "board", strict=False)
        .join(about, on="record", how="left", maintain_order="left")
        .join(tags, on="record", how="left", maintain_order="left")
    )
    return placed.with_columns(
        pl.coalesce("line", "first_line").alias("line"), pl.coalesce("column", 1).alias("column")
    )
