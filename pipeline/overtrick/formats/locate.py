"""Where in its file a record states something, for problems that are found long after reading.

What a record states is named by its column of `frames.RECORDS`. Each format finds it in its own way (`Format.locate`).
"""

from collections.abc import Iterator

import polars as pl

from overtrick.formats.registry import Format, get_format
from overtrick.frames import Session

_STARTS = {"calls": "auction_start", "cards": "play_start"}
"""By column of entries, the column that is stated where they begin."""


def locate(session: Session, records: pl.Series, column: str) -> pl.DataFrame:
    """Find where records state one of their columns.

    Args:
        session: whose items hold the files as written.
        records: the records asked for.
        column: of `frames.RECORDS`. For `calls` and `cards` each call and each card is located.

    Returns:
        `record index line column`, one row a record that states it: in `calls` or `cards` one row an entry, with its
        `index` in the list; `index` is null for any other column. Records without a row do not state it, or are of a
        format that has only lines.
    """
    records = records.cast(pl.UInt32)
    empty = pl.DataFrame(schema={"record": pl.UInt32, "index": pl.Int64, "line": pl.UInt32, "column": pl.UInt32})
    found = [known.locate(session, own, column) for known, own in _by_format(session, records) if known.locate]
    return pl.concat([empty, *found])


def place(session: Session, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """Place rows with `record` where their record states a column, else at the first line of the record.

    Returns:
        The rows, if there are any with the `source line column board` that a problem needs.
    """
    if rows.is_empty():
        return rows
    places = locate(session, rows["record"].unique(), column).drop("index")
    placed = add_source(session, rows.drop("line", "column", strict=False)).join(
        places, on="record", how="left", maintain_order="left"
    )
    return placed.with_columns(
        pl.coalesce("line", "first_line").alias("line"), pl.coalesce("column", 1).alias("column")
    )


def place_entries(session: Session, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """Place rows with `record` and `index` at an entry of `calls` or `cards`, else where these begin.

    Returns:
        The rows, if there are any with the `source line column board` that a problem needs.
    """
    if rows.is_empty():
        return rows
    places = locate(session, rows["record"].unique(), column).rename({"line": "at_line", "column": "at_column"})
    begun = place(session, rows.with_columns(pl.col("index").cast(pl.Int64)), _STARTS[column])
    placed = begun.join(places, on=["record", "index"], how="left", maintain_order="left")
    return placed.with_columns(
        pl.coalesce("at_line", "line").alias("line"), pl.coalesce("at_column", "column").alias("column")
    ).drop("at_line", "at_column")


def place_results(session: Session, results: pl.DataFrame, column: str) -> pl.DataFrame:
    """Place results where their file states one of their columns, else where they are.

    Args:
        session: whose items hold the files as written.
        results: rows of `frames.RESULTS`, with more columns if wanted.
        column: of `frames.RESULTS`; `stated_points_ns` and `stated_score_ns` mean the points of both sides.

    Returns:
        The rows in their order, with another `line` and `column` where these are known.
    """
    if results.is_empty():
        return results
    rows = results.with_row_index("row")
    begins = session.records.select("record", pl.col("line").alias("begins"))
    asked = rows.select("row", "record", "source", "line", "column").join(begins, on="record", how="left")
    # A game of PBN that is one result states it in its tags; other results are lines of a table.
    tags = locate(session, asked["record"].drop_nulls().unique(), column).drop("index")
    in_tags = (pl.col("line") == pl.col("begins")).fill_null(value=False) & pl.col("record").is_in(
        tags["record"].implode()
    )
    found = [asked.filter(in_tags).select("row", "record").join(tags, on="record").select("row", "line", "column")]
    for name, sources in session.sources.group_by(pl.col("format").fill_null("")):
        own = asked.filter(~in_tags, pl.col("source").is_in(sources["source"].implode()))
        locate_cells = get_format(str(name[0])).locate_cells
        if locate_cells and len(own):
            found.append(locate_cells(session, own, column))
    places = pl.concat(found).select("row", at_line="line", at_column="column")
    placed = rows.join(places.unique("row", keep="first"), on="row", how="left", maintain_order="left")
    return placed.with_columns(
        pl.coalesce("at_line", "line").alias("line"), pl.coalesce("at_column", "column").alias("column")
    ).drop("row", "at_line", "at_column")


def add_source(session: Session, rows: pl.DataFrame) -> pl.DataFrame:
    """Add to rows with `record` what a problem needs beside a place: `source board`, and `first_line` of the record."""
    known = session.records.select(
        "record", "source", pl.col("line").alias("first_line"), pl.col("board_label").alias("board")
    )
    return rows.drop("source", "board", strict=False).join(known, on="record", how="left", maintain_order="left")


def first_card_leads(session: Session, records: pl.Series) -> pl.Series:
    """Report of each record whether its format lists the cards from the opening lead on (`Format.first_card_leads`)."""
    led = [own for known, own in _by_format(session, records) if known.first_card_leads]
    return records.is_in(pl.concat([records.clear(), *led]).implode())


def _by_format(session: Session, records: pl.Series) -> Iterator[tuple[Format, pl.Series]]:
    """Yield the formats of records, each with its records."""
    names = session.sources.select("source", pl.col("format").fill_null(""))
    formats = names["format"].unique(maintain_order=True).to_list()
    if len(formats) < 2:
        yield get_format(formats[0] if formats else ""), records
        return
    asked = session.records.select("record", "source").filter(pl.col("record").is_in(records.implode()))
    for name in formats:
        sources = names.filter(pl.col("format") == name)["source"]
        yield get_format(name), asked.filter(pl.col("source").is_in(sources.implode()))["record"]
