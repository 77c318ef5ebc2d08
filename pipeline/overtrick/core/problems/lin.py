"""Problems of reading and writing LIN: damage, unusual spellings, conflicting results, and what LIN cannot store."""

from typing import Final

from overtrick.core.problems.code import Code

_KEEP: Final = "Keep the original file as well."
_VULNERABILITIES: Final = "o (nobody), n (N-S), e (E-W) or b (both)"

CODES: Final[dict[str, Code]] = {
    "lin-session-cut": Code(
        "warning",
        "the session is longer than 16 MB; overtrick splits it, and its header applies only to the first part",
        "Check the file: no session is this long.",
        "LIN vg",
    ),
    "lin-pipe-missing": Code(
        "warning",
        "a pipe is missing here; overtrick reads {name}|{text}|",
        "Write both pipes of each command: two characters, a pipe, the value and a pipe.",
        "LIN",
        tolerance=True,
    ),
    "lin-pipe-extra": Code(
        "warning",
        "there is an extra pipe here; overtrick ignores it",
        "Remove the pipe: a command has one before its value and one after it.",
        "LIN",
        tolerance=True,
    ),
    "lin-board-without-qx": Code(
        "warning",
        'qx is missing before "{text}"; overtrick reads it as a board and room',
        "Write qx| before it.",
        "LIN",
        tolerance=True,
    ),
    "lin-command-torn": Code(
        "warning",
        "there is white space inside a command; overtrick reads {name}|{text}|",
        "Write the two characters of the command with nothing between them.",
        "LIN",
        tolerance=True,
    ),
    "lin-value-unclosed": Code(
        "warning",
        "the text ends in the middle of command {name}; overtrick keeps the value as far as it goes",
        "Export the file again, or end the value with a pipe: the file may have been cut off.",
        "LIN",
        tolerance=True,
    ),
    "lin-value-broken": Code(
        "info",
        "a line break splits this text before its last two letters, which look like the command rs; overtrick removes"
        " the line break",
        "No action is needed.",
        "LIN",
        tolerance=True,
    ),
    "lin-link-in-chat": Code(
        "warning",
        "this chat holds a link with pipes in it; overtrick keeps the link as part of the chat",
        "Write %7C for each pipe of the link, or remove the link.",
        "LIN nt",
        tolerance=True,
    ),
    "lin-command-unknown": Code(
        "info",
        '"{name}" is not a known command; overtrick keeps it unchanged',
        "Check the command for a typing error.",
        "LIN",
    ),
    "lin-stray-text": Code(
        "warning",
        "this text does not belong to any command; overtrick ignores it: {text}",
        "Remove the text, or begin its line with %.",
        "LIN",
        tolerance=True,
    ),
    "lin-call-unknown": Code(
        "warning",
        '"{text}" is not a call',
        "Write a call as p, d, r or a bid such as 1C or 3N.",
        "LIN mb",
        tolerance=True,
    ),
    "lin-bid-after-end": Code(
        "error",
        '"{text}" comes after the passes that ended the auction; overtrick leaves out this call and those after it',
        "Remove the extra calls, or correct the passes before them.",
        "Law 22",
        tolerance=True,
    ),
    "lin-calls-after-end": Code(
        "info",
        "the auction is over before this pass; overtrick leaves it out",
        "No action is needed.",
        "Law 22",
        tolerance=True,
    ),
    "lin-card-unknown": Code(
        "warning",
        '"{text}" is not a card',
        "Write a card as suit and rank, such as SA or hT.",
        "LIN pc",
        tolerance=True,
    ),
    "lin-cards-too-many": Code(
        "warning",
        "this is the 53rd card of the play; overtrick leaves out this card and those after it",
        "Correct the play.",
        "LIN pc",
        tolerance=True,
    ),
    "lin-card-turn": Code(
        "warning",
        "trick {trick}: {player} plays {card}, but it is {due}'s turn",
        "Put the cards of the trick in the order in which they were played.",
        "Law 44",
        tolerance=True,
    ),
    "lin-trick-turned": Code(
        "info",
        "trick {trick}: {player}'s card comes first, but it is {due}'s turn to lead; overtrick gives each card to the"
        " hand that holds it",
        "No action is needed; overtrick treats a lead out of turn as accepted.",
        "Laws 44 and 53",
        tolerance=True,
    ),
    "lin-header": Code(
        "warning",
        "expected 9 fields in the session header, got {fields}",
        "Write event, segment, scoring, first board, last board, and each team with its carry-over; names cannot"
        " contain commas.",
        "LIN vg",
    ),
    "lin-film": Code(
        "info",
        "this file is a lesson; overtrick reads its deals ({count}) but no results",
        "No action is needed.",
        "LIN",
    ),
    "lin-board-stuck": Code(
        "warning",
        '{count} different deals have the same label "{label}"; overtrick uses the board numbers in their titles',
        "Use the same board numbers in the labels as in the titles.",
        "LIN qx",
        tolerance=True,
    ),
    "lin-board-differs": Code(
        "warning",
        'label "{label}" and title "{title}" name different boards; overtrick uses the label',
        "Correct the label or the title.",
        "LIN qx",
    ),
    "lin-board-again": Code(
        "warning",
        "board {board} appears twice in the {room} room; overtrick uses the fuller version and leaves this one out",
        "Remove the version that is wrong.",
        "LIN qx",
        tolerance=True,
    ),
    "lin-deal-again": Code(
        "info",
        "the same board begins twice; overtrick uses the fuller version and leaves this one out",
        "Remove the version that was not played.",
        "LIN md",
        tolerance=True,
    ),
    "lin-deal": Code(
        "error",
        "overtrick cannot read the deal: {fault}",
        "Write the dealer's digit, then the hands of South, West, North and East with commas between them; a hand"
        " looks like SAK2HQJ3D987CT654.",
        "LIN md",
    ),
    "lin-diagram": Code(
        "info",
        "overtrick leaves out the deal of this diagram: {fault}",
        "No action is needed.",
        "LIN md",
    ),
    "lin-deal-differs": Code(
        "warning",
        "board {board}: the cards in the {room} room differ from those where the board first appears",
        "Correct one of the two deals.",
        "LIN md",
    ),
    "lin-vulnerability": Code(
        "warning",
        '"{text}" is not a vulnerability; overtrick assumes that nobody is vulnerable',
        f"Write {_VULNERABILITIES}.",
        "LIN sv",
        tolerance=True,
    ),
    "lin-vulnerability-missing": Code(
        "info",
        "the file does not give the vulnerability; overtrick uses that of board {board}",
        f"Write sv| and {_VULNERABILITIES}.",
        "LIN sv",
    ),
    "lin-boards-named": Code(
        "info",
        "the boards in the session's lists are not consecutive; overtrick uses the numbers in bn",
        "No action is needed, but the website's viewer counts on from the first board in the header.",
        "LIN bn",
    ),
    "lin-result-item": Code(
        "error",
        '"{item}" is not a result; overtrick leaves it out',
        "Write level, strain, declarer, x or xx, and = or the tricks over or under, such as 4SWx-1; write P for a board"
        " that was passed out.",
        "LIN rs",
    ),
    "lin-result-beyond": Code(
        "warning",
        "the list of results continues after the session's last board; overtrick leaves out the extra results"
        " ({count})",
        "Correct the last board in the session header if the results belong to the session.",
        "LIN rs",
    ),
    "lin-result-unlisted": Code(
        "info",
        "this board is missing from the list of results; overtrick uses the contract and tricks of the auction and"
        " play",
        "No action is needed unless the board was adjusted.",
        "LIN rs",
    ),
    "lin-result-contract": Code(
        "warning",
        "the list of results says {item}, but the auction ended in {bid} by {bid_declarer}; overtrick uses the list",
        "Check the list and the auction.",
        "LIN rs",
    ),
    "lin-result-tricks": Code(
        "warning",
        "the list of results says {item} ({listed} tricks), but the play or the claim gives {shown}; overtrick uses"
        " the list",
        "Check the list and the play.",
        "LIN rs",
    ),
    "lin-claim": Code(
        "warning",
        '"{text}" is not a number of tricks',
        "Write declarer's tricks in the whole deal, from 0 to 13.",
        "LIN mc",
        tolerance=True,
    ),
    "lin-claim-play": Code(
        "warning",
        "the claim says {claimed} tricks, but the play gives declarer {won}; overtrick uses the play unless the list"
        " of results has this board",
        "Check the play and the claim.",
        "LIN mc",
    ),
    "lin-claim-range": Code(
        "warning",
        "the claim says {claimed} tricks, but declarer has already won {won} and lost {lost}",
        "Check the play and the claim.",
        "Law 68",
    ),
    "lin-own": Code(
        "warning",
        "overtrick does not understand what this command says of the table: {text}",
        "Convert the original file again, or remove the command.",
        "LIN",
    ),
    "lin-tags-not-written": Code("warning", "LIN cannot store these parts of the file: {names}", _KEEP, "LIN"),
    "lin-results-not-written": Code(
        "warning",
        "LIN needs the number of a board for each result; overtrick leaves out results without it (results: {count})",
        _KEEP,
        "LIN",
    ),
    "lin-board-not-written": Code(
        "warning",
        "LIN cannot store a board without cards, auction and result; overtrick leaves it out",
        _KEEP,
        "LIN md",
    ),
    "lin-contract-not-written": Code(
        "warning",
        "the auction and the play do not give this contract and result, and LIN lists results only for boards with a"
        " number; overtrick leaves out the contract and result",
        "Number the board.",
        "LIN rs",
    ),
    "lin-auction-not-written": Code(
        "warning",
        "{fault}; overtrick writes the auction only up to call {index}",
        "Correct the auction, or keep the original file.",
        "LIN mb",
    ),
    "lin-play-not-written": Code(
        "warning",
        "overtrick cannot tell which card comes next and writes the play only up to card {index}",
        "Correct the play, or keep the original file.",
        "LIN pc",
    ),
    "lin-marks-not-written": Code(
        "warning",
        "LIN cannot store irregularities or marks such as ! and $1; overtrick leaves them out (marks: {count})",
        _KEEP,
        "LIN mb",
    ),
    "lin-text-changed": Code(
        "warning",
        "LIN cannot store this text unchanged ({what}); overtrick writes: {written}",
        "No action is needed if the text still says the same.",
        "LIN",
    ),
}
