"""Problems of files of any format: reading them, combining several into a session, adding them to an archive."""

from typing import Final

from overtrick.core.problems.code import Code

_SAME_SESSION: Final = "Check that both files belong to the same session."

CODES: Final[dict[str, Code]] = {
    "file-unreadable": Code(
        "error",
        "overtrick cannot read the file: {reason}",
        "Check that the path is right, that it is a file and that you have permission to open it.",
    ),
    "file-unknown": Code(
        "error",
        "overtrick does not read this file, which looks like {looks}; it reads PBN, LIN, USEBIO, Bridgemate databases,"
        " tables of results (CSV) and files for dealing machines",
        "Unpack an archive, and save a spreadsheet as CSV. From another program, export PBN, LIN, USEBIO or CSV.",
    ),
    "check-in-parts": Code(
        "info",
        "there is too much data to score as one session: overtrick checks the boards in parts and lists only the first"
        " 1000 problems of each kind in a file",
        "Check the files of one session at a time if you want points and totals checked too.",
    ),
    "file-problems-cut": Code(
        "warning",
        "overtrick does not list all problems {code} (not listed: {left})",
        "Export the file again from the program that wrote it: it is damaged throughout.",
    ),
    "file-line-cut": Code(
        "error",
        "the line has {length} characters; overtrick reads only the first {kept}",
        "Export the file again: no program writes lines this long.",
    ),
    "file-game-cut": Code(
        "error",
        "a game is longer than 16 MB; overtrick splits it, and another game begins here",
        "Check the file for a missing empty line, which separates two games: no game is this long.",
    ),
    "file-charset": Code(
        "warning",
        "the file declares the character set {declared}, but overtrick reads it as {encoding}, which fits the text",
        "Correct the line that names the character set if some letters look wrong.",
        tolerance=True,
    ),
    "file-no-mark": Code(
        "info",
        "the file is in {encoding} but does not begin with a byte order mark",
        "No action is needed here, but other programs may misread the file.",
        tolerance=True,
    ),
    "file-empty": Code("warning", "the file is empty", "Export it again from the program that wrote it."),
    "file-binary": Code(
        "error",
        "this is not a text file",
        "Use the file exactly as your program saved it: PBN, LIN, USEBIO, a Bridgemate database or a file for a"
        " dealing machine.",
    ),
    "file-no-games": Code(
        "warning",
        "the file does not contain any games",
        'Check that this is the right file: a PBN file has lines such as [Board "1"].',
    ),
    "folder-no-files": Code(
        "error",
        "no file in this folder has an extension that overtrick knows",
        "Check that this is the right folder. Name .csv files, and files with other extensions, one by one.",
    ),
    "file-plugin-failed": Code(
        "error",
        "the plugin for {format} cannot read this file: {reason}",
        "Report this to the author of the plugin.",
    ),
    "plugin-skipped": Code(
        "warning",
        "overtrick skips the plugin {name}: {reason}",
        "Remove the package that the plugin is from, or install a newer version.",
    ),
    "join-no-deal": Code(
        "warning",
        "these boards have results here, but none of the files has their deals: {boards}",
        _SAME_SESSION,
    ),
    "join-no-result": Code(
        "info",
        "these boards have deals here, but none of the files has their results: {boards}",
        "No action is needed if the boards were not played.",
    ),
    "join-two-deals": Code(
        "warning",
        "board {board}: the files have {deals} different deals; overtrick uses none of them",
        _SAME_SESSION,
    ),
    "join-other-deal": Code(
        "warning",
        "board {board}: this deal differs from the one in the file with the results; overtrick uses the latter",
        _SAME_SESSION,
    ),
    "join-several-sessions": Code(
        "warning",
        "the results come from several events or days; overtrick cannot tell to which of them these deals belong",
        "Run overtrick again with these deals and only the results of their own session.",
    ),
    "result-differs": Code(
        "error",
        "{worded}, but {worded_counting} in {counting}; overtrick uses the latter, because it is in {why}",
        "Check which of the two is right, and correct the other.",
        "Law 79C",
    ),
    "result-repeated": Code(
        "warning",
        "{worded} is already in this file; overtrick counts it once",
        "Remove one of the two lines.",
    ),
    "result-example": Code(
        "info",
        "board {board}: overtrick does not count the game of {ns} against {ew}, because another file has the results of"
        " this board, and its list has these players in other pairs",
        "Correct the names if they did play this board.",
    ),
    "contestant-spellings": Code(
        "warning",
        'contestant {contestant} is "{usual}" in most results and "{other}" in others; overtrick uses the first',
        "Use one spelling in all files.",
    ),
    "contestant-substitute": Code(
        "info",
        'contestant {contestant} is "{usual}" in most results and "{other}" in others: a substitute',
        "No action is needed if a substitute played.",
    ),
    "contestant-unlisted": Code(
        "warning",
        "{contestant} has results, but the file's list of contestants does not name it; overtrick counts them for its"
        " opponents and does not rank it",
        "Correct the number, or add the contestant to the list.",
    ),
    "sessions-several": Code(
        "warning",
        "the files are of several events or days ({evenings} of them); overtrick scores each by itself, and adds up the"
        " totals of contestants with the same number if you ask for --total",
        "Score one evening at a time to get its own ranking, or publish them all with overtrick season. Under [scoring]"
        ' in club.toml, set sessions = "by-file" if the files belong together, or "together" if they are one session.',
    ),
    "contestant-two-names": Code(
        "warning",
        "contestant {contestant} has different names in the files ({several}); overtrick adds up all totals of that"
        " number",
        "Give a pair the same number in every file, and give different pairs different numbers.",
    ),
    "ingest-failed": Code(
        "error",
        "overtrick failed while reading this file: {reason}",
        "Report the failure with the file and the traceback, which are in the archive's quarantine folder. Ingest the"
        " file again to retry.",
    ),
    "ingest-evening": Code(
        "info",
        "one evening: {joined}",
        "No action is needed. Put files of another evening into a folder of their own.",
    ),
    "ingest-not-compared": Code(
        "info",
        "the file is too large to be one session; overtrick scores its results but does not compare them with each"
        " other",
        "Put each session in a file of its own to get its points.",
    ),
    "ingest-link": Code(
        "warning",
        "this is a link to a file outside the folder; overtrick does not follow it",
        "Name the file itself if you trust it, or copy it into the folder.",
    ),
    "ingest-container": Code(
        "error",
        "overtrick cannot unpack this file: {reason}",
        "Check that the file was copied completely, or unpack it and ingest the folder.",
    ),
    "ingest-bomb": Code(
        "error",
        "the file unpacks to more than {times} times its packed size; overtrick leaves out the rest",
        "Unpack it yourself if you trust it, and ingest the folder.",
    ),
    "ingest-nested": Code(
        "warning",
        "the contents of this file are packed more than {times} times; overtrick did not open it",
        "Unpack the outermost file and ingest the folder.",
    ),
    "ingest-changed": Code(
        "warning",
        "the file changed while overtrick was reading it, so overtrick skipped it",
        "Ingest the file again when it is complete.",
    ),
}
