"""The folder of a session's website: its pages, its documents and its data files."""

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path

from overtrick.config import Config
from overtrick.frames import Session
from overtrick.render.atomic_write import replace_folder
from overtrick.render.data.downloads import write_downloads
from overtrick.render.data.json import write_session_json
from overtrick.render.pages.html import render_site
from overtrick.render.pages.session_page import SessionPage, make_session_page
from overtrick.render.privacy import apply_privacy
from overtrick.render.publications import SESSION_FILE, continue_history, read_published

PICTURE_FILE = "picture.png"


def write_bulletin(  # noqa: PLR0913 - what the callers of a bulletin may choose
    session: Session, out: Path, config: Config, *, pdf: bool = True, folder: str = "", durable: bool = False
) -> None:
    """Write a session's website to the folder `out`, with its PDF documents unless `pdf` is false.

    The pages list what changed since the site in `out` was published first.

    Args:
        session: scored and ranked.
        out: where to write.
        config: the club's settings.
        pdf: whether to make the PDF documents.
        folder: the name of `out` in its season; empty for a session on its own.
        durable: wait until the disk has it, so that it survives a power cut.

    Raises:
        OutputError: `out` holds files that overtrick did not write, or can't be written. Nothing has changed then.
        LanguageError: the language of the pages can't be used.
    """
    named, session = session, apply_privacy(session, config.privacy, config.people.register)
    history = continue_history(read_published(out), session, config, named)
    page = make_session_page(session, config, folder, history)
    documents = _start_documents(page, config.site.language) if pdf else {}
    files = write_downloads(session, page)
    files[SESSION_FILE] = write_session_json(session, config, folder, history).encode()
    if page.address:
        files[PICTURE_FILE] = _draw_picture(page, config.site.language)
    beside = {*files, *documents}
    templates = Path(config.site.templates) if config.site.templates else None
    files |= render_site(page, beside=beside, code=config.site.language, folder=templates, up=bool(folder))
    files |= {name: document.result() for name, document in documents.items()}
    replace_folder(out, files, page.generator, durable=durable)


def _start_documents(page: SessionPage, code: str) -> Mapping[str, Future[bytes]]:
    from overtrick.render.pdf import start_documents  # noqa: PLC0415 - the typesetter is slow to load

    return start_documents(page, code=code)


def _draw_picture(page: SessionPage, code: str) -> bytes:
    from overtrick.render.pdf import draw_picture  # noqa: PLC0415 - the typesetter is slow to load

    return draw_picture(page, code=code)
