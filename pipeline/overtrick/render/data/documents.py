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
    from overtrick.render.data.json import write_score_json  # noqa: PLC0415 - the command line needs only the names
    from overtrick.render.data.rows import write_csv  # noqa: PLC0415 - as above

    if form == "json":
        return write_score_json(session).encode()
    listed = list_rows(session, rows or ("results" if form == "parquet" else "standings"))
    if form == "csv":
        return write_csv(listed).encode()
    buffer = BytesIO()
    listed.write_parquet(buffer)
    return buffer.getvalue()


def list_rows(session: "Session", rows: Rows) -> "pl.DataFrame":
    """Return one kind of rows of a session."""
    from overtrick.render.data.rows import (  # noqa: PLC0415 - as above
        list_matches,
        list_results,
        list_sheets,
        list_standings,
    )

    listers = {"standings": list_standings, "results": list_results, "matches": list_matches, "sheets": list_sheets}
    return listers[rows](session)
