"""The HTML of a site: the pages of a session, and the index of a season. `PAGES` lists all kinds of pages."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined

from overtrick.machine import resource
from overtrick.render.languages import Language, add_language, open_language
from overtrick.render.pages.club_templates import ClubEnvironment, check_templates, explain_slips
from overtrick.render.pages.report_links import fill_contact, make_report_link
from overtrick.render.pages.season_page import SeasonPage
from overtrick.render.pages.session_page import SessionPage

CHANGES_FILE: Final = "changes.html"
"""The list of all changes in the folder of a season."""

Values = Mapping[str, object]
"""What a template gets besides the session."""


@dataclass(frozen=True)
class Page:
    """A kind of page."""

    template: str
    """File in `templates/html/`."""
    list_pages: Callable[[SessionPage], Iterable[tuple[str, Values]]]
    """Lists the pages of this kind: the path of each from the site's root, and its values."""
    title: str = ""
    """In English: the link to it on the session's front page; empty for pages that are linked elsewhere."""


def _page_if(has: Callable[[SessionPage], object], name: str, title: str = "") -> Page:
    """Return a kind with one page, `NAME/index.html` made from `NAME.html`, for the sessions that have it."""
    return Page(f"{name}.html", lambda page: [(f"{name}/index.html", {})] if has(page) else [], title)


def _list_boards(page: SessionPage) -> Iterator[tuple[str, Values]]:
    for board in page.boards:
        yield f"{board.slug}/index.html", {"board": board}


def _list_replays(page: SessionPage) -> Iterator[tuple[str, Values]]:
    for board in page.boards:
        for one in board.replays if board.replays_apart else ():
            yield f"{board.slug}/{one.slug}/index.html", {"board": board, "one": one}


def _list_scorecards(page: SessionPage) -> Iterator[tuple[str, Values]]:
    for card in page.scorecards:
        yield f"{card.slug}/index.html", {"card": card}


PAGES: Final = (
    Page("session.html", lambda _: [("index.html", {})]),
    Page("board.html", _list_boards),
    Page("table.html", _list_replays),
    Page("scorecard.html", _list_scorecards),
    _page_if(lambda page: page.has_deals, "hands", "Hand records"),
    _page_if(lambda page: page.recaps, "recap", "Recap sheet"),
    _page_if(lambda page: page.matrix, "matrix", "Head to head"),
    _page_if(lambda page: page.rounds, "matches", "Matches"),
    _page_if(lambda page: page.sheets, "sheets", "Score sheets"),
    _page_if(lambda page: page.change_pages, "changes", "Changes"),
    _page_if(lambda page: page.problems, "problems"),
)
"""All kinds of pages of a session, in the order of the links on its front page."""

_SEASON: Final = {"season.html": "index.html", "season-changes.html": CHANGES_FILE}
"""By template of a season's page, the page's name if it is another one."""

ASSETS: Final = {"style.css": ("tokens.css", "style.css"), "site.js": ("site.js",)}
"""Style sheet and script, with the templates that they are made of."""

_DRAWN_AS_TEXT: Final = str.maketrans({suit: f"{suit}\ufe0e" for suit in "♠♥♦♣"})


def render_site(
    page: SessionPage,
    *,
    beside: Collection[str] = (),
    code: str = "en",
    folder: Path | None = None,
    up: bool = False,
) -> dict[str, bytes]:
    """Render the pages of a session, with their style sheet and script.

    All links are relative and name their `index.html`, so the site works at any address and from a disk.

    Args:
        page: the session.
        beside: paths of the other files of the site, such as `bulletin.pdf`, which pages may link to.
        code: the language of the pages.
        folder: the club's own templates; they replace templates of the same name.
        up: whether the folder above has an index of sessions.

    Returns:
        Contents by path: the pages that `PAGES` lists, `style.<hash>.css` and `site.<hash>.js`.

    Raises:
        ClubTemplateError: a template of the club has an error.
    """
    with explain_slips(folder):
        environment = _open_environment(code, folder)
        return _render_site(page, frozenset(beside), environment, up=up, language=open_language(code))


def _render_site(
    page: SessionPage, beside: frozenset[str], environment: Environment, *, up: bool, language: Language
) -> dict[str, bytes]:
    assets, files = _make_assets(environment)
    links = []
    pages = []
    for kind in PAGES:
        listed = list(kind.list_pages(page))
        pages += [(kind.template, path, values) for path, values in listed]
        links += [(path, kind.title) for path, _ in listed if kind.title]
    shared = {"page": page, "beside": beside, "up": up, "links": links, **assets}
    for name, path, values in pages:
        root = "../" * path.count("/")
        report = make_report_link(page, path, values, language)
        text = environment.get_template(name).render(**shared, path=path, root=root, report=report, **values)
        files[path] = text.encode()
    return files


def render_season(
    page: SeasonPage, pages: Mapping[str, Sequence[str]], *, code: str = "en", folder: Path | None = None
) -> dict[str, bytes]:
    """Render the index of a season; its feed and its sitemap too if the site has an address.

    Args:
        page: the season.
        pages: the paths of the pages of each session, by its folder.
        code: the language.
        folder: as for `render_site`.

    Raises:
        ClubTemplateError: as `render_site`.
    """
    with explain_slips(folder):
        return _render_season(page, pages, _open_environment(code, folder), open_language(code))


def _render_season(
    page: SeasonPage, pages: Mapping[str, Sequence[str]], environment: Environment, language: Language
) -> dict[str, bytes]:
    assets, files = _make_assets(environment)
    about = {"evening": page.title, "date": "", "board": "", "pair": "", "page": page.address or "index.html"}
    report = fill_contact(page.contact, about, language)
    names = ["season.html"] + (["feed.xml", "sitemap.xml"] if page.address else [])
    names += ["season-changes.html"] if page.changes else []
    for name in names:
        template = environment.get_template(name)
        text = template.render(page=page, pages=pages, root="", feed_id=make_feed_id, report=report, **assets)
        files[_SEASON.get(name, name)] = text.encode()
    return files


def render_people(
    page: SeasonPage, pages: Iterable[tuple[str, str, object]], *, code: str = "en", folder: Path | None = None
) -> dict[str, bytes]:
    """Render pages of players and series.

    Args:
        page: the season.
        pages: of each page the path, the template and the values that the template calls `one`.
        code: the language.
        folder: as for `render_site`.
    """
    environment = _open_environment(code, folder)
    assets, _ = _make_assets(environment)
    return {
        path: environment.get_template(template)
        .render(page=page, one=one, path=path, root="../" * path.count("/"), **assets)
        .encode()
        for path, template, one in pages
    }


def make_feed_id(address: str, day: str, folder: str) -> str:
    """Return the permanent id of a feed's entry (RFC 4151): `tag:club.example,2026-03-01:/results/tuesday/`."""
    parts = urlsplit(address)
    return f"tag:{parts.hostname or 'localhost'},{day}:{parts.path}{folder}/"


def _make_assets(environment: Environment) -> tuple[dict[str, str], dict[str, bytes]]:
    """Return the file names of style sheet and script, which hold a hash of the content, and the files."""
    names, files = {}, {}
    for name, parts in ASSETS.items():
        content = b"".join(_read_asset(environment, part) for part in parts)
        stem, _, ending = name.rpartition(".")
        names[stem] = f"{stem}.{_digest(content)}.{ending}"
        files[names[stem]] = content
    return names, files


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:10]


def is_asset(name: str, content: bytes) -> bool:
    """Return whether a file is a style sheet or a script of a site: its name holds the hash of its content."""
    stem, _, ending = name.rpartition(".")
    return stem.endswith(f".{_digest(content)}") and f"{stem.partition('.')[0]}.{ending}" in ASSETS


@cache
def _open_environment(code: str, folder: Path | None) -> Environment:
    """Open the templates. All values are escaped, and a missing value is an error, not an empty text."""
    ours = FileSystemLoader(resource("templates", "html"))
    clubs = FileSystemLoader(folder or [])
    # The sandbox costs a tenth of the time.
    kind = ClubEnvironment if folder else Environment
    environment = kind(
        loader=ChoiceLoader([clubs, ours, PrefixLoader({"ours": ours})]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    add_language(environment, code)
    environment.filters["text_suits"] = _mark_suits_as_text
    if folder:
        known = {path.name for path in resource("templates", "html").iterdir()} | {kind.template for kind in PAGES}
        check_templates(environment, folder, known)
    return environment


def _mark_suits_as_text(text: str) -> str:
    """Add U+FE0E to suit signs; without it phones draw them as emoji."""
    return text.translate(_DRAWN_AS_TEXT)


def _read_asset(environment: Environment, name: str) -> bytes:
    """Read a file of the templates without rendering it; the club's own comes first."""
    loader = environment.loader
    if loader is None:
        return b""
    return loader.get_source(environment, name)[0].encode()
