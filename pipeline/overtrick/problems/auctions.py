"""Auctions, held against the Laws and against what the file says of the contract."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "auction-out-of-turn": Code(
        "error",
        "board {board}: the auction begins with {caller}, but {dealer} deals",
        "Correct the dealer or the seat that the auction begins with.",
        "Law 17C",
        tolerance=True,
    ),
    "auction-insufficient": Code(
        "error",
        "board {board}: {call} by {caller} is not higher than {after}",
        "Correct the call. If it was accepted at the table, mark it: in PBN with ^I before it.",
        "Laws 18 and 27",
        tolerance=True,
    ),
    "auction-double-not-allowed": Code(
        "error",
        "board {board}: {caller} can't double: {reason}",
        "Correct the call: only a bid of the opponents can be doubled, and only once.",
        "Law 19A",
        tolerance=True,
    ),
    "auction-redouble-not-allowed": Code(
        "error",
        "board {board}: {caller} can't redouble: {reason}",
        "Correct the call: only a double by the opponents can be redoubled, and only once.",
        "Law 19B",
        tolerance=True,
    ),
    "auction-after-end": Code(
        "error",
        "board {board}: {call} by {caller} comes after the passes that ended the auction",
        "Take out the calls that are too many, or correct the passes before them.",
        "Law 22",
        tolerance=True,
    ),
    "auction-unfinished": Code(
        "info",
        "board {board}: the auction stops without the passes that end it",
        "Nothing to do if the rest is not known.",
        "Law 22",
    ),
    "contract-differs-from-auction": Code(
        "warning",
        "board {board}: the file says {stated}, the auction comes to {contract}; the file's contract counts",
        "Correct the contract or the auction.",
        "Law 22",
        tolerance=True,
    ),
    "declarer-differs-from-auction": Code(
        "warning",
        "board {board}: the file says that {stated} declares, by the auction it is {declarer};"
        " the file's declarer counts",
        "Correct the declarer, or the auction: passes before the opening bid may have been left out.",
        "Law 22A",
        tolerance=True,
    ),
    "irregularity-recorded": Code(
        "info", "board {board}: {what} is recorded as irregular ({mark})", "Nothing to do.", "PBN 3.9"
    ),
    "irregularity-unfounded": Code(
        "warning",
        "board {board}: {mark} marks {what} as irregular, and it is not",
        "Take the mark out, or correct what stands beside it.",
        "PBN 3.9",
        tolerance=True,
    ),
}
