"""Deals and results that come from different files."""

from typing import Final

from overtrick.problems.code import Code

_SAME: Final = "Check that both files are of the same session."

CODES: Final[dict[str, Code]] = {
    "join-no-deal": Code("warning", "boards {boards} have results here and no deal in the other files", _SAME),
    "join-no-result": Code("info", "boards {boards} are dealt here and have no results", "Nothing to do."),
    "join-two-deals": Code(
        "warning", "board {board}: the files hold {deals} different deals; none is taken for the results", _SAME
    ),
    "join-other-deal": Code(
        "warning", "board {board}: the deal here is not the one of the results; that of the results counts", _SAME
    ),
    "join-several-sessions": Code(
        "warning",
        "the results are of several events or days; these deals are put to none of them",
        "Give the deals with the results of their own session.",
    ),
    "join-result-twice": Code(
        "warning", "{results} results stand in {first} too; they count once", "Give each file of results once."
    ),
    "sessions-several": Code(
        "warning",
        "the {files} files of results are of several events or days: each is scored by itself, and the totals of"
        " contestants with the same number are added",
        "Give one evening at a time for a ranking of its own, or publish all with overtrick season; sessions ="
        ' "by-file" under [scoring] says that they belong together, "together" that they are one session.',
    ),
    "contestant-two-names": Code(
        "warning",
        "{contestant} is {several} in the files, and all totals of that number are added",
        "Give a pair the same number in every file, and different pairs different ones.",
    ),
}
