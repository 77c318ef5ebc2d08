"""The website: a page a session, a board and a contestant, and one of problems for the director."""

import hashlib
import re
from collections.abc import Iterator
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from overtrick.render.context import SessionPage
from overtrick.resources import resource

PDF_NAME = "bulletin.pdf"


def html_site(page: SessionPage, *, pdf: bool) -> dict[str, bytes]:
    """Make all files of the website but the PDF.

    All links are relative and name their `index.html`, so the site works from any address and from a disk.

    Args:
        page: the session.
        pdf: whether the site has a `bulletin.pdf` to link to.

    Returns:
        Contents by path: `index.html`, `board-7/index.html`, `pair-7/index.html`, `problems/index.html` when there are
        problems, `style.<hash>.css`.
    """
    css = _style()
    style = f"style.{hashlib.sha256(css).hexdigest()[:10]}.css"
    files = {style: css}
    for path, template, values in _pages(page):
        root = "../" * path.count("/")
        text = _environment().get_template(template).render(page=page, root=root, style=style, pdf=pdf, **values)
        files[path] = text.encode()
    return files


def _pages(page: SessionPage) -> Iterator[tuple[str, str, dict[str, object]]]:
    """List path, template and values of every page."""
    yield "index.html", "session.html", {}
    for board in page.boards:
        yield f"{board.slug}/index.html", "board.html", {"board": board}
    for card in page.scorecards:
        yield f"{card.slug}/index.html", "scorecard.html", {"card": card}
    if page.problems:
        yield "problems/index.html", "problems.html", {}


@cache
def _environment() -> Environment:
    """Open the templates. Everything is escaped, and a value that is not there is an error, not an empty text."""
    environment = Environment(
        loader=FileSystemLoader(resource("templates", "html")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.filters["text_suits"] = _text_suits
    return environment


def _text_suits(text: str) -> str:
    """Mark suits to be drawn as text: without U+FE0E phones make pictures of them."""
    return re.sub("[♠♥♦♣]", "\\g<0>\ufe0e", text)


@cache
def _style() -> bytes:
    return resource("templates", "html", "style.css").read_bytes()
