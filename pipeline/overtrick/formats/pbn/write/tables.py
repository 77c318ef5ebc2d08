"""Supplemental sections in export form (PBN 5): a row a line, cells padded to the widths of the header."""

import re
from typing import Final

from overtrick.formats.pbn.write.syntax import LINE_LIMIT

TABLES: Final = frozenset(
    """ActionTable AuctionTimeTable InstantScoreTable OptimumPlayTable OptimumResultTable PlayTimeTable ScoreTable
    TotalScoreTable""".split()
)
"""The sections of PBN 5.3 to 5.10; other tags head a section where text stands below them."""

_COLUMN: Final = re.compile(r"[+-]?[^\s;\\+-][^;\\]*(?:\\(\d{1,3})([LR]?))?", re.IGNORECASE)
_PIECE: Final = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|(^%[^\n]*|\{[^}]*\}?|;[^\n]*)', re.MULTILINE)
_CELL: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[^\s"]+')


def split_remarks(text: str) -> tuple[str, list[str]]:
    """Take comments and escape lines out of a section's text; lines stay lines."""
    remarks = [match[2] for match in _PIECE.finditer(text) if match[2]]
    return _PIECE.sub(lambda match: match[1] or "\n" * match[0].count("\n"), text), remarks


def table_rows(header: str, text: str) -> str | None:
    r"""Write a table's rows.

    Args:
        header: the tag's value, `[+|-]Name[\width[L|R]]` with `;` between (5.2); a width is a minimum.
        text: the cells, without comments.

    Returns:
        A row a line, or None where the cells don't make whole rows, a string is never closed or the value is no header.
        A row that is too long for a line goes on in the next one.
    """
    columns = [_COLUMN.fullmatch(column) for column in header.split(";")]
    if not all(columns) or (len(columns) == 1 and " " in header.strip()):
        return None
    widths = [(int(match[1] or 0), (match[2] or "L").upper()) for match in columns if match]
    rows = _rows(text, len(widths))
    if rows is None:
        return None
    return "\n".join(line for row in rows for line in _row(row, widths))


def _rows(text: str, width: int) -> list[list[str]] | None:
    """Cut cells into rows: a line that is one stays one, cells of other lines that follow each other are counted."""
    rows: list[list[str]] = []
    open_cells: list[str] = []
    for line in [*text.split("\n"), None]:
        if line and '"' in line and '"' in _CELL.sub("", line):
            return None
        cells = _CELL.findall(line) if line is not None else []
        if line is not None and len(cells) != width:
            open_cells += cells
            continue
        if len(open_cells) % width:
            return None
        rows += [open_cells[at : at + width] for at in range(0, len(open_cells), width)]
        rows += [cells] if cells else []
        open_cells = []
    return rows


def _row(cells: list[str], widths: list[tuple[int, str]]) -> list[str]:
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
