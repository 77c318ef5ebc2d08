"""Problems of reading and writing PBN: damage, unusual spellings, and what export form cannot store."""

from typing import Final

from overtrick.core.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "pbn-byte-order-mark": Code(
        "info",
        "the file begins with a byte order mark ({encoding})",
        "No action is needed.",
        "PBN 2.2",
        tolerance=True,
    ),
    "pbn-tag-unquoted": Code(
        "warning",
        'the value of tag {name} is not in double quotes; overtrick reads it as "{text}"',
        'Write the value in double quotes, such as [Event "Tuesday Pairs"].',
        "PBN 3.1",
        tolerance=True,
    ),
    "pbn-tag-unclosed": Code(
        "error",
        "tag {name} is not closed; overtrick reads its value to the end of the line",
        'Close the tag with a double quote and a bracket: "].',
        "PBN 3.1",
    ),
    "pbn-tag-broken": Code("error", "this is not a tag: {text}", 'Write a tag in the form [Board "1"].', "PBN 3.1"),
    "pbn-tag-spaced": Code(
        "warning",
        "the name of this tag contains a space; overtrick keeps the tag but does not use it: {text}",
        "Write the name as one word, such as CorrectionSequence.",
        "PBN 3.2",
        tolerance=True,
    ),
    "pbn-comment-unclosed": Code(
        "error",
        "a comment opens with a brace but is never closed; overtrick ends it before the next tag",
        "Close the comment with }.",
        "PBN 3.8",
    ),
    "pbn-comment-games": Code(
        "warning",
        "this comment hides games (number: {count}; boards: {boards})",
        "Close the comment with } before these games if they were played.",
        "PBN 3.8",
    ),
    "pbn-string-unclosed": Code(
        "error", "a double quote on this line is never closed", "Close the text with a second double quote.", "PBN 3.2"
    ),
    "pbn-stray-text": Code(
        "warning",
        "this text does not belong to any section; overtrick ignores it: {text}",
        "Remove the text, or make it a comment between { and }.",
        "PBN 5.1",
        tolerance=True,
    ),
    "pbn-damaged": Code(
        "error",
        "there is more damage from here on, which overtrick does not list (places: {left})",
        "Export the file again from the program that wrote it.",
    ),
    "pbn-tag-repeated": Code(
        "warning",
        "tag {name} appears more than once in this game; overtrick uses the first",
        "Remove the extra tag.",
        "PBN 3.3",
        tolerance=True,
    ),
    "pbn-inherit-nothing": Code(
        "warning",
        '[{name} "#"] repeats the value of an earlier game, but no earlier game has this tag; the value is unknown',
        "Write the value itself instead of #.",
        "PBN 4.8",
        tolerance=True,
    ),
    "pbn-inherit-forbidden": Code(
        "error",
        "tag {name} cannot repeat the value of an earlier game with #; the value is unknown",
        "Write the value itself instead of #.",
        "PBN 4.8",
    ),
    "pbn-board-left-out": Code(
        "info",
        "this game has a result but no board; overtrick assumes the board of the game before it",
        "No action is needed if this is the result of the other room.",
        "PBN 4.8",
        tolerance=True,
    ),
    "pbn-tag-value": Code("error", 'tag {name}: expected {expected}, got "{value}"', "Correct the value.", "PBN 3.4"),
    "pbn-board-number": Code(
        "error",
        'tag {name}: expected {expected}, got "{value}"; the board is not scored',
        "Number the boards 1, 2, 3 and so on.",
        "PBN 3.4.4",
    ),
    "pbn-spelling": Code(
        "warning",
        '[{name} "{value}"] is not standard spelling, but overtrick understands it',
        "No action is needed unless another program rejects the file.",
        "PBN 3.4",
        tolerance=True,
    ),
    "pbn-deal": Code(
        "error",
        "overtrick cannot read the deal: {fault}",
        "Write the deal as N:AK2.QJ3.987.T654 and three more hands, with a space between hands and - for an unknown"
        " hand.",
        "PBN 3.4.11",
    ),
    "pbn-deal-open": Code(
        "warning",
        "the deal has {fault}; overtrick treats it as unknown",
        "No action is needed for a lesson; otherwise write every card, or - for an unknown hand.",
        "PBN 3.4.11",
        tolerance=True,
    ),
    "pbn-deal-spelling": Code(
        "warning",
        "the deal has {fault}, but overtrick understands it",
        "Write hands as AK2.QJ3.987.T654, with one space between them and T for the ten.",
        "PBN 3.4.11",
        tolerance=True,
    ),
    "pbn-table-header": Code(
        "error",
        '[{name} "{value}"] is not a table header; overtrick ignores the table',
        "Write the names of the columns with ; between them, such as PairId_NS;PairId_EW;Contract;Declarer;Result.",
        "PBN 5.2",
    ),
    "pbn-table-names": Code(
        "info",
        "overtrick cannot separate the names in this row and leaves them out: {text}",
        "Put each pair's names in double quotes.",
        "PBN 5.1",
        tolerance=True,
    ),
    "pbn-table-unquoted": Code(
        "info",
        "the names in this table are not in double quotes, first in this row; overtrick separates them by their"
        " spacing: {text}",
        "Put each pair's names in double quotes.",
        "PBN 5.1",
        tolerance=True,
    ),
    "pbn-table-row": Code(
        "error",
        "expected {expected} cells in this table row, got {got}: {text}",
        "Write one cell for each column, with - for an empty cell and double quotes around a cell with a space in it.",
        "PBN 5.1",
    ),
    "pbn-call-unknown": Code(
        "warning",
        '"{text}" is not a call',
        "Write a call as Pass, X, XX, AP or a bid such as 1C or 3NT.",
        "PBN 3.5",
        tolerance=True,
    ),
    "pbn-card-unknown": Code(
        "warning",
        '"{text}" is not a card',
        "Write a card as suit and rank, such as SA or HT.",
        "PBN 3.6",
        tolerance=True,
    ),
    "pbn-export-value": Code(
        "warning",
        'export form does not allow [{name} "{value}"]; overtrick writes "{written}" and keeps the value in a comment',
        "Correct the value, or keep the original file.",
        "PBN 3.4",
    ),
    "pbn-export-kept": Code(
        "warning",
        "{fault}; overtrick copies the section unchanged, so it is not in export form",
        "Correct the section, or keep the original file.",
        "PBN 2.1",
    ),
    "pbn-export-character": Code(
        "warning",
        "export form does not allow these characters, so overtrick replaces them: {characters}",
        "Keep the original file if names must stay exactly as they are.",
        "PBN 2.2",
    ),
    "pbn-export-line": Code(
        "warning",
        "overtrick cannot break a line of {length} characters; export form allows 253 before the line end",
        "Shorten the value: other programs may cut it off.",
        "PBN 2.3",
    ),
    "pbn-export-stray": Code(
        "info",
        "this text does not belong to any section, so overtrick writes it as a comment: {text}",
        "No action is needed.",
        "PBN 5.1",
    ),
    "pbn-commands-not-written": Code(
        "warning",
        "PBN cannot store these LIN commands: {names}",
        "Keep the LIN file as well.",
        "LIN",
    ),
    "pbn-braces": Code(
        "info",
        "a PBN comment cannot contain braces, so overtrick writes brackets instead: {text}",
        "No action is needed.",
        "PBN 3.8",
    ),
}
