"""The README, the CHANGELOG, CONTRIBUTING and the pages in docs/ avoid phrases that read as if translated."""

import re
from pathlib import Path

import pytest

from tests.support.commands import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`|\]\([^)\n]*\)|<!--.*?-->")

AVOIDED = {
    "is no ...: write 'is not a'": r"\b(?:is|are|was|were) no (?!longer\b)[a-z]",
    "stands: write 'is'": r"\b(?:stands|stood)\b(?! for\b)|\bstand (?:at|behind|in|on|there)\b",
    "held against: write 'compared with' or 'checked against'": r"\b(?:held|holds?) (?:\w+ )?against\b",
    "is told: write 'reports' or 'shows'": r"\b(?:is|are|was|were) told\b|\btells? of\b",
    "so many: write the number, or 'many'": r"\bso many\b",
    "What ... at the start of a sentence: write the subject": r"(?:^|[.:;!?|] |^[-*] )What (?:has|is|can|does|was)\b",
    "of one that: start a new sentence": r"\bof one that\b",
    "in any case: write 'always'": r"\bin any case\b",
    "whoever: write who it is": r"\bwhoever\b",
    "gone on with: write 'resumes'": r"\b(?:gone|goes|go|went) on with\b",
    "of ours: write 'overtrick's'": r"\bof ours\b",
    "can't say: write 'cannot store' or 'cannot show'": r"\bcan(?:'t|not) say\b",
}
"""Regular expressions by the advice for each."""


def prose(page: Path) -> list[tuple[int, str]]:
    """List the lines of a page with their numbers, without code, links and comments."""
    text = BLOCK.sub(lambda block: "\n" * block[0].count("\n"), page.read_text("utf-8"))
    return [(number, CODE.sub("``", line)) for number, line in enumerate(text.splitlines(), start=1)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_written_in_plain_english(page: Path) -> None:
    found = [
        f"{page.name}:{number}: {advice}: {line.strip()}"
        for number, line in prose(page)
        for advice, pattern in AVOIDED.items()
        if re.search(pattern, line, re.IGNORECASE)
    ]
    assert [] == found


@pytest.mark.parametrize(
    "text",
    [
        "It is no card.",
        "The place where it stands.",
        "Results are held against the movement.",
        "The loss is told.",
        "What has nothing to rank says so.",
        "A run that was cut is gone on with.",
    ],
)
def test_the_phrases_are_found(text: str) -> None:
    assert any(re.search(pattern, text, re.IGNORECASE) for pattern in AVOIDED.values())
