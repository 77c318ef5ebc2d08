"""Languages of pages: catalogues of translations, dates and figures."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

pytest.importorskip("babel", reason="the extra `languages` is not installed")

from pypdf import PdfReader

from overtrick.core import languages
from overtrick.core.config import Config
from overtrick.core.languages import open_language
from overtrick.show.html.html import render_site
from overtrick.show.pdf.documents import render_pdf
from tests.support.catalogues import LANGUAGES, PLACEHOLDER, is_said, list_texts_of_problems, open_catalogue
from tests.support.pages import parse, text_of
from tests.support.public import make_session_page
from tests.support.render_sample import evening


@pytest.mark.slow
def test_a_catalogue_has_only_what_overtrick_says() -> None:
    stale = {
        (one.context, text)
        for language in LANGUAGES
        for one in open_catalogue(language)
        for text in ((one.id,) if isinstance(one.id, str) else one.id)
        if not (text in list_texts_of_problems() if one.context == "problem" else is_said(text))
    }
    assert set() == stale


def test_polish_names_seats_and_sides_by_their_letters() -> None:
    spoken = open_language("pl")
    assert ["N", "NS", "EW"] == [spoken.translate(text) for text in ("North", "North-South", "East-West")]


def test_what_screen_readers_say_is_translated_by_phrase_where_words_belong_together() -> None:
    assert "Nord: inconnu" == open_language("fr").translate_spoken("North: not known")
    assert "dama karo" == open_language("pl").translate_spoken("queen of diamonds")


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_of_a_translation_are_those_of_the_text(language: str) -> None:
    for one in open_catalogue(language):
        ids, strings = ((x,) if isinstance(x, str) else x for x in (one.id, one.string))
        wanted = set(PLACEHOLDER.findall(" ".join(ids)))
        assert all(wanted == set(PLACEHOLDER.findall(text)) for text in strings if text and one.id), one.id


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


def test_a_session_without_a_title_has_a_french_one() -> None:
    session = evening()
    nameless = replace(session, facts=replace(session.facts, event=None, site=None))
    page = make_session_page(nameless, Config.model_validate({"site": {"language": "fr"}}))
    assert "Résultats" == page.title


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


def test_a_new_language_is_a_catalogue_and_what_it_lacks_is_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = (
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8"',
        'msgid "Boards"\nmsgstr ""',
        'msgid "Dealer"\nmsgstr "Teiler"',
        'msgctxt "problem"\nmsgid "the file is empty"\nmsgstr "die Datei ist leer"',
    )
    (tmp_path / "de.po").write_text("\n\n".join(entries))
    monkeypatch.setattr(languages, "resource", lambda *parts: tmp_path / parts[-1])
    german = languages.open_language("de")
    assert ("Teiler", "6,5") == (german.translate("Dealer"), german.format_figure("6.5"))
    assert "Boards" == german.translate("Boards")
    assert ({"Dealer": "Teiler"}, {"the file is empty": "die Datei ist leer"}) == (german.catalogue, german.problems)
