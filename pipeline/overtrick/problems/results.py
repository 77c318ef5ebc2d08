"""Results, held against the Laws."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "result-unknown": Code(
        "warning",
        "board {board}: {contract} by {declarer} has no known result and is not scored",
        "Enter declarer's tricks.",
        "PBN 3.4.15",
    ),
    "lead-not-held": Code(
        "info",
        "board {board}: {lead} is led against {contract} by {declarer}, and {holder} holds it",
        "Check the lead, the declarer and the deal.",
        "Law 41A",
    ),
    "score-impossible": Code(
        "warning",
        "board {board}: no contract scores {stated_score_ns} for N-S{at}; the file's score counts",
        "Check the score, and the vulnerability of this board.",
        "Law 77",
    ),
    "score-mismatch": Code(
        "warning",
        "board {board}: {outcome} is {law} for N-S, the file says {stated_score_ns}; the file's score counts",
        "Check contract, declarer, tricks and score of this result.",
        "Law 77",
    ),
    "score-mismatch-vulnerability": Code(
        "warning",
        "board {board}: {outcome} is {law} for N-S, the file says {stated_score_ns}, which is right for declarer"
        " {fits}; the file's score counts",
        "Check the vulnerability of this board and the score of this result.",
        "Law 77",
    ),
}
