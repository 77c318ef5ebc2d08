"""Pieces of pages that are made once."""

from pathlib import Path

from overtrick.core.config import Config
from overtrick.core.machine import resource
from overtrick.show.html.club_templates import Look
from overtrick.show.html.html import render_site
from tests.support.public import make_session_page
from tests.support.render_sample import evening


def test_a_club_s_own_macros_count_also_if_they_lack_a_newer_one(tmp_path: Path) -> None:
    ours = resource("templates", "html", "macros.html").read_text("utf-8")
    mine = ours.replace("{% macro who(ref, root) -%}", "{% macro who(ref, root) -%}Ours: ").replace(
        "macro par(", "macro old("
    )
    (tmp_path / "macros.html").write_text(mine, "utf-8")
    site = render_site(make_session_page(evening(), Config()), look=Look(templates=tmp_path))
    assert "Ours: " in site["board-1/index.html"].decode()
    assert "Ours: " in site["pair-1/index.html"].decode()
