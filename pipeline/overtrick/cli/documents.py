"""Data files of a scored session: JSON, CSV and Parquet."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    import polars as pl

    from overtrick.frames import Session

DataFormat = Literal["csv", "json", "parquet"]
Rows = Literal["standings", "results", "matches", "sheets"]


def data_format(path: Path) -> DataFormat | None:
    """Return the data format that a file name ends in, or None."""
    suffix = path.suffix.lower().removeprefix(".")
    return next((name for name in get_args(DataFormat) if name == suffix), None)


def data_document(session: "Session", form: DataFormat, rows: Rows | None = None) -> bytes:
    """Return a session as a data file: JSON holds all of it, CSV and Parquet list `rows`.

    By default CSV lists the standings, and Parquet the results.
    """
    from overtrick.render.csv import csv_document
    from overtrick.render.json import score_document

    if form == "json":
        return score_document(session).encode()
    listed = list_rows(session, rows or ("results" if form == "parquet" else "standings"))
    if form == "csv":
        return csv_document(listed).encode()
    buffer = BytesIO()
    listed.write_parquet(buffer)
    return buffer.getvalue()


def list_rows(session: "Session", rows: Rows) -> "pl.DataFrame":
    """Return one kind of rows of a session."""
    from overtrick.render.rows import matches_rows, results_rows, sheets_rows, standings_rows

    listers = {"standings": standings_rows, "results": results_rows, "matches": matches_rows, "sheets": sheets_rows}
    return listers[rows](session)
