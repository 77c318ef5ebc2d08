"""What is read is in a frame or in a problem: without any one field of a file, a frame or a problem differs.

A field that a file states several times, as each row of a table names the event, is taken out everywhere.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.files.assemble import read
from tests.support.everything import differences, frames_of, text_files
from tests.support.sweeps import ALL

CELL = r"(?:(?<=[,;\t])|(?<=\n))[^,;\t\n]+(?=[,;\t\n])"
MARKUP = r"(?<=>)[^<>\s][^<>]*(?=<)"
FIELDS = {
    ".pbn": r'(?<=")[^"\n]+(?="\])|(?<=\n)[^\[\n%;][^\n]*(?=\n)',
    ".lin": r"(?<=\|)[^|\n]+(?=\|)",
    ".json": r'(?<=: )"[^"\n]+"(?=[,\n])|(?<=: )-?[0-9.]+(?=[,\n])',
    ".xml": r'(?<=>)[^<>\s][^<>]*(?=</)|(?<==")[^"]+(?=")',
    ".html": MARKUP,
    ".csv": CELL,
    ".bwcsv": CELL,
    ".salliere": CELL,
    ".txt": r"[^\s,;|]+",
}
"""By the end of a name, what a field is in such a file."""

TITLES = re.compile(
    r"N&deg;|Time|North|South|East|West|Bid|Tricks|Lead|Result|Points|IMPs?|Matchpoints|MATCHPOINTS|Scores?|SCORES|NAMES"
    r"|Position|Id[12]|Name[12]|Percent|RESULTS|OF|BOARD|PAIRS|EW|NS|Movie|Traveller|Contract|By|Made|Down|Play|-+"
    r"|&nbsp;|std1|Board Detail|Open Pairs Scores|Pairs|EW Points|Direction|Section|award_[ne][sw]|overtrick"
    r"|utf-8|[A-Z]+DAY|1\.2"
)
"""Titles of pages and columns, which say what the fields below them are, the weekday beside a date, and a version."""


TEXTS = {name: text for name, text in text_files().items() if Path(name).suffix in FIELDS}


def fields(name: str, text: str) -> Iterator[tuple[int, int]]:
    for found in re.finditer(FIELDS[Path(name).suffix], text):
        if not TITLES.fullmatch(found[0].strip('"')):
            yield found.span()


@pytest.mark.parametrize("name", TEXTS)
def test_a_field_that_is_taken_out_is_missed(name: str, tmp_path: Path) -> None:
    text, path = TEXTS[name], tmp_path / name

    def frames(content: str) -> dict[str, object]:
        path.write_text(content, "utf-8")
        read_again = frames_of(read([str(path)], verified=True), tmp_path)
        return read_again | {"sources": read_again["sources"].drop("size", "sha256")}

    expected = frames(text)
    found = [*fields(name, text)]
    lost = []
    for begin, end in found if ALL else random.Random(35).sample(found, min(3, len(found))):
        without = text[:begin] + text[end:]
        everywhere = text.replace(text[begin:end], "")
        if not differences(expected, frames(without)) and not differences(expected, frames(everywhere)):
            lost.append(text[text.rfind("\n", 0, begin) + 1 : begin] + f"<<{text[begin:end]}>>")
    assert [] == lost
