"""Deals and boards, held against the Laws."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "deal-hand-size": Code(
        "error",
        "board {board}: {seat} has {cards} cards instead of 13; the board is not scored",
        "Correct the Deal tag, or write - for a hand that is not known.",
        "Laws 1 and 6",
    ),
    "deal-duplicate-card": Code(
        "error",
        "board {board}: {card} is in {first} and in {second}; the board is not scored",
        "Correct the Deal tag.",
        "Law 1",
    ),
    "deal-end-position": Code(
        "info", "board {board}: the hands have {cards} cards each: an end position", "Nothing to do.", "PBN 3.10"
    ),
    "deal-partial": Code(
        "warning",
        "board {board}: the hands have from {least} to {most} cards: a part of a deal, which is not scored",
        "Nothing to do for a lesson; otherwise correct the Deal tag.",
        "PBN 3.4.11",
        tolerance=True,
    ),
    "deal-without-cards": Code(
        "warning",
        "board {board}: the hands of the deal have no cards",
        "Enter the deal, or leave the Deal tag empty.",
        "PBN 3.4.11",
        tolerance=True,
    ),
    "board-dealer": Code(
        "warning",
        "board {board}: the file says that {stated} deals, by its number it is {expected}; the file's dealer counts",
        "Check the board number and the dealer.",
        "Law 2",
    ),
    "board-vulnerability": Code(
        "warning",
        "board {board}: the file says vulnerable {stated}, by its number it is {expected}; the file's counts",
        "Check the board number and the vulnerability; scores follow the file.",
        "Law 2",
    ),
}
