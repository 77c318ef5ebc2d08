"""The desk in a real browser, as a scorer uses it: whole evenings, by keyboard, at two sizes and in both themes.

Needs Chromium (`OVERTRICK_CHROMIUM`, else /usr/bin/chromium) and playwright; without them these tests are skipped, or
fail where `OVERTRICK_REQUIRE_BROWSER=1`.
"""

import os
import random
import re
import shutil
import socket
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.apps.evening.sheets import type_results
from overtrick.core.config import Config
from overtrick.core.words import spoken
from overtrick.files.correct.entry import ShorthandError, read_shorthand, write_shorthand
from overtrick.files.formats.csv import read_results_csv
from tests.support import servers
from tests.support.commands import FIXTURES, ROOT
from tests.support.desk import Running, large_sheet, random_result, running
from tests.support.sweeps import ALL

CHROMIUM = Path(os.environ.get("OVERTRICK_CHROMIUM", "/usr/bin/chromium"))
AXE = ROOT / "tests" / "web" / "node_modules" / "axe-core" / "axe.min.js"
REQUIRED = os.environ.get("OVERTRICK_REQUIRE_BROWSER") == "1"

try:
    from playwright.sync_api import Browser, Page, sync_playwright
except ImportError:
    MISSING = "playwright is not installed"
else:
    MISSING = "" if CHROMIUM.exists() else f"there is no {CHROMIUM}"

if MISSING and not REQUIRED:
    pytest.skip(MISSING, allow_module_level=True)

pytestmark = [pytest.mark.xdist_group("desk in a browser"), pytest.mark.slow]

SCREENS = ("", "problems", "grid", "grid?board=3", "cell?board=1&round=1&table=1&ns=1&ew=9", "rulings", "people",
           "ranking", "publish", "history", "live")  # fmt: skip
OTHERS = ("/", "/settings", "/settings/text", "/type?kind=mitchell&tables=5&boards=3", "/live")
EVERY = (*OTHERS, *(f"/evening/tuesday/{screen}" for screen in SCREENS))


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    assert not MISSING, MISSING
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


def put_evening(place: Path) -> Path:
    place.mkdir()
    shutil.copy(FIXTURES / "club-evening.pbn", place / "tuesday.pbn")
    return place


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return put_evening(tmp_path / "club")


@pytest.fixture
def desk(folder: Path) -> Iterator[Running]:
    with running(folder) as started:
        yield started


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a desk for tests that change nothing."""
    with running(put_evening(tmp_path_factory.mktemp("looked at") / "club")) as started:
        yield started


@pytest.fixture
def page(browser: "Browser", desk: Running) -> Iterator["Page"]:
    tab = browser.new_page(viewport={"width": 1280, "height": 800})
    # Half of the machines that run this are busy with other tests.
    tab.set_default_timeout(120_000)
    tab.goto(desk.address)
    yield tab
    tab.close()


def ready(page: "Page", path: str) -> None:
    """Wait until the script of a screen runs.

    Before that, Enter sends the form and loads the page again, and a form does not say which window it comes from, so
    the desk refuses it while it takes the page before for a window that writes.
    """
    page.wait_for_url(re.compile(path))
    page.locator("html[data-ready]").wait_for(state="attached")


def published_well(page: "Page") -> None:
    """Wait until publishing has ended, and show what the screen says if it did not end well."""
    page.locator("#job:not([data-running]) .told").last.wait_for()
    assert "Done." in page.inner_text("#job")


def corrections(folder: Path, name: str = "tuesday") -> str:
    return (folder / f"{name}.corrections.toml").read_text("utf-8")


def test_a_cell_is_corrected_by_keyboard_and_the_ranking_follows(page: "Page", desk: Running, folder: Path) -> None:
    page.goto(f"{desk.base}/evening/tuesday/grid")
    ready(page, "/grid$")
    before = page.inner_text("#ranking")
    page.locator(".grid .cell").first.focus()
    page.keyboard.type("4SN+1")
    page.locator("#effect table").wait_for()
    page.keyboard.press("Enter")
    page.locator(".told", has_text="4♠ by N, 11 tricks").wait_for()
    assert before != page.inner_text("#ranking")
    assert 'contract = "4S"\nby = "N"\ntricks = 11' in corrections(folder)
    assert "4SN+1" in page.locator(".grid .cell").first.inner_text()
    page.get_by_role("button", name="Undo the last correction").click()
    page.locator(".told", has_text="Taken back").wait_for()
    assert not (folder / "tuesday.corrections.toml").exists()


def test_a_result_is_found_by_board_and_person_without_the_mouse(page: "Page", desk: Running) -> None:
    page.goto(f"{desk.base}/evening/tuesday/grid")
    ready(page, "/grid$")
    cell = page.locator(".grid .cell").last
    board, names = cell.locator("xpath=ancestor::tr").get_attribute("data-row"), cell.get_attribute("data-who")
    person = re.findall(r"[^\W\d]{2,}", names or "")[0].lower()
    page.keyboard.press("/")
    page.keyboard.type(f"{(board or '').partition('/')[2]} {person}")
    page.keyboard.press("Enter")
    found = page.evaluate("document.activeElement.dataset.key")
    assert cell.get_attribute("data-key") == found
    assert 1 == page.locator(".grid .cell.found").count()
    page.keyboard.type("P")
    assert "P" == page.locator(".grid .cell input").input_value()


def test_the_large_ranking_shows_who_climbed_since_the_round_began_and_turns_its_pages(
    page: "Page", desk: Running, folder: Path
) -> None:
    head = "event,table,round,board,ns,ew,contract,declarer,tricks,names_ns,names_ew\n"
    # Table 1 is the only one that scores less in round 1, and more in round 2.
    sat = [(number, table, 7 if (table == 1) == (number == 1) else 8) for number in (1, 2) for table in range(1, 31)]
    lines = [
        f"Cup,{table},{number},{number},{table},{table + 30},1NT,N,{tricks},N{table} - S{table},E{table} - W{table}\n"
        for number, table, tricks in sat
    ]
    (folder / "friday.csv").write_text(head + "".join(lines[:30]), "utf-8")
    page.goto(f"{desk.base}/live?evening=friday")
    page.locator("html[data-ready]").wait_for(state="attached")
    assert 0 == page.locator(".arrow").count()
    deadline = time.monotonic() + 60
    while not page.evaluate("scrollY") and time.monotonic() < deadline:
        page.wait_for_timeout(500)
    assert 0 < page.evaluate("scrollY")
    title = page.locator("h1").bounding_box()
    assert title
    assert title["y"] <= 1
    (folder / "friday.csv").write_text(head + "".join(lines), "utf-8")
    page.locator("h1", has_text="round 2").wait_for()
    assert page.locator(".ranking tr", has_text="N1 – S1").first.locator(".arrow").inner_text().strip().startswith("▲")


def test_a_second_window_is_for_reading_only_and_may_take_over(page: "Page", browser: "Browser", desk: Running) -> None:
    page.goto(f"{desk.base}/evening/tuesday/people")
    page.locator(".reading[hidden]").first.wait_for(state="attached")
    second = browser.new_page()
    second.goto(desk.address)
    second.goto(f"{desk.base}/evening/tuesday/people")
    bar = second.get_by_text("This one is for reading only.")
    bar.wait_for()
    assert second.get_by_role("button", name="Show what changes").first.is_disabled()
    second.get_by_role("button", name="Write in this window instead").click()
    bar.wait_for(state="hidden")
    assert second.get_by_role("button", name="Show what changes").first.is_enabled()
    second.close()


def test_the_names_of_a_pair_are_saved_once_they_are_changed(page: "Page", desk: Running) -> None:
    page.goto(f"{desk.base}/evening/tuesday/people")
    names, save = page.locator(".people input[name=name]").first, page.get_by_role("button", name="Save")
    before = names.input_value()
    names.fill("Ann Lark - Bob Wren")
    assert 1 == save.count()
    names.fill(before)
    assert 0 == save.count()


def test_a_folder_is_chosen_in_the_dialog_of_the_browser(browser: "Browser", tmp_path: Path) -> None:
    (tmp_path / "club").mkdir()
    (tmp_path / "stick" / "old").mkdir(parents=True)
    for name in ("spring-pairs.csv", "spring-pairs.dup", "old/spring-pairs.csv"):
        shutil.copy(FIXTURES / Path(name).name, tmp_path / "stick" / name)
    (tmp_path / "stick" / "old" / "spring-pairs.csv").write_bytes(b"board,ns,ew\n1,1,2\n")
    with running(tmp_path / "club") as desk:
        page = browser.new_page()
        page.goto(desk.address)
        page.get_by_label("A whole folder").check()
        page.locator("input[type=file]").set_input_files(tmp_path / "stick")
        page.get_by_role("button", name="Take these files").click()
        page.get_by_role("heading", name="Files that arrived").wait_for()
    names = {path.name for path in (tmp_path / "club").rglob("*") if path.is_file() and ".overtrick" not in path.parts}
    assert {"stick-spring-pairs.csv", "stick-old-spring-pairs.csv", "spring-pairs.dup"} <= names


def test_a_whole_evening_is_scored_and_published_without_a_command_line(  # noqa: PLR0915 - it is a whole evening
    browser: "Browser", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drop files, mend a name, correct a contract, rule 60/40, publish over SFTP, find a mistake, publish again."""
    if not servers.sshd_path() and not REQUIRED:
        pytest.skip("there is no sshd")
    club = tmp_path / "club"
    club.mkdir()
    (tmp_path / "server").mkdir()
    with servers.sftp_server(tmp_path / "server") as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        with running(club) as desk:
            page = browser.new_page(viewport={"width": 768, "height": 1024})
            page.set_default_timeout(120_000)
            page.goto(desk.address)
            page.locator("input[type=file]").set_input_files(
                [FIXTURES / "spring-pairs.csv", FIXTURES / "spring-pairs.dup"]
            )
            page.get_by_role("button", name="Take these files").click()
            page.get_by_role("link", name="spring-pairs").first.click()
            page.get_by_role("link", name="People").click()
            ready(page, "/people$")
            page.get_by_label("Names 2").fill("Fay Reid - Gus Lane")
            page.get_by_label("Names 2").press("Enter")
            page.locator(".told", has_text="Fay Reid").wait_for()
            page.get_by_role("link", name="Grid").click()
            ready(page, "/grid$")
            page.locator(".grid .cell").nth(1).focus()
            page.keyboard.type("4SN=")
            page.keyboard.press("Enter")
            page.locator(".told", has_text="10 tricks").wait_for()
            page.get_by_role("link", name="Rulings").click()
            ready(page, "/rulings$")
            award = page.locator("#award")
            award.get_by_label("Board").fill("1")
            award.get_by_label("One of the pairs").fill("1")
            award.get_by_label("Reason (it is published)").fill("Law 12C2")
            award.get_by_role("button", name="Show what changes").click()
            page.get_by_role("button", name="Save").wait_for()
            ready(page, "/entry$")
            page.get_by_role("button", name="Save").click()
            page.locator(".told", has_text="60").first.wait_for()
            page.get_by_role("link", name="Ranking and pages").click()
            page.frame_locator("iframe").get_by_text("Fay Reid").first.wait_for()
            page.get_by_role("link", name="Publish").click()
            ready(page, "/publish$")
            page.get_by_label("Where the website is").fill(f"{server.url}/site")
            page.get_by_role("button", name="Publish", exact=True).click()
            published_well(page)
            published = list((tmp_path / "server").rglob("spring-pairs/index.html"))
            assert 1 == len(published)
            assert "Fay Reid" in published[0].read_text("utf-8")
            page.get_by_role("link", name="Grid").click()
            ready(page, "/grid$")
            page.locator(".grid .cell").nth(1).focus()
            page.keyboard.type("4SN-1")
            page.keyboard.press("Enter")
            page.locator(".told", has_text="9 tricks").wait_for()
            page.get_by_role("link", name="Publish").click()
            ready(page, "/publish$")
            page.get_by_text("changed since it was published").wait_for()
            page.get_by_role("button", name="Publish", exact=True).click()
            published_well(page)
            ready(page, "/publish$")
            page.get_by_role("button", name="Put the version before back on the website").click()
            page.get_by_text("The version before is on the website again.").wait_for()
            page.close()


def test_a_howell_of_twelve_tables_is_typed_in_by_keyboard(page: "Page", desk: Running, folder: Path) -> None:
    """All tables have the same boards in a round; at most 7 key strokes a result on average."""
    rounds = 9 if ALL else 2
    boards = 3 * rounds
    page.goto(f"{desk.base}/type?kind=howell&tables=12&rounds={rounds}&boards=3&together=1")
    ready(page, "/type")
    page.get_by_label("Name of the folder").fill("howell")
    page.get_by_role("button", name="Begin to type results").click()
    dice = random.Random(7)
    strokes = 0
    ready(page, "/traveller")
    for board in range(1, boards + 1):
        page.get_by_role("heading", name=f"Traveller of board {board} ").wait_for()
        for _ in range(12):
            result = random_result(dice).lower()
            page.keyboard.type(result)
            page.keyboard.press("Enter")
            strokes += len(result) + 1
    page.locator("#counts", has_text=f"{12 * boards} results are in, 0 are missing").wait_for()
    results = (folder / "howell" / "howell.csv").read_text("utf-8").splitlines()
    assert 1 + 12 * boards == len(results)
    assert strokes <= 7 * 12 * boards
    page.goto(f"{desk.base}/evening/howell/traveller")
    page.get_by_text("All results are there.").wait_for()


def results(path: Path) -> list[str]:
    return [write_shorthand(row) for row in read_results_csv(path.read_bytes()).results.iter_rows(named=True)]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.mark.parametrize("screen", ["traveller?board=1", "grid"])
def test_what_is_typed_while_the_desk_is_away_is_saved_when_it_is_back(
    browser: "Browser", tmp_path: Path, screen: str
) -> None:
    club, port, settings = tmp_path / "club", free_port(), {"XDG_CONFIG_HOME": str(tmp_path / "settings")}
    club.mkdir()
    large_sheet(club / "typed.csv", tables=3, boards=1, rounds=3)
    known = results(club / "typed.csv")
    typed = ["1CN=", "2DE-1", "3HS+1"]
    assert not set(typed) & set(known)
    page = browser.new_page()
    page.set_default_timeout(60_000)
    with running(club, port=port, environment=settings) as desk:
        page.goto(desk.address)
        page.goto(f"{desk.base}/evening/typed/{screen}")
        ready(page, "/evening/typed/")
        desk.process.kill()
        desk.process.wait()
    page.locator(".traveller .result, .grid .cell").first.focus()
    for number, text in enumerate(typed, 1):
        # A refused entry keeps its place, selected, although no desk could judge it.
        page.keyboard.type("4SNX-")
        page.keyboard.press("Enter")
        page.locator(":focus[aria-invalid=true]").wait_for()
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        entries = "1 entry waits" if number == 1 else f"{number} entries wait"
        page.locator(".waiting", has_text=entries).wait_for()
    assert known == results(club / "typed.csv")
    with running(club, port=port, environment=settings):
        page.locator(".waiting").wait_for(state="hidden")
        assert not page.locator(".refused").is_visible()
        now = results(club / "typed.csv")
        by_board = [at for at, line in enumerate(now) if line != known[at]]
        assert sorted(typed) == sorted(now[at] for at in by_board)
        page.close()


def test_results_are_saved_in_a_browser_that_stores_nothing(page: "Page", desk: Running, folder: Path) -> None:
    large_sheet(folder / "typed.csv", tables=3, boards=1, rounds=3)
    page.add_init_script("Object.defineProperty(window, 'indexedDB', { value: { open() { throw Error('none'); } } });")
    page.goto(f"{desk.base}/evening/typed/traveller?board=1")
    ready(page, "/traveller")
    page.keyboard.type("1CN=")
    page.keyboard.press("Enter")
    page.locator(".echo", has_text="1♣ by N").wait_for()
    assert "1CN=" in results(folder / "typed.csv")


def test_an_entry_over_a_result_that_was_changed_elsewhere_shows_both(
    page: "Page", desk: Running, folder: Path
) -> None:
    large_sheet(folder / "typed.csv", tables=3, boards=1, rounds=3)
    page.goto(f"{desk.base}/evening/typed/traveller?board=1")
    ready(page, "/traveller")
    first = page.locator(".traveller .result").first
    path, before = folder / "typed.csv", first.input_value()
    line = 2 + results(path).index(before)
    path.write_bytes(type_results(path.read_bytes(), {line: read_shorthand("7NW-9")}))
    first.fill("1CN=")
    first.press("Enter")
    page.locator(".note", has_text="it is 7NW-9 now").wait_for()
    assert "7NW-9" == results(path)[line - 2]
    first.fill("1CN=")
    first.press("Enter")
    page.locator(".note", has_text="it is").wait_for(state="detached")
    page.locator(".sent").wait_for(state="detached")
    assert "1CN=" == results(path)[line - 2]


def test_a_grid_of_twelve_tables_fits_and_is_one_stop_of_the_tab_key(page: "Page", desk: Running, folder: Path) -> None:
    large_sheet(folder / "twelve.csv", tables=12, boards=3, rounds=9)
    page.goto(f"{desk.base}/evening/twelve/grid")
    ready(page, "/grid$")
    wide, seen = page.evaluate(
        "[document.querySelector('.grid').scrollWidth, document.querySelector('.tall').clientWidth]"
    )
    assert wide <= seen
    assert 1 == page.locator(".grid .cell[tabindex='0']").count()
    page.locator(".grid .cell").first.focus()

    def at() -> str:
        return str(page.evaluate("new URLSearchParams(document.activeElement.dataset.key).toString()"))

    first = at()
    page.keyboard.press("End")
    last = at()
    page.keyboard.press("Home")
    assert first == at() != last
    page.keyboard.press("PageDown")
    assert ("board=11", "table=1") == tuple(part for part in at().split("&") if part.startswith(("board", "table")))
    page.keyboard.type("1CN=")
    page.keyboard.press("Tab")
    page.locator(".told", has_text="11: 1♣ by N").wait_for()
    assert 1 == page.locator(".grid .cell[tabindex='0']").count()
    page.evaluate("document.querySelector('.tall').scrollTop = 400")
    top = "document.querySelector('{}').getBoundingClientRect().top"
    head, tall = (page.evaluate(top.format(what)) for what in (".grid thead th", ".tall"))
    assert abs(head - tall) < 2


def test_the_page_judges_entries_as_the_desk_does(page: "Page", desk: Running) -> None:
    dice = random.Random(11)
    words = (
        "1 2 4 7 8 C D H S N NT SA P NP X XX * N E W by = +1 -2 10 +7 -13 5 60/40 A+ - / % 60 DK made ♠ ° 14".split()
    )
    texts = {"".join(dice.choices(words, k=dice.randint(1, 6))) for _ in range(4000)}
    texts |= {random_result(dice) for _ in range(200)} | {"4♠ N =", "3nt x by e -2", "A+/A-", "-100", "+620", "0", "np"}
    page.goto(f"{desk.base}/evening/tuesday/grid")
    ready(page, "/grid$")
    judge = "texts => texts.map(makeJudge(JSON.parse(document.querySelector('.room').dataset.judge)))"
    listed = sorted(texts)
    said = page.evaluate(judge, listed)
    with spoken(Config().words()):
        differs = [(text, lacks) for text, lacks in zip(listed, said, strict=True) if bool(lacks) == can_be_read(text)]
    assert [] == differs


def can_be_read(text: str) -> bool:
    try:
        return bool(read_shorthand(text))
    except ShorthandError:
        return False


def test_an_edited_cell_of_a_large_evening_shows_the_new_ranking_at_once(
    page: "Page", desk: Running, folder: Path
) -> None:
    (folder / "large").mkdir()
    large_sheet(folder / "large" / "large.csv")
    page.goto(f"{desk.base}/evening/large/grid")
    ready(page, "/grid$")
    spent = []
    for at in range(15 if ALL else 5):
        page.locator(".grid .cell").nth(21 * at).focus()
        page.keyboard.type("3NN=")
        page.keyboard.press("Enter")
        page.locator(".cell.saved").wait_for()
        took = page.locator("#took")
        spent.append((float(took.get_attribute("data-page") or 0), float(took.get_attribute("data-server") or 0)))
        page.evaluate("document.querySelector('.cell.saved').classList.remove('saved')")
    # The goal is a median of 200 ms; `pytest -s` shows it.
    print("page and server, ms, medians:", *(statistics.median(one) for one in zip(*spent, strict=True)))
    assert all(0 < server <= page for page, server in spent)


def test_axe_finds_nothing_on_any_screen_by_day_and_by_night(browser: "Browser", looked_at: Running) -> None:
    if not AXE.exists() and not REQUIRED:
        pytest.skip(f"there is no {AXE}")
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    # A script of the test would break the rules of the pages; this one runs before they count.
    page.add_init_script(path=str(AXE))
    page.goto(looked_at.address)
    found = []
    for path in EVERY:
        page.goto(f"{looked_at.base}{path}")
        for light, rules in (("light", "{}"), ("dark", "{runOnly: ['color-contrast']}")):
            page.emulate_media(color_scheme=light)  # type: ignore[arg-type]
            options = f"{{resultTypes: ['violations'], ...{rules}}}"
            seen = page.evaluate(f"axe.run({{exclude: ['iframe']}}, {options})")["violations"]
            found += [(path, light, one["id"], [node["html"][:200] for node in one["nodes"][:2]]) for one in seen]
    page.close()
    assert [] == found


def test_every_screen_fits_asks_for_nothing_from_elsewhere_and_keeps_its_own_rules(
    browser: "Browser", looked_at: Running
) -> None:
    """A page of 768 pixels at 200 % zoom has 384."""
    page = browser.new_page()
    said: list[str] = []
    asked: list[str] = []
    wide: list[tuple[str, int]] = []
    page.goto(looked_at.address)
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    for path in EVERY:
        page.goto(f"{looked_at.base}{path}")
        for width in (1280, 768, 384):
            page.set_viewport_size({"width": width, "height": 800})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wide.append((path, width))
    page.close()
    assert ([], []) == (wide, said)
    assert [] == [url for url in asked if not re.match(rf"{re.escape(looked_at.base)}/|data:|blob:", url)]
