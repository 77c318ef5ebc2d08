"""The page of a player leads back to the evenings."""

import re
from html import unescape
from pathlib import Path

import pytest

from overtrick.apps.inbox.season import make_season
from overtrick.core.config import load_config
from tests.support.club_seasons import play_season, write_club

ROW = re.compile(r'<th scope="row" class="names">(.*?)</th>.*?<td class="date"[^>]*><a href="([^"]+)">([^<]*)</a>')


def list_rivals(page: Path) -> list[tuple[str, Path, str]]:
    """Return the opponents of a player's page: name, where the last meeting leads, and its date."""
    section = page.read_text("utf-8").partition('id="rivals"')[2].partition("</section>")[0]
    rows = ROW.findall(section)
    return [(unescape(re.sub("<[^>]+>", "", name)), (page.parent / link).resolve(), day) for name, link, day in rows]


def list_evenings(page: Path) -> set[Path]:
    """Return the own scorecards of all evenings that the page lists."""
    section = page.read_text("utf-8").partition('id="evenings"')[2].partition("</section>")[0]
    return {
        (page.parent / link).resolve()
        for link in re.findall(r'<th scope="row" class="names"><a href="([^"]+)"', section)
    }


@pytest.mark.slow
def test_the_last_meeting_of_two_players_leads_to_the_own_scorecard_of_that_evening(tmp_path: Path) -> None:
    config = load_config(write_club(tmp_path / "club", play_season(12)[:4]))
    dict(make_season([str(tmp_path / "club")], tmp_path / "out", config, pdf=False))
    pages = {
        re.findall(r"<h1><bdi>([^<]*)", page.read_text("utf-8"))[0]: page
        for page in (tmp_path / "out/people").glob("*/index.html")
    }
    when = {name: {card.parent.parent for card in list_evenings(page)} for name, page in pages.items()}
    met = 0
    for name, page in pages.items():
        own = list_evenings(page)
        for rival, card, day in list_rivals(page):
            assert card in own
            assert day in card.read_text("utf-8")
            together = when[name] & when.get(rival, when[name])
            assert card.parent.parent in together
            met += len(together) > 1
    assert met > 50
