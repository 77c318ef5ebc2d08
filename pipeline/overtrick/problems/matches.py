"""Matches of teams, and the score sheets of rubber-type games."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "team-unknown": Code(
        "error",
        "board {board}, {ns} against {ew}: it is not stated which teams they play for, so nothing compares with it",
        "Name home team, visiting team and room (Open or Closed) of each result, or give teams numbers as contestants.",
    ),
    "board-one-table": Code(
        "warning",
        "board {board} of {team} against {opponents} has a score at one table only and does not count",
        "Look for the result of the other table; if it can't be had, enter an adjusted score (Law 86).",
        "Law 86",
    ),
    "board-same-way": Code(
        "error",
        "board {board}: {team} sat N-S at both tables against {opponents}, so there is nothing to compare",
        "If the seats are entered the wrong way round at one table, mend them; else the board is void.",
        "Law 86",
    ),
    "match-board-fouled": Code(
        "error",
        "board {board} of {team} against {opponents} was played with other cards or vulnerability at the two tables",
        "If a deal or a vulnerability is a slip, mend it in the file; else the board is void.",
        "Law 87",
    ),
    "vp-scale-length": Code(
        "error",
        "the scale {scale} is not made for matches of {boards} boards: they stay as they are",
        "Set vp_boards under [scoring] to the boards of a whole match, or choose another vp_scale.",
    ),
    "vp-scale-method": Code(
        "error",
        "the scale {scale} does not count what {method} gives: matches stay as they are",
        "For matchpoints and board-a-match set vp_scale under [scoring] to percent; for IMPs to any other.",
    ),
    "pairs-no-matches": Code(
        "error",
        "the rounds are no matches: that needs pairs, each with a number of its own, and they are added instead",
        "Number N-S and E-W, and the sections, differently; or leave pair_rounds out of club.toml.",
    ),
    "deal-off-sheet": Code(
        "warning",
        "the deal of {ns} against {ew} has no known contract and result, and is not on the score sheet",
        "Enter contract, declarer and tricks: part-scores and vulnerability of the deals after it depend on them.",
    ),
    "sheet-mismatch": Code(
        "warning",
        "the deal of {ns} against {ew}: the file states {stated_sheet} above and below the line, which its contract and"
        " result do not come to; these count",
        "Check contract, result and vulnerability of the deal; honours are 100 or 150.",
        "PBN 4.2.5",
    ),
    "sheet-history": Code(
        "warning",
        "{ns} against {ew}: before this deal the file has N-S {stated} E-W above and below the line, the deals before"
        " it come to {computed}",
        "Look for deals that are missing or in another order, and for honours that are not stated.",
        "PBN 4.2.6",
    ),
    "matches-uneven": Code(
        "warning",
        "{contestant} has played {matches} matches and others {most}: their own points are compared all the same",
        "In a round robin, full or modified, everybody plays as many matches; look for results that are missing.",
    ),
    "match-hands": Code(
        "warning",
        "{ns} against {ew}: {deals} hands, {passed} of them passed out; a match has four",
        'Every hand recorded is scored; where a passed-out one is one of the four, set passed_out = "counts".',
    ),
}
