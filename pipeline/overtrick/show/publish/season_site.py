"""The folder of a season's website: an index of its sessions, and a record of what each was made from."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from overtrick.core.atomic_write import (
    MANIFEST,
    RECORD,
    OutputError,
    clear_leftovers,
    list_files,
    replace_file,
    write_changed,
)
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.machine import cache_folder, explain_failure, resource
from overtrick.core.version import __version__
from overtrick.files.assemble.beside import corrections_path
from overtrick.judge.people.identity import digest_wishes
from overtrick.judge.people.season import Evening, note_evening, read_notes, write_notes
from overtrick.judge.privacy import apply_privacy
from overtrick.show.data.downloads import PEOPLE_SCRIPT, SEARCH_SCRIPT, write_search, write_spellings
from overtrick.show.data.downloads import write_season as write_season_data
from overtrick.show.history.publications import read_summary
from overtrick.show.html.club_templates import open_look
from overtrick.show.html.contestants import Contestants, fill_sections, is_slug
from overtrick.show.html.html import CHANGES_FILE, is_asset, render_people, render_season
from overtrick.show.html.season_page import PeopleSite, SeasonPage, make_people_site, make_season_page
from overtrick.show.publish.gate import check_files
from overtrick.show.publish.manifest import is_inside


@dataclass
class SeasonRecord:
    """The sessions and pages in a season's folder.

    Attributes:
        sessions: each session's folder, with the fingerprint of what it was made from.
        pages: the pages of players and series, each with a digest of its content.
        renamed: by the folder that a session would have, the one that it was given.
        removed: the folders of sessions that were taken out and stay out.
        files: what the files of the season hold, so that the next run need not read them (`inbox.looks`).
    """

    sessions: dict[str, str] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    files: dict[str, Any] = field(default_factory=dict)


def write_season(out: Path, record: SeasonRecord, config: Config, evenings: Sequence[Evening]) -> tuple[str, ...]:
    """Write the index of sessions that `write_bulletin` has written to folders below `out`, and the pages of people.

    Args:
        out: the folder of the season.
        record: its sessions; the digests of pages are brought up to date.
        config: the club's settings.
        evenings: the notes of the sessions.

    Returns:
        Names in the settings that are nobody's, for people to read.

    Raises:
        OutputError: a file can't be written.
        LeakError: a page names somebody who is hidden.
        LanguageError: the language of the pages can't be used.
    """
    people = make_people_site(evenings, config)
    page, files = _make_index(out, record, config, people)
    made_from = _digest_pages(people, page, config)
    changed = _list_changed(out, record, people, made_from)
    pages = render_people(page, changed, code=config.site.language, look=open_look(config.site))
    check_files(files | pages, people.crowd, config)
    written = {path: f"{made_from[path]}-{_digest(content)}" for path, content in pages.items()}
    with explain_failure(out, OutputError):
        write_changed(out, files | pages)
        _remove_pages(out, {path: digests for path, digests in record.pages.items() if path not in made_from})
        _remove_assets(out, record.sessions, files.keys())
    record.pages = {path: written.get(path) or record.pages[path] for path in sorted(made_from)}
    write_record(out, record)
    return people.messages


def _make_index(
    out: Path, record: SeasonRecord, config: Config, people: PeopleSite
) -> tuple[SeasonPage, dict[str, bytes]]:
    """Return the index of a season, and its files: the pages, style sheet and script, and what other websites read."""
    summaries = [(folder, summary) for folder in record.sessions if (summary := read_summary(out / folder))]
    page = make_season_page(summaries, config, people)
    # Only the sitemap lists them, and a season without an address has none.
    pages = {folder: _list_pages(out / folder) for folder, _ in summaries if page.address}
    pages[""] = [path for path, _, _ in people.pages]
    files = render_season(page, pages, code=config.site.language, look=open_look(config.site))
    files |= {name: text.encode() for name, text in write_season_data(page).items()}
    scripts = {PEOPLE_SCRIPT: write_spellings(people.spellings), SEARCH_SCRIPT: write_search(people)}
    return page, files | {name: text.encode() for name, text in scripts.items()}


def _list_pages(site: Path) -> list[str]:
    return [path for path in list_files(site) if path.endswith("index.html") and path != "problems/index.html"]


def _list_changed(
    out: Path, record: SeasonRecord, people: PeopleSite, made_from: Mapping[str, str]
) -> list[tuple[str, str, object]]:
    """Return the pages of people that were made from something else before, or are gone."""
    before = {path: digests.partition("-")[0] for path, digests in record.pages.items() if (out / path).is_file()}
    return [page for page in people.pages if before.get(page[0]) != made_from[page[0]]]


def _digest_pages(people: PeopleSite, page: SeasonPage, config: Config) -> dict[str, str]:
    """Return by path a digest of what each page of people is made from."""
    templates = digest_files(list_template_folders(config)).hex()
    common = f"{__version__}\n{config.site.language}{templates}{page.title}{page.noindex}"
    return {
        path: _digest(f"{common}\n{template}\n{values!r}".encode("utf-8", "replace"))
        for path, template, values in people.pages
    }


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _remove_pages(out: Path, pages: Mapping[str, str]) -> None:
    """Delete pages that are still as they were written, and their folders if they are then empty.

    Args:
        out: the folder of the season.
        pages: by path, the digests of what a page was made from and of its content.
    """
    for page, digests in pages.items():
        path = out / PurePosixPath(page)
        if path.is_symlink() or not path.is_file() or _digest(path.read_bytes()) != digests.partition("-")[2]:
            continue
        path.unlink()
        for folder in list(path.relative_to(out).parents)[:-1]:
            if not any((out / folder).iterdir()):
                (out / folder).rmdir()


def _remove_assets(out: Path, sessions: Iterable[str], names: Collection[str]) -> None:
    """Delete style sheets, scripts, icons and logos that no session uses any more, and the list of changes.

    Those among `names` stay.
    """
    files = (path for path in out.iterdir() if path.is_file() and path.name not in names)
    if found := [path for path in files if is_asset(path.name, path.read_bytes())]:
        pages = [page.read_bytes() for session in sessions if (page := out / session / "index.html").is_file()]
        for path in found:
            if not any(path.name.encode() in page for page in pages):
                path.unlink()
    if CHANGES_FILE not in names:
        (out / CHANGES_FILE).unlink(missing_ok=True)


def write_record(out: Path, record: SeasonRecord) -> None:
    """Record in the folder `out` which sessions and pages it has, each with the fingerprint of what it was made from.

    Args:
        out: the folder of the season.
        record: what to write.

    Raises:
        OutputError: the record can't be written.
    """
    document = {"generator": f"overtrick {__version__}", "sessions": dict(sorted(record.sessions.items()))}
    others = {"pages": record.pages, "renamed": record.renamed, "removed": record.removed, "files": record.files}
    document |= {name: value for name, value in others.items() if value}
    # With an indent, Python's own encoder writes it, which takes ten times as long.
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in document.items())
    with explain_failure(out, OutputError):
        out.mkdir(parents=True, exist_ok=True)
        replace_file(out / RECORD, f"{{\n{lines}\n}}\n".encode())


def read_record(out: Path) -> SeasonRecord:
    """Return what `write_record` recorded in the folder `out`; an empty record for a new folder.

    Names that are not folders of sessions, such as `../elsewhere`, are left out: anybody may have written the record.

    Raises:
        OutputError: the folder holds files that overtrick did not write, or its record is damaged.
    """
    record = out / RECORD
    clear_leftovers(record)
    if not record.is_file():
        if out.is_dir() and any(out.iterdir()):
            raise OutputError(f"{out}: holds files that overtrick did not write; choose an empty or a new folder")
        return SeasonRecord()
    try:
        document = json.loads(record.read_bytes())
        renamed = _select(document.get("renamed", {}), is_slug)
        return SeasonRecord(
            _select(document["sessions"], is_slug),
            _select(document.get("pages", {}), is_inside),
            {old: new for old, new in renamed.items() if is_slug(new)},
            [str(folder) for folder in document.get("removed", ())],
            dict(document.get("files", {})),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise OutputError(f"{record}: the file is damaged; move the folder away or choose another one") from error


def _select(values: Mapping[str, object], fits: Callable[[str], bool]) -> dict[str, str]:
    return {key: str(value) for key, value in values.items() if fits(key)}


def list_sites(out: Path) -> list[str]:
    """Return the folders below `out` that hold the site of a session."""
    return sorted(path.parent.name for path in out.glob(f"*/{MANIFEST}"))


def adopt_sites(out: Path) -> SeasonRecord:
    """Return the record of a folder of sessions: an empty one with its sites, if it has no record yet.

    Raises:
        OutputError: the folder holds other files, or its record is damaged.
    """
    if not out.is_dir() or (out / RECORD).is_file():
        return read_record(out)
    sites = list_sites(out)
    found = [path for path in sorted(out.iterdir()) if path.name not in sites and not path.name.startswith(".")]
    if others := [path.name for path in found if path.is_dir() or not is_asset(path.name, path.read_bytes())]:
        raise OutputError(f"{out}: holds files that overtrick did not write, among them {others[0]}")
    return SeasonRecord(sessions=dict.fromkeys(sites, ""))


def remove_record(out: Path) -> None:
    """Delete the record of a season that got no session, and its folder if that is then empty."""
    (out / RECORD).unlink()
    if not any(out.iterdir()):
        out.rmdir()


def list_template_folders(config: Config) -> list[Path]:
    """Return what pages are made from: the templates of overtrick, and the club's own with its logo."""
    return [resource("templates"), *(Path(path) for path in (config.site.templates, config.site.logo) if path)]


def digest_files(tops: Iterable[Path]) -> bytes:
    """Return a SHA-256 of files, and of all files in folders, with their names.

    Raises:
        OSError: a file can't be read.
    """
    digest = hashlib.sha256()
    for top in tops:
        inside = sorted(path for path in top.rglob("*") if path.is_file()) if top.is_dir() else [top]
        for path in inside:
            name = path.relative_to(top) if top.is_dir() else path.name
            digest.update(f"{name}\n".encode("utf-8", "surrogateescape"))
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def _corrections_beside(path: Path) -> list[Path]:
    """Return the corrections of a file, if there are any; those of a folder are in it."""
    file = corrections_path(path)
    return [file] if not path.is_dir() and file.is_file() else []


def digest_notes(evening: Evening) -> str:
    """Return a digest of the notes of an evening, for sessions whose files are elsewhere."""
    return hashlib.sha256(write_notes(evening).encode("utf-8", "surrogatepass")).hexdigest()


def digest_settings(config: Config, *, pdf: bool) -> bytes:
    """Return a digest of what the sites of all sessions of a season are made from: settings, templates, this program.

    Args:
        config: the club's settings. What changed later counts for its own session alone (`fingerprint`).
        pdf: whether the sites have PDF documents.

    Raises:
        OSError: a template can't be read.
    """
    site = config.site.model_copy(update={"corrections": []})
    settings = config.model_copy(update={"site": site}).model_dump_json(exclude={"publish", "inbox", "series"})
    named = digest_wishes(config.privacy, config.people.register)
    grades = [(member.names, member.numbers, member.grade) for member in config.people.register if config.people.strata]
    digest = hashlib.sha256(f"{__version__}\n{pdf}\n{settings}\n{named}\n{grades}".encode())
    digest.update(digest_files(list_template_folders(config)))
    return digest.digest()


def fingerprint(files: Sequence[Path], folder: str, config: Config, settings: bytes) -> str:
    """Return a digest of everything that a session's site is made from.

    These are its files and corrections, the settings, the templates and this program.

    Args:
        files: the files, or the folder of files.
        folder: of the session in its season: corrections of other sessions don't count.
        config: the club's settings.
        settings: their `digest_settings`.

    Raises:
        OSError: a file can't be read.
    """
    corrected = [(correction.date, correction.text) for correction in config.site.corrected(folder)]
    digest = hashlib.sha256(settings + f"{corrected}".encode("utf-8", "surrogatepass"))
    digest.update(digest_files([*files, *(beside for file in files for beside in _corrections_beside(file))]))
    return digest.hexdigest()


def make_notes(session: Session, config: Config, folder: str) -> Evening:
    """Return the notes of an evening, with the scorecards that its site has.

    Args:
        session: scored and ranked, with all names.
        config: the club's settings.
        folder: of the evening in its season.
    """
    shown = apply_privacy(session, config.privacy, config.people.register)
    contestants = Contestants(shown)
    rows = fill_sections(shown.standings).select("contestant", "direction", "section").iter_rows()
    found = [contestants.find(*row) for row in rows]
    return note_evening(session, folder, [one.slug if one else "" for one in found])


class Notes:
    """The notes of a season, in the user's cache: a file for each evening.

    The folder of the website may be copied to a server with all that is in it, so it is not the place for them. A lost
    file only means that the evening is read again.
    """

    def __init__(self, out: Path) -> None:
        """Open the notes of the season in the folder `out`."""
        digest = hashlib.sha256(str(out.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._folder = cache_folder() / "seasons" / digest

    def read(self, folder: str, made_from: str) -> Evening | None:
        """Return the notes of an evening; None if there are none, or if they were made from something else."""
        try:
            stamp, _, text = (self._folder / f"{folder}.json").read_text("utf-8").partition("\n")
            return read_notes(text) if stamp == made_from else None
        except (OSError, ValueError):
            return None

    def write(self, folder: str, made_from: str, evening: Evening) -> None:
        """Keep the notes of an evening. A cache that can't be written is not an error."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(self._folder / f"{folder}.json", f"{made_from}\n{write_notes(evening)}".encode())

    def remove(self, folder: str) -> None:
        """Forget an evening."""
        with suppress(OSError):
            (self._folder / f"{folder}.json").unlink(missing_ok=True)
