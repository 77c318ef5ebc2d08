"""Corrections and rulings as pages show them."""

from dataclasses import replace

from overtrick.core.config import Config
from overtrick.core.config.site import Privacy
from overtrick.core.frames import CORRECTIONS, Session
from overtrick.core.languages import open_language
from overtrick.judge.privacy import apply_privacy
from overtrick.show.history.changes import format_story, list_changes
from overtrick.show.html.html import render_site
from tests.support.builders import frame
from tests.support.pages import parse, text_of
from tests.support.public import make_session_page
from tests.support.render_sample import evening

ROWS = [
    {
        "kind": "result",
        "law": "79C",
        "board": 1,
        "what": "4♠ by N: 10 tricks in place of 9",
        "why": "entered wrongly",
        "when": "2026-03-07T22:15:00+01:00",
        "applied": True,
    },
    {
        "kind": "award",
        "law": "12",
        "board": 2,
        "what": "60% for N-S",
        "why": "fouled",
        "who": "N. Park",
        "applied": True,
    },
    {"kind": "name", "what": "names of pair 2: A in place of B", "why": "misspelt", "applied": True},
    {"kind": "swap", "law": "79C", "board": 9, "what": "swap, not applied", "why": "nonsense", "applied": False},
]


def session() -> Session:
    return replace(evening(), corrections=frame(CORRECTIONS, ROWS))


def pages() -> dict[str, str]:
    site = render_site(make_session_page(session(), Config()), beside={})
    return {path: text_of(parse(page)) for path, page in site.items() if path.endswith(".html")}


def test_each_change_is_one_sentence_with_its_reason() -> None:
    assert [
        "Board 1, 4♠ by N: 10 tricks in place of 9 (entered wrongly)",
        "Board 2, 60% for N-S (fouled)",
        "Names of pair 2: A in place of B (misspelt)",
    ] == [change.text for change in list_changes(session().corrections)]


def test_the_story_has_all_entries_with_law_name_and_time() -> None:
    assert (
        "1. Board 1, 4♠ by N: 10 tricks in place of 9 (entered wrongly)\n"
        "   entered wrongly, Law 79C, 2026-03-07 22:15\n"
        "2. Board 2, 60% for N-S (fouled)\n"
        "   ruling, Law 12, N. Park\n"
        "3. Names of pair 2: A in place of B (misspelt)\n"
        "4. Board 9, swap, not applied (nonsense)\n"
        "   entered wrongly, Law 79C\n"
    ) == format_story(session().corrections)


def test_corrections_and_rulings_are_apart_on_the_page_of_the_session() -> None:
    text = pages()["index.html"]
    entered, _, rulings = text.partition("Rulings of the Director")
    assert "2026-03-07 22:15 Board 1, 4♠ by N: 10 tricks in place of 9 (entered wrongly) Law 79C" in entered
    assert "Names of pair 2: A in place of B (misspelt)" in entered
    assert "Board 2, 60% for N-S (fouled) Law 12 N. Park" in rulings
    assert "nonsense" not in text


def test_the_page_of_a_board_has_its_own() -> None:
    site = pages()
    first, second = site["board-1/index.html"], site["board-2/index.html"]
    assert ("entered wrongly" in first, "fouled" in first) == (True, False)
    assert ("entered wrongly" in second, "fouled" in second) == (False, True)


def test_the_bulletin_lists_them_too() -> None:
    page = make_session_page(session(), Config())
    assert ("2026-03-07", "Board 1, 4♠ by N: 10 tricks in place of 9 (entered wrongly)") in page.all_corrections


def test_headings_are_translated() -> None:
    assert {"Loi %(number)s", "Przepis %(number)s"} == {
        open_language(code).translate("Law %(number)s") for code in ("fr", "pl")
    }


def test_names_of_hidden_players_are_not_in_corrections() -> None:
    hidden = apply_privacy(session(), Privacy(names="hidden"))
    assert "a name was corrected" == hidden.corrections["what"][2]
    assert [None] * 4 == hidden.corrections["before"].to_list()
