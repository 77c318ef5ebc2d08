"""Sessions: who met whom, where and on which boards."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "pair-board-twice": Code(
        "warning",
        "board {board}: {pair} plays it again, against {opponents}; every result counts",
        "Correct the pair or the board: no pair plays a board twice.",
        "Law 15",
    ),
    "pair-against-itself": Code(
        "warning",
        "board {board}: {pair} sits N-S and E-W",
        "Correct one of the two.",
        "Law 15",
    ),
    "pair-phantom": Code(
        "warning",
        "board {board}: {opponents} has a result against {pair}, which stands for nobody; the result counts",
        "Take the result out: who has no opponents sits out. If there was a pair, correct its number or name.",
        "Law 15",
    ),
    "pair-two-tables": Code(
        "warning",
        "round {round}: {pair} sits at table {table}, and at table {other} too",
        "Correct the pair, the round or the table.",
    ),
    "pair-wrong-way": Code(
        "warning",
        "board {board}: {pair} sits {direction} and {opponents} the other way; on all other boards it is not so",
        "If the two were exchanged on the traveller, exchange them; contract, declarer and score stay.",
    ),
    "pair-bye-played": Code(
        "warning",
        "board {board}: {pair} has a bye and a result, against {opponents}",
        "Correct the pair, or take the bye out.",
    ),
    "board-results-missing": Code(
        "info",
        "board {board} has {results} of {usual} results",
        "Nothing to do if a table did not play it; otherwise add what is missing.",
    ),
    "board-results-surplus": Code(
        "warning",
        "board {board} has {results} results, where {usual} are usual",
        "Look for a result that is there twice or belongs to another board.",
    ),
    "boards-not-consecutive": Code(
        "info",
        "{ns} and {ew} meet on boards {boards}, which do not follow each other",
        "Nothing to do if they met twice or missed a board; otherwise a board or a pair is wrong.",
    ),
    "movement-wrong-way": Code(
        "warning",
        "board {board}: in round {round} at table {table} {ns} sits N-S and {ew} E-W,"
        " by the movement the other way round",
        "If the two were exchanged on the traveller, exchange them; contract, declarer and score stay.",
    ),
    "movement-wrong-pair": Code(
        "warning",
        "board {board}: in round {round} at table {table} {pair} sits {direction}, by the movement {expected} does",
        "Correct the pair, the round or the table.",
    ),
    "movement-wrong-board": Code(
        "warning",
        "board {board} is played in round {round} at table {table}, where by the movement {boards} are played",
        "Correct the board, the round or the table.",
    ),
    "movement-another": Code(
        "warning",
        "{followed} of {results} results are as the movement of the settings has them; it is not used",
        "Check [movement] in club.toml: kind, tables, boards and numbers.",
    ),
    "movement-wrong-meeting": Code(
        "warning",
        "board {board}: {ns} and {ew} have a result, and by the movement they don't meet on it",
        "Correct the pairs or the board.",
    ),
    "movement-wrong-place": Code(
        "warning",
        "board {board}: {ns} and {ew} play it in round {meets_round} at table {meets_table} by the movement,"
        " not in round {round} at table {table}",
        "Correct the round or the table.",
    ),
    "movement-no-table": Code(
        "warning",
        "board {board}: {ns} and {ew} have a result in round {round} at table {table}, which is none of the movement",
        "Correct the round or the table.",
    ),
    "movement-sits-out": Code(
        "warning",
        "board {board}: {ns} and {ew} have a result in round {round} at table {table}, where by the movement one pair"
        " sits out",
        "Correct the pair, the round or the table.",
        "Law 15",
    ),
    "movement-missing": Code(
        "info",
        "board {board}: {ns} and {ew} have no result; by the movement they play it in round {round} at table {table}",
        "Nothing to do if they did not play it; otherwise add the result.",
    ),
}
