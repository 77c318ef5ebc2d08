"""The club's own look: colours that can be read, its logo, its paper, and its own templates."""

from base64 import b64decode
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from overtrick.core.config import Config
from overtrick.core.config.site import Site
from overtrick.show.html.club_templates import Look, adjust_colour, compute_contrast, open_look
from overtrick.show.html.html import render_site
from overtrick.show.pdf.documents import render_pdf
from tests.support.public import make_session_page
from tests.support.render_sample import evening

LOGO = b'<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40"/></svg>'


@pytest.mark.parametrize("colour", ["#ffff00", "#14532d", "#ffffff", "#000000", "#ff0000"])
@pytest.mark.parametrize(("ground", "lighter"), [("#fdfdfb", False), ("#121212", True)])
def test_any_colour_becomes_one_that_can_be_read(colour: str, ground: str, lighter: bool) -> None:
    assert compute_contrast(adjust_colour(colour, (ground,), lighter=lighter), ground) >= 4.5


def test_a_colour_that_can_be_read_stays() -> None:
    assert "#7a1f5c" == adjust_colour("#7a1f5c", ("#fdfdfb",), lighter=False)


def test_every_page_shows_the_logo_and_the_footer(tmp_path: Path) -> None:
    (tmp_path / "logo.svg").write_bytes(LOGO)
    site = Site(logo=str(tmp_path / "logo.svg"), accent="#7a1f5c", footer="New members welcome")
    look = open_look(site)
    made = render_site(make_session_page(evening(), Config(site=site)), look=look)
    assert LOGO == made[look.logo]
    pages = {path: page.decode() for path, page in made.items() if path.endswith(".html")}
    assert [] == [path for path, page in pages.items() if look.logo not in page or "New members welcome" not in page]
    assert "--accent: #7a1f5c" in next(page for path, page in made.items() if path.endswith(".css")).decode()


def test_a_club_keeps_its_pictures_beside_its_templates_and_has_an_icon_of_its_own(tmp_path: Path) -> None:
    for name in ("crest.svg", "icon.svg"):
        (tmp_path / name).write_bytes(LOGO)
    site = Site(logo=str(tmp_path / "crest.svg"), templates=str(tmp_path))
    look = open_look(site)
    made = render_site(make_session_page(evening(), Config(site=site)), look=look)
    (icon,) = (path for path in made if path.startswith("icon."))
    assert (LOGO, LOGO) == (made[look.logo], made[icon])
    assert f'<link rel="icon" href="../{icon}">' in made["board-1/index.html"].decode()


def test_documents_have_the_paper_the_logo_and_the_layouts_of_the_club(tmp_path: Path) -> None:
    (tmp_path / "logo.svg").write_bytes(LOGO)
    (tmp_path / "bulletin.typ").write_text(
        '#import "ours/bulletin.typ": bulletin as ours\n#let bulletin(..all) = ours(..all) + [Our own page]\n'
    )
    site = Site(logo=str(tmp_path / "logo.svg"), paper="letter", templates=str(tmp_path))
    pdf = PdfReader(BytesIO(render_pdf(make_session_page(evening(), Config(site=site)), look=open_look(site))))
    assert (612, 792) == tuple(round(float(part)) for part in pdf.pages[0].mediabox[2:])
    assert "Our own page" in " ".join(page.extract_text() for page in pdf.pages)


def test_documents_show_a_logo_of_dots(tmp_path: Path) -> None:
    dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    (tmp_path / "logo.png").write_bytes(b64decode(dot))
    look = open_look(Site(logo=str(tmp_path / "logo.png")))
    pdf = PdfReader(BytesIO(render_pdf(make_session_page(evening(), Config()), look=look)))
    assert 1 == len(pdf.pages[0].images)


def test_a_club_without_a_look_gets_the_usual_one() -> None:
    assert "" == Look().css == open_look(Site()).logo
