"""Evenings: the list with the state of each, and the place where files are dropped."""

import time
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import UploadFile
from starlette.responses import Response

from overtrick.apps.desk.visit import Visit
from overtrick.apps.evening.edit import RefusedError
from overtrick.apps.evening.published import Publication, read_publication
from overtrick.apps.evening.shelf import Shelved, list_shelf, take_in
from overtrick.apps.inbox.arriving import ArrivalError, unpack
from overtrick.files.formats.session_rows import count_boards, count_tables
from overtrick.judge.validate.movement_given import count_results
from overtrick.show.text.display import format_date

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
    """Show the list of evenings."""
    until = time.monotonic() + _PATIENCE
    listed = [_describe(visit, shelved, until) for shelved in list_shelf(visit.desk.folder)]
    return visit.render("evenings.html", listed=listed, folder=visit.desk.folder)


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
        format_date(session.facts.date)[1],
        count_boards(session),
        count_tables(session),
        int((session.problems["severity"] == "error").sum()),
        count_results(session),
        published,
    )


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
    except OSError as error:
        return visit.render("refused.html", status=500, message=f"{error.filename}: {error.strerror}")
    return visit.render("arrived.html", arrived=arrived)
