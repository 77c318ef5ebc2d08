"""Hand records show what each hand is worth, and opening bids only if the club wants them."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from overtrick.core.config import Config
from overtrick.core.config.site import Site
from overtrick.pipeline import evaluate
from overtrick.show.html.html import render_site
from overtrick.show.html.session_page import SessionPage
from overtrick.show.pdf.documents import start_documents
from tests.support.pages import parse, text_of
from tests.support.pbn_texts import session
from tests.support.public import make_session_page

GAME = """[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AQ732.KJ942.A9.6 J84.T85.K72.KJ98 KT965.A.QJT3.A32 -.Q763.8654.QT754"]
"""


def page(*, openings: bool) -> SessionPage:
    config = Config(site=Site(openings=openings))
    return make_session_page(evaluate(session(GAME.replace("-.Q763", ".Q763")), config), config)


def hand_records(*, openings: bool) -> str:
    site = render_site(page(openings=openings))
    name = next(name for name in site if name.startswith("hands/") or name == "index.html")
    content = site[name]
    return text_of(parse(content if isinstance(content, bytes) else content.encode()))


def test_hands_have_a_shape_and_points_for_distribution() -> None:
    north, _, _, west = page(openings=False).boards[0].hands
    assert ("5521", 3, 2) == (north.shape, north.short_points, north.long_points)
    assert ("5440", 3, 1) == (west.shape, west.short_points, west.long_points)


@pytest.mark.parametrize("openings", [False, True])
def test_opening_bids_are_noted_on_request(*, openings: bool) -> None:
    hands = page(openings=openings).boards[0].hands
    assert (["1♥ / 1♠", "", "1♠", ""] if openings else [""] * 4) == [hand.opening for hand in hands]
    text = hand_records(openings=openings)
    assert "5521" in text
    assert openings == ("They are notes, not rules" in text)


def test_the_pdf_has_them_too() -> None:
    files = start_documents(page(openings=True))
    texts = {name: PdfReader(BytesIO(one.result())).pages[0].extract_text() for name, one in files.items()}
    assert "5521" in texts["hand-records.pdf"]
    assert "1♥/1♠" in texts["hand-records.pdf"].replace(" ", "")
    assert "a note and not a rule" in texts["hand-records-large.pdf"].replace("\n", " ")
    assert "5521" not in texts["hand-records-compact.pdf"]
