"""Bridgemate databases."""

from typing import Final

from overtrick.problems.code import Code

_CHECK: Final = "Check the result in the scoring program."

CODES: Final[dict[str, Code]] = {
    "bws-unreadable": Code(
        "error", "this is no database of Bridgemate results", "Give the .bws file that the scoring program made."
    ),
    "bws-value": Code(
        "warning",
        "board {board}, round {round}: {column_name} '{text}' is not understood; it counts as unknown",
        _CHECK,
    ),
    "bws-deal": Code("warning", "board {board}: {fault}", "Correct the hands of this board."),
    "bws-erased": Code("info", "board {board}, round {round}: a result that was erased is left out", "Nothing to do."),
    "bws-entered-again": Code(
        "info", "board {board}, round {round}: entered more than once; the last entry counts", "Nothing to do."
    ),
    "bws-arbitral": Code(
        "warning",
        "board {board}, round {round}: an arbitral score, which the database does not hold; the result is not scored",
        "Enter the director's score in the scoring program.",
        "Law 12C",
    ),
    "bws-declarer": Code(
        "warning",
        "board {board}, round {round}: pair {declaring} is said to declare and did not sit {side}; the seat counts",
        _CHECK,
    ),
    "bws-movement": Code(
        "warning",
        "board {board}, round {round}: {pairs} are entered, the movement has {expected}; the entry counts",
        _CHECK,
    ),
    "bws-wrong-way": Code(
        "warning",
        "board {board}, round {round}: {pairs} are entered, the movement has them the other way round;"
        " the entry counts",
        "If the two were exchanged when they were entered, exchange them; contract, declarer and score stay.",
    ),
    "bws-board": Code(
        "warning",
        "board {board}, round {round}: {pairs} are entered, and the movement has no such board at table {table}",
        _CHECK,
    ),
    "bws-missing": Code(
        "warning", "board {board}, round {round}: no result of {pairs} was entered", "Enter it, or mark it not played."
    ),
    "bws-turn": Code(
        "warning",
        "board {board}, round {round}: {text} is recorded for {direction} where another had to call; it stays there",
        "Look at the auction of this table.",
        "Law 17C",
    ),
    "bws-left-out": Code(
        "warning",
        "board {board}, round {round}: {column_name} '{text}' of {direction} has no place there; it is left out",
        "Look at the auction and the play of this table.",
    ),
    "bws-not-read": Code("info", "{rows} rows of {table_name} are not read", "Nothing to do: they change no score."),
}
