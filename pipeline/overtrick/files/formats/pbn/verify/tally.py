"""Problems that are counted and reported once a file, also where several small files are checked as one text."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from overtrick.core.frames import PROBLEMS, empty
from overtrick.core.problems import report


class Files(NamedTuple):
    """The files that a text is joined from."""

    first_lines: Sequence[int]
    """The line of the text that each begins on."""
    line_ends: Sequence[int]
    """Characters of a line's end in each: 2 for CR LF."""

    def of(self, lines: pl.Series) -> pl.Series:
        """Return the number of the file, from 0, of each line of the text."""
        return pl.Series("file", np.searchsorted(self.first_lines, lines.to_numpy(), side="right") - 1)

    def numbered(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Add `file` to rows that have a `line`."""
        return rows.with_columns(self.of(rows["line"]))


class Tally:
    """Counts problems through all batches of a file."""

    def __init__(self) -> None:
        """Begin to count."""
        self._counted: dict[str, pl.DataFrame] = {}

    def add(self, code: str, rows: pl.DataFrame, *what: str) -> None:
        """Count rows of a batch.

        Args:
            code: of the problem that each row is.
            rows: `file record line column` and the values of the code's sentence.
            what: the columns that make two rows of a file the same problem; the other values follow from them.
        """
        if len(rows):
            first = rows.group_by("file", *what, maintain_order=True).agg(pl.all().first(), pl.len().alias("times"))
            before = self._counted.get(code)
            summed = first if before is None else _summed(pl.concat([before, first.select(before.columns)]))
            self._counted[code] = summed

    def begin_batch(self) -> None:
        """Forget the games of the rows so far: each batch numbers its own."""
        self._counted = {
            code: rows.with_columns(pl.lit(None, rows.schema["record"]).alias("record"))
            for code, rows in self._counted.items()
        }

    def report(self) -> pl.DataFrame:
        """Report each problem where it first occurs in its file, as `frames.PROBLEMS`."""
        return pl.concat([empty(PROBLEMS), *(report(code, rows) for code, rows in self._counted.items())])


def _summed(rows: pl.DataFrame) -> pl.DataFrame:
    place = ["record", "line", "column"]
    key = [name for name in rows.columns if name not in [*place, "times"]]
    summed = rows.group_by(key, maintain_order=True).agg(
        *(pl.col(name).first() for name in place), pl.col("times").sum()
    )
    return summed.select(rows.columns)
