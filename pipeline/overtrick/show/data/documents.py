"""Data files of a scored session: JSON, CSV and Parquet."""

from collections.abc import Callable, Mapping
from functools import partial
from io import BytesIO
from typing import Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.files.formats.session_rows import list_matches, list_results, list_sheets, list_standings, write_csv
from overtrick.show.data.downloads import write_score_json
from overtrick.show.data.file_names import DataFormat, Rows

LISTERS: Final[Mapping[str, Callable[[Session], pl.DataFrame]]] = {
    "standings": list_standings,
    "results": list_results,
    "matches": list_matches,
    "sheets": list_sheets,
}
"""By the name of each kind of rows of a session, the function that lists them."""


def data_document(session: Session, form: DataFormat, rows: Rows | None = None) -> bytes:
    """Return a session as a data file: JSON holds all of it, CSV and Parquet list `rows`.

    By default CSV lists the standings, and Parquet the results.
    """
    if form == "json":
        return write_score_json(session).encode()
    return write_table({name: partial(lister, session) for name, lister in LISTERS.items()}, form, rows)


def write_table(listers: Mapping[str, Callable[[], pl.DataFrame]], form: DataFormat, rows: str | None) -> bytes:
    """Return one kind of rows as CSV or Parquet: `rows`, else the standings as CSV and the results as Parquet."""
    listed = listers[rows or ("results" if form == "parquet" else "standings")]()
    if form == "csv":
        return write_csv(listed).encode()
    buffer = BytesIO()
    listed.write_parquet(buffer)
    return buffer.getvalue()


def list_rows(session: Session, rows: Rows) -> pl.DataFrame:
    """Return one kind of rows of a session."""
    return LISTERS[rows](session)
