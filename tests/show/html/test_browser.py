"""The site in a real browser: from a disk, on a phone, by day and by night.

Needs Chromium (`OVERTRICK_CHROMIUM`, else /usr/bin/chromium) and playwright; without them these tests are skipped, or
fail where `OVERTRICK_REQUIRE_BROWSER=1`.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.apps.inbox.season import make_season
from overtrick.core.config import Config, load_config
from overtrick.show.publish.bulletin import write_bulletin
from tests.support.club_seasons import play_season, write_club
from tests.support.commands import FIXTURES
from tests.support.render_sample import NAMES, evening, large_evening

CHROMIUM = Path(os.environ.get("OVERTRICK_CHROMIUM", "/usr/bin/chromium"))
QUIET = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
LONG = "Maximiliane Featherstonehaugh-Cholmondeley - Wolfeschlegelsteinhausenbergerdorff the Younger"
PAGES = ("index.html", "board-1/index.html", "board-2/index.html", "board-3/index.html", "board-4/index.html",
         "pair-1/index.html", "pair-3/index.html", "problems/index.html")  # fmt: skip

try:
    from playwright.sync_api import Browser, Page, sync_playwright
except ImportError:
    MISSING = "playwright is not installed"
else:
    MISSING = "" if CHROMIUM.exists() else f"there is no {CHROMIUM}"

if MISSING and os.environ.get("OVERTRICK_REQUIRE_BROWSER") != "1":
    pytest.skip(MISSING, allow_module_level=True)

pytestmark = [pytest.mark.xdist_group("site in a browser"), pytest.mark.slow]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the sample evening with one very long name, and a large evening beside it."""
    folder = tmp_path_factory.mktemp("club site")
    club = Config.model_validate({"club": {"name": "Millbrook Bridge Club"}})
    write_bulletin(
        evening({**NAMES, "1": LONG, "2": "<img src=x onerror=alert(1)>"}), folder / "small", club, pdf=False
    )
    write_bulletin(large_evening(), folder / "large", club, pdf=False)
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    assert not MISSING, MISSING
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield running
        running.close()


@pytest.fixture
def page(browser: "Browser") -> Iterator["Page"]:
    """Open a tab as wide as a phone."""
    tab = browser.new_page(viewport={"width": 360, "height": 740})
    yield tab
    tab.close()


def open_page(page: "Page", site: Path, path: str) -> None:
    name, _, place = path.partition("#")
    page.goto((site / name).as_uri() + (f"#{place}" if place else ""))


def test_no_page_scrolls_sideways(page: "Page", site: Path) -> None:
    wide = []
    for path in [*(f"small/{path}" for path in PAGES), "large/index.html", "large/board-7/index.html"]:
        open_page(page, site, path)
        for width in (320, 360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wide.append((path, width))
    assert [] == wide


def test_nothing_sticks_out_of_a_board(page: "Page", site: Path) -> None:
    for number in (1, 2, 3):
        open_page(page, site, f"small/board-{number}/index.html")
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            boxes = [box for hand in page.locator(".hand").all() if (box := hand.bounding_box())]
            assert 4 == len(boxes)
            assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)


def test_a_phone_shows_place_names_and_percentage_of_the_ranking(page: "Page", site: Path) -> None:
    open_page(page, site, "large/index.html")
    heads = page.locator("table").first.locator("th[scope=col]")
    assert ["Place", "Names", "%"] == [head.inner_text() for head in heads.all() if head.is_visible()]


def test_a_phone_shows_who_played_and_what_it_was_worth(page: "Page", site: Path) -> None:
    open_page(page, site, "large/board-7/index.html")
    row = page.locator(".traveller tbody tr").first
    assert row.locator(".ns a").is_visible()
    assert row.locator(".ew a").is_visible()
    assert row.locator(".bid").is_visible()
    assert row.locator(".pct").is_visible()


def test_heads_of_long_tables_stay_in_sight(page: "Page", site: Path) -> None:
    open_page(page, site, "large/board-7/index.html")
    page.locator(".traveller tbody tr").last.scroll_into_view_if_needed()
    box = page.locator(".traveller thead").bounding_box()
    assert box is not None
    assert 0 == round(box["y"])


def test_a_board_opened_from_a_scorecard_shows_the_own_line(page: "Page", site: Path) -> None:
    open_page(page, site, "large/pair-7/index.html")
    page.locator("tbody th a").first.click()
    assert page.url.endswith("/large/board-1/index.html#pair-7")
    ground = "row => getComputedStyle(row).backgroundColor"
    own = page.locator(".traveller tbody tr", has=page.locator("#pair-7"))
    others = page.locator(".traveller tbody tr", has_not=page.locator("#pair-7"))
    assert own.evaluate(ground) != others.first.evaluate(ground)


def test_a_reader_can_go_everywhere_by_links(page: "Page", site: Path) -> None:
    open_page(page, site, "small/index.html")
    page.get_by_role("link", name="Board 2").click()
    page.get_by_role("link", name="Next").click()
    assert "Board 3" == page.get_by_role("heading", level=1).inner_text()
    page.get_by_role("link", name="Eva Thorn – Finn Ash").click()
    assert "Eva Thorn – Finn Ash" == page.get_by_role("heading", level=1).inner_text()
    page.get_by_role("link", name="Tuesday Pairs").click()
    assert page.url.endswith("/small/index.html#pair-3")


def test_the_skip_link_comes_first_and_can_be_seen_when_reached(page: "Page", site: Path) -> None:
    open_page(page, site, "small/board-1/index.html")
    page.keyboard.press("Tab")
    box = page.locator(".skip:focus").bounding_box()
    assert box is not None
    assert box["x"] >= 0


def test_the_night_is_dark_and_the_day_is_light(page: "Page", site: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    open_page(page, site, "small/index.html")
    page.emulate_media(color_scheme="light")
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    assert ("rgb(253, 253, 251)", "rgb(18, 18, 18)") == (light, page.evaluate(ground))


def test_pages_ask_for_nothing_but_their_own_files_and_run_nothing(page: "Page", site: Path) -> None:
    asked: list[str] = []
    events: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: events.append(dialog.message))
    page.on("pageerror", lambda error: events.append(str(error)))
    page.on("console", lambda message: events.append(message.text))
    for path in PAGES:
        open_page(page, site, f"small/{path}")
    assert [] == events
    assert [] == [url for url in asked if not url.startswith((site.as_uri(), "data:"))]


def test_screen_readers_hear_a_contract_once(page: "Page", site: Path) -> None:
    open_page(page, site, "small/board-1/index.html")
    assert '- cell "4 spades"' in page.locator(".traveller tbody").aria_snapshot()


def test_paper_has_no_buttons(page: "Page", site: Path) -> None:
    open_page(page, site, "small/board-2/index.html")
    page.emulate_media(media="print")
    assert not page.locator(".pager").is_visible()
    assert page.locator(".traveller").is_visible()


def test_a_phone_shows_the_totals_of_a_series_first_and_its_evenings_on_request(page: "Page", tmp_path: Path) -> None:
    config = load_config(write_club(tmp_path / "club", play_season(12)[:3]))
    dict(make_season([str(tmp_path / "club")], tmp_path / "out", config, pdf=False))
    page.set_viewport_size({"width": 360, "height": 740})
    open_page(page, tmp_path / "out", "series/spring-cup/index.html")
    assert page.locator(".series .pct").first.is_visible()
    table = page.locator(".wide")
    assert table.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert not page.locator(".series td.evening-1").first.is_visible()
    page.get_by_label("Show each evening").check()
    assert page.locator(".series td.evening-1").first.is_visible()


def test_the_index_of_a_season_finds_evenings_by_title_name_and_day(page: "Page", tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    for number, (title, day) in enumerate((("Spring Cup", "06"), ("Winter Cup", "13"), ("Spring Teams", "14")), 1):
        text = (FIXTURES / "spring-pairs.csv").read_text("utf-8")
        first = text.splitlines()[1].split(",")[:2]
        assert text.count(",".join(first)) >= 2
        changed = text.replace(",".join(first), f"{title},2026.01.{day}")
        (tmp_path / "club" / f"week{number}.csv").write_text(changed, "utf-8")
    dict(make_season([str(tmp_path / "club")], tmp_path / "out", Config(), pdf=False))
    open_page(page, tmp_path / "out", "index.html")

    def shown() -> str:
        links = page.locator("a[href^='week']:visible")
        return "".join(sorted({(links.nth(at).get_attribute("href") or "")[4] for at in range(links.count())}))

    search = page.get_by_role("searchbox")
    assert "123" == shown()
    search.fill("spring")
    assert "13" == shown()
    search.fill("winter")
    assert "2" == shown()
    search.fill("nothing of the kind")
    assert "" == shown()
    page.get_by_text("Nothing fits.").wait_for()
    search.fill("")
    page.get_by_label("Day").select_option("3")
    assert "3" == shown()
