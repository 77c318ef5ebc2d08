"""The sections of export form, one row each: auctions and plays (PBN 3.5, 3.6), and tables (5).

A table is written a row a line, its cells padded to the widths of the header.
"""

import re
from collections.abc import Iterator
from itertools import chain, groupby
from typing import Final

import polars as pl

from overtrick.core.frames import ColumnType, Session
from overtrick.core.grammar import matcher
from overtrick.files.formats.pbn.read.score_tables import strings_or_remarks
from overtrick.files.formats.pbn.tags import names
from overtrick.files.formats.pbn.write.auctions_and_plays import write_auctions, write_plays
from overtrick.files.formats.pbn.write.syntax import LINE_LIMIT

_SCHEMA: Final[dict[str, ColumnType]] = {
    "record": pl.UInt32,
    "name": pl.String,
    "value": pl.String,
    "text": pl.String,
    "fault": pl.String,
    "remarks": pl.List(pl.String),
}
_COLUMN: Final = re.compile(r"[+-]?[^\s;\\+-][^;\\]*(?:\\([0-9]{1,3})([LR]?))?", re.IGNORECASE)


def write_sections(session: Session, in_force: pl.DataFrame) -> pl.DataFrame:
    """Write all sections: record, name, value (of the tag), text, fault (why it had to stay as it was), remarks.

    Args:
        session: the session as it was read.
        in_force: tags: record, name, text, line, column. One that a game leaves out, and so has no line, heads
            no section.
    """
    stated = in_force.drop_nulls("line")
    listed = session.items.filter(pl.col("kind") == "section")
    written = listed.unique(["record", "name"], keep="first", maintain_order=True)
    headed = written.join(
        stated.select("record", "name", pl.col("text").alias("value")), on=["record", "name"], how="left"
    )
    empty = stated.filter(pl.col("name").is_in(names(heads="table"))).join(written, on=["record", "name"], how="anti")
    auctions_and_plays = [
        write(session, *(frame.filter(pl.col("name") == name) for frame in (stated, written)))
        for name, write in (("Auction", write_auctions), ("Play", write_plays))
    ]
    tables = pl.DataFrame(
        [
            *_write_tables(headed.filter(~pl.col("name").is_in(names(heads="part")))),
            *(
                (record, name, header, "", None, [])
                for record, name, header in empty.select("record", "name", "text").rows()
            ),
        ],
        schema=_SCHEMA,
        orient="row",
    )
    return pl.concat([*auctions_and_plays, tables], how="diagonal")


def _write_tables(written: pl.DataFrame) -> Iterator[tuple[object, ...]]:
    tables = names(heads="table")
    for record, name, header, text in written.select("record", "name", "value", "text").iter_rows():
        cells, remarks = split_remarks(text)
        rows = lay_out_rows(header or "", cells)
        if rows is not None:
            yield record, name, header or "", rows, None, remarks
        else:
            fault = f"the rows of {name} do not fit its header" if name in tables else None
            yield record, name, header or "", text, fault, []


def split_remarks(text: str) -> tuple[str, list[str]]:
    """Take comments and escape lines out of a section's text; lines stay lines."""
    pieces = strings_or_remarks()
    remarks = [match[2] for match in pieces.finditer(text) if match[2]]
    return pieces.sub(lambda match: match[1] or "\n" * match[0].count("\n"), text), remarks


def lay_out_rows(header: str, text: str) -> str | None:
    r"""Write a table's rows.

    Args:
        header: the tag's value, `[+|-]Name[\width[L|R]]` with `;` between (5.2); a width is a minimum.
        text: the cells, without comments.

    Returns:
        A row a line, or None where the cells do not make whole rows, a string is never closed, or the value is not a
        header. A row that is too long for a line goes on in the next one.
    """
    widths = _read_widths(header)
    rows = _cut_rows(text, len(widths)) if widths else None
    if rows is None:
        return None
    return "\n".join(line for row in rows for line in _lay_out_row(row, widths))


def _read_widths(header: str) -> list[tuple[int, str]]:
    """Return the width and the side of each column; nothing if the text is not a header."""
    columns = [_COLUMN.fullmatch(column) for column in header.split(";")]
    if not all(columns) or (len(columns) == 1 and " " in header.strip()):
        return []
    return [(int(match[1] or 0), (match[2] or "L").upper()) for match in columns if match]


def _cut_rows(text: str, width: int) -> list[list[str]] | None:
    """Cut cells into rows: a line that is one stays one, consecutive cells of other lines are counted."""
    cell = matcher("CELL")
    lines = text.split("\n")
    if any('"' in cell.sub("", line) for line in lines if '"' in line):
        return None
    rows: list[list[str]] = []
    for _, neighbours in groupby(map(cell.findall, lines), key=lambda cells: len(cells) == width):
        cells = [*chain.from_iterable(neighbours)]
        if len(cells) % width:
            return None
        rows += [cells[at : at + width] for at in range(0, len(cells), width)]
    return rows


def _lay_out_row(cells: list[str], widths: list[tuple[int, str]]) -> list[str]:
    padded = [
        cell.rjust(min(width, LINE_LIMIT)) if side == "R" else cell.ljust(min(width, LINE_LIMIT))
        for cell, (width, side) in zip(cells, widths, strict=True)
    ]
    # A `%` that begins a line would hide it.
    line = " ".join(["", *padded] if padded[0].startswith("%") else padded).rstrip()
    if len(line) <= LINE_LIMIT:
        return [line]
    lines = [""]
    for cell in cells:
        if lines[-1] and len(lines[-1]) + 1 + len(cell) > LINE_LIMIT:
            lines.append("")
        lines[-1] += f" {cell}" if lines[-1] else cell
    return lines
