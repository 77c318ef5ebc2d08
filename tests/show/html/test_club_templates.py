"""The club's own templates: a slip is an error with file and line, and a template reaches nothing but its page."""

from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.show.html.club_templates import ClubTemplateError, Look
from overtrick.show.html.html import render_site
from tests.support.public import make_session_page
from tests.support.render_sample import evening

EXTENDS = '{% extends "ours/session.html" %}\n'


def render(folder: Path, **templates: str) -> dict[str, bytes]:
    """Render a session with templates of the club; `board_html` is `board.html`."""
    folder.mkdir(exist_ok=True)
    for name, text in templates.items():
        (folder / name.replace("_", ".")).write_text(text, "utf-8")
    return render_site(make_session_page(evening(), Config(), ""), look=Look(templates=folder))


def refusal(folder: Path, **templates: str) -> str:
    with pytest.raises(ClubTemplateError) as error:
        render(folder, **templates)
    return str(error.value).removeprefix(f"{folder}/")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("<p>\n{% if %}", 2, "Expected an expression, got 'end of statement block'"),
        ("<p>\n{{ page.titel }}", 2, "has no attribute 'titel'"),
        ("<p>\n\n{{ 1 / 0 }}", 3, "division by zero"),
        ("{{ page.title | upcase }}", 1, "No filter named 'upcase'"),
        ("{{ page.title + 1 }}", 1, "can only concatenate str"),
        ("{{ page.__class__.__mro__ }}", 1, "unsafe"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", 1, "unsafe"),
        ("{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}", 1, "maximum recursion depth"),
        ("{{ 'A' * 10 ** 17 }}", 1, "MemoryError"),
        ('{% include "../../club.toml" %}', 1, "there is no template ../../club.toml"),
        (EXTENDS + "{% block mian %}{% endblock %}", 2, "has no block mian; did you mean main?"),
        (
            '<p>\n{% include "ours/bord.html" %}',
            2,
            "there is no template ours/bord.html; did you mean ours/board.html?",
        ),
    ],
)
def test_a_slip_is_an_error_with_file_and_line(tmp_path: Path, text: str, line: int, reason: str) -> None:
    message = refusal(tmp_path / "own", session_html=text)
    assert message.startswith(f"session.html:{line}: ")
    assert reason in message
    assert message.endswith(f"\n    {text.splitlines()[line - 1]}")


def test_a_template_of_another_name_is_refused_unless_one_includes_it(tmp_path: Path) -> None:
    message = refusal(tmp_path / "own", bord_html="<p>")
    assert "overtrick has no template bord.html, and no template includes it; did you mean board.html?" in message
    included = EXTENDS + '{% block main %}{% include "bord.html" %}{% endblock %}'
    assert b"<p>" in render(tmp_path / "own", session_html=included)["index.html"]


def test_files_that_are_no_templates_are_left_alone(tmp_path: Path) -> None:
    render(tmp_path / "own", README_md="{% if %}", logo_png="")


def test_a_block_inside_a_block_may_be_new(tmp_path: Path) -> None:
    text = EXTENDS + "{% block main %}{% block motto %}Play on{% endblock %}{% endblock %}"
    assert b"Play on" in render(tmp_path / "own", session_html=text)["index.html"]
