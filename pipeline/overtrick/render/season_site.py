"""The folder of a season's website: an index of its sessions, and a record of what each was made from."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from overtrick import __version__
from overtrick.assemble.beside import corrections_path
from overtrick.config import Config
from overtrick.machine import resource
from overtrick.render.atomic_write import OutputError, list_files, replace_file
from overtrick.render.data.embed import write_season as write_season_data
from overtrick.render.data.json import SESSION_FILE
from overtrick.render.look import open_look
from overtrick.render.pages.html import render_season
from overtrick.render.pages.season_page import Summary, make_season_page

RECORD: Final = "overtrick-season.json"
"""Lists the sessions of a season; a folder that has this file is one."""


def write_season(out: Path, folders: Mapping[str, str], config: Config) -> None:
    """Write the index of sessions that `write_bulletin` has written to folders below `out`.

    Args:
        out: the folder of the season.
        folders: its sessions, each with the fingerprint of what it was made from.
        config: the club's settings.

    Raises:
        OutputError: a file can't be written.
        LanguageError: the language of the pages can't be used.
    """
    summaries = [(folder, summary) for folder in folders if (summary := _read_summary(out / folder))]
    pages = {
        folder: [
            path for path in list_files(out / folder) if path.endswith("index.html") and path != "problems/index.html"
        ]
        for folder, _ in summaries
    }
    page = make_season_page(summaries, config)
    files = render_season(page, pages, code=config.site.language, look=open_look(config.site))
    files |= {name: text.encode() for name, text in write_season_data(page).items()}
    try:
        assets = {path for pattern in ("style.*.css", "site.*.js", "logo.*") for path in out.glob(pattern)}
        for old in assets - {out / name for name in files}:
            old.unlink()
        for name, content in files.items():
            if not (out / name).is_file() or (out / name).read_bytes() != content:
                replace_file(out / name, content)
    except OSError as error:
        raise OutputError(f"{out}: can't be written: {error.strerror or error}") from error
    write_record(out, folders)


def _read_summary(folder: Path) -> Summary | None:
    """Return the `session.json` of a session's folder; None if there is none."""
    try:
        summary = json.loads((folder / SESSION_FILE).read_bytes())
    except (OSError, ValueError):
        return None
    return summary if isinstance(summary, dict) and isinstance(summary.get("session"), dict) else None


def write_record(out: Path, folders: Mapping[str, str]) -> None:
    """Record in the folder `out` which sessions it has, each with the fingerprint of what it was made from.

    Raises:
        OutputError: the record can't be written.
    """
    record = {"generator": f"overtrick {__version__}", "sessions": dict(sorted(folders.items()))}
    try:
        out.mkdir(parents=True, exist_ok=True)
        replace_file(out / RECORD, (json.dumps(record, indent=1) + "\n").encode())
    except OSError as error:
        raise OutputError(f"{out}: can't be written: {error.strerror or error}") from error


def read_record(out: Path) -> dict[str, str]:
    """Return the fingerprints that `write_record` recorded in the folder `out`, by session; empty for a new folder.

    Raises:
        OutputError: the folder holds files that overtrick did not write, or its record is damaged.
    """
    record = out / RECORD
    if not record.is_file():
        if out.is_dir() and any(out.iterdir()):
            raise OutputError(f"{out}: holds files that overtrick did not write; choose an empty or a new folder")
        return {}
    try:
        sessions = json.loads(record.read_bytes())["sessions"]
        return {str(folder): str(made_from) for folder, made_from in sessions.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise OutputError(f"{record}: the file is damaged; move the folder away or choose another one") from error


def remove_record(out: Path) -> None:
    """Delete the record of a season that got no session, and its folder if that is then empty."""
    (out / RECORD).unlink()
    if not any(out.iterdir()):
        out.rmdir()


def list_template_folders(config: Config) -> list[Path]:
    """Return what pages are made from: the templates of overtrick, and the club's own with its logo."""
    return [resource("templates"), *(Path(own) for own in (config.site.templates, config.site.logo) if own)]


def digest_files(tops: Iterable[Path]) -> bytes:
    """Return a SHA-256 of files, and of all files in folders, with their names.

    Raises:
        OSError: a file can't be read.
    """
    digest = hashlib.sha256()
    for top in tops:
        inside = sorted(path for path in top.rglob("*") if path.is_file()) if top.is_dir() else [top]
        for path in inside:
            digest.update(
                f"{path.relative_to(top) if top.is_dir() else path.name}\n".encode("utf-8", "surrogateescape")
            )
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def _corrections_beside(path: Path) -> list[Path]:
    """Return the corrections of a file, if there are any; those of a folder are in it."""
    file = corrections_path(path)
    return [file] if not path.is_dir() and file.is_file() else []


def fingerprint(path: Path, folder: str, config: Config, templates: bytes, *, pdf: bool) -> str:
    """Return a digest of everything that a session's site is made from.

    These are its files and corrections, the settings, the templates and this program.

    Args:
        path: the file, or the folder of files.
        folder: of the session in its season: corrections of other sessions don't count.
        config: the club's settings.
        templates: `digest_files` of the `list_template_folders`.
        pdf: whether the site has PDF documents.

    Raises:
        OSError: a file can't be read.
    """
    site = config.site.model_copy(update={"corrections": config.site.corrected(folder)})
    settings = config.model_copy(update={"site": site}).model_dump_json(exclude={"publish", "inbox"})
    digest = hashlib.sha256(f"{__version__}\n{pdf}\n{settings}".encode())
    digest.update(templates + digest_files([path, *_corrections_beside(path)]))
    return digest.hexdigest()
