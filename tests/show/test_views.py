"""The columns of views: one that is made up is in all media, and each of ours is where it says."""

import json
import os
import re
from io import BytesIO
from pathlib import Path

import polars as pl
import pytest
from pypdf import PdfReader

from overtrick.core.machine import resource
from overtrick.show import views
from overtrick.show.pdf.data import WRITTEN
from overtrick.show.views import Column, View
from tests.show.html.test_browser import CHROMIUM, MISSING, QUIET
from tests.support.commands import FIXTURES, run

if not MISSING:
    from playwright.sync_api import sync_playwright

EVENING = FIXTURES / "club-evening.pbn"
VIEWS: tuple[View, ...] = tuple(
    view
    for name, view in vars(views).items()
    if name[0] != "_" and isinstance(view, tuple) and all(isinstance(one, Column) for one in view)
)
MADE_UP = Column("fortune", "Fortune", value=pl.lit("by lot ") + pl.col("contestant"))
OF_RESULTS = Column("omen", "Omen", value=pl.lit("crow ") + pl.col("board").cast(pl.String))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a site whose three views have a made-up column each."""
    monkeypatch.setattr(views, "TRAVELLER", (*views.TRAVELLER, OF_RESULTS))
    monkeypatch.setattr(views, "SCORECARD", (*views.SCORECARD, OF_RESULTS))
    monkeypatch.setattr(views, "RANKING", (*views.RANKING, MADE_UP))
    (tmp_path / "club.toml").write_text('[site]\ndocuments = ["bulletin", "scorecards", "travellers"]\n')
    done = run("bulletin", EVENING, "--out", tmp_path / "site", "--no-dd", "--config", tmp_path / "club.toml")
    assert 0 == done.status, done.err
    return tmp_path / "site"


def text_of(pdf: Path) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(BytesIO(pdf.read_bytes())).pages).split())


@pytest.mark.slow
def test_a_made_up_column_of_results_is_in_all_media(site: Path) -> None:
    board, card = ((site / name / "index.html").read_text() for name in ("board-7", "pair-4"))
    assert '<th scope="col" class="more">Omen</th>' in board
    assert '<td class="more" data-of="Omen">crow 7</td>' in board
    assert '<td class="more" data-of="Omen">crow 1</td>' in card
    printed = {*re.findall("crow [0-9]+", text_of(site / "travellers.pdf"))}
    assert {f"crow {number}" for number in range(1, 25)} == printed
    assert "crow 24" in text_of(site / "scorecards.pdf")
    assert "crow 24" in text_of(site / "bulletin.pdf")
    assert "omen" in (site / "session.csv").read_text().splitlines()[0].split(",")
    assert "crow 1" == json.loads((site / "session.json").read_text())["results"][0]["omen"]
    for form in ("table", "csv"):
        assert "crow 24" in run("score", EVENING, "--rows", "results", "--format", form).out


@pytest.mark.slow
def test_a_made_up_column_of_a_ranking_is_in_all_media(site: Path) -> None:
    assert '<td class="more" data-of="Fortune">by lot 4</td>' in (site / "index.html").read_text()
    assert "by lot 4" in text_of(site / "bulletin.pdf")
    assert "by lot 4" == json.loads((site / "session.json").read_text())["standings"][0]["fortune"]
    for form in ("table", "csv"):
        assert "by lot 4" in run("score", EVENING, "--format", form).out


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING) and os.environ.get("OVERTRICK_REQUIRE_BROWSER") != "1", reason=MISSING)
def test_a_made_up_column_is_a_line_with_its_title_on_a_phone(site: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_page(viewport={"width": 360, "height": 740})
        for name, shown in (("board-7", "crow 7"), ("pair-4", "crow 1"), ("", "by lot 4")):
            page.goto((site / name / "index.html").as_uri())
            cell = page.locator("td.more", has_text=shown).first
            box, row = cell.bounding_box(), cell.locator("xpath=..").bounding_box()
            assert box
            assert row
            assert box["height"] > 8
            assert row["x"] <= box["x"] < box["x"] + box["width"] <= 360
            assert 360 >= page.evaluate("document.documentElement.scrollWidth")
            assert cell.evaluate("cell => getComputedStyle(cell, '::before').content") in {'"Omen: "', '"Fortune: "'}
        browser.close()


@pytest.mark.parametrize("column", [column for view in VIEWS for column in view], ids=lambda column: column.name)
def test_all_media_write_the_cells_of_a_column(column: Column) -> None:
    html = [resource("templates", "html", name).read_text() for name in ("cells.html", "macros.html")]
    written = {kind for text in html for kind in re.findall(r'kind == "(\w+)"', text)} | {"text"}
    assert not column.on_pages or column.kind in written
    by_name = {"side", "opponents", "contestant", "pair", "team"}
    assert column.paper is None or column.kind in {*WRITTEN, *by_name}
    style = resource("templates", "html", "style.css").read_text()
    assert not column.on_pages or all(f".{tone}" in style for tone in column.tone.split())
    assert column.on_pages or column.paper
