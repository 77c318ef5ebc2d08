"""Every kind of page on a phone, for readers whose browser makes text larger: nothing wider than the screen.

WCAG 2.2, 1.4.4 and 1.4.10 ask for text at 200 % without scrolling sideways. Small type is for fine print alone, and a
thumb meets links that are 44 pixels high.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from overtrick.apps.inbox.season import make_season
from overtrick.core.config import load_config
from tests.show.html.test_browser import CHROMIUM, MISSING, QUIET
from tests.support.club_seasons import play_season, write_club
from tests.support.commands import FIXTURES, run
from tests.support.played_evening import played_evening
from tests.support.sweeps import ALL

if not MISSING:
    from playwright.sync_api import sync_playwright

if MISSING and os.environ.get("OVERTRICK_REQUIRE_BROWSER") != "1":
    pytest.skip(MISSING, allow_module_level=True)

pytestmark = [pytest.mark.xdist_group("large text"), pytest.mark.slow]

SMALL_SHARE = """() => {
  let small = 0, all = 0;
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode()); ) {
    const text = node.textContent.trim(), range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!text || box.width < 2 || box.height < 2) continue;
    all += text.length;
    if (parseFloat(getComputedStyle(node.parentElement).fontSize) < 14) small += text.length;
  }
  return all ? small / all : 0;
}"""
LOW_LINKS = """() => [...document.querySelectorAll("a[href]:not(.skip)")].filter(link => {
  const box = link.getBoundingClientRect();
  return box.width > 2 && box.height > 2 && box.height < 43.5;
}).map(link => link.outerHTML.slice(0, 80))"""
NAMES = (
    "Zoë Marchetti – Tom Ashdown",
    "山田太郎 – 鈴木花子",
    "Лариса Тихомирова – Олег",
    "Αλέξανδρος – Μαρία",
    "לאה – משה",
    "ليلى – سامي",
)


def write_teams(path: Path) -> Path:
    """Write a Swiss of four teams, with names of six scripts and one team of four letters."""
    teams = ("Owls", "Kestrels of the Northern Valley", "Larks", "Rooks")
    rows = ["event,date,scoring,round,table,board,team_ns,team_ew,contract,declarer,tricks,names_ns,names_ew"]
    for number, order in enumerate(((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)), 1):
        for table, (one, two) in enumerate((order[:2], order[2:]), 1):
            for board in range(1, 5):
                line = f"Swiss,2026.10.13,IMP,{number},%s,{board},%s,%s,3NT,N,%s,%s,%s"
                rows.append(line % (table, teams[one], teams[two], 8 + (board + one) % 3, NAMES[one], NAMES[two + 2]))
                rows.append(line % (table + 2, teams[two], teams[one], 9, NAMES[two + 1], NAMES[one]))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write sites of all kinds of evenings in two languages, and a season; return a page of each kind."""
    folder = tmp_path_factory.mktemp("sites")
    evenings = ("club-evening.pbn", "rubber.csv", "two-rooms.lin", "butler-evening.pbn", "bbo-traveller.html")
    for language in ("en", "pl"):
        settings = folder / f"{language}.toml"
        settings.write_text(f'[site]\nlanguage = "{language}"\n')
        for file in (*(FIXTURES / name for name in evenings), write_teams(folder / "teams.csv")):
            solving = "--analyse" if file.name == "club-evening.pbn" else "--no-dd"
            out = folder / language / file.stem
            done = run("bulletin", file, "--out", out, "--config", settings, "--no-pdf", solving)
            assert 0 == done.status, done.err
    club = load_config(write_club(folder / "club", play_season(12)[:3]))
    dict(make_season([str(folder / "club")], folder / "season", club, pdf=False))
    found: dict[tuple[str, ...], Path] = {}
    for path in sorted(folder.rglob("*.html")):
        parts = path.relative_to(folder).parts[:-1]
        found.setdefault((*parts[:2], *(part.split("-")[0].rstrip("0123456789") for part in parts[2:])), path)
    assert 50 < len(found)
    return {"/".join(path.relative_to(folder).parts): path for path in found.values()}


@contextmanager
def open_phone(size: int) -> Iterator[Any]:
    """Open a phone's tab whose reader has chosen a size of text, in pixels."""
    sizes = f"--blink-settings=defaultFontSize={size}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, sizes])
        page = browser.new_page(viewport={"width": 360, "height": 740})
        assert f"{size}px" == page.evaluate("getComputedStyle(document.documentElement).fontSize")
        yield page
        browser.close()


@pytest.mark.parametrize(("size", "widths"), [(16, (320, 600, 641, 993, 360)), (24, (360,)), (32, (360,))])
def test_no_kind_of_page_is_wider_than_the_screen(size: int, widths: tuple[int, ...], pages: dict[str, Path]) -> None:
    """At the usual size also: type is small in fine print only, and links have the height of a thumb.

    Where words are longest, in Polish, every width and size is tried; in English the two narrowest at the usual size.
    """
    wide, small, low = {}, {}, {}
    with open_phone(size) as page:
        for name, path in pages.items():
            in_english = name.startswith("en/") and not ALL
            if in_english and size > 16:
                continue
            page.goto(path.as_uri())
            if size == 16:  # at 360 pixels, the width that is tried last
                small[name] = page.evaluate(SMALL_SHARE)
                low[name] = page.evaluate(LOW_LINKS)[:3]
            for width in (320, 360) if in_english else widths:
                page.set_viewport_size({"width": width, "height": 740})
                needed = page.evaluate("document.documentElement.scrollWidth")
                if needed > width + 1:
                    wide[name, width] = needed
    assert {} == wide
    assert {} == {name: share for name, share in small.items() if share > 0.05}
    assert {} == {name: links for name, links in low.items() if links}


def test_the_better_card_of_a_sentence_opens_the_replay_after_its_trick(tmp_path: Path) -> None:
    evening = tmp_path / "evening.pbn"
    evening.write_text(played_evening(8, 4, seed=5))
    done = run("bulletin", evening, "--out", tmp_path / "site", "--no-pdf", "--analyse")
    assert 0 == done.status, done.err
    found = re.compile(r'<a href="([^"]*#[^"]*-trick-([0-9]+))">')
    links = {match for card in tmp_path.rglob("pair-*/index.html") for match in found.findall(card.read_text())}
    assert 3 < len(links)
    with open_phone(16) as page:
        for link, trick in links:
            page.goto(
                (tmp_path / "site/pair-1" / link.partition("#")[0]).resolve().as_uri() + "#" + link.partition("#")[2]
            )
            assert trick == page.locator("table.play [aria-current] th").inner_text()
            assert page.locator(".player output").inner_text()
