"""Plain text tables for a terminal."""

from typing import Final

import polars as pl

from overtrick.frames import Session
from overtrick.render.rows import standings_rows
from overtrick.render.terminal import Palette, display_width, printable
from overtrick.render.text import number, places_needed

FIELDS: Final = {"NS": "North-South", "EW": "East-West", "all": "All contestants"}
"""How the field at the end of a ranking's name is read out."""


def standings_tables(session: Session, palette: Palette) -> str:
    """Set out what was played, then a table a ranking; places that are shared are marked `2=`."""
    facts = session.facts
    known = [text for text in (facts.event, facts.site, facts.date, facts.method) if text]
    blocks = [printable(", ".join(known)) + "\n"] if known else []
    for (ranking,), rows in standings_rows(session).group_by("ranking", maintain_order=True):
        section, _, field = str(ranking).rpartition(" ")
        title = printable(f"{section} {FIELDS.get(field, field)}".strip())
        shared = pl.when(pl.col("rank_last") > pl.col("rank")).then(pl.lit("=")).otherwise(pl.lit(" "))
        body = rows.select(
            pl.format("{}{}", "rank", shared).str.pad_start(5).alias("place"),
            "contestant",
            "names",
            "total",
            pl.col("percentage").alias("%"),
            "boards",
        )
        blocks.append(f"{palette.paint('strong', title)}\n{format_table(body)}")
    return "\n".join(blocks if len(session.standings) else [*blocks, "There is nothing to rank.\n"])


def format_table(rows: pl.DataFrame) -> str:
    """Set out a frame: a line a row below its column names, numbers to the right, blanks for what is not known.

    A column without any value is left out. Fractions have as many decimals as their column needs, two at most.
    """
    columns = []
    for series in rows:
        if series.null_count() == len(series):
            continue
        cells = [series.name, *_cells(series)]
        width = max(map(display_width, cells))
        columns.append([_padded(cell, width, right=series.dtype.is_numeric()) for cell in cells])
    return "".join("  ".join(cells).rstrip() + "\n" for cells in zip(*columns, strict=True))


def _cells(series: pl.Series) -> list[str]:
    if series.dtype.is_float():
        places = places_needed([series])
        return ["" if value is None else number(value, places) for value in series]
    return ["" if value is None else printable(str(value)) for value in series]


def _padded(cell: str, width: int, *, right: bool) -> str:
    fill = " " * (width - display_width(cell))
    return fill + cell if right else cell + fill
