"""`docs/formats.md` lists the formats of the registry, and what is lost between any two of them.

`OVERTRICK_UPDATE_GOLDEN=1` writes the page again.
"""

from collections.abc import Iterator

from overtrick.apps.cli.formats import describe_formats
from overtrick.files.formats.form import PARTS
from overtrick.files.formats.looks import get_format
from overtrick.files.formats.registry import FORMATS
from tests.support.commands import ROOT
from tests.support.golden import assert_as_before

PAGE = ROOT / "docs" / "formats.md"

INTRODUCTION = """# File formats

`overtrick formats` prints this list; `--format json` prints it for programs.
overtrick recognises a file by its content, never by its name.
When it writes, the end of the name decides the format.

No account and no network is needed for any of them, and overtrick fetches nothing.
[limits.md](limits.md) lists how much of each thing overtrick reads.
"""

NOT_READ = """
## What is not there

- Contest reports of Magic Contest (`.mcd`): their specification was not to be had.
  They hold names, numbers and places without results; Magic Contest also writes PBN, which overtrick reads.
- Events of teams and individuals in game files of ACBLscore: print the report as text, or export PBN or BridgeWebs CSV.
  Game files of pairs are read; they hold scores and no contracts.
- Tables as BBO's website exports them are read if their columns are named as in [tables.md](tables.md).
"""


OWN_TAGS = (
    "The IMPs that the teams of a match bring into it are `HomeCarryOver` and `VisitCarryOver` in PBN,"
    " which has no tags for them.\n"
)


def lines() -> Iterator[str]:
    yield INTRODUCTION
    yield "| name | ends in | overtrick | title | built from |"
    yield "|---|---|---|---|---|"
    for row in describe_formats():
        how = " and ".join(word for word, does in (("reads", row["read"]), ("writes", row["write"])) if does)
        ends = ", ".join(f"`{suffix}`" for suffix in row["suffixes"])
        known = next(known for known in FORMATS if known.title == row["title"])
        yield f"| {row['name']} | {ends} | {how} | {row['title']} | {known.source} |"
    yield "\n## What each format holds\n"
    yield "`overtrick convert` names what the target cannot store, with the number of values."
    yield "Then it reads the new file on its own and compares it with the source."
    yield "It warns if the new file ranks otherwise, or if results, leads, deals, auctions, plays or names are lost."
    yield OWN_TAGS
    yield "| | " + " | ".join(PARTS) + " |"
    yield "|---|" + "---|" * len(PARTS)
    for row in describe_formats():
        marks = ["yes" if part in row["carries"] else "" for part in PARTS]
        yield f"| {row['name']} | " + " | ".join(marks) + " |"
    yield "\n## What is lost from one format to another\n"
    yield "A line for each source, a column for each target: the parts that only the source can hold.\n"
    targets = [known for known in FORMATS if known.write]
    yield "| from | " + " | ".join(known.called or known.name for known in targets) + " |"
    yield "|---|" + "---|" * len(targets)
    for source in FORMATS:
        cells = [
            ", ".join(
                part for part in PARTS if part in source.carries and part not in (target.writes or target.carries)
            )
            if source is not target
            else "-"
            for target in targets
        ]
        yield f"| {source.called or source.name} | " + " | ".join(cells) + " |"
    yield "\nA PBN file that is made from another format, and one in export form, has no membership numbers."
    yield "A LIN file of a session whose results are in score tables holds the deals, auctions and plays alone."
    yield NOT_READ.rstrip("\n")


def test_the_page_lists_the_formats_of_the_registry() -> None:
    listed = "\n".join(lines()) + "\n"
    assert_as_before(PAGE, listed)


def test_each_format_says_what_it_holds_and_what_it_was_built_from() -> None:
    assert [] == [known.name for known in FORMATS if not known.carries or not known.source]
    assert set() == {part for known in FORMATS for part in known.carries} - set(PARTS)
    assert set(PARTS) == set(get_format("pbn").carries)
