"""What is said once of a session, and where it is said."""

from pathlib import Path

import pytest

from overtrick.core.frames import Facts
from overtrick.files.assemble import read


def facts(folder: Path, text: str) -> Facts:
    path = folder / "some.pbn"
    path.write_text(text, "utf-8")
    return read([str(path)]).facts


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ('%HRTitleEvent "Cup"\n%HRTitleSite "Hall"\n%HRTitleDate "2024-02-29"', ("Cup", "Hall", "2024.02.29")),
        ('% <META  name=ContestName  content="Club night">', ("Club night", None, None)),
        ('% <META  name=ContestDate  content="2012-01-24">', (None, None, "2012.01.24")),
        ('%HRTitleEvent ""\n%HRTitleDate 0', (None, None, None)),
    ],
)
def test_a_heading_in_escape_lines_stands_for_empty_tags(
    tmp_path: Path, heading: str, expected: tuple[str | None, ...]
) -> None:
    told = facts(tmp_path, f'% PBN 2.1\n{heading}\n[Event ""]\n[Site ""]\n[Date "?"]\n[Board "1"]\n')
    assert expected == (told.event, told.site, told.date)


def test_a_tag_counts_before_a_heading(tmp_path: Path) -> None:
    assert "Cup" == facts(tmp_path, '%HRTitleEvent "Other"\n[Event "Cup"]\n[Board "1"]\n').event
