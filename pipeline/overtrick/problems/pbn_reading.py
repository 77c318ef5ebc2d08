"""Reading PBN: what can't be read, and what is read although it is written in another way."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "pbn-byte-order-mark": Code(
        "info",
        "the file begins with a byte order mark ({encoding})",
        "Nothing to do.",
        "PBN 2.2",
        tolerance=True,
    ),
    "pbn-tag-unquoted": Code(
        "warning",
        'tag {name} has no value in quotes; it is read as "{text}"',
        'Write the value in double quotes, such as [Event "Tuesday Pairs"].',
        "PBN 3.1",
        tolerance=True,
    ),
    "pbn-tag-unclosed": Code(
        "error",
        "tag {name} is not closed; its value is read up to the end of the line",
        'A tag ends with a double quote and a bracket: "].',
        "PBN 3.1",
    ),
    "pbn-tag-broken": Code("error", "this is no tag: {text}", 'A tag looks like [Board "1"].', "PBN 3.1"),
    "pbn-tag-spaced": Code(
        "warning",
        "the name of this tag has a space in it; it is kept and not used: {text}",
        "Write the name as one word, such as CorrectionSequence.",
        "PBN 3.2",
        tolerance=True,
    ),
    "pbn-comment-unclosed": Code(
        "error",
        "a comment is opened with a brace and never closed; it is taken to end before the next tag",
        "Close the comment with }.",
        "PBN 3.8",
    ),
    "pbn-string-unclosed": Code(
        "error", "a double quote is never closed on this line", "Close the text with a second double quote.", "PBN 3.2"
    ),
    "pbn-stray-text": Code(
        "warning",
        "this text belongs to no section and is passed over: {text}",
        "Remove it, or put it in a comment between { and }.",
        "PBN 5.1",
        tolerance=True,
    ),
    "pbn-damaged": Code(
        "error",
        "from here on there is damage in {left} more places, which are not listed",
        "Export the file again from the program that wrote it.",
    ),
    "pbn-tag-repeated": Code(
        "warning",
        "tag {name} stands twice in one game; the first one counts",
        "Remove one of the two.",
        "PBN 3.3",
        tolerance=True,
    ),
    "pbn-inherit-nothing": Code(
        "warning",
        '[{name} "#"] repeats the value of the game before, but none has this tag; it is unknown',
        "Write the value itself.",
        "PBN 4.8",
        tolerance=True,
    ),
    "pbn-inherit-forbidden": Code(
        "error", "tag {name} can't be inherited with #; it is unknown", "Write the value itself.", "PBN 4.8"
    ),
    "pbn-board-left-out": Code(
        "info",
        "this game states a result but no board; it is taken to be of the same board as the game before",
        "Nothing to do if it is the other room's result.",
        "PBN 4.8",
        tolerance=True,
    ),
    "pbn-tag-value": Code(
        "error", '[{name} "{value}"] can\'t be read: expected {expected}', "Correct the value.", "PBN 3.4"
    ),
    "pbn-board-number": Code(
        "error",
        '[{name} "{value}"] is no board number: expected {expected}; the board is not scored',
        "Number the boards 1, 2, 3, ...",
        "PBN 3.4.4",
    ),
    "pbn-spelling": Code(
        "warning",
        '[{name} "{value}"] is not written as the standard asks; it is understood',
        "Nothing to do, unless another program refuses the file.",
        "PBN 3.4",
        tolerance=True,
    ),
    "pbn-deal": Code(
        "error",
        "the deal can't be read: {fault}",
        "A deal looks like N:AK2.QJ3.987.T654 and three more hands, a space between; - for a hand not known.",
        "PBN 3.4.11",
    ),
    "pbn-deal-open": Code(
        "warning",
        "the deal has {fault}; it is unknown",
        "Nothing to do for a lesson; otherwise name all cards, or write - for the hand.",
        "PBN 3.4.11",
        tolerance=True,
    ),
    "pbn-deal-spelling": Code(
        "warning",
        "the deal has {fault}",
        "Write one space between two hands and nowhere else, and T for the ten.",
        "PBN 3.4.11",
        tolerance=True,
    ),
    "pbn-table-header": Code(
        "error",
        '[{name} "{value}"] is no table header; the table is passed over',
        "A header names the columns with ; between, such as PairId_NS;PairId_EW;Contract;Declarer;Result.",
        "PBN 5.2",
    ),
    "pbn-table-names": Code(
        "info",
        "the names in this row can't be told apart and are left out: {text}",
        "Put each pair's names in double quotes.",
        "PBN 5.1",
        tolerance=True,
    ),
    "pbn-table-unquoted": Code(
        "info",
        "names stand in this table without quotes, here for the first time, and are told apart by the gap between them:"
        " {text}",
        "Put each pair's names in double quotes.",
        "PBN 5.1",
        tolerance=True,
    ),
    "pbn-table-row": Code(
        "error",
        "expected {expected} cells in a row of this table, got {got}: {text}",
        "Write a cell for each column, - where there is nothing; put a cell that holds a space in double quotes.",
        "PBN 5.1",
    ),
    "pbn-call-unknown": Code(
        "warning",
        "{text} is no call",
        "Calls are Pass, X, XX, AP and bids such as 1C or 3NT.",
        "PBN 3.5",
        tolerance=True,
    ),
    "pbn-card-unknown": Code(
        "warning",
        "{text} is no card",
        "A card is a suit and a rank, such as SA or HT.",
        "PBN 3.6",
        tolerance=True,
    ),
}
