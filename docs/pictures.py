"""Draw the README's picture from today's pages: `python docs/pictures.py` writes docs/bulletin.png.

It needs Chromium (`OVERTRICK_CHROMIUM`, else /usr/bin/chromium) and the extra `test`.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "pipeline"))

from overtrick import bulletin  # noqa: E402 - found by the line above

PICTURE = ROOT / "docs" / "bulletin.png"
CHROMIUM = os.environ.get("OVERTRICK_CHROMIUM", "/usr/bin/chromium")
WIDTH, HEIGHT = 1160, 800
PAGES = ("index.html", "board-14/index.html")
BESIDE = """<!doctype html><style>body {{ margin: 0; display: flex; gap: 24px; background: #e4e4e2; }}
iframe {{ border: 0; width: {width}px; height: {height}px; }}</style>{frames}"""


def draw(place: Path) -> None:
    """Write a picture of a ranking and a board of the made-up club evening, beside each other."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Path(folder, "site")
        bulletin([ROOT / "fixtures" / "club-evening.pbn"], site, pdf=False)
        frames = "".join(f'<iframe src="site/{page}"></iframe>' for page in PAGES)
        both = Path(folder, "both.html")
        both.write_text(BESIDE.format(width=WIDTH, height=HEIGHT, frames=frames))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 2 * WIDTH + 24, "height": HEIGHT})
        page.goto(both.as_uri(), wait_until="networkidle")
        page.screenshot(path=place)
        browser.close()


if __name__ == "__main__":
    draw(PICTURE)
