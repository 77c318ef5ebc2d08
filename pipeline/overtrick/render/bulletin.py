"""The folder of a session's website with its documents, and the index of a season's."""

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path

from overtrick.config import Config
from overtrick.frames import Session
from overtrick.render.context import SessionPage
from overtrick.render.downloads import downloads
from overtrick.render.files import OutputError, listed_files, replace_file, replace_folder
from overtrick.render.html import html_season, html_site
from overtrick.render.json import session_document
from overtrick.render.picture import PICTURE_NAME, session_picture
from overtrick.render.privacy import published
from overtrick.render.season import SEASON, SUMMARY, read_summary, season_page, season_record
from overtrick.render.session import session_page


def write_bulletin(session: Session, out: Path, config: Config, *, pdf: bool = True, folder: str = "") -> None:
    """Write a session's website to the folder `out`, with its PDF documents unless `pdf` is false.

    Args:
        session: scored and ranked.
        out: where to write.
        config: the club's settings.
        pdf: whether the typesetter makes a PDF.
        folder: the name of `out` in the season that it is a part of; empty for a session alone.

    Raises:
        OutputError: `out` holds files that are not a site of ours, or can't be written. Nothing has changed then.
        LanguageError: the language of the pages can't be used.
    """
    session = published(session, config.privacy)
    page = session_page(session, config, folder)
    documents = _documents(page, config.site.language) if pdf else {}
    files = downloads(session, page)
    files[SUMMARY] = session_document(session, config, folder).encode()
    if page.address:
        files[PICTURE_NAME] = session_picture(page, code=config.site.language)
    beside = {*files, *documents}
    files |= html_site(page, beside=beside, code=config.site.language, folder=_templates(config), up=bool(folder))
    files |= {name: document.result() for name, document in documents.items()}
    replace_folder(out, files, page.generator)


def write_season(out: Path, folders: Mapping[str, str], config: Config) -> None:
    """Write the index of sessions that `write_bulletin` has written to folders below `out`.

    Args:
        out: the folder that they share.
        folders: its sessions, each with what it was made from, to be found again by `season_folders`.
        config: the club's settings.

    Raises:
        OutputError: a file can't be written.
        LanguageError: the language of the pages can't be used.
    """
    summaries = [(folder, summary) for folder in folders if (summary := read_summary(out / folder))]
    pages = {
        folder: [
            path for path in listed_files(out / folder) if path.endswith("index.html") and path != "problems/index.html"
        ]
        for folder, _ in summaries
    }
    page = season_page(summaries, config)
    files = html_season(page, pages, code=config.site.language, folder=_templates(config))
    try:
        for old in {*out.glob("style.*.css"), *out.glob("site.*.js")} - {out / name for name in files}:
            old.unlink()
        for name, content in files.items():
            if not (out / name).is_file() or (out / name).read_bytes() != content:
                replace_file(out / name, content)
    except OSError as error:
        raise OutputError(f"{out}: can't be written: {error.strerror or error}") from error
    write_record(out, folders)


def write_record(out: Path, folders: Mapping[str, str]) -> None:
    """Write down in the folder `out` which sessions it has, and what each was made from.

    Raises:
        OutputError: it can't be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        replace_file(out / SEASON, season_record(folders))
    except OSError as error:
        raise OutputError(f"{out}: can't be written: {error.strerror or error}") from error


def remove_record(out: Path) -> None:
    """Take back what `write_record` wrote to a folder of which nothing became; it goes too where it is empty."""
    (out / SEASON).unlink()
    if not any(out.iterdir()):
        out.rmdir()


def _documents(page: SessionPage, code: str) -> Mapping[str, Future[bytes]]:
    from overtrick.render.pdf import pdf_documents  # noqa: PLC0415 - the typesetter is slow to load

    return pdf_documents(page, code=code)


def _templates(config: Config) -> Path | None:
    return Path(config.site.templates) if config.site.templates else None
