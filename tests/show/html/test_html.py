"""The website: pages as stored in `golden/`, valid, linked, small, and safe whatever names hold.

`OVERTRICK_UPDATE_GOLDEN=1` writes the golden pages anew; read the difference before you commit it.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overtrick.core.config import Config
from overtrick.core.config.scoring import Penalty
from overtrick.core.frames import CONTESTANTS, PROBLEMS, RECORDS, SOURCES, STANDINGS, Facts, Session
from overtrick.show.html.club_templates import Look
from overtrick.show.html.html import PAGES, Page, render_site
from tests.support.builders import frame, results
from tests.support.commands import ROOT
from tests.support.golden import assert_as_before
from tests.support.pages import Site, broken_links, cells, html_pages, parse, repeated_names, text_of
from tests.support.public import make_session_page
from tests.support.render_sample import NAMES, bid, evening, large_evening, line
from tests.support.sweeps import some

GOLDEN = ROOT / "tests" / "golden"
CLUB = Config.model_validate({"club": {"name": "Millbrook Bridge Club"}})

NASTY = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}{% raw %}",
    "../../etc/passwd",
    "\u202egnp.exe\x00\x1b[31m\ufffe",
    "</title><base href=//evil.example>",
    "javascript:alert(1)",
    "a" * 300,
    "王小明 🂡 Ж̷̛",
    " ",
)


def site(session: Session | None = None, *, pdf: bool = False) -> Site:
    return render_site(make_session_page(session or evening(), CLUB), beside={"bulletin.pdf": ()} if pdf else {})


def scrubbed(page: bytes) -> str:
    """Take out what changes with every version."""
    text = re.sub(r"overtrick \d+\.\d+\.\d+\w*", "overtrick VERSION", page.decode())
    return re.sub(r"(style|site|icon)\.[0-9a-f]{10}\.", r"\1.HASH.", text)


@pytest.mark.parametrize(
    "path", ["index.html", "board-1/index.html", "board-2/index.html", "board-3/index.html", "board-4/index.html",
             "pair-3/index.html", "pair-2/index.html", "problems/index.html"]
)  # fmt: skip
def test_pages_are_as_they_were(path: str) -> None:
    stored = GOLDEN / path.replace("/index.html", ".html")
    page = scrubbed(site(pdf=True)[path])
    assert_as_before(stored, page)


def test_a_session_has_a_page_a_board_and_a_pair() -> None:
    assert {
        *("index.html", "problems/index.html", "recap/index.html", "compare/index.html"),
        *("matrix/index.html", "hands/index.html", "rounds/index.html"),
        *(f"board-{number}/index.html" for number in range(1, 5)),
        *(f"pair-{number}/index.html" for number in NAMES),
    } == set(html_pages(site()))


def test_a_new_page_is_a_template_and_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slams.html").write_text(
        '{% extends "base.html" %}{% block main %}{{ page.title }}: none{% endblock %}'
    )
    row = Page("slams.html", lambda page: [("slams/index.html", {})] if page.boards else [], "Slams")
    monkeypatch.setattr("overtrick.show.html.html.PAGES", (*PAGES, row))
    made = render_site(make_session_page(evening(), CLUB), look=Look(templates=tmp_path))
    assert "Tuesday Pairs: none" in text_of(parse(made["slams/index.html"]))
    assert '<a href="slams/index.html">Slams</a>' in made["index.html"].decode()


def test_the_style_sheet_is_named_by_its_content() -> None:
    (name,) = (path for path in site() if path.endswith(".css"))
    assert re.fullmatch(r"style\.[0-9a-f]{10}\.css", name)


@pytest.mark.parametrize(
    "session", [evening(), large_evening(boards=4, tables=6), Session()], ids=["small", "large", "empty"]
)
def test_pages_are_valid_and_every_link_leads_somewhere(session: Session) -> None:
    made = site(session)
    assert [] == broken_links(made)
    assert {} == {path: names for path, page in html_pages(made).items() if (names := repeated_names(page))}


def test_who_has_no_place_is_still_found_from_the_first_page() -> None:
    made = site(replace(evening(), standings=Session().standings))
    assert [] == broken_links(made)
    page = text_of(parse(made["index.html"]))
    assert "There is nothing to rank. Pairs 1 Ada Moss – Bo Lind" in page


def test_the_pdf_is_linked_to_only_when_it_is_there() -> None:
    assert {("index.html", "bulletin.pdf")} == set(broken_links(site(pdf=True)))
    assert [] == broken_links({**site(pdf=True), "bulletin.pdf": b"%PDF"})


def test_no_page_asks_for_problems_when_there_are_none() -> None:
    made = site(replace(evening(), problems=Session().problems))
    assert "problems/index.html" not in made
    assert not any(b"problems/" in content for content in made.values())


def test_board_pages_of_a_large_field_stay_small() -> None:
    made = site(large_evening(boards=2, tables=45))
    assert 60_000 > max(len(content) for path, content in made.items() if path.startswith("board-"))


def test_nothing_is_asked_of_other_servers() -> None:
    assert [] == [
        path
        for path, content in site().items()
        if re.search(rb"(?:src|<link[^>]*href|url|@import)\W+(?:https?:)?//", content)
    ]


def test_the_first_page_answers_who_won() -> None:
    page = parse(site()["index.html"])
    north_south, _ = page.iter("table")
    assert [
        ["Place", "Names", "MP", "%"],
        ["1", "1 Ada Moss – Bo Lind", "9.0", "90.00"],
        ["2=", "3 Eva Thorn – Finn Ash", "4.4", "44.00"],
        ["2=", "2 Cleo Marsh – Dag Holm", "4.4", "44.00"],
    ] == cells(north_south)


def is_traveller(table: Element) -> bool:
    return "traveller" in table.get("class", "")


def test_a_traveller_reads_like_the_paper_one() -> None:
    traveller = next(table for table in parse(site()["board-1/index.html"]).iter("table") if is_traveller(table))
    assert [
        ["North-South", "East-West", "Contract", "By", "Lead", "Result", "N-S", "E-W", "MP N-S", "MP E-W", "N-S %"],
        ["1 Ada Moss – Bo Lind", "11 Gro Vale – Hal Brook", "4♠", "N", "♦6", "=", "420", "", "4.0", "0.0", "100.0"],
        ["3 Eva Thorn – Finn Ash", "13 Kay Wells – Leo Stone", "5♣", "S", "♣10", "=", "400", "", "2.0", "2.0", "50.0"],
        ["2 Cleo Marsh – Dag Holm", "12 Ina Birch – Jon Reed", "3NTX", "S", "♥Q", "−1", "", "100", "0.0", "4.0", "0.0"],
    ] == cells(traveller)


def test_a_scorecard_ends_with_its_total() -> None:
    card = next(
        table for table in parse(site()["pair-3/index.html"]).iter("table") if "scorecard" in table.get("class", "")
    )
    head, _, adjusted, *_, total = cells(card)
    assert ["Round", "Board", "Opponents", "Contract", "By", "Lead", "Result", "Score", "MP", "%", "Running"] == head
    assert ["2", "2", "11 Gro Vale – Hal Brook", "Adjusted", "A+", "2.4", "", "55.0"] == adjusted
    assert ["Total for 3 boards", "4.4", "44.0", ""] == total


def test_screen_readers_hear_suits_and_hands() -> None:
    page = site()["board-1/index.html"].decode()
    assert '<span class="sr-only">4 spades</span>' in page
    assert "North: spades ace queen six four; hearts jack four; diamonds queen nine eight five four three" in page
    assert "Dealer: North. Vulnerable: neither side." in page


def test_suits_never_turn_into_pictures() -> None:
    twice = Session(results=results(*(line(1, n, "1", "2", **bid("4S", "N", 10, 420)) for n in (1, 2))))
    for content in [*site().values(), *site(twice).values()]:
        assert not re.search("[♠♥♦♣](?!\ufe0e)", html.unescape(content.decode()))


def test_a_column_that_would_be_empty_is_not_there() -> None:
    session = Session(results=results(line(1, 1, "", "", **bid("4S", "N", 10, 420)) | {"ns": None, "ew": None}))
    (traveller,) = parse(site(session)["board-1/index.html"]).iter("table")
    assert [["Contract", "By", "Result", "N-S", "E-W"], ["4♠", "N", "=", "420", ""]] == cells(traveller)


def hostile(texts: Sequence[str]) -> Session:
    """Make a session with these texts everywhere that a file can put them."""
    first = texts[0]
    rows = list(enumerate(texts))
    places = {"round": first, "section": first, "table": first, "award_ew": first, "lead": first}
    ranking = [{"ranking": text, "rank": 1, "contestant": text, "names": text, "total": 1} for text in texts]
    problem = {"severity": "error", "source": first, "board": first, "message": first, "hint": first}
    return Session(
        sources=frame(SOURCES, [{"source": text, "sha256": "0" * 64} for text in texts]),
        records=frame(RECORDS, [{"record": n, "board_label": text} for n, text in rows]),
        results=results(
            *({"record": n, "ns": text, "ew": texts[-1 - n], **places, **bid("4S", "N", 10, 420)} for n, text in rows)
        ),
        contestants=frame(CONTESTANTS, [{"contestant": text, "names": text} for text in texts]),
        standings=frame(STANDINGS, ranking),
        problems=frame(PROBLEMS, [problem]),
        facts=Facts(
            event=first,
            site=first,
            date=first,
            method="matchpoints",
            policies={"penalties": [Penalty(contestant=first, amount=1, reason=first)]},
        ),
    )


PATH = re.compile(
    r"([a-z0-9-]+/){0,2}(index\.html|style\.[0-9a-f]+\.css|site\.[0-9a-f]+\.js|icon\.[0-9a-f]+\.svg)|embed\.js"
)


def check_safe(made: Site) -> None:
    """Check that no text became markup, a path out of the site, or a character that HTML forbids."""
    assert [] == broken_links(made)
    assert [] == [path for path in made if not PATH.fullmatch(path)]
    for page in html_pages(made).values():
        assert [] == repeated_names(page)
        assert {"img", "base"}.isdisjoint(element.tag for element in page.iter())
        (script,) = page.iter("script")
        assert re.fullmatch(r"(\.\./)*site\.[0-9a-f]+\.js", script.get("src", ""))
        assert not script.text
        assert not any(name.startswith("on") for element in page.iter() for name in element.attrib)
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", "".join(page.itertext()))


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.sweep(2)
def test_no_text_of_a_file_can_harm_a_page(text: str) -> None:
    check_safe(site(hostile((text, *NASTY))))


@settings(max_examples=some(30), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.text(max_size=30), min_size=1, max_size=4))
@pytest.mark.slow
def test_any_text_makes_a_valid_site(texts: list[str]) -> None:
    check_safe(site(hostile(texts)))


def test_a_name_is_shown_as_it_was_written() -> None:
    page = parse(site(evening({**NAMES, "1": '<script>alert(1)</script> - O\'Neill & "Sons"'}))["index.html"])
    assert '<script>alert(1)</script> – O\'Neill & "Sons"' in text_of(page)


def test_names_are_kept_apart_from_the_direction_of_their_line() -> None:
    assert "<bdi><span>Ada Moss –</span> <span>Bo Lind</span></bdi>" in site()["index.html"].decode()
