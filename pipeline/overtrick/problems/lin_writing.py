"""Writing LIN."""

from typing import Final

from overtrick.problems.code import Code

_KEEP: Final = "Keep the file in the form it has as well."

CODES: Final[dict[str, Code]] = {
    "lin-tags-not-written": Code("warning", "LIN has no place for these tags and tables: {names}", _KEEP, "LIN"),
    "lin-results-not-written": Code(
        "warning",
        "LIN has a board for each table; {count} results that stand in a table of scores alone are not written",
        _KEEP,
        "LIN",
    ),
    "lin-board-not-written": Code(
        "warning", "LIN has no place for a board without cards, auction and result; it is left out", _KEEP, "LIN md"
    ),
    "lin-contract-not-written": Code(
        "warning",
        "the contract or its result is not what the auction and the play come to, and without a number the board has no"
        " place in the list of results: it is not written",
        "Number the board.",
        "LIN rs",
    ),
    "lin-auction-not-written": Code(
        "warning",
        "{fault}: the auction is written up to its call {index}",
        "Correct the auction, or keep the file in the form it has.",
        "LIN mb",
    ),
    "lin-play-not-written": Code(
        "warning",
        "nobody can say which card was next: the play is written up to its card {index}",
        "Correct the play, or keep the file in the form it has.",
        "LIN pc",
    ),
    "lin-marks-not-written": Code(
        "warning",
        "LIN has no place for marks of calls and cards such as ! and $1, and for irregularities: {count} are left out",
        _KEEP,
        "LIN mb",
    ),
    "lin-text-changed": Code(
        "warning",
        "LIN can't hold this text as it is ({what}); it is written as: {written}",
        "Nothing to do if it still says the same.",
        "LIN",
    ),
}
