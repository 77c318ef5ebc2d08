"""Files for dealing machines, and other lists of deals."""

from typing import Final

from overtrick.problems.code import Code

_AGAIN: Final = "Write the file again with the program that made the deals."

CODES: Final[dict[str, Code]] = {
    "deal-file-cards": Code("error", "{place}: {fault}; the deal is left out", _AGAIN, "Law 1"),
    "deal-file-cut": Code("error", "the last {size} bytes, from byte {byte} on, are no whole deal", _AGAIN),
    "deal-file-check-number": Code(
        "error",
        "board {board}: the check number is {stated}, the cards have {computed}; the deal is left out",
        _AGAIN,
    ),
    "deal-file-header": Code(
        "warning",
        "the file says that it has {stated}, it has {found}",
        "Check that no board is missing.",
    ),
    "deal-file-two-forms": Code(
        "warning",
        "{place}: the hands for the screen are not the cards for the machine; the machine's count",
        _AGAIN,
    ),
    "deal-file-encrypted": Code(
        "error", "the deals are encrypted and can't be read", "Save them without a key in the program that made them."
    ),
    "deal-file-line": Code(
        "warning", "{text} is not understood; it is kept as it is", "Check the line, or leave it as a comment."
    ),
    "deal-not-written": Code(
        "warning",
        "board {board}: no deal is written, it has no number or not four hands of 13 cards",
        "Nothing to do if the board was not dealt beforehand.",
    ),
    "deal-written-once": Code(
        "warning",
        "board {board} has more than one deal; the first is written",
        "Convert the files of each session by themselves.",
    ),
    "deal-numbers-not-written": Code(
        "warning",
        "the format holds no board numbers: boards {boards} become {numbers}",
        "Write a .dlm or .pbn file to keep the numbers.",
    ),
}
