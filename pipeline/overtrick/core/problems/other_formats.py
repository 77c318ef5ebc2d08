"""Problems of USEBIO and its XML, Bridgemate databases, CSV tables, and files for dealing machines."""

from typing import Final

from overtrick.core.problems.code import Code

_CHECK_RESULT: Final = "Check the result in the scoring program."
_COPY_DATABASE: Final = "Copy the file again from the computer of the scoring program."
_SAVE_AGAIN: Final = "Save the file again in the program that made the deals."

CODES: Final[dict[str, Code]] = {
    "xml-refused": Code(
        "error",
        "overtrick refuses to read the file: {reason}",
        "Export the file again from the scoring program: a file of results never needs this.",
    ),
    "xml-broken": Code(
        "error",
        "the XML is broken here: {reason}; overtrick reads only the text before this point",
        "Export the file again from the scoring program, or correct the line.",
        "XML 1.0",
    ),
    "xml-encoding": Code(
        "warning",
        "the file declares the encoding {declared}, but its text does not fit; overtrick reads it as {encoding}",
        "Check that names look right.",
        "XML 1.0, 4.3.3",
        tolerance=True,
    ),
    "xml-ampersand": Code(
        "warning",
        "this & is not valid in XML; overtrick reads it as in HTML",
        "Write &amp; for an ampersand, and write accented letters directly.",
        "XML 1.0, 2.4",
        tolerance=True,
    ),
    "usebio-nothing": Code(
        "warning",
        "the file does not contain an event with boards or participants",
        "Check that this is a file of results.",
    ),
    "usebio-value": Code(
        "warning",
        "overtrick does not understand {element} {text} and treats it as unknown",
        "Correct it in the scoring program and export the file again.",
        "USEBIO",
    ),
    "usebio-board": Code(
        "error",
        "this board does not have a number, so its results are not scored (results: {lines})",
        "Give BOARD_NUMBER a whole number.",
        "USEBIO",
    ),
    "usebio-deal": Code("warning", "board {board}, deal: {fault}", "Correct the hands of this board.", "USEBIO"),
    "usebio-lin-data": Code(
        "warning",
        "board {board}: LIN_DATA {fault}, so overtrick does not use its auction and play",
        "No action is needed for the scores: they come from the other elements of the result.",
        "USEBIO",
    ),
    "usebio-line-repeated": Code(
        "info",
        "board {board}: the same result is listed again; overtrick counts it once",
        "No action is needed: individual events often list a result once for each player.",
        "USEBIO",
    ),
    "usebio-not-written": Code(
        "info",
        "USEBIO cannot store results that were not played or have no board number; overtrick leaves them out"
        " (results: {lines})",
        "No action is needed.",
        "USEBIO",
    ),
    "usebio-award-written": Code(
        "warning",
        "board {board}: USEBIO stores artificial scores only for both sides and in whole percentages below 100;"
        " overtrick changes this one",
        "Enter the score in the program that reads the file.",
        "USEBIO",
    ),
    "usebio-vulnerability": Code(
        "warning",
        "board {board}: USEBIO cannot store vulnerability {vulnerable}; other programs will use the board number's",
        "Check the scores of this board in the program that reads the file.",
        "USEBIO",
    ),
    "bws-unreadable": Code(
        "error",
        "this is not a database of Bridgemate results, or it is damaged",
        "Use the .bws file that the scoring program made.",
    ),
    "bws-cut": Code(
        "error",
        "the file is cut off, so overtrick cannot read all of the database",
        _COPY_DATABASE,
    ),
    "bws-damaged": Code(
        "error", "table {table_name} of the database is damaged; overtrick leaves it out", _COPY_DATABASE
    ),
    "bws-rows": Code(
        "error",
        "table {table_name} has {stated} rows, but overtrick can read only {rows}; the file is cut off or damaged",
        _COPY_DATABASE,
    ),
    "bws-slow": Code(
        "error",
        "reading the database took too long; overtrick stopped after {seconds} seconds and leaves out: {tables}",
        "Try again, and install mdbtools if that does not help. If the file is damaged, copy it again.",
    ),
    "bws-stopped": Code(
        "error",
        "reading the database ended too early, perhaps for lack of memory; overtrick leaves out: {tables}",
        "Try again. If that does not help, the file may be damaged: copy it again from the computer that made it.",
    ),
    "bws-column": Code(
        "warning",
        "table {table_name} does not have column {column_name}; overtrick treats its values as unknown",
        "Export the database again from the scoring program, or check the results.",
    ),
    "bws-number": Code(
        "warning",
        "table {table_name}, column {column_name}: expected a number, got '{text}'",
        "Correct the value in the scoring program.",
    ),
    "bws-section-number": Code(
        "warning",
        "several sections have the number {number}; overtrick treats them as one, {name}",
        "Check the sections in the scoring program.",
    ),
    "bws-section-letter": Code(
        "warning",
        "another section has the letter {letter} too; overtrick calls this one {number}",
        "Give each section a letter of its own in the scoring program.",
    ),
    "bws-value": Code(
        "warning",
        "board {board}, round {round}: overtrick does not understand '{text}' in column {column_name} and treats it"
        " as unknown",
        _CHECK_RESULT,
    ),
    "bws-deal": Code("warning", "board {board}, deal: {fault}", "Correct the hands of this board."),
    "bws-erased": Code(
        "info",
        "board {board}, round {round}: a result was erased; overtrick leaves it out",
        "No action is needed.",
    ),
    "bws-entered-again": Code(
        "info",
        "board {board}, round {round}: a result was entered more than once; overtrick uses the last entry",
        "No action is needed.",
    ),
    "bws-arbitral": Code(
        "warning",
        "board {board}, round {round}: the director gave an adjusted score, but the database does not store it; the"
        " result is not scored",
        "Enter the director's score in the scoring program.",
        "Law 12C",
    ),
    "bws-declarer": Code(
        "warning",
        "board {board}, round {round}: pair {declaring} is entered as declarer but did not sit {side}; overtrick uses"
        " declarer's seat",
        _CHECK_RESULT,
    ),
    "bws-movement": Code(
        "warning",
        "board {board}, round {round}: the entry says {pairs}, but the movement has {expected}; overtrick uses the"
        " entry",
        _CHECK_RESULT,
    ),
    "bws-wrong-way": Code(
        "warning",
        "board {board}, round {round}: the entry says {pairs}, but the movement has them the other way round;"
        " overtrick uses the entry",
        "Swap the two pairs if they were entered the wrong way round. Leave contract, declarer and score unchanged.",
    ),
    "bws-board": Code(
        "warning",
        "board {board}, round {round}: the entry says {pairs}, but the movement does not have this board at table"
        " {table}",
        _CHECK_RESULT,
    ),
    "bws-missing": Code(
        "warning",
        "board {board}, round {round}{at}: the result of {pairs} is missing",
        "Enter the result, or mark the board as not played.",
    ),
    "bws-turn": Code(
        "warning",
        "board {board}, round {round}: {text} is recorded for {direction} at another player's turn; overtrick keeps it",
        "Check the auction at this table.",
        "Law 17C",
    ),
    "bws-left-out": Code(
        "warning",
        "board {board}, round {round}: '{text}' of {direction} does not fit in column {column_name} here; overtrick"
        " leaves it out",
        "Check the auction and the play at this table.",
    ),
    "bws-not-read": Code(
        "info",
        "overtrick does not read table {table_name} (rows: {rows})",
        "No action is needed: the table does not affect the scores.",
    ),
    "csv-unreadable": Code(
        "error",
        "overtrick cannot split the table into columns",
        "Give every column in the first line a name of its own, and close every quote.",
    ),
    "csv-too-wide": Code(
        "warning",
        "the table has {count} columns; overtrick reads the first {kept} and those that it knows by name",
        "Remove the columns that have nothing to do with the results.",
    ),
    "csv-too-long": Code(
        "error",
        "the table has {count} lines; overtrick leaves out the lines from here on",
        "Save the results of each session as a table of its own.",
    ),
    "csv-value": Code(
        "warning",
        "overtrick does not understand '{text}' in column {column_name} and treats it as unknown",
        "Correct the cell.",
    ),
    "csv-cells": Code(
        "warning",
        "this line has more cells than the first line has columns; overtrick leaves out '{text}'",
        "Give these cells a column, or put text with a comma in it in quotes.",
    ),
    "csv-no-board": Code("warning", "this line does not name a board, so it is not scored", "Fill in the board."),
    "csv-column": Code(
        "info",
        "overtrick does not know column {column_name}; it keeps the cells",
        "Check the spelling of the column's name.",
    ),
    "deal-file-cards": Code("error", "{place}: {fault}; overtrick leaves out the deal", _SAVE_AGAIN, "Law 1"),
    "deal-file-cut": Code("error", "the last {size} bytes, from byte {byte} on, are not a whole deal", _SAVE_AGAIN),
    "deal-file-check-number": Code(
        "error",
        "board {board}: the check number is {stated}, but the cards give {computed}; overtrick leaves out the deal",
        _SAVE_AGAIN,
    ),
    "deal-file-header": Code(
        "warning",
        "the file says that it has {stated}, but overtrick found {found}",
        "Check that all boards are there.",
    ),
    "deal-file-two-forms": Code(
        "warning",
        "{place}: the hands for the screen differ from the cards for the machine; overtrick uses the machine's",
        _SAVE_AGAIN,
    ),
    "deal-file-tricks": Code(
        "warning",
        "{place}: a number of tricks is above 13; overtrick treats it as unknown",
        _SAVE_AGAIN,
    ),
    "deal-file-encrypted": Code(
        "error",
        "the deals are encrypted, so overtrick cannot read them",
        "Save them without a key in the program that made them.",
    ),
    "deal-file-line": Code(
        "warning",
        "overtrick does not understand {text} and keeps it unchanged",
        "Check the line, or leave it if it is a comment.",
    ),
    "deal-not-written": Code(
        "warning",
        "board {board}: overtrick does not write this board, which needs a number that the format allows and four hands"
        " of 13 cards",
        "No action is needed if the board was not dealt in advance.",
    ),
    "deal-written-once": Code(
        "warning",
        "board {board} has more than one deal; overtrick writes the first",
        "Convert the files of each session separately.",
    ),
    "deal-numbers-not-written": Code(
        "warning",
        "the format cannot store board numbers: boards {boards} become {numbers}",
        "Write a .dlm or .pbn file to keep the numbers.",
    ),
    "deal-gaps-written": Code(
        "warning",
        "boards {boards} do not have a deal; the file has unshuffled cards in their places",
        "Leave out these boards when you duplicate.",
    ),
}
