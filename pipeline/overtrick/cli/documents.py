"""Data files of a scored session, by the format that a name ends in."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    import polars as pl

    from overtrick.frames import Session

DataFormat = Literal["csv", "json", "parquet"]
Rows = Literal["standings", "results", "matches", "sheets"]


def data_format(path: Path) -> DataFormat | None:
    """Give the data format of a file by its name, None for any other name."""
    suffix = path.suffix.lower().removeprefix(".")
    return next((name for name in get_args(DataFormat) if name == suffix), None)


def data_document(session: "Session", form: DataFormat, rows: Rows | None = None) -> bytes:
    """Write a session as data: JSON holds all of it, CSV and Parquet list `rows`.

    Without `rows` CSV lists the standings and Parquet the results.
    """
    from overtrick.render.data.json import write_score_json
    from overtrick.render.data.rows import write_csv

    if form == "json":
        return write_score_json(session).encode()
    listed = listed_rows(session, rows or ("results" if form == "parquet" else "standings"))
    if form == "csv":
        return write_csv(listed).encode()
    buffer = BytesIO()
    listed.write_parquet(buffer)
    return buffer.getvalue()


def listed_rows(session: "Session", rows: Rows) -> "pl.DataFrame":
    """List the rows that were asked for."""
    from overtrick.render.data.rows import list_matches, list_results, list_sheets, list_standings

    listers = {"standings": list_standings, "results": list_results, "matches": list_matches, "sheets": list_sheets}
    return listers[rows](session)
