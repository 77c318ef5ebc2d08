"""What a club decides about its pages: who may find them, whether results are final, how they look."""

from pathlib import Path
from typing import Any

import pytest

from overtrick.core.config import Config
from overtrick.show.publish.bulletin import write_bulletin
from tests.support.clocks import set_clock
from tests.support.pages import parse, text_of
from tests.support.render_sample import evening


def page(folder: Path, path: str = "index.html", **settings: Any) -> bytes:
    write_bulletin(evening(), folder / "site", Config.model_validate({"site": settings}), pdf=False)
    return (folder / "site" / path).read_bytes()


@pytest.mark.parametrize("path", ["index.html", "board-1/index.html", "pair-1/index.html"])
@pytest.mark.slow
def test_search_engines_are_asked_to_stay_away_on_every_page(tmp_path: Path, path: str) -> None:
    robots = b'<meta name="robots" content="noindex">'
    assert robots in page(tmp_path, path, noindex=True)
    assert robots not in page(tmp_path, path)


def test_problems_can_be_kept_from_the_public(tmp_path: Path) -> None:
    assert b"problems/" not in page(tmp_path, problems=False)
    assert not (tmp_path / "site" / "problems").exists()


def test_results_are_provisional_for_some_days_and_then_final(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock(monkeypatch, "2026-03-05T23:59:59")
    assert "Provisional until 5 March 2026" in text_of(parse(page(tmp_path, provisional_days=2)))
    assert "Final" in text_of(parse(page(tmp_path, provisional_days=2, final=True)))
    set_clock(monkeypatch, "2026-03-06T00:00:00")
    assert "Final" in text_of(parse(page(tmp_path, provisional_days=2)))


def test_shared_links_have_a_picture_where_the_address_is_known(tmp_path: Path) -> None:
    shared = page(tmp_path, address="https://club.example/tuesday/")
    assert b'<meta property="og:image" content="https://club.example/tuesday/picture.png">' in shared
    assert (tmp_path / "site" / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert b"og:image" not in page(tmp_path)


def test_a_club_s_own_template_and_style_replace_ours(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "style.css").write_text(":root { --felt: navy; }")
    (own / "problems.html").write_text('{% extends "base.html" %}{% block main %}<h1>Ask Kay</h1>{% endblock %}')
    assert b"Ask Kay" in page(tmp_path, "problems/index.html", templates=str(own))
    (style,) = (tmp_path / "site").glob("style.*.css")
    assert style.read_text().endswith(":root { --felt: navy; }")


def test_a_club_s_colours_replace_ours_and_our_style_stays(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "tokens.css").write_text(":root { --felt: navy; }\n")
    page(tmp_path, templates=str(own))
    (style,) = (tmp_path / "site").glob("style.*.css")
    assert style.read_text("utf-8").startswith(":root { --felt: navy; }\n/* The reader's choices")


def test_a_club_s_template_may_build_on_ours(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "board.html").write_text('{% extends "ours/board.html" %}{% block trail %}Ask Kay{% endblock %}')
    made = text_of(parse(page(tmp_path, "board-1/index.html", templates=str(own))))
    assert "Ask Kay" in made
    assert "Dealer" in made


def test_a_page_says_what_it_was_made_from(tmp_path: Path) -> None:
    assert "from evening.pbn 0123456789ab" in text_of(parse(page(tmp_path)))
