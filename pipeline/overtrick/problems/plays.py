"""Plays, held against the Laws and against the tricks that the file states."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "play-card-repeated": Code(
        "error",
        "board {board}: {card} by {player} in trick {trick} has been played before",
        "Correct one of the two, or write - for a card that is not known.",
        "Law 44",
        tolerance=True,
    ),
    "play-card-not-held": Code(
        "error",
        "board {board}: {player} plays {card} in trick {trick}, which {holder} holds",
        "Correct the card or the deal; each column of the play belongs to one player.",
        "Law 44",
        tolerance=True,
    ),
    "play-revoke": Code(
        "warning",
        "board {board}: {player} plays {card} on {led} in trick {trick} and can follow suit",
        "Correct the card. If it was a revoke at the table, mark it: in PBN with ^R before it.",
        "Law 61",
        tolerance=True,
    ),
    "play-wrong-leader": Code(
        "warning",
        "board {board}: {player} leads to the first trick, but against {declarer} {leader} does",
        "Correct the declarer or the play. If it was a lead out of turn, mark it: in PBN with ^L before it.",
        "Law 41A",
        tolerance=True,
    ),
    "play-begins-elsewhere": Code(
        "info",
        "board {board}: the columns of the play begin with {player}, and against {declarer} {leader} leads",
        "Nothing to do if the columns are meant so; otherwise correct the declarer or the play.",
        "PBN 3.6",
    ),
    "play-out-of-turn": Code(
        "info",
        "board {board}: in trick {trick} {player} has a card, {card}, and {turn}, who plays before, has none",
        "Nothing to do if the card before is not known; a lead out of turn is marked in PBN with ^L before it.",
        "Law 44",
    ),
    "play-after-end": Code(
        "error",
        "board {board}: {card} comes after the thirteenth trick",
        "Take out the cards that are too many.",
        "Law 44",
        tolerance=True,
    ),
    "play-rows-turned": Code(
        "info",
        "board {board}: not every row of the play keeps to the columns, that of trick {trick} first;"
        " its cards are given to the players who hold them",
        "Nothing to do here; other programs may take the cards for those of other players.",
        "PBN 3.6",
        tolerance=True,
    ),
    "result-differs-from-play": Code(
        "warning",
        "board {board}: the file says {stated} tricks, the play comes to {fewest}; the file's count",
        "Correct the result or the play.",
        "Law 78",
        tolerance=True,
    ),
    "result-out-of-reach": Code(
        "warning",
        "board {board}: the file says {stated} tricks, which the play leaves no room for: {fewest} to {most}"
        " are possible; the file's count",
        "Correct the result or the play.",
        "Laws 68 to 70",
        tolerance=True,
    ),
    "result-after-revoke": Code(
        "info",
        "board {board}: {brought} right after a revoke that costs {cost} ({rule})",
        "Nothing to do.",
        "Law 64",
    ),
}
