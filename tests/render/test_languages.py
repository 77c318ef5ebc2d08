"""Languages of pages: every text of every page has a translation."""

import re
from collections.abc import Iterator
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest

pytest.importorskip("babel", reason="the extra `languages` is not installed")

from babel.messages.pofile import read_po
from jinja2.ext import babel_extract
from pypdf import PdfReader

from overtrick.config import Config
from overtrick.desk.visit import TABS
from overtrick.machine import resource
from overtrick.render import languages
from overtrick.render.languages import open_language
from overtrick.render.pages.html import PAGES, render_site
from overtrick.render.pages.session_page import make_session_page
from overtrick.render.pdf import render_pdf
from tests.support.commands import ROOT
from tests.support.pages import parse, text_of
from tests.support.render_sample import evening

CODES = sorted(path.stem for path in resource("templates", "languages").glob("*.po"))
SPOKEN = (
    "two three four five six seven eight nine ten jack queen king ace of clubs diamonds hearts spades club diamond "
    "heart spade notrump doubled redoubled void pass double redouble North East South West"
)
SHOWN = (
    "North East South West N E S W NT N-S E-W North-South East-West|neither side|both sides|unknown|Adjusted|Bye|"
    "Not played|No result|Matchpoints|Butler IMPs|Cross-IMPs|Teams, IMPs|Board-a-match|Total points|Rubber bridge|"
    "Chicago|MP|IMP|Four-hand match|Ranking|All contestants|Declaring|Defending|With the field|Against the field|top|"
    "bottom|Open Room|None|Both|Pass|Results|Games bid|Slams bid|Doubled|Passed out|Most common contract|Highest score"
)


def texts_of_templates() -> Iterator[str]:
    top = resource("templates")
    for path in sorted((*top.glob("html/*.html"), *top.glob("desk/*.html"), *top.glob("exchange/*.j2"))):
        with path.open("rb") as file:
            for _, _, text, _ in babel_extract(file, ("_", "ngettext"), [], {"trim_blocks": "true"}):
                first = text if isinstance(text, str) else (text or ("",))[0]
                # A text that a value names is not there to be found.
                yield str(first or "")
    for path in top.glob("typst/*.typ"):
        yield from re.findall(r'say\("([^"]+)"', path.read_text("utf-8"))
    for name in ("pdf", "pdf_data"):
        path = ROOT / "pipeline" / "overtrick" / "render" / f"{name}.py"
        yield from re.findall(r'(?:say|translate|describe|count)\(\s*"([^"]+)"', path.read_text("utf-8"))


@pytest.mark.parametrize("code", CODES)
def test_every_text_of_the_templates_is_translated(code: str) -> None:
    with resource("templates", "languages", f"{code}.po").open("rb") as file:
        catalogue = read_po(file, locale=code)
    known = {one.id if isinstance(one.id, str) else one.id[0] for one in catalogue if one.string and not one.context}
    assert set() == set(texts_of_templates()) - known


@pytest.mark.parametrize("code", CODES)
def test_every_message_of_the_desk_is_translated(code: str) -> None:
    modules = (ROOT / "pipeline" / "overtrick" / "desk").rglob("*.py")
    # What the guard says is for programs and the terminal.
    sources = [path.read_text("utf-8") for path in modules if path.stem != "guard"]
    said = {text for source in sources for text in re.findall(r'(?:translate\(|message=|\d{3}, )\s*"([^"]+)"', source)}
    assert len(said) > 10
    assert set() == {*said, *(title for _, title in TABS)} - open_language(code).catalogue.keys()


@pytest.mark.parametrize("code", CODES)
def test_every_term_that_pages_show_is_known(code: str) -> None:
    texts = open_language(code).texts
    assert isinstance(texts, GNUTranslations)
    first, *phrases = SHOWN.split("|")
    known = texts._catalog  # type: ignore[attr-defined] # noqa: SLF001 - there is no other way to ask
    assert [] == [text for text in [*first.split(), *phrases] if text not in known]
    words = [*SPOKEN.split(), "not known", "passed out"]
    assert [] == [word for word in words if f"spoken\x04{word}" not in known]


@pytest.mark.parametrize("code", CODES)
def test_the_links_on_the_front_page_are_translated(code: str) -> None:
    spoken = open_language(code)
    assert [] == [kind.title for kind in PAGES if kind.title and kind.title not in spoken.catalogue]


def test_polish_names_seats_and_sides_by_their_letters() -> None:
    spoken = open_language("pl")
    assert ["N", "NS", "EW"] == [spoken.translate(text) for text in ("North", "North-South", "East-West")]


def test_what_screen_readers_say_is_translated_by_phrase_where_words_belong_together() -> None:
    assert "Nord: inconnu" == open_language("fr").translate_spoken("North: not known")
    assert "dama karo" == open_language("pl").translate_spoken("queen of diamonds")


@pytest.mark.parametrize("code", CODES)
def test_placeholders_of_a_translation_are_those_of_the_text(code: str) -> None:
    with resource("templates", "languages", f"{code}.po").open("rb") as file:
        for one in read_po(file, locale=code):
            ids, strings = ((x,) if isinstance(x, str) else x for x in (one.id, one.string))
            wanted = set(re.findall(r"%\(\w+\)s|%s", " ".join(ids)))
            assert all(wanted == set(re.findall(r"%\(\w+\)s|%s", text)) for text in strings if one.id), one.id


def test_a_french_page_is_french_to_its_figures() -> None:
    french = Config.model_validate({"site": {"language": "fr"}})
    made = render_site(make_session_page(evening(), french), code="fr")
    page = parse(made["index.html"])
    assert "fr" == page.get("lang")
    text = text_of(page)
    assert "3 mars 2026" in text
    assert "90,00" in text
    assert "A D 6 4" in text_of(parse(made["board-1/index.html"]))
    assert "Nord: pique as dame six quatre" in made["board-1/index.html"].decode()


def test_a_french_bulletin_is_french_to_its_figures() -> None:
    page = make_session_page(evening(), Config.model_validate({"site": {"language": "fr"}}))
    pdf = PdfReader(BytesIO(render_pdf(page, code="fr")))
    text = " ".join(" ".join(one.extract_text() for one in pdf.pages).split())
    assert "fr" == str(pdf.root_object["/Lang"])
    for expected in ("Vainqueurs", "3 mars 2026", "90,00", "A D 6 4", "Donneur Nord", "Page 1 sur"):
        assert expected in text


def test_seats_and_strains_are_the_reader_s_within_a_text() -> None:
    assert "3SA N-S \u00b7 E-O +450" == open_language("fr").translate_terms("3NT N-S \u00b7 E-W +450")


def test_headings_of_several_parts_are_put_together() -> None:
    assert "Sektor A, NS" == open_language("pl").translate_phrase("Section A, North-South")
    assert "Table 3" == open_language("fr").translate_phrase("Table 3")
    assert "Dupont, Durand" == open_language("fr").translate_phrase("Dupont, Durand")


def test_polish_counts_as_poles_do() -> None:
    counted = [open_language("pl").format_count(n, "%(num)s table", "%(num)s tables") for n in (1, 3, 12)]
    assert ["1 stół", "3 stoły", "12 stołów"] == counted


def test_english_needs_no_catalogue() -> None:
    assert ("Board", "6.5") == (open_language("en").translate("Board"), open_language("en").format_figure("6.5"))


def test_a_new_language_is_a_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "de.po").write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8"\n\n'
                                    'msgid "Boards"\nmsgstr "Boards"\n\nmsgid "Dealer"\nmsgstr "Teiler"\n')  # fmt: skip
    monkeypatch.setattr(languages, "resource", lambda *parts: tmp_path / parts[-1])
    german = languages.open_language("de")
    assert ("Teiler", "6,5") == (german.translate("Dealer"), german.format_figure("6.5"))
