"""Scoring and ranking."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "scoring-unsupported": Code(
        "warning",
        '[Scoring "{asked}"] can\'t be done here: results keep their scores but get no points and no ranking',
        "Choose a method yourself, for example: --method butler, --method cross-imps or --method matchpoints.",
        rule="PBN 3.4.12",
    ),
    "scoring-mixed": Code(
        "warning",
        "the session asks for several scorings ({asked}): all of it is scored as {used}",
        "If these are several sessions, score them one by one; otherwise choose with --method.",
        rule="PBN 3.4.12",
    ),
    "board-fouled": Code(
        "warning",
        "board {board} was played in {forms} forms (cards or vulnerability differ): each is compared only with itself",
        "Score files of different sessions one by one; if a deal or a vulnerability is a slip, mend it in the file.",
        rule="Law 87",
    ),
    "fouled-unmatched": Code(
        "error",
        "board {board} has no result of {contestant} N-S, who is named under [[scoring.fouled]]",
        "Write the contestant as the results do; ns names those that sat N-S at the tables with the other form.",
        "Law 87",
    ),
    "award-unscored": Code(
        "error",
        "the adjusted score {award} means nothing at {method}: that side earns nothing on the board",
        "Matchpoints take A+, A, A- or a percentage from 0% to 100%; IMPs take A+, A, A- or 60%, 50%, 40%.",
        rule="Law 12C2",
    ),
    "adjustment-unmatched": Code(
        "error",
        "the adjusted score for {named} fits {count} results and is not entered",
        "Under [[scoring.adjustments]] name one result: board, and as far as needed section, round, table, ns and ew.",
        rule="Law 12C1",
    ),
    "contestant-unmatched": Code(
        "error",
        "the {what} of contestant {contestant} fits {count} contestants of the session and is left out",
        "Write the contestant as the ranking does; direction and section tell apart those with the same number.",
    ),
    "correction-meaningless": Code(
        "error",
        "a penalty of contestant {contestant} in {unit} means nothing where there are no matchpoints; nothing is lost",
        'Write it with unit = "points": IMPs, victory points or points, whatever the total is in.',
    ),
    "tie-open": Code(
        "warning",
        "{contestants} are tied for place {rank} of {ranking}: {rule} decides, and is not known here",
        "Places are shared until then. When it is decided, a penalty or a carry-over of 0.01 shows it in the ranking.",
    ),
    "datum-mismatch": Code(
        "warning",
        "the file states datum {stated_datum}, the scores give {datum}; the latter is used",
        "Programs leave out different scores: try other values of datum and datum_ties under [scoring] in club.toml.",
    ),
    "datum-unstated": Code(
        "error",
        "board {board} has no stated datum: its results earn nothing",
        "State it in the file, or choose another datum under [scoring] in club.toml, such as mean.",
    ),
    "points-mismatch": Code(
        "warning",
        "{ns} against {ew}: the file states {stated} for N-S and E-W, scoring gives {computed}; the latter is used",
        "The program that wrote the file may follow other rules; those of this run are listed with the results.",
    ),
    "total-mismatch": Code(
        "warning",
        "{contestant}: the file states {what} {stated}, adding up gives {computed}; the latter is used",
        "Some programs round each line first: try line_rounding = 0.1 under [scoring]. Penalties are not known here.",
    ),
}
