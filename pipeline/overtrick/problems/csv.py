"""Results as a table of a spreadsheet."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "csv-unreadable": Code(
        "error",
        "the table can't be cut into columns",
        "Give every column of the first line a name of its own, and close every quote.",
    ),
    "csv-value": Code("warning", "{column_name} '{text}' is not understood; it counts as unknown", "Correct the cell."),
    "csv-cells": Code(
        "warning",
        "more cells than the first line has columns; '{text}' is left out",
        "Give these cells a column, or put a text with a comma in it between quotes.",
    ),
    "csv-no-board": Code("warning", "a line without a board; it is not scored", "Fill in the board."),
    "csv-column": Code(
        "info", "the column {column_name} is not known; its cells are kept", "Check the spelling of the column's name."
    ),
}
