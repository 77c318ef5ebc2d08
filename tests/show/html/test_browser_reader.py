"""What a reader does with the site: find oneself, sort, play a board again, with and without a mouse or scripts."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from overtrick.apps.inbox.season import make_season
from overtrick.core.config import Config
from tests.show.html.test_browser import CHROMIUM, MISSING, QUIET
from tests.support.commands import FIXTURES, run
from tests.support.site_sample import HOSTILE, pairs_evening, write_season_files
from tests.support.sweeps import sample

if not MISSING:
    from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

pytestmark = [pytest.mark.xdist_group("site of a reader"), pytest.mark.slow]

REPLAY = "pairs/board-1/table-2/index.html"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("club site")
    files = write_season_files(folder / "files")
    # One table alone has its play on the page of the board.
    single = pairs_evening(boards=1, tables=1).replace("2026.03.05", "2026.03.12")
    (files / "single.pbn").write_text(single, "utf-8")
    club = Config.model_validate({"series": [{"name": "Spring"}]})
    for _ in make_season([str(files)], folder / "site", club, pdf=False):
        pass
    return folder / "site"


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield running
        running.close()


@pytest.fixture
def context(browser: "Browser") -> Iterator["BrowserContext"]:
    """Return a browser context without any history."""
    reader = browser.new_context(viewport={"width": 1100, "height": 800})
    yield reader
    reader.close()


def opened(context: Any, site: Path, path: str) -> "Page":
    page: Page = context.new_page()
    page.goto((site / path).as_uri())
    return page


def on_the_web(context: Any, site: Path, path: str) -> "Page":
    """Open a page at an address, as `opened` does from the disk."""
    home = "https://club.example/"
    context.route(f"{home}**", lambda route: route.fulfill(path=site / route.request.url.removeprefix(home)))
    page: Page = context.new_page()
    page.goto(f"{home}{path}")
    return page


def test_a_scorecard_opens_its_boards_in_place_one_after_the_other(context: "BrowserContext", site: Path) -> None:
    page = on_the_web(context, site, "pairs/index.html")
    page.get_by_label("Find me").fill("di b")
    page.get_by_role("search").get_by_role("link").click()
    boards = page.locator(".scorecard tbody .board a")
    boards.first.click()
    reader = page.get_by_role("dialog", name="Board 1")
    assert "Bo Lind B." in reader.locator("tr.mine").inner_text()
    assert 4 == reader.locator(".deal .hand").count()
    assert reader.get_by_role("button", name="Previous").is_disabled()
    reader.get_by_role("button", name="Next").click()
    link = page.get_by_role("dialog", name="Board 2").get_by_role("link", name="Board 2")
    assert "https://club.example/pairs/board-2/index.html" == link.evaluate("it => it.href.split('#')[0]")
    with page.expect_download() as download:
        page.get_by_role("button", name="As a picture").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    page.keyboard.press("Escape")
    # The browser tells the page a moment later that the dialog is shut.
    page.locator(".scorecard .board a:focus", has_text=re.compile("^2$")).wait_for()


def test_from_a_disk_the_boards_of_a_scorecard_are_pages(context: "BrowserContext", site: Path) -> None:
    page = opened(context, site, "pairs/index.html")
    page.locator(".ranking .names a").first.click()
    page.locator(".scorecard tbody .board a").first.click()
    assert "Board 1" == page.get_by_role("heading", level=1).inner_text()


def test_a_cell_of_the_matrix_compares_its_two_pairs_on_the_boards_that_both_played(
    context: "BrowserContext", site: Path
) -> None:
    page = opened(context, site, "pairs/matrix/index.html")
    page.get_by_role("link", name="Bo Lind A. – Di Holm A., Cy Marsh A. – Ann Vale A.").click()
    heads = page.locator(".pair-by-pair thead a")
    # A script makes the table after the page has come.
    heads.first.wait_for()
    assert ["Bo Lind A. – Di Holm A.", "Cy Marsh A. – Ann Vale A."] == heads.all_inner_texts()
    assert "On 3 of 3 boards they met" in page.locator(".verdict").inner_text()


def test_pairs_of_opposite_directions_are_compared_and_the_page_says_so(context: "BrowserContext", site: Path) -> None:
    page = opened(context, site, "pairs/compare/index.html")
    # Nobody is chosen yet: the first two of the first ranking.
    ranked = page.locator("select[name=one] optgroup").first.locator("option").all_inner_texts()
    assert ranked[:2] == page.locator(".pair-by-pair thead a").all_inner_texts()
    page.get_by_label("Compare").select_option(label="Bo Lind A. – Di Holm A.")
    page.get_by_label("with").select_option(label="Cy Marsh B. – Ann Vale B.")
    assert "On 3 of 3 boards they sat in opposite directions" in page.locator(".verdict").inner_text()
    first = page.locator(".pair-by-pair tbody tr").first
    own = first.locator("td").nth(0).inner_text()
    assert own.startswith("N-S 2♠")
    assert re.search(r"\s[+−]\d+\s+[\d.]+$", own)
    assert "E-W" in first.locator("td").nth(1).inner_text()
    page.get_by_label("with").select_option(label="Bo Lind B. – Di Holm B.")
    assert "opposite" not in page.locator(".verdict").inner_text()
    assert re.search(r"better on \d boards, worse on \d, the same on \d", page.locator(".verdict").inner_text())


def test_a_reader_finds_the_own_row_and_scorecard_by_a_part_of_the_name(context: "BrowserContext", site: Path) -> None:
    page = opened(context, site, "pairs/index.html")
    page.get_by_label("Find me").fill("di b")
    assert ["Bo Lind B. – Di Holm B."] == page.locator("tr.mine .names").all_inner_texts()
    page.get_by_role("search").get_by_role("link").click()
    assert "Bo Lind B. – Di Holm B." == page.get_by_role("heading", level=1).inner_text()


def test_who_was_found_is_remembered_on_other_pages_and_other_days(context: "BrowserContext", site: Path) -> None:
    opened(context, site, "pairs/index.html").get_by_label("Find me").fill("Ann Vale C.")
    page = opened(context, site, "pairs/board-1/index.html")
    assert 1 == page.locator(".traveller tr.mine").count()
    assert "best for East-West first" in page.locator(".traveller caption").inner_text()
    assert "Ann Vale C." == opened(context, site, "pairs/index.html").get_by_label("Find me").input_value()


def test_a_name_that_did_not_play_gets_an_answer(context: "BrowserContext", site: Path) -> None:
    page = opened(context, site, "pairs/index.html")
    page.get_by_label("Find me").fill("nobody I know")
    assert "No player or pair has that name or number." == page.locator(".find output").inner_text()


def test_a_link_may_name_the_reader(context: "BrowserContext", site: Path) -> None:
    page = context.new_page()
    page.goto((site / "pairs/index.html").as_uri() + "?pair=cy%20a.")
    assert ["Cy Marsh A. – Ann Vale A."] == page.locator("tr.mine .names").all_inner_texts()


def test_a_table_sorts_by_its_heads_and_says_how(context: "BrowserContext", site: Path) -> None:
    page = opened(context, site, "pairs/board-1/index.html")
    head = page.locator(".traveller th.bid")
    head.get_by_role("button").click()
    assert ["2♠", "3♠", "4♠"] == [cell[:2] for cell in page.locator(".traveller td.bid").all_inner_texts()]
    assert "ascending" == head.get_attribute("aria-sort")
    head.get_by_role("button").click()
    assert "descending" == head.get_attribute("aria-sort")
    assert "4" == page.locator(".traveller td.bid").first.inner_text()[0]


def test_words_for_tricks_sort_by_their_numbers(context: "BrowserContext", tmp_path: Path) -> None:
    run("bulletin", str(FIXTURES / "club-evening.pbn"), "--out", str(tmp_path / "site"), "--no-pdf", "--analyse")
    page = opened(context, tmp_path / "site", "board-14/index.html")
    page.locator(".traveller th.dd button").click()
    tricks = page.locator(".traveller td.dd data").evaluate_all("found => found.map(one => Number(one.value))")
    assert len(set(tricks)) > 2
    assert sorted(tricks, reverse=True) == tricks


def test_totals_of_a_series_sort_by_their_exact_values(context: "BrowserContext", site: Path) -> None:
    page = opened(context, site, "series/spring/index.html")
    head = page.locator("th.pct button").first
    for up in (False, True):
        head.click()
        exact = page.locator("td.pct data").evaluate_all("found => found.map(one => one.value)")
        totals = [Fraction(value) for value in exact]
        assert len(set(totals)) > 2
        assert sorted(totals, reverse=not up) == totals


def test_numbers_sort_as_numbers_and_blanks_come_last(context: "BrowserContext", site: Path) -> None:
    page = opened(context, site, "pairs/board-1/index.html")
    page.locator(".traveller th.s-ew button").click()
    scores = [text for text in page.locator(".traveller td.s-ew").all_inner_texts() if text]
    assert sorted(map(int, scores), reverse=True) == list(map(int, scores))
    assert page.locator(".traveller td.s-ew").first.inner_text()


@pytest.mark.parametrize("path", [REPLAY, "single/board-1/index.html"])
def test_a_play_steps_to_its_end_and_comes_to_the_tricks_of_the_result(
    context: "BrowserContext", site: Path, path: str
) -> None:
    page = opened(context, site, path)
    said = re.search(r"(\d+) tricks?", page.locator(".came-to").inner_text())
    assert said is not None
    player = page.locator(".player")
    calls = page.locator(".auction tbody td").filter(has_text=re.compile(r"\S")).count()
    for _ in range(calls + 52):
        player.get_by_role("button", name="Next card").click()
    assert f"N-S {said[1]}, E-W {13 - int(said[1])}" in player.locator("output").inner_text()
    assert 52 == page.locator(".live .gone").count()
    player.get_by_role("button", name="Start").click()
    assert "N-S 0, E-W 0" == player.locator("output").inner_text()
    player.get_by_role("button", name="Next trick").click()
    assert 0 == page.locator(".live .gone").count()
    player.get_by_role("button", name="Next trick").click()
    assert 4 == page.locator(".live .gone").count()
    player.get_by_role("button", name="Back").click()
    assert 3 == page.locator(".live .compass .card").count()


def test_a_play_can_be_stepped_through_by_keys_alone(context: "BrowserContext", site: Path) -> None:
    page = opened(context, site, REPLAY)
    calls = page.locator(".auction tbody td").filter(has_text=re.compile(r"\S")).count()
    for _ in range(calls + 2):
        page.keyboard.press("ArrowRight")
    assert 2 == page.locator(".live .gone").count()
    page.keyboard.press("End")
    assert 52 == page.locator(".live .gone").count()


def test_every_link_and_field_is_reached_by_keys_in_the_order_of_the_page(
    context: "BrowserContext", site: Path
) -> None:
    page = opened(context, site, "pairs/index.html")
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.outerHTML"))
    assert reached[0].startswith('<a class="skip"')
    assert any('id="find-me"' in one for one in reached)
    assert any("board-3/index.html" in one for one in reached)
    assert any('name="suits"' in one for one in reached)


def test_without_scripts_nothing_is_missing_and_nothing_is_dead(browser: "Browser", site: Path) -> None:
    reader = browser.new_context(java_script_enabled=False)
    page = opened(reader, site, REPLAY)
    assert 13 == page.locator(".play tbody tr").count()
    assert 0 == page.locator("button:visible").count()
    page.goto((site / "pairs/index.html").as_uri())
    assert not page.get_by_role("search").is_visible()
    page.locator(".ranking .names a").first.click()
    assert page.locator(".scorecard").is_visible()
    page.goto((site / "pairs/compare/index.html").as_uri())
    page.get_by_role("link", name="Recap sheet").click()
    page.locator(".pick input").nth(1).check()
    page.get_by_label("Only the ticked lines").check()
    assert 1 == page.locator(".recap tbody tr:visible").count()
    page.get_by_role("button", name="Show all").click()
    assert page.locator(".recap tbody tr:visible").count() > 1
    reader.close()


def test_four_colours_and_the_night_are_the_reader_s_choice_and_kept(context: "BrowserContext", site: Path) -> None:
    page = opened(context, site, "pairs/board-1/index.html")
    colour = "getComputedStyle(document.querySelector('.deal .diamonds')).color"
    ground = "getComputedStyle(document.body).backgroundColor"
    two, day = page.evaluate(colour), page.evaluate(ground)
    page.get_by_label("Suit colours").select_option("four")
    page.get_by_label("Theme").select_option("dark")
    assert two != page.evaluate(colour)
    later = opened(context, site, "pairs/board-2/index.html")
    assert (page.evaluate(colour), page.evaluate(ground)) == (later.evaluate(colour), later.evaluate(ground))
    assert day != later.evaluate(ground)


def kind_of(path: Path) -> tuple[str, ...]:
    """Return the folder of a page, and the first words of the folders in it: pairs, board, table."""
    folder, *inner = path.parts[:-1] or ("",)
    if folder in {"people", "partnerships"}:
        return folder, *("one" for _ in inner)
    return folder, *(name.split("-")[0] for name in inner)


def test_no_page_of_any_kind_scrolls_sideways(context: "BrowserContext", site: Path) -> None:
    wide = []
    page = context.new_page()
    # Of each kind the page with the longest name.
    pages = sorted((one.relative_to(site) for one in site.rglob("index.html")), key=lambda one: len(str(one)))
    for path in sample([*{kind_of(path): path for path in pages}.values()], 2):
        page.goto((site / path).as_uri())
        for width in (320, 360, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wide.append((path.as_posix(), width))
    assert [] == wide


def test_paper_has_the_play_and_no_player(context: "BrowserContext", site: Path) -> None:
    page = opened(context, site, REPLAY)
    page.emulate_media(media="print")
    assert page.locator("table.play").is_visible()
    assert not page.locator(".player").is_visible()
    assert not page.locator(".look").is_visible()


def test_names_that_mean_harm_do_none(context: "BrowserContext", site: Path) -> None:
    page = context.new_page()
    events: list[str] = []
    page.on("dialog", lambda dialog: events.append(dialog.message))
    page.on("pageerror", lambda error: events.append(str(error)))
    page.on("console", lambda message: events.append(message.text))
    for path in ("hostile/index.html", "hostile/board-1/index.html", "hostile/board-1/table-1/index.html"):
        page.goto((site / path).as_uri())
        assert HOSTILE[0] in page.locator("main").inner_text()
    page.goto((site / "hostile/index.html").as_uri())
    page.get_by_label("Find me").fill(HOSTILE[0])
    assert page.locator("tr.mine").count()
    assert [] == events


def test_nobody_else_is_asked_for_anything(context: "BrowserContext", site: Path) -> None:
    asked: list[str] = []
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / REPLAY).as_uri())
    own = [url for url in asked if not url.startswith("data:")]
    assert [] == [url for url in own if not url.startswith(site.as_uri())]
    assert 3 == len(own)


def test_one_search_finds_players_teams_evenings_and_boards_on_every_page_of_a_season(
    context: "BrowserContext", site: Path
) -> None:
    for path in ("index.html", "people/index.html", "pairs/index.html", "pairs/board-1/index.html"):
        page = opened(context, site, path)
        opens = page.locator(".search summary")
        if opens.count():
            opens.click()
        box = page.get_by_role("searchbox", name="Search")
        box.fill("vale ann")
        page.locator(".hits a").first.wait_for()
        assert {"Ann Vale A.", "Ann Vale B."} <= set(page.locator(".hits a").all_inner_texts())
        box.fill("blues")
        page.locator(".hits a", has_text=re.compile("^Blues: ")).first.wait_for()
        box.fill("ann vale a 2")
        page.locator(".hits a", has_text="Board 2").first.wait_for()
        box.press("Enter")
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("/board-2/index.html#pair"))
        page.close()


def test_the_front_page_has_my_series_and_when_i_met_those_opponents_before(
    context: "BrowserContext", site: Path
) -> None:
    page = on_the_web(context, site, "index.html")
    page.evaluate("localStorage.setItem('overtrick-me', 'Bo Lind A.')")
    page.reload()
    page.locator(".last").wait_for()
    assert "12 March 2026" in page.locator(".last .evening").inner_text()
    assert re.search(r"^My series: Spring place [0-9]+=? of [0-9]+$", page.locator(".last .series").inner_text())
    page.get_by_text("Opponents met before").click()
    assert {"Cy Marsh A.: 5 March 2026", "Ann Vale A.: 5 March 2026"} == set(page.locator(".met li").all_inner_texts())


def test_the_front_page_begins_with_the_last_evening_of_whoever_said_who_they_are(
    context: "BrowserContext", site: Path
) -> None:
    page = opened(context, site, "index.html")
    assert not page.locator(".last").is_visible()
    page = opened(context, site, "pairs/index.html")
    page.locator(".ranking .names a", has_text="B.").first.click()
    page.get_by_role("button", name="This is me").click()
    place = page.locator(".figures dd").first.inner_text()
    page = opened(context, site, "index.html")
    page.locator(".last").wait_for()
    assert f"place {place}" in page.locator(".last").inner_text()
    href = page.locator(".last .evening").get_attribute("href") or ""
    assert (site / href).is_file()
    for kind in ("best", "worst"):
        board = page.locator(f".last .{kind}").get_attribute("href") or ""
        assert (site / board.partition("#")[0]).is_file()
    page.get_by_role("button", name="Forget me").click()
    assert not page.locator(".last").is_visible()
