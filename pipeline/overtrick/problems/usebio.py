"""USEBIO, and what can be wrong with XML."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "xml-refused": Code(
        "error",
        "the file is not read: {reason}",
        "Exchange files need no such thing; write the file again with the scoring program.",
    ),
    "xml-broken": Code(
        "error",
        "the XML breaks off here: {reason}; what stands before is read",
        "Write the file again with the scoring program, or mend the line.",
        "XML 1.0",
    ),
    "xml-encoding": Code(
        "warning",
        "the text is not in {declared}, as the file says; it is read as {encoding}",
        "Check the names.",
        "XML 1.0, 4.3.3",
        tolerance=True,
    ),
    "xml-ampersand": Code(
        "warning",
        "& begins nothing that XML knows; it is read as in HTML",
        "Write &amp; for it, and letters as they are.",
        "XML 1.0, 2.4",
        tolerance=True,
    ),
    "usebio-nothing": Code(
        "warning",
        "the file has no event with boards or participants",
        "Check that this is a file of results.",
    ),
    "usebio-value": Code(
        "warning",
        "{element} {text} is not understood; it counts as unknown",
        "Correct it in the scoring program and write the file again.",
        "USEBIO",
    ),
    "usebio-board": Code(
        "error",
        "a board without a number: its {lines} results are not scored",
        "Give BOARD_NUMBER a whole number.",
        "USEBIO",
    ),
    "usebio-deal": Code("warning", "board {board}: {fault}", "Correct the hands of this board.", "USEBIO"),
    "usebio-participant": Code(
        "warning",
        "{contestant} has results and is no participant",
        "Check the number; results count for a contestant without names.",
        "USEBIO",
    ),
    "usebio-line-repeated": Code(
        "info",
        "board {board}: the same result stands again; it counts once",
        "Nothing to do: individuals' results are often listed once a player.",
        "USEBIO",
    ),
    "usebio-not-written": Code(
        "info",
        "{lines} results that were not played, or have no board number, have no line in USEBIO",
        "Nothing to do.",
        "USEBIO",
    ),
    "usebio-award-written": Code(
        "warning",
        "board {board}: USEBIO holds artificial scores of both sides in whole percents below 100; this one is changed",
        "Enter it in the program that takes the file.",
        "USEBIO",
    ),
    "usebio-vulnerability": Code(
        "warning",
        "board {board}: vulnerable {vulnerable}, which USEBIO can't say; who reads the file goes by the number",
        "Check the scores of this board there.",
        "USEBIO",
    ),
}
