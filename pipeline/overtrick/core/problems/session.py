"""Problems of a session: its results, who met whom where, its scoring and ranking, matches and score sheets."""

from typing import Final

from overtrick.core.problems.code import Code

_CHECK_SEATS: Final = "Correct the pair, the round or the table."
_SWAP_PAIRS: Final = (
    "Swap the two pairs if the traveller has them the wrong way round. Leave contract, declarer and score unchanged."
)

CODES: Final[dict[str, Code]] = {
    "result-unknown": Code(
        "warning",
        "board {board}: the result of {contract} by {declarer} is not known, so it is not scored",
        "Enter declarer's tricks.",
        "PBN 3.4.15",
    ),
    "result-no-declarer": Code(
        "warning",
        "board {board}, {meeting}: {contract} has {tricks} tricks but no declarer, so it is not scored",
        "Enter the declarer.",
        "Law 77",
    ),
    "result-no-contract": Code(
        "warning",
        "board {board}, {meeting}: the result has no contract, so it is not scored",
        "Enter the contract, or Pass if the board was passed out.",
        "Law 77",
    ),
    "result-no-pair": Code(
        "warning",
        "board {board}, {meeting}: the result does not name who sat {side}, so nobody gets its points",
        "Enter the number of the pair.",
    ),
    "results-blank": Code(
        "warning",
        "all results in this file are blank, so nothing is scored (results: {results})",
        "Check that this is the right file, and export it again when the results are entered.",
    ),
    "results-no-board": Code(
        "warning",
        "no result in this file has a board number, so nothing is scored by {method} (results: {results})",
        "Enter the boards. For rubber bridge or Chicago, state the scoring in the file, or choose --method rubber or"
        " --method chicago.",
    ),
    "award-one-side": Code(
        "warning",
        "board {board}, {meeting}: only {other_side} has an adjusted score, so {side} earns nothing on the board",
        "Enter the adjusted score of the other side.",
        "Law 12C2",
    ),
    "award-beside-result": Code(
        "warning",
        "board {board}, {meeting}: there is an adjusted score ({awards}) beside the result; overtrick uses the adjusted"
        " score",
        "Remove the one that does not count.",
        "Law 12C2",
    ),
    "honours-impossible": Code(
        "warning",
        "{ns} against {ew}: honours of {honours} (N-S / E-W) cannot be claimed in {contract}; overtrick counts them",
        "Correct the honours: one side, 100 or 150 in a suit, 150 for four aces at notrump.",
        "Laws of Contract Bridge, Law 80",
    ),
    "lead-not-held": Code(
        "info",
        "board {board}: the lead against {contract} by {declarer} is {lead}, but {holder} holds that card",
        "Check the lead, the declarer and the deal.",
        "Law 41A",
    ),
    "score-impossible": Code(
        "warning",
        "board {board}: no contract scores {stated_score_ns} for N-S{at}; overtrick uses the file's score",
        "Check the score and the vulnerability of this board.",
        "Law 77",
    ),
    "score-mismatch": Code(
        "warning",
        "board {board}: {outcome} scores {law} for N-S, but the file says {stated_score_ns}; overtrick uses the file's"
        " score",
        "Check the contract, declarer, tricks and score of this result.",
        "Law 77",
    ),
    "score-mismatch-vulnerability": Code(
        "warning",
        "board {board}: {outcome} scores {law} for N-S, but the file says {stated_score_ns}, which is right if declarer"
        " is {fits}; overtrick uses the file's score",
        "Check the vulnerability of this board and the score of this result.",
        "Law 77",
    ),
    "pair-board-twice": Code(
        "warning",
        "board {board}: {pair} plays this board again, against {opponents}; overtrick counts every result",
        "Correct the pair or the board: a pair plays a board only once.",
        "Law 15",
    ),
    "pair-against-itself": Code(
        "warning",
        "board {board}: {pair} sits both N-S and E-W",
        "Correct one of the two entries.",
        "Law 15",
    ),
    "pair-phantom": Code(
        "warning",
        "board {board}: {opponents} has a result against {pair}, which is a phantom pair; overtrick counts the result",
        "Remove the result: a pair without opponents sits out. If there was a pair, correct its number or name.",
        "Law 15",
    ),
    "pair-two-tables": Code(
        "warning",
        "round {round}: {pair} sits at table {table} and also at table {other}",
        _CHECK_SEATS,
    ),
    "pair-wrong-way": Code(
        "warning",
        "board {board}: {pair} sits {direction} against {opponents}, but on most other boards both sit the other way",
        _SWAP_PAIRS,
    ),
    "pair-bye-played": Code(
        "warning",
        "board {board}: {pair} has a bye, but also a result against {opponents}",
        "Correct the pair, or remove the bye.",
    ),
    "board-results-missing": Code(
        "info",
        "board {board} has only {results} of the usual {usual} results",
        "No action is needed if a table did not play it; otherwise add the missing results.",
    ),
    "board-results-surplus": Code(
        "warning",
        "board {board} has {results} results instead of the usual {usual}",
        "Look for a result that is entered twice or belongs to another board.",
    ),
    "boards-not-consecutive": Code(
        "info",
        "{ns} and {ew} meet on boards {boards}, which are not consecutive",
        "No action is needed if they met twice or missed a board; otherwise correct the board or the pair.",
    ),
    "movement-wrong-way": Code(
        "warning",
        "board {board}: in round {round} at table {table}, {ns} sits N-S and {ew} sits E-W, but the movement has them"
        " the other way round",
        _SWAP_PAIRS,
    ),
    "movement-wrong-pair": Code(
        "warning",
        "board {board}: in round {round} at table {table}, {pair} sits {direction}, but the movement has {expected}"
        " there",
        _CHECK_SEATS,
    ),
    "movement-wrong-board": Code(
        "warning",
        "board {board} is played in round {round} at table {table}, but the movement has boards {boards} there",
        "Correct the board, the round or the table.",
    ),
    "movement-another": Code(
        "warning",
        "only {followed} of {results} results follow the movement in club.toml, so overtrick does not use it",
        "Check [movement] in club.toml: kind, tables, boards and numbers.",
    ),
    "movement-wrong-meeting": Code(
        "warning",
        "board {board}: {ns} and {ew} have a result, but in the movement they do not meet on this board",
        "Correct the pairs or the board.",
    ),
    "movement-wrong-place": Code(
        "warning",
        "board {board}: {ns} and {ew} have a result in round {round} at table {table}, but the movement has them in"
        " round {meets_round} at table {meets_table}",
        "Correct the round or the table.",
    ),
    "movement-no-table": Code(
        "warning",
        "board {board}: {ns} and {ew} have a result in round {round} at table {table}, which the movement does not"
        " have",
        "Correct the round or the table.",
    ),
    "movement-sits-out": Code(
        "warning",
        "board {board}: {ns} and {ew} have a result in round {round} at table {table}, but in the movement a pair sits"
        " out there",
        _CHECK_SEATS,
        "Law 15",
    ),
    "movement-missing": Code(
        "info",
        "board {board}: {ns} and {ew} have no result, but in the movement they play it in round {round} at table"
        " {table}{at}",
        "No action is needed if they did not play it; otherwise add the result.",
    ),
    "scoring-unsupported": Code(
        "warning",
        'overtrick does not support [Scoring "{asked}"]: results keep their scores but get no points and no ranking',
        "Choose a method yourself, such as --method butler, --method cross-imps or --method matchpoints.",
        rule="PBN 3.4.12",
    ),
    "scoring-mixed": Code(
        "warning",
        "the session asks for several scoring methods ({asked}); overtrick scores all of it as {used}",
        "Score the files one by one if these are several sessions; otherwise choose with --method.",
        rule="PBN 3.4.12",
    ),
    "board-fouled": Code(
        "warning",
        "board {board} was played in {forms} forms (cards or vulnerability differ); overtrick compares only results"
        " of the same form",
        "Score files of different sessions one by one. If a deal or a vulnerability is wrong, correct it in the file.",
        rule="Law 87",
    ),
    "fouled-unmatched": Code(
        "error",
        "board {board} was fouled at the table of {contestant} N-S, but no result has that contestant N-S",
        "Write the contestant as in the results: list those who sat N-S where the other form was played.",
        "Law 87",
    ),
    "award-unscored": Code(
        "error",
        "the adjusted score {award} cannot be used with {method}; that side earns nothing on the board",
        "Use A+, A, A- or a percentage from 0% to 100% for matchpoints, and A+, A, A-, 60%, 50% or 40% for IMPs.",
        rule="Law 12C2",
    ),
    "adjustment-unmatched": Code(
        "error",
        "the adjusted score for {named} matches {count} results instead of one; overtrick does not use it",
        "Name one result: give the board and, if needed, section, round, table, and who sat N-S and E-W.",
        rule="Law 12C1",
    ),
    "contestant-unmatched": Code(
        "error",
        "the {what} of contestant {contestant} matches {count} contestants instead of one; overtrick does not use it",
        "Write the contestant as in the ranking. Add direction or section if several have the same number.",
    ),
    "correction-meaningless": Code(
        "error",
        'the penalty of contestant {contestant} has unit "{unit}", which needs matchpoints; overtrick deducts nothing',
        'Set unit = "points" to deduct IMPs, victory points or points, whichever the total is in.',
    ),
    "tie-open": Code(
        "warning",
        "{contestants} are tied for place {rank} of {ranking}; the tie-break {rule} must decide, but its outcome is"
        " not known",
        "Enter the outcome, when it is known, with `overtrick correct EVENING --tie WINNER`. Until then they share the"
        " place.",
    ),
    "datum-mismatch": Code(
        "warning",
        "the datum in the file is {stated_datum}, but overtrick calculates {datum} and uses it",
        "Try other values of datum and datum_ties under [scoring] in club.toml: programs leave out different scores.",
    ),
    "datum-unstated": Code(
        "error",
        "the file does not state the datum of board {board}, so its results earn nothing",
        "State the datum in the file, or choose another datum under [scoring] in club.toml, such as mean.",
    ),
    "points-mismatch": Code(
        "warning",
        "{ns} against {ew}: the points in the file are {stated} (N-S / E-W), but overtrick calculates {computed} and"
        " uses these",
        "Check the scoring rules listed with the results: the program that wrote the file may use other rules.",
    ),
    "points-unadjusted": Code(
        "info",
        "board {board}: the file states the matchpoints of {actual} results; overtrick brings them to the top of the"
        " other boards, as in totals",
        "No action is needed if the totals in the file agree. Else set short_boards under [scoring] in club.toml.",
    ),
    "total-mismatch": Code(
        "warning",
        "{contestant}: the {what} in the file is {stated}, but overtrick calculates {computed} and uses it",
        "Try line_rounding = 0.1 under [scoring]: some programs round each line first. Look for penalties too: the"
        " file does not state them.",
    ),
    "field-all": Code(
        "info",
        "sections {sections} do not repeat a number, and the file ranks their contestants as one field; overtrick"
        " compares and ranks each section by itself",
        'Set field = "all" under [scoring] in club.toml if the sections played the same boards for one ranking.',
    ),
    "team-unknown": Code(
        "error",
        "board {board}, {ns} against {ew}: the file does not state their teams, so overtrick cannot compare the result",
        "Give each result its home team, visiting team and room (Open or Closed), or use team numbers as contestants.",
    ),
    "board-one-table": Code(
        "warning",
        "board {board} of {team} against {opponents} has a score at only one table and does not count",
        "Look for the result of the other table. If there is none, enter an adjusted score (Law 86).",
        "Law 86",
    ),
    "board-same-way": Code(
        "error",
        "board {board}: {team} sat N-S at both tables against {opponents}, so there is nothing to compare",
        "Correct the seats if they are entered the wrong way round at one table; otherwise the board is void.",
        "Law 86",
    ),
    "match-board-fouled": Code(
        "error",
        "board {board} of {team} against {opponents} was played with different cards or vulnerability at the two"
        " tables, so there is nothing to compare",
        "Correct the deal or the vulnerability in the file if it is wrong; otherwise the board is void.",
        "Law 87",
    ),
    "vp-scale-length": Code(
        "error",
        "the victory point scale {scale} does not cover matches of {boards} boards, so they get no victory points",
        "Set vp_boards under [scoring] to the number of boards in a whole match, or choose another vp_scale.",
    ),
    "vp-scale-method": Code(
        "error",
        "the victory point scale {scale} does not work with {method}, so matches get no victory points",
        "Set vp_scale under [scoring] to percent for matchpoints and board-a-match, or to any other scale for IMPs.",
    ),
    "vp-scale-open": Code(
        "warning",
        "the stated totals are victory points of no published scale, and do not show what a win by {margins} IMPs is"
        " worth; overtrick ranks by IMPs",
        "Write the club's scale in [scoring.house_scale], and set vp_scale under [scoring] to house.",
    ),
    "vp-scale-contradicted": Code(
        "warning",
        "the stated totals are victory points, but no scale gives all of them; overtrick ranks by IMPs",
        "Check the totals, and enter penalties and points for byes under [scoring]; or write the club's scale in"
        " [scoring.house_scale].",
    ),
    "pairs-no-matches": Code(
        "error",
        "overtrick cannot treat the rounds as matches, because not every pair has a number of its own; it adds the"
        " rounds up instead",
        "Use different numbers for N-S and E-W and for each section, or remove pair_rounds from club.toml.",
    ),
    "deal-off-sheet": Code(
        "warning",
        "the deal of {ns} against {ew} is not on the score sheet, because its contract or result is not known",
        "Enter contract, declarer and tricks: part-scores and vulnerability of the later deals depend on them.",
    ),
    "sheet-mismatch": Code(
        "warning",
        "the deal of {ns} against {ew}: the file says {stated_sheet} above and below the line, but the contract and"
        " result give something else; overtrick uses the contract and result",
        "Check the contract, result and vulnerability of the deal. Honours are 100 or 150.",
        "PBN 4.2.5",
    ),
    "sheet-history": Code(
        "warning",
        "{ns} against {ew}: before this deal the file has N-S and E-W at {stated} (above/below the line), but the"
        " earlier deals give {computed}",
        "Look for missing deals, deals in the wrong order and missing honours.",
        "PBN 4.2.6",
    ),
    "matches-uneven": Code(
        "warning",
        "{contestant} has played fewer matches ({matches}) than others ({most}); overtrick compares their points all"
        " the same",
        "Look for missing results: in a round robin, full or modified, everybody plays the same number of matches.",
    ),
    "match-hands": Code(
        "warning",
        "{ns} against {ew}: the match does not have four hands that count (hands: {deals}, passed out: {passed});"
        " overtrick scores all of them",
        'Set passed_out = "counts" if a passed-out hand is one of the four.',
    ),
}
