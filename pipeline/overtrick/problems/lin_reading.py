"""Reading LIN: what can't be read, and what is read although it is written in another way."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "lin-session-cut": Code(
        "warning",
        "a session goes on for more than 16 MB of text; it is read in pieces, and its header holds for the first one",
        "Check the file: no session is so long.",
        "LIN vg",
    ),
    "lin-pipe-missing": Code(
        "warning",
        "a pipe is missing here; it is read as {name}|{text}|",
        "Two characters, a pipe, the value, a pipe: write both pipes of each command.",
        "LIN",
        tolerance=True,
    ),
    "lin-pipe-extra": Code(
        "warning",
        "there is a pipe too many here; it is passed over",
        "Remove it: a command has one pipe before its value and one behind it.",
        "LIN",
        tolerance=True,
    ),
    "lin-board-without-qx": Code(
        "warning",
        "{text} is taken for the board and room of a qx that is missing",
        "Write qx| before it.",
        "LIN",
        tolerance=True,
    ),
    "lin-command-torn": Code(
        "warning",
        "white space stands within a command; it is read as {name}|{text}|",
        "Write its two characters without anything between them.",
        "LIN",
        tolerance=True,
    ),
    "lin-value-unclosed": Code(
        "warning",
        "the text ends within {name}; what there is of it is kept",
        "The file may have been cut off: export it again, or end it with a pipe.",
        "LIN",
        tolerance=True,
    ),
    "lin-value-broken": Code(
        "info",
        "this text is broken before its last two letters, which look like the command rs; the line end is left out",
        "Nothing to do.",
        "LIN",
        tolerance=True,
    ),
    "lin-command-unknown": Code(
        "info",
        "{name} is no command that is known; it is kept as it is",
        "Nothing to do, unless it is a slip of the pen.",
        "LIN",
    ),
    "lin-stray-text": Code(
        "warning",
        "this text belongs to no command and is passed over: {text}",
        "Remove it, or begin its line with %.",
        "LIN",
        tolerance=True,
    ),
    "lin-call-unknown": Code(
        "warning",
        "{text} is no call",
        "Calls are p, d, r and bids such as 1C or 3N.",
        "LIN mb",
        tolerance=True,
    ),
    "lin-calls-after-end": Code(
        "info",
        "the auction is over before this call; what follows is left out",
        "Nothing to do.",
        "Law 22",
        tolerance=True,
    ),
    "lin-card-unknown": Code(
        "warning",
        "{text} is no card",
        "A card is a suit and a rank, such as SA or hT.",
        "LIN pc",
        tolerance=True,
    ),
    "lin-cards-too-many": Code(
        "warning",
        "this is the fifty-third card; it and those behind it are left out",
        "Correct the play.",
        "LIN pc",
        tolerance=True,
    ),
    "lin-card-seat": Code(
        "warning",
        "this trick can't have been played so: a card is not from the hand whose turn it is; tricks are not counted"
        " from here on",
        "Correct the play.",
        "Law 44",
    ),
    "lin-lead": Code(
        "warning",
        "{text} is led by a hand that is not on the left of declarer {declarer}",
        "Check declarer, the auction and the first card.",
        "Law 41",
    ),
    "lin-header": Code(
        "warning",
        "the session's header has {fields} fields instead of 9",
        "Event, segment, scoring, first and last board, then each team and its carry-over; no name holds a comma.",
        "LIN vg",
    ),
    "lin-film": Code(
        "info",
        "this is a lesson: its deals are read ({count}), and nothing of it is a result",
        "Nothing to do.",
        "LIN",
    ),
    "lin-board-stuck": Code(
        "warning",
        "the label {label} stands at {count} different deals; the numbers of their titles count",
        "Number the boards in their labels as in their titles.",
        "LIN qx",
        tolerance=True,
    ),
    "lin-board-differs": Code(
        "warning",
        "the label {label} and the title {title} name different boards; the label counts",
        "Correct one of the two.",
        "LIN qx",
    ),
    "lin-board-again": Code(
        "warning",
        "board {board} stands twice in the {room} room; the fuller one of the two is read",
        "Remove the other one.",
        "LIN qx",
        tolerance=True,
    ),
    "lin-deal": Code(
        "error",
        "the deal can't be read: {fault}",
        "A deal is the dealer's digit and the hands of South, West, North and East: 3SAK2HQJ3D987CT654, and so on.",
        "LIN md",
    ),
    "lin-deal-differs": Code(
        "warning",
        "board {board} has other cards in the {room} room than where it stands first",
        "Correct one of the two deals.",
        "LIN md",
    ),
    "lin-vulnerability": Code(
        "warning",
        "{text} is no vulnerability; it is read as nobody's",
        "Write o, n, e or b.",
        "LIN sv",
        tolerance=True,
    ),
    "lin-vulnerability-missing": Code(
        "info",
        "no vulnerability is stated; it is that of board {board}",
        "Write sv| and o, n, e or b.",
        "LIN sv",
    ),
    "lin-boards-named": Code(
        "info",
        "the boards of the session's lists don't follow one another; they are those that bn names",
        "Nothing to do; the site's viewer takes them for the first boards on from that of the header.",
        "LIN bn",
    ),
    "lin-result-item": Code(
        "error",
        "{item} is no result; it is left out",
        "A result is level, strain, declarer, x or xx, and = or the tricks over or under, such as 4SWx-1;"
        " P is passed out.",
        "LIN rs",
    ),
    "lin-result-beyond": Code(
        "warning",
        "{count} results stand behind the last board of the session; they are left out",
        "Correct the last board in the session's header if they belong to it.",
        "LIN rs",
    ),
    "lin-result-unlisted": Code(
        "info",
        "the list of results has none for this board; contract and tricks are those of the auction and the play",
        "Nothing to do, unless the board was adjusted.",
        "LIN rs",
    ),
    "lin-result-contract": Code(
        "warning",
        "the list of results says {item}, the auction ended in {bid} by {bid_declarer}; the list counts",
        "Check the list and the auction.",
        "LIN rs",
    ),
    "lin-result-tricks": Code(
        "warning",
        "the list of results says {item}, {listed} tricks, the play or the claim {shown}; the list counts",
        "Check the list and the play.",
        "LIN rs",
    ),
    "lin-claim": Code(
        "warning",
        "{text} is no number of tricks",
        "A claim is declarer's tricks of the whole hand, 0 to 13.",
        "LIN mc",
        tolerance=True,
    ),
    "lin-claim-play": Code(
        "warning",
        "the claim says {claimed} tricks, the play gives declarer {won};"
        " the play counts where nothing official is stated",
        "Check the play and the claim.",
        "LIN mc",
    ),
    "lin-claim-range": Code(
        "warning",
        "the claim says {claimed} tricks, but declarer has won {won} and lost {lost} already",
        "Check the play and the claim.",
        "Law 68",
    ),
}
