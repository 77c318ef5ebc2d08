"""Where a USEBIO file states something of a result: at an element of its traveller line."""

import re
from typing import Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.files.formats.sources import source_lines
from overtrick.files.formats.usebio.travellers import CELLS

_STATED_BY: Final = {
    "stated_score_ns": (*CELLS["score"], *CELLS["cell_ns"]),
    "stated_points_ns": (*CELLS["earned_ns"], *CELLS["earned_ew"]),
    "level": CELLS["contract"],
    "declarer": CELLS["declarer"],
    "tricks": CELLS["tricks"],
}
"""By column of `frames.RESULTS`, the elements that state it; the first with a text counts."""

_LOOKED_AT: Final = 60
"""A traveller line and its elements take at most this many lines."""

_LONGEST: Final = 5000
"""Characters of a line that are looked at."""

_END: Final = re.compile("</TRAVELLER_LINE", re.IGNORECASE)


def locate_cells_in_usebio(_session: Session, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """Locate a column of traveller lines, as `Format.locate_cells` describes it.

    The file is read again. If it is missing, its results keep the places that they have.
    """
    names = _STATED_BY.get(column, ())
    places = []
    for (source,), asked in rows.drop_nulls(["line", "column"]).group_by("source"):
        begins = asked["line"].to_list()
        lines = source_lines(str(source), {line + more for line in begins for more in range(_LOOKED_AT)})
        for row, line, first in asked.select("row", "line", "column").iter_rows():
            around = [lines.get(line, "")[first - 1 : first + _LONGEST]]
            around += [lines.get(line + more, "")[:_LONGEST] for more in range(1, _LOOKED_AT)]
            text = "\n".join(around)
            end = _END.search(text)
            at = _find_first(text[: end.start()] if end else text, names)
            if at is not None:
                above = text.count("\n", 0, at)
                start = at - text.rfind("\n", 0, at) if above else first + at
                places.append((row, line + above, start))
    return pl.DataFrame(places, schema={"row": pl.UInt32, "line": pl.UInt32, "column": pl.UInt32}, orient="row")


def _find_first(text: str, names: tuple[str, ...]) -> int | None:
    """Return where the first of these elements with a text begins."""
    found = (re.search(rf"<{name}(?:\s[^<>]{{0,200}})?>\s*+[^<\s]", text, re.IGNORECASE) for name in names)
    return next((match.start() for match in found if match), None)
