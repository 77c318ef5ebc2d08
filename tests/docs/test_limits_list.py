"""`docs/limits.md` lists the bounds of what overtrick reads, from the constants that the readers use.

`OVERTRICK_UPDATE_GOLDEN=1` writes the page again.
"""

from typing import Final

from overtrick.apps.archive import inputs
from overtrick.apps.desk import serve
from overtrick.apps.inbox import folders, worker
from overtrick.core.problems import MOST_LISTED, MOST_OF_EACH
from overtrick.files.assemble import together
from overtrick.files.formats import csv, text, zips
from overtrick.files.formats.base import MOST_PER_FILE
from overtrick.files.formats.bridgemate import access, jet, reader
from overtrick.files.formats.lin import spelling
from overtrick.files.formats.lin.read import archive as lin_batches
from overtrick.files.formats.pbn.read import auctions_and_plays, games, tag_columns
from overtrick.show.html import auctions, cell_tables
from overtrick.show.publish.targets import base
from tests.support.commands import ROOT
from tests.support.golden import assert_as_before

PAGE: Final = ROOT / "docs" / "limits.md"

INTRODUCTION = """# Limits

overtrick reads files of any length, but each thing in a file has a limit.
Time and memory grow with the size of a file and never faster, whatever is in it.
Where a limit cuts something off, a problem or a message says so.

| what | limit | beyond it |
|---|---|---|
"""

MB: Final = 1024 * 1024

LIMITS: Final[tuple[tuple[str, int, str, str], ...]] = (
    ("a line of text", text.BLOCK, "characters", "`file-too-long`"),
    ("a game of PBN", games.LONGEST_GAME, "characters", "`file-too-long`"),
    ("a session of LIN", lin_batches.LONGEST_SESSION, "characters", "`lin-session-cut`"),
    ("a deal", tag_columns.LONGEST, "characters", "`pbn-deal`"),
    (
        "an auction or a play of PBN with comments, marks or unusual words",
        auctions_and_plays.MOST_FINE,
        "characters",
        "`pbn-call` or `pbn-card`",
    ),
    ("an auction or a play of LIN in one value", spelling.LONGEST, "characters", "`call-unknown` or `card-unknown`"),
    ("an auction of a Bridgemate", reader.LONGEST["Bid"], "calls", "left out"),
    ("an auction on a page", auctions.LONGEST, "calls", "left out on the page"),
    ("columns of a table (CSV, spreadsheet)", csv.MOST_COLUMNS, "", "`csv-too-wide`"),
    ("lines of a table (CSV, spreadsheet)", csv.MOST_LINES, "", "`file-too-long`"),
    ("a file that is not text of games, unpacked", MOST_PER_FILE["bytes"][0], "bytes", "`file-refused`"),
    (
        "seconds of the processor for such a file, or for a part of a text of games",
        MOST_PER_FILE["seconds"][0],
        "",
        "`file-refused`",
    ),
    ("documents in a workbook", MOST_PER_FILE["documents"][0], "", "`file-refused`"),
    ("cells of a sheet, with the empty ones between", MOST_PER_FILE["cells"][0], "cells", "`file-refused`"),
    ("text of all cells of a workbook", MOST_PER_FILE["characters"][0], "characters", "`file-refused`"),
    ("elements of XML", MOST_PER_FILE["elements"][0], "", "`file-refused`"),
    ("depth of XML", MOST_PER_FILE["depth"][0], "elements", "`file-refused`"),
    ("a table of a Bridgemate database", access.LARGEST, "bytes", "`file-cut`"),
    ("memory for a Bridgemate database", jet.MEMORY, "bytes", "`file-cut`"),
    ("problems of one code in a file", MOST_LISTED, "", "`file-problems-cut`"),
    ("problems of one code on a page, or in a check in parts", MOST_OF_EACH, "", "the number of those left out"),
    ("a table of crossed results on a page", cell_tables.MOST_CELLS, "cells", "a list instead"),
    ("a file on a website that overtrick reads, such as its manifest", base.LARGEST, "bytes", "status 3"),
    ("files in a folder of a website", base.MOST_LISTED, "", "status 3"),
    ("an answer of a server, with its banner", base.MOST_SAID, "lines", "status 3"),
    (
        "names in a folder, where each file of results is compared with all others",
        together.CROWD,
        "",
        "only with those of its day",
    ),
    ("evenings of one day in a folder with which a file is compared", together.CROWD, "", "an evening by itself"),
    ("files in an archive given to `overtrick ingest`", inputs.MEMBERS, "", "a problem"),
    ("archives inside archives", inputs.DEPTH, "levels", "a problem"),
    ("a zip of files, unpacked", zips.MOST_UNPACKED, "bytes", "`file-unreadable`"),
    ("folders in folders of a zip", zips.DEEPEST, "levels", "`file-unreadable`"),
    ("memory of the process that reads files that arrive at the desk", serve.MEMORY, "bytes", "a message"),
    ("time of that process for a file", int(serve.LONGEST), "seconds", "a message"),
    ("memory of the process that reads files for `overtrick watch`", worker.MEMORY, "bytes", "`inbox/rejected`"),
    ("time of one piece of work of `overtrick watch`", int(worker.LONGEST), "seconds", "`inbox/rejected`"),
    ("tries with a file that crashes that process", folders.MOST_LOST, "", "`inbox/rejected`"),
)
"""What is limited, to what number of what, and what reports what lies beyond."""


def count(number: int, unit: str) -> str:
    if unit == "bytes":
        return f"{number // MB:,} MiB" if number % MB == 0 else f"{number // 1_000_000:,} MB"
    return f"{number:,} {unit}".strip()


def page() -> str:
    rows = (f"| {what} | {count(number, unit)} | {beyond} |\n" for what, number, unit, beyond in LIMITS)
    return INTRODUCTION + "".join(rows)


def test_the_limits_are_those_of_the_readers() -> None:
    assert_as_before(PAGE, page())
