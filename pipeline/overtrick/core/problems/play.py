"""Problems of what happened at the table: deals, auctions and plays against the Laws; double-dummy tables and par."""

from typing import Final

from overtrick.core.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "deal-hand-size": Code(
        "error",
        "board {board}: {seat} has {cards} cards instead of 13; the board is not scored",
        "Correct the deal, or write - for a hand that is not known.",
        "Laws 1 and 6",
    ),
    "deal-one-hand": Code(
        "info",
        "board {board}: the deal shows one hand and three empty ones; overtrick reads it as a diagram",
        "No action is needed for a lesson; otherwise write - for a hand that is not known.",
        "PBN 3.4.11",
    ),
    "deal-duplicate-card": Code(
        "error",
        "board {board}: {card} is in the hands of {first} and {second}; the board is not scored",
        "Correct the deal.",
        "Law 1",
    ),
    "deal-end-position": Code(
        "info",
        "board {board}: the deal is an end position (cards in each hand: {cards})",
        "No action is needed.",
        "PBN 3.10",
    ),
    "deal-partial": Code(
        "warning",
        "board {board}: the hands have between {least} and {most} cards; the board is not scored",
        "No action is needed for a lesson; otherwise correct the deal.",
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
        "board {board}: the dealer is {stated} in the file but {expected} by the board number; overtrick uses the"
        " file's dealer",
        "Check the board number and the dealer.",
        "Law 2",
    ),
    "board-vulnerability": Code(
        "warning",
        "board {board}: the vulnerability is {stated} in the file but {expected} by the board number; overtrick uses"
        " the file's vulnerability",
        "Check the board number and the vulnerability.",
        "Law 2",
    ),
    "auction-out-of-turn": Code(
        "error",
        "board {board}: the auction begins with {caller}, but the dealer is {dealer}",
        "Correct the dealer or the seat that begins the auction.",
        "Law 17C",
        tolerance=True,
    ),
    "auction-insufficient": Code(
        "error",
        "board {board}: {call} by {caller} is not higher than {after}",
        "Correct the call. If it was accepted at the table, mark it (in PBN with ^I before it).",
        "Laws 18 and 27",
        tolerance=True,
    ),
    "auction-double-not-allowed": Code(
        "error",
        "board {board}: {caller} cannot double: {reason}",
        "Correct the call: players can double only the opponents' last bid, and only once.",
        "Law 19A",
        tolerance=True,
    ),
    "auction-redouble-not-allowed": Code(
        "error",
        "board {board}: {caller} cannot redouble: {reason}",
        "Correct the call: players can redouble only the opponents' double, and only once.",
        "Law 19B",
        tolerance=True,
    ),
    "auction-after-end": Code(
        "error",
        "board {board}: {call} by {caller} comes after the passes that ended the auction",
        "Remove the extra calls, or correct the passes before them.",
        "Law 22",
        tolerance=True,
    ),
    "auction-unfinished": Code(
        "info",
        "board {board}: the auction stops before the passes that would end it",
        "No action is needed if the rest is not known.",
        "Law 22",
    ),
    "contract-differs-from-auction": Code(
        "warning",
        "board {board}: the file says {stated}, but by the auction it is {contract}; overtrick uses the file's"
        " contract",
        "Correct the contract or the auction.",
        "Law 22",
        tolerance=True,
    ),
    "declarer-differs-from-auction": Code(
        "warning",
        "board {board}: declarer is {stated} in the file but {declarer} by the auction; overtrick uses the file's"
        " declarer",
        "Correct the declarer or the auction: passes before the opening bid may be missing.",
        "Law 22A",
        tolerance=True,
    ),
    "irregularity-recorded": Code(
        "info",
        "board {board}: the file marks {what} as irregular ({mark})",
        "No action is needed.",
        "PBN 3.9",
    ),
    "irregularity-unfounded": Code(
        "warning",
        "board {board}: {mark} marks {what} as irregular, but it is not",
        "Remove the mark, or correct the call, card or tag that it marks.",
        "PBN 3.9",
        tolerance=True,
    ),
    "play-card-repeated": Code(
        "error",
        "board {board}: {player} plays {card} in trick {trick}, but it has already been played",
        "Correct one of the two cards, or write - for a card that is not known.",
        "Law 44",
        tolerance=True,
    ),
    "play-card-not-held": Code(
        "error",
        "board {board}: {player} plays {card} in trick {trick}, but {holder} holds it",
        "Correct the card or the deal. Each column of the play belongs to one player.",
        "Law 44",
        tolerance=True,
    ),
    "play-revoke": Code(
        "warning",
        "board {board}: {player} plays {card} on {led} in trick {trick}, but can follow suit",
        "Correct the card. If it was a revoke at the table, mark it (in PBN with ^R before it).",
        "Law 61",
        tolerance=True,
    ),
    "play-wrong-leader": Code(
        "warning",
        "board {board}: {player} leads to the first trick, but against {declarer} it is {leader}'s lead",
        "Correct the declarer or the play. If it was a lead out of turn, mark it (in PBN with ^L before it).",
        "Law 41A",
        tolerance=True,
    ),
    "play-begins-elsewhere": Code(
        "info",
        "board {board}: the first column of the play is {player}'s, but against {declarer} it is {leader}'s lead",
        "No action is needed if the columns are right; otherwise correct the declarer or the play.",
        "PBN 3.6",
    ),
    "play-out-of-turn": Code(
        "info",
        "board {board}: in trick {trick}, {player} has a card ({card}), but {turn}, who plays earlier, does not",
        "No action is needed if the earlier card is not known. For a lead out of turn, write ^L before the card in"
        " PBN.",
        "Law 44",
    ),
    "play-after-end": Code(
        "error",
        "board {board}: {card} comes after the thirteenth trick",
        "Remove the extra cards.",
        "Law 44",
        tolerance=True,
    ),
    "play-rows-turned": Code(
        "info",
        "board {board}: some cards, beginning in trick {trick}, are not in their players' columns; overtrick gives"
        " each card to the player who holds it",
        "No action is needed here, but other programs may give the cards to the wrong players.",
        "PBN 3.6",
        tolerance=True,
    ),
    "result-differs-from-play": Code(
        "warning",
        "board {board}: the file says {stated} tricks, but the play gives {fewest}; overtrick uses the file's result",
        "Correct the result or the play.",
        "Law 78",
        tolerance=True,
    ),
    "result-out-of-reach": Code(
        "warning",
        "board {board}: the file says {stated} tricks, but after the play only {fewest} to {most} are possible;"
        " overtrick uses the file's result",
        "Correct the result or the play.",
        "Laws 68 to 70",
        tolerance=True,
    ),
    "result-after-revoke": Code(
        "info",
        "board {board}: a revoke that costs {cost} explains {what} ({rule})",
        "No action is needed.",
        "Law 64",
    ),
    "double-dummy-unreadable": Code(
        "warning",
        "board {board}: {name} does not contain a double-dummy table, so overtrick leaves it out: {text}",
        "Write the 20 numbers of tricks, each from 0 to 13, in the form of that tag, or remove the tag.",
        "PBN 5",
        tolerance=True,
    ),
    "double-dummy-twice": Code(
        "warning",
        "board {board}: {name} gives {seat} {other} tricks in {strain}, but an earlier table gives {stated} ({count} of"
        " 20 numbers differ); overtrick uses the first table",
        "Remove the table that is wrong from the file.",
        "PBN 5",
    ),
    "double-dummy-differs": Code(
        "warning",
        "board {board}: {name} gives {seat} {stated} tricks in {strain}, but the solver gives {other} ({count} of 20"
        " numbers differ); overtrick uses the file's table",
        "Remove the table from the file to use the solver's.",
        "PBN 5",
    ),
    "double-dummy-unsolved": Code(
        "info",
        "some deals have no double-dummy table ({count}): the file does not have one, and {missing}",
        "Install the solver with pip install 'overtrick[dd]' if there is one for this machine, or leave the tables out"
        " with --no-dd.",
    ),
    "par-differs": Code(
        "warning",
        "board {board}: {name} says that par is {stated} for N-S, but the double-dummy table gives {computed};"
        " overtrick uses the table",
        "Correct the par score, the dealer or the vulnerability.",
        "PBN 4.2",
    ),
}
