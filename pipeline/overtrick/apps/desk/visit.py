"""One request at the desk: its form, its evening, and the pages that answer it."""

import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

from jinja2 import Environment
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from overtrick.apps.desk.desk import Desk
from overtrick.apps.evening.edit import Edited, Evening, RefusedError
from overtrick.apps.evening.people import list_meant, list_results_meant
from overtrick.apps.evening.shelf import Shelved, find_shelved
from overtrick.core.config.corrections import Entry
from overtrick.core.languages import Language, LanguageError, add_language, open_language, open_templates
from overtrick.core.notation import is_number
from overtrick.core.words import spoken
from overtrick.files.correct.entry import EntryError, read_entry, spell_options, write_shorthand
from overtrick.show.history.changes import format_sentence
from overtrick.show.html.club_templates import keep_compiled
from overtrick.show.text import display
from overtrick.show.text.sentences import translate_message, translate_sentence

TABS: Final = (
    *(("", "Overview"), ("problems", "Problems"), ("grid", "Grid"), ("rulings", "Rulings"), ("people", "People")),
    *(("ranking", "Ranking and pages"), ("publish", "Publish"), ("history", "History"), ("live", "Live")),
)
"""The screens of an evening: the end of their address, and their title in English."""

_MOST_FIELDS: Final = 20_000
_MOST_FOLDERS: Final = 300
"""Folders that a field offers."""


class AwayError(Exception):
    """The evening or page that was asked for is not there; the page says so."""


@dataclass(frozen=True)
class Visit:
    """A request.

    Attributes:
        desk: what all pages share.
        request: the request itself.
        form: its fields; none if it is not a form.
        began: when it came, for the time that the server took.
    """

    desk: Desk
    request: Request
    form: FormData = field(default_factory=FormData)
    began: float = field(default_factory=time.perf_counter)

    def text(self, name: str) -> str:
        """Return a field of the form or of the address, without blanks around it."""
        value = self.form.get(name, self.request.query_params.get(name, ""))
        return value.strip() if isinstance(value, str) else ""

    def number(self, name: str) -> int | None:
        """Return a field that is a number of up to nine digits; None if it is not one."""
        text = self.text(name)
        return int(text) if is_number(text) and len(text) < 10 else None

    @property
    def wants_data(self) -> bool:
        """Whether the script of a page asks, and not a person."""
        return "application/json" in self.request.headers.get("accept", "")

    @cached_property
    def shelved(self) -> Shelved:
        """The evening that the address names.

        Raises:
            AwayError: the folder has no evening of this name.
        """
        name = str(self.request.path_params["name"])
        found = find_shelved(self.desk.folder, name)
        if found is None:
            raise AwayError(name)
        return found

    @property
    def evening(self) -> Evening:
        """The evening that the address names, as its files are now."""
        return self.desk.evening(self.shelved)

    def render(self, template: str, *, status: int = 200, **values: object) -> Response:
        """Return a page."""
        config = self.desk.settings()
        shown = {
            "config": config.config,
            "settings_error": config.error,
            "told": self.desk.told,
            "path": self.request.url.path,
            "tabs": TABS,
            "shelved": None,
            "refused": "",
            "choices": (),
            "visit": self,
            **values,
        }
        self.desk.told = ""
        text = _environment(config.config.site.language).get_template(template).render(**shown)
        took = 1000 * (time.perf_counter() - self.began)
        return HTMLResponse(text, status, {"server-timing": f"desk;dur={took:.1f}"})

    def show(
        self, page: str, evening: Evening, *, tab: str | None = None, status: int = 200, **values: object
    ) -> Response:
        """Return a page of an evening: `PAGE.html`, on the tab of its name, and what its forms are filled in over."""
        shown = {"screen": page if tab is None else tab, "shelved": self.shelved, "seen": evening.digest}
        if getattr(self.request.state, "is_unclear", False):
            shown |= {"choices": self._list_choices(evening), "sent": hidden_fields(self)}
        return self.render(f"{page}.html", status=status, **shown, **values)

    def _list_choices(self, evening: Evening) -> list[tuple[str, str, str, str]]:
        """Return what an unclear form may mean: a field, what to write in it, and in two parts what to call it.

        They are the contestants of the first field that fits several, else the results of one pair on the board.
        """
        for name in ("pair", "other_pair", "tie", "instead", "instead_ew"):
            if len(meant := list_meant(evening.session, self.text(name))) > 1:
                return [(name, pair.label, pair.label, " – ".join(pair.names)) for pair in meant]
        key, rows = list_results_meant(evening.session, self.text("board"), self.text("pair"))
        title = self.translate({"round": "Round", "table": "Table"}.get(key, "Section"))
        sides = [
            [display.format_names(row[f"names_{side}"] or row[side]) or "?" for side in ("ns", "ew")] for row in rows
        ]
        return [
            (key, str(row[key]), f"{title} {row[key]}", f"{ns} / {ew} {write_shorthand(row)}".rstrip())
            for row, (ns, ew) in zip(rows, sides, strict=True)
        ]

    def fragment(self, template: str, **values: object) -> str:
        """Return a part of a page."""
        config = self.desk.settings().config
        return _environment(config.site.language).get_template(template).render(config=config, **values)

    def data(self, values: Mapping[str, object], status: int = 200) -> Response:
        """Return data for the script of a page, with the milliseconds that the server took."""
        took = 1000 * (time.perf_counter() - self.began)
        timed = {**values, "took": round(took, 1)}
        return JSONResponse(timed, status, {"server-timing": f"desk;dur={took:.1f}"})

    def go(self, path: str, message: str = "") -> Response:
        """Show another page, with a message about what was done."""
        self.desk.told = message
        return RedirectResponse(path, 303)

    @property
    def folders(self) -> list[str]:
        """Folders that a scorer may mean: those in and beside the folder of the evenings, and in the home folder."""
        club, found = self.desk.folder.resolve(), []
        for place in dict.fromkeys((club, club.parent, Path.home())):
            with suppress(OSError):
                found += [path for path in sorted(place.iterdir()) if path.name[0] != "." and path.is_dir()]
        return [str(path) for path in dict.fromkeys(found[:_MOST_FOLDERS]) if str(path).isprintable()]

    @property
    def spoken(self) -> Language:
        """The language of the pages."""
        return open_language(self.desk.settings().config.site.language)

    def say(self, sentence: str) -> str:
        """Return a sentence about a change in the language of the pages."""
        return translate_sentence(self.spoken, sentence)

    def say_day(self, stated: str | None) -> str:
        """Return a date as a file states it in the language of the pages."""
        return self.spoken.format_date(*display.format_date(stated))

    def translate(self, text: str, **values: object) -> str:
        """Return a text in the language of the pages."""
        said = self.spoken.translate(text)
        return said % values if values else said

    def list_errors(self, edited: Edited) -> list[str]:
        """Return the sentences of the errors that a correction would make, in the language of the pages.

        Where one of them is that the form may mean several contestants or results, `show` offers them.
        """
        errors = edited.errors.select("message", "code").rows()
        self.request.state.is_unclear = any(code == "correction-ambiguous" for _, code in errors)
        return [translate_message(self.spoken, message, code) for message, code in errors]


Handler = Callable[[Visit], Response]


def address(name: str, screen: str = "", **query: object) -> str:
    """Return the address of a screen of an evening."""
    given = {key: value for key, value in query.items() if value is not None}
    return f"/evening/{quote(name, safe='')}/{screen}" + (f"?{urlencode(given)}" if given else "")


def answer(desk: Desk, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a handler: it reads the form, and turns what can go wrong into pages."""

    async def endpoint(request: Request) -> Response:
        form = FormData()
        if request.method == "POST":
            try:
                form = await request.form(max_fields=_MOST_FIELDS, max_files=1000, max_part_size=4 * 1024 * 1024)
            except MultiPartException as error:
                desk.log(f"refused: a form that can't be read: {error.message}")
                return PlainTextResponse("overtrick desk: refused: a form that can't be read\n", 400)
        try:
            # Files are read in a thread, where asynchronous reading is not possible.
            return await run_in_threadpool(_answer, Visit(desk, request, form), handler)
        finally:
            await form.close()

    return endpoint


def _answer(visit: Visit, handler: Handler) -> Response:
    desk = visit.desk
    desk.last_visit = time.monotonic()
    posted = visit.request.method == "POST" and not visit.request.url.path.startswith("/window")
    if posted and not desk.may_write(visit.text("window")):
        return _refuse(visit, 423, "Another window of the desk is open. This one is for reading only.")
    try:
        with spoken(visit.desk.settings().config.words()):
            return handler(visit)
    except AwayError:
        return _refuse(visit, 404, "There is no such evening. It may have been renamed or removed.")
    except (RefusedError, OSError) as error:
        status, said = 409, str(error)
        if isinstance(error, OSError):
            status, said = 500, f"{error.filename or desk.folder}: {error.strerror or error}"
        return _refuse(visit, status, said)
    except LanguageError as error:
        return PlainTextResponse(f"overtrick desk: {error}\n", 500)
    except Exception as error:  # noqa: BLE001 - one unforeseen file must not end the desk
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        message = f"overtrick failed because of a bug; please report it: {type(error).__name__}: {error} ({where})"
        desk.log(display.make_printable(f"{visit.request.method} {visit.request.url.path}: {message}"))
        return PlainTextResponse(f"{message}\n", 500)


def _refuse(visit: Visit, status: int, message: str) -> Response:
    if visit.wants_data:
        return visit.data({"error": visit.translate(message)}, status)
    return visit.render("refused.html", status=status, message=message)


def _title(spoken: Language, ranking: str) -> str:
    """Return the title of a ranking: `Section A, North-South`."""
    section, _, name = ranking.rpartition(" ")
    title = display.FIELDS.get(name, name)
    return spoken.translate_phrase(f"Section {section}, {title}" if section else title)


def _sentence(spoken: Language, board: str, what: str) -> str:
    """Return what was changed, with its board."""
    said = translate_sentence(spoken, what)
    return f"{spoken.format_board(board)}, {said}" if board else format_sentence(board, said)


@cache
def _environment(code: str) -> Environment:
    environment = open_templates("desk", cache=keep_compiled("desk", code))
    add_language(environment, code)
    spoken = open_language(code)
    environment.globals |= {
        "address": address,
        "sentence": lambda board, what: _sentence(spoken, board, what),
        "ranking_title": lambda ranking: _title(spoken, ranking),
    }
    environment.filters |= {
        "sentence": partial(translate_sentence, spoken),
        "problem": partial(translate_message, spoken),
        "problem_hint": lambda hint: spoken.problems.get(hint, hint),
        "names": display.format_names,
        "signed": display.format_signed,
        "number": display.format_number,
        "percent": display.format_percentage,
    }
    return environment


def _whole(text: str) -> int:
    try:
        return int(text.replace("−", "-"))
    except ValueError:
        raise EntryError(f"expected a whole number, got {text!r}") from None


def _plain(text: str) -> str:
    """Return a number as Python has it."""
    return text.replace(",", ".").replace("−", "-")


def _number(text: str) -> float:
    try:
        return float(_plain(text))
    except ValueError:
        raise EntryError(f"expected a number, got {text!r}") from None


def _share(text: str) -> str:
    """Return a percentage with its sign, which a scorer may leave out."""
    return f"{text}%" if is_number(text.replace(".", "", 1)) else text


_TEXTS: Final = (
    *("pair", "section", "round", "table", "direction", "by", "contract", "lead", "other_pair", "fouled", "players"),
    *("weighted", "name", "title", "date", "club", "method", "tie", "extra", "boards", "why", "who"),
)
_ONE: Final[Mapping[str, Callable[[str], Any]]] = {
    **dict.fromkeys(_TEXTS, str),
    **dict.fromkeys(("board", "tricks", "score", "assigned"), _whole),
    "handicap": _number,
    **dict.fromkeys(("swap", "add", "delete", "not_played", "disciplinary"), bool),
    "carry_over": _plain,
}
"""Options of one word, and how each is read."""

_TWO: Final[Mapping[str, tuple[str, str, Callable[[str], Any], Callable[[str], Any]]]] = {
    "award": ("award_ns", "award_ew", _share, _share),
    "split": ("split_ns", "split_ew", _whole, _whole),
    "penalty": ("penalty_amount", "penalty_unit", _number, str),
    "player": ("player_from", "player_to", str, str),
    "substitute": ("absent", "substitute_player", str, str),
    "cards": ("card", "other_card", str, str),
}
"""Options of two words: the fields that hold them, and how each is read."""


def read_options(visit: Visit) -> dict[str, Any]:
    """Return the options that a form gives.

    Raises:
        EntryError: a field is not a number, or one of two fields that go together is empty.
    """
    given = {name: read(text) for name, read in _ONE.items() if (text := visit.text(name))}
    for name, (first, second, read, also) in _TWO.items():
        texts = visit.text(first), visit.text(second)
        if all(texts):
            given[name] = (read(texts[0]), also(texts[1]))
        # A unit is chosen even where no amount is given.
        elif any(texts[:1] if name == "penalty" else texts):
            raise EntryError(f"fill in both fields: {first.replace('_', ' ')} and {second.replace('_', ' ')}")
    if given.get("penalty", ("", ""))[1] == "percent-of-top":
        given["penalty"] = (given["penalty"][0] / 100, "top")
    return given


def read_form(visit: Visit) -> Entry:
    """Return the entry that a form describes.

    Raises:
        EntryError: it describes none.
    """
    return read_entry(spell_options(read_options(visit)))


def hidden_fields(visit: Visit) -> list[tuple[str, str]]:
    """Return the fields of a form as they came, so that a second form can send them again."""
    left = {"do", "seen", "window"}
    return [(name, value) for name, value in visit.form.multi_items() if name not in left and isinstance(value, str)]
