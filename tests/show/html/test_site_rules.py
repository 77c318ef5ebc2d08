"""What other people's checkers find: HTML by its standard, and accessibility.

Needs `npm install --prefix tests/web`, Java for the Nu checker and Chromium for axe-core; what is missing is skipped,
or fails where `OVERTRICK_REQUIRE_BROWSER=1`.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from overtrick.apps.inbox.season import make_season
from overtrick.core.config import Config
from tests.support.commands import ROOT
from tests.support.pages import broken_links, repeated_names
from tests.support.pages import parse as parsed
from tests.support.site_sample import write_season_files
from tests.support.sites import read_folder

pytestmark = pytest.mark.xdist_group("site rules")

WEB = ROOT / "tests" / "web" / "node_modules"
NU = WEB / "vnu-jar" / "build" / "dist" / "vnu.jar"
AXE = WEB / "axe-core" / "axe.min.js"
CHROMIUM = Path(os.environ.get("OVERTRICK_CHROMIUM", "/usr/bin/chromium"))
REQUIRED = os.environ.get("OVERTRICK_REQUIRE_BROWSER") == "1"
SETTINGS = Config.model_validate(
    {"club": {"name": "Millbrook"}, "site": {"address": "https://club.example/results/", "provisional_days": 2}}
)
KINDS = (
    *("index.html", "pairs/index.html", "pairs/board-1/index.html", "pairs/board-1/table-2/index.html"),
    *("pairs/pair-bo-lind-a-di-holm-a/index.html", "pairs/recap/index.html", "pairs/matrix/index.html"),
    *("pairs/compare/index.html", "pairs/hands/index.html", "pairs/problems/index.html"),
    *("teams/board-1/index.html", "teams/matches/index.html", "teams/pair-reds/index.html"),
    *("individual/pair-1/index.html", "individual/board-1/index.html", "individual/matrix/index.html"),
    *("individual/rounds/index.html",),
    *("rubber/index.html", "hostile/index.html", "hostile/board-1/index.html"),
)


def needs(*things: Path | str) -> None:
    missing = [
        str(thing) for thing in things if not (shutil.which(thing) if isinstance(thing, str) else thing.exists())
    ]
    if missing and not REQUIRED:
        pytest.skip(f"there is no {', '.join(missing)}")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("season")
    for _ in make_season([str(write_season_files(folder / "files"))], folder / "site", SETTINGS, pdf=False):
        pass
    return folder / "site"


@pytest.mark.slow
def test_no_link_and_no_place_on_a_page_is_missing_in_the_whole_site(site: Path) -> None:
    files = read_folder(site)
    own = [one for one in broken_links(files) if not one[1].startswith(SETTINGS.site.address or "")]
    assert [] == own
    assert {} == {
        path: names
        for path, page in files.items()
        if path.endswith(".html") and (names := repeated_names(parsed(page)))
    }


@pytest.mark.slow
def test_the_nu_checker_finds_nothing(site: Path) -> None:
    needs("java", NU)
    command = ["java", "-jar", str(NU), "--format", "json", "--skip-non-html", str(site)]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    assert [] == [(one["url"], one["message"]) for one in json.loads(told)["messages"]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    needs(CHROMIUM, AXE)
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def view(browser: Any) -> Iterator[Any]:
    page = browser.new_page(viewport={"width": 1000, "height": 800}, bypass_csp=True)
    yield page
    page.close()


@pytest.mark.parametrize("path", KINDS)
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_axe_finds_nothing_by_day_and_by_night(view: Any, site: Path, path: str) -> None:
    view.goto((site / path).as_uri())
    view.add_script_tag(path=str(AXE))
    for light, rules in (("light", "{}"), ("dark", "{runOnly: ['color-contrast']}")):
        view.emulate_media(color_scheme=light)
        found = view.evaluate(f"axe.run({{resultTypes: ['violations'], ...{rules}}})")["violations"]
        assert [] == [(light, one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
