"""The folder of a session's website: its pages, its documents and its data files."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypedDict

from overtrick.core.atomic_write import MANIFEST as SITE
from overtrick.core.atomic_write import RECORD as SEASON
from overtrick.core.atomic_write import OutputError, list_files, replace_folder, update_folder, write_changed
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.languages import open_language
from overtrick.core.machine import explain_failure
from overtrick.judge.privacy import PublicSession, apply_privacy
from overtrick.show.data import downloads
from overtrick.show.history.publications import SESSION_FILE, History, continue_history, read_published
from overtrick.show.html.club_templates import open_look
from overtrick.show.html.html import render_site
from overtrick.show.html.result_lines import add_board_keys
from overtrick.show.html.session_page import SessionPage, make_session_page
from overtrick.show.pdf.documents import draw_pictures, start_documents
from overtrick.show.publish.address import NeedsConsentError, PublishError
from overtrick.show.publish.manifest import JOURNAL, MANIFEST, digest, is_inside

_INDEXES: Final = ("sitemap.xml", "feed.xml", "atom.xml", "rss.xml", "feed.json", "calendar.ics")

_MADE: Final = (SITE, SEASON)


@dataclass(frozen=True)
class SiteFile:
    """A file of the folder, as it was at the start of the run."""

    path: Path
    size: int
    sha256: str

    def read(self) -> bytes:
        """Return the content.

        Raises:
            PublishError: the file is gone or has changed.
        """
        with explain_failure(self.path, PublishError, "can't be read"):
            content = self.path.read_bytes()
        if digest(content) != self.sha256:
            raise PublishError(f"{self.path}: changed while the site was being published; publish again")
        return content


def list_site(folder: Path, leave_out: Collection[str] = ()) -> dict[str, SiteFile]:
    """Return the files of a folder by relative path, with `/` on every system. Links to folders are not followed.

    Args:
        folder: the folder.
        leave_out: names of folders in it that don't belong to the site.

    Raises:
        PublishError: the folder can't be read or holds no file, or the name of a file can't be used on a website.
    """
    try:
        files = dict(_walk(folder, leave_out))
    except OSError as error:
        raise PublishError(f"{error.filename or folder}: can't be read: {error.strerror}") from error
    if not files:
        raise PublishError(f"{folder}: this folder holds no files to publish")
    return files


def check_made(folder: Path) -> None:
    """Check that overtrick made a folder: its home or another folder must not end up on the web by a slip.

    Raises:
        NeedsConsentError: it has neither the list of a bulletin's files nor that of a season's sessions.
        PublishError: as `list_site`.
    """
    if not any((folder / name).is_file() for name in _MADE):
        first = min(list_site(folder), key=lambda path: (path.count("/"), path))
        raise NeedsConsentError(
            f"{folder}: overtrick did not make this folder, which holds {first} and no {_MADE[0]}; to publish it, run "
            "`overtrick publish` with --yes"
        )


def _walk(folder: Path, leave_out: Collection[str]) -> list[tuple[str, SiteFile]]:
    def refuse(error: OSError) -> None:
        raise error

    found = []
    for parent, folders, names in os.walk(folder, onerror=refuse):
        if Path(parent) == folder:
            folders[:] = [name for name in folders if name not in leave_out]
        for name in names:
            path = Path(parent, name)
            relative = path.relative_to(folder).as_posix()
            # A folder that is itself a target holds overtrick's own two files.
            if relative in {MANIFEST, JOURNAL} or not path.is_file():
                continue
            if not is_inside(relative):
                raise PublishError(f"{relative!r}: a file on a website can't have this name; rename it")
            content = path.read_bytes()
            found.append((relative, SiteFile(path, len(content), digest(content))))
    return found


def reading_order(path: str) -> tuple[int, int, str]:
    """Sort key that puts a file after the files it shows and links to.

    Images and styles come first, then pages from the deepest folder up, then feeds and sitemaps, which name all pages.
    """
    depth = path.count("/")
    name = path.rpartition("/")[2]
    if name in _INDEXES:
        return 2, -depth, path
    return (1 if name.endswith((".html", ".htm")) else 0), -depth, path


Losses = Mapping[str, Sequence[object]]
"""By the name of a file what it does not give back, as `conversion.Loss`."""


class Choices(TypedDict, total=False):
    """What the callers of a bulletin may choose, as `write_bulletin` describes it."""

    pdf: bool
    folder: str
    durable: bool
    on_pages: Callable[[], None] | None
    on_document: Callable[[int, int], None] | None
    tell: Callable[[str], object]
    find_losses: Callable[[PublicSession, Mapping[str, bytes]], Losses]


def write_bulletin(  # noqa: PLR0913 - what the callers of a bulletin may choose
    session: Session,
    out: Path,
    config: Config,
    *,
    pdf: bool = True,
    folder: str = "",
    durable: bool = False,
    on_pages: Callable[[], None] | None = None,
    on_document: Callable[[int, int], None] | None = None,
    tell: Callable[[str], object] = str,
    find_losses: Callable[[PublicSession, Mapping[str, bytes]], Losses] = lambda *_: {},
) -> None:
    """Write a session's website to a folder. Its pages list what changed since it was published there first.

    Args:
        session: scored and ranked.
        out: where to write.
        config: the club's settings.
        pdf: whether to make the PDF documents.
        folder: the name of `out` in its season; empty for a session on its own.
        durable: wait until the disk has it, so that it survives a power cut.
        on_pages: called when the pages are there, with the documents of the site before; None: all appear together.
        on_document: called with the number of documents made and of all documents.
        tell: takes what the scorer should decide about names.
        find_losses: returns what files do not give back of a session; pages say it.

    Raises:
        OutputError: `out` holds files that overtrick did not write, or can't be written, or what was written names
            somebody who is hidden (LeakError). Nothing has changed then.
        LanguageError: the language of the pages can't be used.
    """
    shown = _name_players(session, config, tell)
    history = continue_history(read_published(out), shown, config)
    page = make_session_page(shown, config, folder, history)
    site, check = config.site, _make_gate(shown, config)
    look = open_look(site)
    start = partial(start_documents, page, code=site.language, look=look, check=check, only=site.documents)
    documents = start() if pdf and not on_pages else {}
    if documents and on_document:
        on_document(0, len(documents))
    files = downloads.write_downloads(shown, page) | _write_data(shown, page, config, folder, history)
    if page.address:
        files |= draw_pictures(page, code=site.language, look=look)
    lost = find_losses(shown, downloads.list_whole(shown, files))

    def write_site(documents: Mapping[str, Callable[[], bytes]]) -> None:
        beside = {name: lost.get(name, ()) for name in (*files, *documents)}
        whole = files | render_site(page, beside=beside, code=site.language, look=look, up=bool(folder))
        check(whole)
        for count, (name, document) in enumerate(documents.items(), 1):
            whole[name] = document()
            if on_document:
                on_document(count, len(documents))
        _write_folder(out, whole, page.generator, durable=durable)

    if on_pages:
        _write_pages_first(out, write_site, on_pages, start if pdf else dict, durable=durable)
    else:
        write_site({name: document.result for name, document in documents.items()})


def _name_players(session: Session, config: Config, tell: Callable[[str], object]) -> PublicSession:
    """Return a session with players named as they wish, and tell what the scorer should decide."""
    word = open_language(config.site.language).translate("No.")
    shown = apply_privacy(session, config.privacy, config.people.register, word=word)
    for doubt in shown.doubts:
        tell(doubt)
    return shown


def _make_gate(session: PublicSession, config: Config) -> Callable[[Mapping[str, bytes]], None]:
    """Return what searches files for people who are hidden; nothing is searched if nobody is."""
    if not session.crowd.spellings:
        return lambda _: None
    from overtrick.show.publish.gate import check_files  # noqa: PLC0415 - few clubs hide anybody

    return partial(check_files, crowd=session.crowd, config=config)


def _write_pages_first(
    out: Path,
    write_site: Callable[[Mapping[str, Callable[[], bytes]]], None],
    on_pages: Callable[[], None],
    start: Callable[[], Mapping[str, Future[bytes]]],
    *,
    durable: bool,
) -> None:
    """Write the pages of a site beside the documents that it had, and then make its documents."""
    earlier = [name for name in list_files(out) if name.endswith(".pdf")]
    write_site({name: (out / name).read_bytes for name in earlier})
    on_pages()
    documents = start()
    if documents.keys() == set(earlier):
        update_folder(out, {name: document.result() for name, document in documents.items()}, durable=durable)
    else:
        # Pages link to the documents that there are.
        write_site({name: document.result for name, document in documents.items()})


def _write_folder(out: Path, files: Mapping[str, bytes], generator: str, *, durable: bool) -> None:
    """Write the folder of a site, after what its pages share with the other sessions of their season."""
    with explain_failure(out, OutputError):
        write_changed(out.parent, {name[3:]: content for name, content in files.items() if name.startswith("../")})
    own = {name: content for name, content in files.items() if not name.startswith("../")}
    replace_folder(out, own, generator, durable=durable)


def _write_data(
    session: PublicSession, page: SessionPage, config: Config, folder: str, history: History
) -> dict[str, bytes]:
    """Write the results for programs: `session.json`, and what other websites show of it."""
    spoken = open_language(config.site.language)
    keyed = add_board_keys(session.records.drop_nulls("deal"), session).unique("key", keep="first", maintain_order=True)
    boards = downloads.describe_boards(page, dict(keyed.select("key", "deal").iter_rows()), spoken)
    beside = {"boards": boards, "embed": downloads.describe_words(page, spoken)}
    return {
        SESSION_FILE: downloads.write_session_json(session, config, folder, history, beside).encode(),
        downloads.SESSION_SCRIPT: downloads.write_session_script(session, page, boards, spoken).encode(),
    }
