"""Double-dummy tables and par as files state them, against one another and against the solver."""

from typing import Final

from overtrick.problems.code import Code

_SHOWN: Final = "Take the wrong one out of the file; pages show the first."

CODES: Final[dict[str, Code]] = {
    "double-dummy-unreadable": Code(
        "warning",
        "board {board}: {name} holds no double-dummy table: {text}; it is left out",
        "Write 20 tricks from 0 to 13 in the form of that tag, or take the tag out.",
        "PBN 5",
        tolerance=True,
    ),
    "double-dummy-twice": Code(
        "warning",
        "board {board}: {name} gives {seat} {other} tricks in {strain}, the table before it {stated}; {count} of the 20"
        " numbers differ, and the first table counts",
        _SHOWN,
        "PBN 5",
    ),
    "double-dummy-differs": Code(
        "warning",
        "board {board}: {name} gives {seat} {stated} tricks in {strain}, the double-dummy solver {other}; {count} of"
        " the 20 numbers differ, and the file's are shown",
        "Take the table out of the file, and the solver's is shown.",
        "PBN 5",
    ),
    "double-dummy-unsolved": Code(
        "info",
        "{count} deals have no double-dummy table: the file states none, and the solver is not installed",
        "Get it with pip install 'overtrick[dd]', or leave the tables out with --no-dd.",
    ),
    "par-differs": Code(
        "warning",
        "board {board}: {name} says that par is {stated} for N-S, by the double-dummy table it is {computed}; the table"
        " counts",
        "Correct the score, the dealer or the vulnerability.",
        "PBN 4.2",
    ),
}
