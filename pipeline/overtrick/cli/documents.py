"""Data files of a scored session, by the format that a name ends in."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from overtrick.frames import Session

DataFormat = Literal["csv", "json", "parquet"]
Rows = Literal["standings", "results"]


def data_format(path: Path) -> DataFormat | None:
    """Give the data format of a file by its name, None for any other name."""
    suffix = path.suffix.lower().removeprefix(".")
    return next((name for name in get_args(DataFormat) if name == suffix), None)


def data_document(session: "Session", form: DataFormat, rows: Rows | None = None) -> bytes:
    """Write a session as data: JSON holds all of it, CSV and Parquet list `rows`.

    Without `rows` CSV lists the standings and Parquet the results.
    """
    from overtrick.render.csv import csv_document
    from overtrick.render.json import score_document
    from overtrick.render.rows import results_rows, standings_rows

    if form == "json":
        return score_document(session).encode()
    results = rows == "results" or (rows is None and form == "parquet")
    listed = results_rows(session) if results else standings_rows(session)
    if form == "csv":
        return csv_document(listed).encode()
    buffer = BytesIO()
    listed.write_parquet(buffer)
    return buffer.getvalue()
