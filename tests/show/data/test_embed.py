"""Results on other websites: the elements of `embed.js` in a page from another address."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from overtrick.apps.inbox.season import make_season
from overtrick.core.config import Config
from overtrick.show.publish.address import parse_address
from overtrick.show.publish.run import publish
from overtrick.show.publish.targets import open_target
from tests.show.html.test_browser import CHROMIUM, MISSING, QUIET
from tests.support.commands import EVENING

if not MISSING:
    from playwright.sync_api import Page, sync_playwright


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


def serve(folder: Path) -> tuple[ThreadingHTTPServer, str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Page"]:
    """Open a plain page whose elements show the results of a site at another address."""
    top = tmp_path_factory.mktemp("web")
    for _ in make_season([EVENING], top / "site", Config(), pdf=False):
        pass
    with closing(open_target(parse_address(str(top / "www")))) as target:
        publish(top / "site", target)
    results, address = serve(top / "www")
    (top / "club").mkdir()
    (top / "club" / "index.html").write_text(
        f'<!DOCTYPE html><title>Club</title><script src="{address}/embed.js" async></script>'
        '<bridge-latest></bridge-latest><bridge-ranking session="club-evening" rows="3"></bridge-ranking>'
        '<bridge-board session="club-evening" board="7"></bridge-board>'
    )
    club, home = serve(top / "club")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        tab = browser.new_page()
        tab.set_default_timeout(8000)
        tab.goto(f"{home}/index.html")
        yield tab
        browser.close()
    for server in (results, club):
        server.shutdown()
        server.server_close()


def test_the_latest_session_has_its_winners(page: "Page") -> None:
    page.locator("bridge-latest").get_by_role("link", name="Tuesday Pairs").wait_for()
    page.locator("bridge-latest").get_by_text("Priya Raman – Hugh Pemberton").wait_for()


def test_a_ranking_has_as_many_places_as_asked_for(page: "Page") -> None:
    page.locator("bridge-ranking").get_by_text("Zoë Marchetti – Tom Ashdown").wait_for()
    assert 6 == page.locator("bridge-ranking tr").count()


def test_a_board_has_its_deal_and_its_results(page: "Page") -> None:
    page.locator("bridge-board").get_by_text("Board 7").wait_for()
    assert 4 == page.locator("bridge-board .deal > :is(.N, .E, .S, .W)").count()
    assert 8 == page.locator("bridge-board tr").count()
