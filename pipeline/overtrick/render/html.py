"""The website: pages of the session, its boards and its contestants, and one of problems for the director."""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined

from overtrick.machine import resource
from overtrick.render.context import SessionPage
from overtrick.render.context_season import SeasonPage
from overtrick.render.languages import speak
from overtrick.render.season import feed_id

ASSETS: Final = {"style.css": ("tokens.css", "style.css"), "site.js": ("site.js",)}
"""Style sheet and script, with the templates that they are made of."""
_DRAWN_AS_TEXT: Final = str.maketrans({suit: f"{suit}\ufe0e" for suit in "♠♥♦♣"})


def html_site(
    page: SessionPage,
    *,
    beside: Collection[str] = (),
    code: str = "en",
    folder: Path | None = None,
    up: bool = False,
) -> dict[str, bytes]:
    """Make the pages of a session with their style sheet and script.

    All links are relative and name their `index.html`, so the site works from any address and from a disk.

    Args:
        page: the session.
        beside: paths of the files that the site has beside its pages, such as `bulletin.pdf`: what can be linked to.
        code: the language of the pages.
        folder: where a club keeps its own templates; one that is there stands for ours of that name.
        up: whether the folder above has an index of sessions.

    Returns:
        Contents by path: `index.html`, `board-7/index.html`, `pair-7/index.html`, what there is of `recap matrix hands
        matches sheets problems` as `recap/index.html`, `style.<hash>.css`, `site.<hash>.js`.
    """
    environment = _environment(code, folder)
    assets, files = _assets(environment)
    shared = {"page": page, "beside": frozenset(beside), "up": up, **assets}
    for path, template, values in _pages(page):
        root = "../" * path.count("/")
        text = environment.get_template(template).render(**shared, path=path, root=root, **values)
        files[path] = text.encode()
    return files


def html_season(
    page: SeasonPage, pages: Mapping[str, Sequence[str]], *, code: str = "en", folder: Path | None = None
) -> dict[str, bytes]:
    """Make the index of sessions; its feed and its map of addresses where the site has an address.

    Args:
        page: the season.
        pages: the pages of each session, by its folder.
        code: the language.
        folder: as for `html_site`.
    """
    environment = _environment(code, folder)
    assets, files = _assets(environment)
    names = ["season.html"] + (["feed.xml", "sitemap.xml"] if page.address else [])
    for name in names:
        template = environment.get_template(name)
        text = template.render(page=page, pages=pages, root="", feed_id=feed_id, **assets)
        files["index.html" if name == "season.html" else name] = text.encode()
    return files


def _assets(environment: Environment) -> tuple[dict[str, str], dict[str, bytes]]:
    """Name style sheet and script by their content, and give both."""
    names, files = {}, {}
    for name, parts in ASSETS.items():
        content = b"".join(_asset(environment, part) for part in parts)
        stem, _, ending = name.rpartition(".")
        names[stem] = f"{stem}.{hashlib.sha256(content).hexdigest()[:10]}.{ending}"
        files[names[stem]] = content
    return names, files


def _pages(page: SessionPage) -> Iterator[tuple[str, str, dict[str, object]]]:
    """List path, template and values of every page."""
    yield "index.html", "session.html", {}
    for board in page.boards:
        yield f"{board.slug}/index.html", "board.html", {"board": board}
        for one in board.replays if board.replays_apart else ():
            yield f"{board.slug}/{one.slug}/index.html", "table.html", {"board": board, "one": one}
    for card in page.scorecards:
        yield f"{card.slug}/index.html", "scorecard.html", {"card": card}
    parts = {
        "recap": page.recaps,
        "matrix": page.matrix,
        "hands": page.has_deals,
        "matches": page.rounds,
        "sheets": page.sheets,
        "problems": page.problems,
    }
    for name in (name for name, there in parts.items() if there):
        yield f"{name}/index.html", f"{name}.html", {}


@cache
def _environment(code: str, folder: Path | None) -> Environment:
    """Open the templates. Everything is escaped, and a value that is not there is an error, not an empty text."""
    ours = FileSystemLoader(resource("templates", "html"))
    clubs = FileSystemLoader(folder or [])
    environment = Environment(
        loader=ChoiceLoader([clubs, ours, PrefixLoader({"ours": ours})]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    speak(environment, code)
    environment.filters["text_suits"] = _text_suits
    return environment


def _text_suits(text: str) -> str:
    """Mark suits to be drawn as text: without U+FE0E phones make pictures of them."""
    return text.translate(_DRAWN_AS_TEXT)


def _asset(environment: Environment, name: str) -> bytes:
    """Read a file as it stands; a club's own stands for ours."""
    loader = environment.loader
    if loader is None:
        return b""
    return loader.get_source(environment, name)[0].encode()
