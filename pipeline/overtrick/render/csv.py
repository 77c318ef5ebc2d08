"""CSV for spreadsheets: UTF-8, a header line, commas, `.` for decimals, an empty cell for what is not known."""

from typing import Final

import polars as pl

FORMULA: Final = "^[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
"""How a text begins that a spreadsheet would run as a formula, full-width forms included."""


def csv_document(rows: pl.DataFrame) -> str:
    """Write rows as CSV.

    A text that a spreadsheet would take for a formula gets an apostrophe before it: names come from strangers.
    """
    texts = [name for name, dtype in rows.schema.items() if dtype == pl.String]
    return rows.with_columns(pl.col(texts).str.replace(FORMULA, "'${0}")).write_csv()
