"""Evenings: the list with the state of each, the place where files are dropped, and the first settings of a club."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

from starlette.datastructures import UploadFile
from starlette.responses import Response

from overtrick.apps.desk.screens import live, overview
from overtrick.apps.desk.visit import Visit, address
from overtrick.apps.evening.edit import RefusedError
from overtrick.apps.evening.new_club import QUESTIONS, find_wrong, set_up
from overtrick.apps.evening.published import Publication, read_publication
from overtrick.apps.evening.shelf import Shelved, list_shelf, put_away, rename, take_in
from overtrick.apps.inbox.arriving import ArrivalError, unpack
from overtrick.core.config.site import Naming
from overtrick.files.formats.session_rows import count_boards, count_tables
from overtrick.judge.validate.movement_given import count_results

_PATIENCE: Final = 1.5
"""Seconds that the list may take to read evenings; the others show their state when they are opened."""


@dataclass(frozen=True)
class Listed:
    """An evening in the list.

    Attributes:
        shelved: the evening.
        state: `new`, `problems`, `missing`, `ready`, `published` or `changed`.
        title: the name of the event; empty if it is not known.
        day: its date in words.
        boards: how many boards it has.
        tables: how many tables it has.
        errors: how many errors.
        counts: how many results are in, and how many are missing.
        published: what of it is on the website.
    """

    shelved: Shelved
    state: str
    title: str = ""
    day: str = ""
    boards: int = 0
    tables: int | None = None
    errors: int = 0
    counts: tuple[int, int] = (0, 0)
    published: Publication | None = None


def show(visit: Visit) -> Response:
    """Show the list of evenings, and the questions about the club until it has settings."""
    return _show(visit, dict.fromkeys(QUESTIONS, ""))


def _show(visit: Visit, typed: Mapping[str, str], wrong: str = "") -> Response:
    until = time.monotonic() + _PATIENCE
    listed = [_describe(visit, shelved, until) for shelved in list_shelf(visit.desk.folder)]
    questions = {} if visit.desk.settings().content else {key: words for key, (words, *_) in QUESTIONS.items()}
    about = {"questions": questions, "typed": typed, "wrong": wrong, "namings": get_args(Naming)}
    return visit.render("evenings.html", status=422 if wrong else 200, listed=listed, folder=visit.desk.folder, **about)


def begin(visit: Visit) -> Response:
    """Write the first settings of the club."""
    settings = visit.desk.settings_path
    answers = {key: visit.text(key) or default for key, (_, _, default) in QUESTIONS.items()}
    with visit.desk.lock:
        if visit.desk.settings().content:
            return visit.go("/settings", visit.translate("The club has settings already; here they are."))
        if wrong := find_wrong(settings, answers):
            return _show(visit, answers, wrong)
        set_up(settings, answers, example=bool(visit.text("example")))
    return visit.go("/", visit.translate("Saved."))


def _describe(visit: Visit, shelved: Shelved, until: float) -> Listed:
    published = read_publication(visit.desk.folder, shelved)
    if not visit.desk.is_read(shelved) and time.monotonic() > until:
        return Listed(shelved, "new", published=published)
    try:
        evening = visit.desk.evening(shelved)
    except RefusedError:
        return Listed(shelved, "problems", published=published)
    session = evening.session
    return Listed(
        shelved,
        visit.desk.state(shelved, evening),
        session.facts.event or "",
        visit.say_day(session.facts.date),
        count_boards(session),
        count_tables(session),
        int((session.problems["severity"] == "error").sum()),
        count_results(session),
        published,
    )


def change(visit: Visit) -> Response:
    """Rename an evening, remove it, or take a file out of it. What goes is kept, and the next page says where."""
    desk, shelved = visit.desk, visit.shelved
    if visit.text("do") == "rename":
        if not desk.may_rename(shelved):
            return overview.show(visit, visit.translate("It is published or followed under this name, so it keeps it."))
        try:
            with desk.lock:
                name = rename(desk.folder, shelved, visit.text("name"))
        except ArrivalError as error:
            return overview.show(visit, visit.translate(str(error)))
        return visit.go(address(name), visit.translate("Saved."))
    files = [file for file in shelved.files if visit.text("do") == "remove" or file.name == visit.text("file")]
    if not files or shelved.place.parent != desk.folder:
        return overview.show(visit, visit.translate("The evening has no such file."))
    follower = desk.followed.get(shelved.name)
    if follower and (follower.target in files or len(files) == len(shelved.files)):
        live.end(desk, shelved)
    with desk.lock:
        place = put_away(desk.folder, shelved, files)
    kept = visit.translate("Moved to %(place)s. To take it in again, drop it here.", place=place)
    return visit.go("/" if len(files) == len(shelved.files) else address(shelved.name), kept)


def take(visit: Visit) -> Response:
    """Put dropped files into the folders of their evenings."""
    files = [file for file in visit.form.getlist("files") if isinstance(file, UploadFile) and file.filename]
    if not files:
        return visit.go("/", visit.translate("No file was chosen."))
    try:
        named = unpack((file.filename or "", file.file.read()) for file in files)
        with visit.desk.lock:
            arrived = take_in(visit.desk.folder, named, visit.text("into"), visit.desk.run)
    except ArrivalError as error:
        visit.desk.log(f"refused: {error}")
        return visit.render("refused.html", status=400, message=str(error))
    return visit.render("arrived.html", arrived=arrived)
