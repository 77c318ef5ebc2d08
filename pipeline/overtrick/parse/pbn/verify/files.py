"""Which file a line belongs to, where the texts of several small files are held against the standard together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl


@dataclass(frozen=True)
class Files:
    """The files that a text is put together from."""

    first_lines: Sequence[int]
    """The line of the text that each begins on."""
    line_ends: Sequence[int]
    """Characters of a line's end in each: 2 for CR LF."""

    def of(self, lines: pl.Series) -> pl.Series:
        """Give the number of the file, from 0, that each line of the text stands in."""
        return pl.Series("file", np.searchsorted(self.first_lines, lines.to_numpy(), side="right") - 1)

    def numbered(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Add `file` to rows that have a `line`."""
        return rows.with_columns(self.of(rows["line"]))
