"""How pages and seasons grow: twice the sections take about twice the work, also where all repeat the same numbers."""

import time
from itertools import pairwise
from pathlib import Path

import pytest

from overtrick.apps.inbox.season import make_season
from overtrick.core.config import Config
from tests.files.formats.test_growth import FACTOR, csv_sections
from tests.support.evaluating import evaluate
from tests.support.public import make_session_page


def sections(path: Path, count: int) -> str:
    path.write_text(csv_sections(count // 50), "utf-8")
    return str(path)


@pytest.mark.slow
def test_the_contents_of_pages_grow_no_faster_than_the_sections(tmp_path: Path) -> None:
    measured = []
    for count in (50, 200, 400, 800, 1600):
        session = evaluate([sections(tmp_path / "open.csv", count)], Config())
        tries = []
        for _ in range(3):
            begun = time.process_time()
            assert 4 * count == len(make_session_page(session, Config()).scorecards)
            tries.append(time.process_time() - begun)
        measured.append(min(tries))
    # Four times as many sections: of two runs next to each other, one may have been disturbed.
    for work, more in zip(measured[1:], measured[3:], strict=False):
        assert FACTOR**2 * max(work, 0.2) > more


@pytest.mark.slow
def test_a_season_grows_no_faster_than_its_sections(tmp_path: Path) -> None:
    measured = []
    for count in (50, 100, 200):
        begun = time.process_time()
        file = sections(tmp_path / f"open{count}.csv", count)
        assert [(f"open{count}", "made")] == [*make_season([file], tmp_path / str(count), Config(), pdf=False)]
        measured.append(time.process_time() - begun)
    for work, more in pairwise(measured):
        assert FACTOR * max(work, 0.2) > more
