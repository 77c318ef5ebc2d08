"""Files that can't be read, or hold nothing."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "file-unreadable": Code(
        "error",
        "the file can't be read: {reason}",
        "Check that the file exists, that it is a file and that you may open it.",
    ),
    "check-in-parts": Code(
        "info",
        "there is too much to be scored as one session: boards are checked in parts, and of each problem the first 1000"
        " in a file are listed",
        "Give the files of one session to have its points and totals checked.",
    ),
    "file-line-cut": Code(
        "error",
        "the line has {length} characters; those after the first {kept} are left out",
        "No program writes such lines: export the file again.",
    ),
    "file-game-cut": Code(
        "error",
        "a game goes on for more than 16 MB of text; it is read in pieces, and another begins here",
        "Check the file: no game is so long, and games are kept apart by an empty line.",
    ),
    "file-charset": Code(
        "warning",
        "the file says that it is in {declared}, and is read as {encoding}, which its letters fit",
        "Correct the line that names the character set, if letters look wrong.",
        tolerance=True,
    ),
    "file-no-mark": Code(
        "info",
        "the file is in {encoding}, and does not begin with the byte order mark that says so",
        "Nothing to do here; other programs may take the file for something else.",
        tolerance=True,
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
        'Check that this is the right file: a PBN file holds lines such as [Board "1"].',
    ),
    "folder-no-files": Code(
        "error",
        "there is no file in this folder that is known by its name",
        "Check that it is the right folder. Give files with other names, and results as .csv, one by one.",
    ),
}
