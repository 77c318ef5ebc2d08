"""The HTML of a site: the pages of a session, and the index of a season. `PAGES` lists all kinds of pages."""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader
from markupsafe import Markup

from overtrick.core.languages import Language, add_language, open_language, open_templates
from overtrick.core.machine import resource
from overtrick.show.html import report_links
from overtrick.show.html.board_pages import BoardPage
from overtrick.show.html.club_templates import Look, check_templates, explain_slips, keep_compiled
from overtrick.show.html.replay_pages import Replay
from overtrick.show.html.result_lines import Outcome
from overtrick.show.html.scorecards import Scorecard
from overtrick.show.html.season_page import SeasonPage
from overtrick.show.html.session_page import SessionPage
from overtrick.show.text.sentences import translate_sentence
from overtrick.show.views import View, list_rows

_TEMPLATE: Final = "macros.html"
_MACROS: Final = ("contract", "lead", "who", "par", "fellows")
_MOST: Final = 4096
"""Pieces of a kind that are kept: more than a large evening has."""


def add_fragments(environment: Environment) -> None:
    """Add the functions to the templates of an environment.

    They call the macros of that environment, so a club's own `macros.html` counts.
    """
    outcome = _keep(environment, "outcome")

    def outcome_of(row: Outcome, columns: View) -> Markup:
        # Rows of one outcome share the HTML, whatever else they hold.
        made = Outcome(row.contract, row.declarer, row.lead, row.result, "", row.remark)
        return outcome(made, tuple(column for column in columns if column.of_contract))

    environment.globals |= {name: _keep(environment, name) for name in _MACROS} | {"outcome": outcome_of}


def _keep(environment: Environment, name: str) -> Callable[..., Markup]:
    @lru_cache(_MOST)
    def make(*values: Hashable) -> Markup:
        macro: Any = getattr(environment.get_template(_TEMPLATE).module, name, None)
        # A club's own copy may be older than the macro.
        macro = macro or getattr(environment.get_template(f"ours/{_TEMPLATE}").module, name)
        return Markup(macro(*values))  # noqa: S704 - the template escaped it

    return make


CHANGES_FILE: Final = "changes.html"
"""The list of all changes in the folder of a season."""

Values = Mapping[str, object]
"""The values that a template gets besides the session."""


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
    for place, board in enumerate(page.boards if page.has_board_pages else ()):
        yield f"{board.slug}/index.html", {"board": board, "near": _find_near(page.boards, place)}


def _find_near(boards: Sequence[BoardPage], place: int) -> Sequence[BoardPage]:
    """Return the boards for the strip of one board: all of them, or the nearest of very many."""
    first = max(0, min(place - _STRIP // 2, len(boards) - _STRIP))
    return boards[first : first + _STRIP]


@dataclass(frozen=True)
class Onward:
    """A link from a table to the next board of one of its pairs."""

    names: str
    page: str


def _list_replays(page: SessionPage) -> Iterator[tuple[str, Values]]:
    if not any(board.replays_apart for board in page.boards):
        return
    cards = {card.slug: card for card in page.scorecards}
    later: dict[str, str] = {}
    pages = []
    for board in reversed(page.boards):
        here: dict[str, str] = {}
        for replay in reversed(board.replays):
            apart, path = board.replays_apart, board.find_replay(replay.slug)
            onward = list(_find_onward(replay, later, cards))
            here |= dict.fromkeys(replay.anchors, path)
            if apart:
                pages.append((path, {"board": board, "one": replay, "onward": onward}))
        later |= here
    yield from reversed(pages)


def _find_onward(replay: Replay, later: Mapping[str, str], cards: Mapping[str, Scorecard]) -> Iterator[Onward]:
    """Yield a link for each pair of a table that has a later board."""
    for slug in replay.anchors:
        if slug in later and slug in cards:
            yield Onward(cards[slug].contestant.names, later[slug])


PAGES: Final = (
    Page("session.html", lambda _: [("index.html", {})]),
    Page("board.html", _list_boards),
    Page("table.html", _list_replays),
    Page("scorecard.html", lambda page: [(f"{card.slug}/index.html", {"card": card}) for card in page.scorecards]),
    _page_if(lambda page: page.has_deals and not page.hands_only, "hands", "Hand records"),
    _page_if(lambda page: page.recaps, "recap", "Recap sheet"),
    _page_if(lambda page: page.comparison, "compare", "Compare"),
    _page_if(lambda page: page.matrix, "matrix", "Head to head"),
    _page_if(lambda page: page.rounds, "matches", "Matches"),
    _page_if(lambda page: page.barometers, "rounds", "Round by round"),
    _page_if(lambda page: page.analysis, "analysis", "Where the points went"),
    _page_if(lambda page: page.change_pages, "changes", "Changes"),
    _page_if(lambda page: page.problems, "problems"),
)
"""All kinds of pages of a session, in the order of the links on its front page."""

_SEASON: Final = {"season.html": "index.html", "season-changes.html": CHANGES_FILE}
"""By template of a season's page, the page's name if it is another one."""

EMBED: Final = "embed.js"
"""The script for other websites. Its name has no hash, because they name it."""

ASSETS: Final = {"style.css": ("tokens.css", "style.css"), "site.js": ("site.js",), "icon.svg": ("icon.svg",)}
"""Style sheet, script and icon, with the templates that they are made of."""

_PLAIN: Final = Look()
_STRIP: Final = 60
"""Most boards in the strip of a board's page. Each board has one, so they grow with the square."""

_NAME: Final = 24
"""Longest name of a player that stays on one line, in characters, with the dash after it."""
_USUAL: Final = 16
"""Longest name of a player that has room in every column."""
_NBSP: Final = "\u00a0"
_NAME_MARKUP: Final = Markup("<span>{}</span>")
_LONG_MARKUP: Final = Markup('<span class="long-name">{}</span>')

_DRAWN_AS_TEXT: Final = str.maketrans({suit: f"{suit}\ufe0e" for suit in "♠♥♦♣"})


def render_site(
    page: SessionPage,
    *,
    beside: Mapping[str, Sequence[object]] | None = None,
    code: str = "en",
    look: Look = _PLAIN,
    up: bool = False,
) -> dict[str, bytes]:
    """Render the pages of a session, with their style sheet and script.

    All links are relative and name their `index.html`, so the site works at any address and from a disk.

    Args:
        page: the session.
        beside: by path, the other files of the site that pages may link to, such as `bulletin.pdf`, and what each does
            not hold (`conversion.Loss`).
        code: the language of the pages.
        look: the club's own templates, which replace templates of the same name, its logo and its colour.
        up: whether the folder above has an index of sessions. It has their style sheet, script, icon and logo too.

    Returns:
        Contents by path: the pages that `PAGES` lists, and `style.<hash>.css` and the other `ASSETS`, which are
        `../style.<hash>.css` and so on for the folder above.

    Raises:
        ClubTemplateError: a template of the club has an error.
    """
    with _open_templates(code, look, "../" if up else "") as (environment, spoken, assets, files):
        pages = [(kind, path, values) for kind in PAGES for path, values in kind.list_pages(page)]
        shared = {
            "page": page,
            "beside": beside or {},
            "up": up,
            **assets,
            "links": [(path, kind.title) for kind, path, _ in pages if kind.title],
        }
        if not up:
            files[EMBED] = _read_asset(environment, EMBED)
        for kind, path, values in pages:
            report, root = report_links.make_report_link(page, path, values, spoken), "../" * path.count("/")
            common = {**shared, "report": report, "shared": _share(page, values, spoken), "path": path, "root": root}
            common["home"] = f"{root}../" if up else ""
            files[path] = environment.get_template(kind.template).render(common, **values).encode()
        return files


@contextmanager
def _open_templates(
    code: str, look: Look, at: str = ""
) -> Iterator[tuple[Environment, Language, dict[str, str], dict[str, bytes]]]:
    """Open the templates in a language; with them come the language, and the names and contents of `_make_assets`."""
    with explain_slips(look.templates):
        environment = _open_environment(code, look.templates)
        yield environment, open_language(code), *_make_assets(environment, look, at)


def _share(page: SessionPage, values: Values, spoken: Language) -> report_links.Shared:
    match values:
        case {"card": Scorecard() as card}:
            return report_links.share_card(page, card, spoken)
        case {"board": BoardPage() as board}:
            return report_links.share_board(page, board, spoken)
        case _:
            return report_links.share_session(page, spoken)


def render_season(
    page: SeasonPage, pages: Mapping[str, Sequence[str]], *, code: str = "en", look: Look = _PLAIN
) -> dict[str, bytes]:
    """Render the index of a season; its feed and its sitemap too if the site has an address.

    Args:
        page: the season.
        pages: the paths of the pages of each session, by its folder.
        code: the language.
        look: as for `render_site`.

    Raises:
        ClubTemplateError: as `render_site`.
    """
    with _open_templates(code, look) as (environment, spoken, assets, files):
        files[EMBED] = _read_asset(environment, EMBED)
        report = _report_on_season(page, page.address or "index.html", spoken)
        names = ["season.html"] + (["feed.xml", "sitemap.xml"] if page.address else [])
        names += ["season-changes.html"] if page.changes else []
        values = {
            "page": page,
            "pages": pages,
            "root": "",
            "home": "./",
            "feed_id": make_feed_id,
            "report": report,
            **assets,
        }
        for name in names:
            files[_SEASON.get(name, name)] = environment.get_template(name).render(values).encode()
        return files


def render_people(
    page: SeasonPage, pages: Iterable[tuple[str, str, object]], *, code: str = "en", look: Look = _PLAIN
) -> dict[str, bytes]:
    """Render pages of players and series.

    Args:
        page: the season.
        pages: of each page the path, the template and the values that the template calls `one`.
        code: the language.
        look: as for `render_site`.

    Raises:
        ClubTemplateError: as `render_site`.
    """
    with _open_templates(code, look) as (environment, spoken, assets, _):
        files = {}
        for path, template, values in pages:
            report, root = _report_on_season(page, f"{page.address}{path}", spoken), "../" * path.count("/")
            common = {"page": page, "one": values, "path": path, "root": root, "home": root, "report": report, **assets}
            files[path] = environment.get_template(template).render(common).encode()
        return files


def _report_on_season(page: SeasonPage, address: str, spoken: Language) -> report_links.ReportLink | None:
    about = {"evening": page.title, "date": "", "board": "", "pair": "", "page": address}
    return report_links.fill_contact(page.contact, about, spoken)


def make_feed_id(address: str, day: str, folder: str) -> str:
    """Return the permanent id of a feed's entry (RFC 4151): `tag:club.example,2026-03-01:/results/tuesday/`."""
    parts = urlsplit(address)
    return f"tag:{parts.hostname or 'localhost'},{day}:{parts.path}{folder}/"


def _make_assets(environment: Environment, look: Look, at: str) -> tuple[dict[str, str], dict[str, bytes]]:
    """Return the paths of style sheet, script, icon and logo in the folder `at`, and the files.

    Their names hold a hash of the content.
    """
    names = {"logo": look.logo and f"{at}{look.logo}"}
    files = {names["logo"]: look.image} if look.logo else {}
    for name, parts in ASSETS.items():
        content = b"".join(_read_asset(environment, part) for part in parts)
        content += look.css.encode() if name == "style.css" else b""
        stem, _, ending = name.rpartition(".")
        names[stem] = f"{at}{stem}.{_digest(content)}.{ending}"
        files[names[stem]] = content
    return names, files


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:10]


def is_asset(name: str, content: bytes) -> bool:
    """Return whether pages share a file, as a style sheet or a logo: its name holds a hash of its content."""
    stem, _, ending = name.rpartition(".")
    first = stem.partition(".")[0]
    return stem.endswith(f".{_digest(content)}") and (first == "logo" or f"{first}.{ending}" in ASSETS)


@cache
def _open_environment(code: str, folder: Path | None) -> Environment:
    """Open the templates of pages, with a club's own before ours."""
    ours = FileSystemLoader(resource("templates", "html"))
    clubs = FileSystemLoader(folder or [])
    environment = open_templates(
        "html",
        loader=ChoiceLoader([clubs, ours, PrefixLoader({"ours": ours})]),
        cache=keep_compiled("sandbox" if folder else "html", code),
        is_trusted=not folder,
    )
    add_language(environment, code)
    environment.filters |= {"text_suits": _mark_suits_as_text, "unbroken": _keep_names}
    environment.filters["sentence"] = partial(translate_sentence, open_language(code))
    if folder:
        known = {path.name for path in resource("templates", "html").iterdir()} | {kind.template for kind in PAGES}
        check_templates(environment, folder, known)
    add_fragments(environment)
    environment.globals["view"] = list_rows
    return environment


@lru_cache(4096)
def _mark_suits_as_text(text: str) -> str:
    """Add U+FE0E to suit signs; without it phones draw them as emoji."""
    return text.translate(_DRAWN_AS_TEXT)


@lru_cache(4096)
def _keep_names(names: str) -> Markup:
    """Wrap the name of each player, so that lines break after the dash between players only; long names may break."""
    *first, last = names.split(" – ")
    parts = (
        _NAME_MARKUP.format(name) if len(name) <= _NAME else _LONG_MARKUP.format(name)
        for name in (*map(_add_dash, first), last)
    )
    return Markup(" ").join(parts)


def _add_dash(name: str) -> str:
    """Return a name with the dash after it, which does not begin a line where the name itself may break."""
    return f"{name}{' ' if len(name) <= _USUAL else _NBSP}–"


def _read_asset(environment: Environment, name: str) -> bytes:
    """Read a file of the templates without rendering it; the club's own comes first."""
    loader = environment.loader
    return b"" if loader is None else loader.get_source(environment, name)[0].encode()
