"""From frames to what people read: the website, the PDF, terminal tables and data files."""

from pathlib import Path

from overtrick.config import Config
from overtrick.frames import Session
from overtrick.render.downloads import downloads
from overtrick.render.files import OutputError, replace_folder
from overtrick.render.html import html_site
from overtrick.render.session import session_page

__all__ = ["OutputError", "write_bulletin"]


def write_bulletin(session: Session, out: Path, config: Config, *, pdf: bool = True) -> None:
    """Write a session's website to the folder `out`, with its PDF documents unless `pdf` is false.

    Raises:
        OutputError: `out` holds files that are not a site of ours, or can't be written. Nothing has changed then.
    """
    page = session_page(session, config)
    files = downloads(session, page)
    if pdf:
        from overtrick.render.pdf import pdf_documents  # noqa: PLC0415 - the typesetter is slow to load

        files |= pdf_documents(page)
    folder = Path(config.site.templates) if config.site.templates else None
    files |= html_site(page, beside=files, code=config.site.language, folder=folder)
    replace_folder(out, files, page.generator)
