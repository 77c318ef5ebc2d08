"""Files that can't be read, or hold nothing."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "file-unreadable": Code(
        "error",
        "the file can't be read: {reason}",
        "Check that the file exists, that it is a file and that you may open it.",
    ),
    "file-empty": Code("warning", "the file is empty", "Export it again from the program that wrote it."),
    "file-binary": Code(
        "error",
        "this is not a text file",
        "Give the file as its program wrote it: PBN, USEBIO, a Bridgemate database, a file for a dealing machine.",
    ),
    "file-no-games": Code(
        "warning",
        "no games were found",
        'Check that this is the right file or folder: a PBN file holds lines such as [Board "1"].',
    ),
}
