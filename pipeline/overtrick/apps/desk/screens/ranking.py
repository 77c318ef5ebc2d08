"""Ranking and pages: the pages as they would be published, and their PDFs."""

import mimetypes
from pathlib import Path

from starlette.responses import FileResponse, Response

from overtrick.apps.desk.screens.overview import rankings
from overtrick.apps.desk.visit import AwayError, Visit, address
from overtrick.apps.evening.edit import Evening
from overtrick.apps.evening.published import digest_inputs, make_pages, pages_folder
from overtrick.apps.evening.shelf import Shelved
from overtrick.core.atomic_write import OutputError, list_files


def show(visit: Visit) -> Response:
    """Show the ranking, and the pages in a frame."""
    shelved = visit.shelved
    evening = visit.desk.evening(shelved)
    wrong = ""
    documents: list[str] = []
    if not evening.session.is_blank:
        try:
            pages = make_up_to_date(visit, shelved, evening, pdf=False)
            documents = [name for name in list_files(pages) if name.endswith(".pdf")]
        except OutputError as error:
            wrong = str(error)
    change = visit.desk.change
    edited = change[1] if change and change[0] == shelved.name else None
    ranked, is_blank = rankings(evening.session), evening.session.is_blank
    return visit.show(
        "ranking", evening, rankings=ranked, is_blank=is_blank, documents=documents, wrong=wrong, edited=edited
    )


def make_up_to_date(visit: Visit, shelved: Shelved, evening: Evening, *, pdf: bool) -> Path:
    """Write the pages of an evening, unless they are made from the same files, and return their folder.

    Raises:
        OutputError: the pages can't be written.
    """
    desk = visit.desk
    out = pages_folder(desk.folder, shelved)
    settings = desk.settings()
    now = digest_inputs(shelved, evening, settings.content)
    with desk.lock:
        pages = desk.made.get(shelved.name)
        if pages is None or pages[0] != now or (pdf and not pages[1]) or not out.is_dir():
            make_pages(desk.folder, shelved, evening.session, settings.config, pdf=pdf)
            desk.made[shelved.name] = (now, pdf)
    return out


def documents(visit: Visit) -> Response:
    """Make the PDFs."""
    shelved = visit.shelved
    evening = visit.desk.evening(shelved)
    if not evening.session.is_blank:
        make_up_to_date(visit, shelved, evening, pdf=True)
    return visit.go(address(shelved.name, "ranking"))


def page(visit: Visit) -> Response:
    """Show a file of the pages."""
    shelved = visit.shelved
    out = pages_folder(visit.desk.folder, shelved)
    path = str(visit.request.path_params["path"]) or "index.html"
    # A path is looked up in the list of files that were written, never put together with a folder.
    if path not in list_files(out):
        raise AwayError(path)
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return FileResponse(out / path, media_type=kind)
