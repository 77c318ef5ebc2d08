"""Problems of the files that clubs exchange with other programs and websites, and of tables that people type."""

from typing import Final

from overtrick.core.problems.code import Code

_EXPORT_AGAIN: Final = "Export the file again from the program that wrote it."

CODES: Final[dict[str, Code]] = {
    "table-columns": Code(
        "info",
        "overtrick reads these columns so: {columns}",
        "Name a column under [tables] in club.toml if it means something else, or change its header.",
    ),
    "table-header": Code(
        "error",
        "no line of this sheet names the columns of a table of results; expected at least board, ns and ew",
        "Write board, ns and ew above the columns, or start from a sheet made by overtrick template.",
    ),
    "table-tricks-relative": Code(
        "warning",
        "the column of tricks has = or a minus, so overtrick counts its other numbers from the contract: 1 is +1",
        "Write +1 for an overtrick, or the number of tricks in each cell.",
    ),
    "sheets-missing": Code(
        "error",
        "overtrick needs another package to read and write spreadsheets: {reason}",
        "Install it with: pip install 'overtrick[sheets]'. Or save the sheet as CSV.",
    ),
    "sheets-unreadable": Code(
        "error",
        "the spreadsheet cannot be opened: {reason}",
        "Save it again in your spreadsheet program, without a password.",
    ),
    "sheets-other": Code(
        "info",
        "overtrick leaves out sheet {sheet}, because no line of it names the columns of a table of results",
        "No action is needed if it holds something else.",
    ),
    "exchange-line": Code(
        "warning",
        "overtrick does not understand this line and keeps it unchanged: {text}",
        _EXPORT_AGAIN,
    ),
    "exchange-value": Code(
        "warning",
        "overtrick does not understand '{text}' in field {field} and treats it as unknown",
        "Correct the value in the program that wrote the file.",
    ),
    "exchange-cut": Code(
        "error",
        "the file ends in the middle of {what}; overtrick leaves it out",
        _EXPORT_AGAIN,
    ),
    "exchange-part": Code(
        "info",
        "overtrick does not use {what} of this file, and keeps it",
        "No action is needed: it does not affect the scores.",
    ),
    "json-broken": Code(
        "error",
        "the JSON is broken here: {reason}",
        "Copy the file again: overtrick writes such a file whole.",
        "RFC 8259",
    ),
    "json-schema": Code(
        "error",
        "{place}: expected {expected}, got {text}; overtrick leaves it out",
        "Correct the value, or write the file again with overtrick convert.",
        "session.schema.json",
    ),
    "acblscore-kind": Code(
        "error",
        "section {section} is {kind}; overtrick reads only events of pairs from game files of ACBLscore",
        "Use a text report of this section from ACBLscore instead.",
    ),
    "acblscore-fouled": Code(
        "warning",
        "board {board}, section {section}: the N-S pairs {pairs} played it in another form; overtrick compares them"
        " with all others",
        "Use the option --fouled of overtrick correct for these pairs.",
        "Law 87",
    ),
    "bbo-ranking": Code(
        "error",
        "this page of Bridge Base Online lists the ranking of a tournament and no results",
        "Save the page of the hands of a pair, or of each board with all tables, instead.",
    ),
    "connector-value": Code(
        "error",
        "{place}: expected {expected}, got {text}; overtrick leaves it out",
        "Check this result in Bridgemate's control software, then run overtrick terminals poll again.",
    ),
    "link-not-written": Code(
        "warning",
        "board {board}: a link shows all four hands, and this deal does not have them; overtrick leaves it out",
        "Convert to PBN to keep it.",
    ),
    "format-not-written": Code(
        "info",
        "{title} cannot store {what}; overtrick leaves them out",
        "Convert to PBN to keep them.",
    ),
}
