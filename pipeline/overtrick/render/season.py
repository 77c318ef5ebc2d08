"""A season: the index of all sessions in one folder, with its players, its feed and its map of addresses."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from overtrick import __version__
from overtrick.assemble.beside import corrections_path
from overtrick.config import Config
from overtrick.machine import resource
from overtrick.notation import clean, natural
from overtrick.render.context_season import SeasonPage, SeasonPlayer, SessionLink, Winner
from overtrick.render.files import OutputError
from overtrick.render.languages import Language, language
from overtrick.render.lines import percentage
from overtrick.render.text import clean_names, date_texts

SUMMARY: Final = "session.json"
SEASON: Final = "overtrick-season.json"
"""Lists the sessions of a season; its presence says that the folder is one."""

_UNKNOWN_DAY: Final = "0000-00-00"

Summary = Mapping[str, Any]
"""A `session.json`, as `json.session_document` writes it."""


def season_page(sessions: Iterable[tuple[str, Summary]], config: Config) -> SeasonPage:
    """Gather what the index shows.

    Args:
        sessions: folder and summary of each session, in any order.
        config: the club's settings.
    """
    spoken = language(config.site.language)
    dated = sorted(sessions, key=lambda one: natural(one[0]))
    dated.sort(key=lambda one: _day(one[1]), reverse=True)
    return SeasonPage(
        title=clean(config.club.name) or spoken.text("Bridge results"),
        generator=f"overtrick {__version__}",
        address=config.site.address or "",
        noindex=config.site.noindex,
        sessions=tuple(_link(folder, summary, spoken) for folder, summary in dated),
        players=_players([summary for _, summary in dated]),
    )


def read_summary(folder: Path) -> Summary | None:
    """Read the summary of a session that was written to a folder; None where there is none."""
    try:
        summary = json.loads((folder / SUMMARY).read_bytes())
    except (OSError, ValueError):
        return None
    return summary if isinstance(summary, dict) and isinstance(summary.get("session"), dict) else None


def feed_id(address: str, day: str, folder: str) -> str:
    """Name an entry of the feed for good (RFC 4151): `tag:club.example,2026-03-01:/results/tuesday/`."""
    parts = urlsplit(address)
    return f"tag:{parts.hostname or 'localhost'},{day}:{parts.path}{folder}/"


def _day(summary: Summary) -> str:
    return date_texts(summary["session"].get("date"))[0] or _UNKNOWN_DAY


def _link(folder: str, summary: Summary, spoken: Language) -> SessionLink:
    about = summary["session"]
    day, text = date_texts(about.get("date"))
    return SessionLink(
        folder=folder,
        title=clean(about.get("title")) or spoken.text("Results"),
        day=day,
        date_text=spoken.date(day, text),
        year=day[:4],
        updated=max([day or "1970-01-01", *(one.get("date") or "" for one in about.get("corrections", ()))]),
        boards=str(about.get("boards") or ""),
        tables=str(about.get("tables") or ""),
        winners=tuple(_winners(summary.get("standings", ()))),
    )


def _winners(standings: Sequence[Mapping[str, Any]]) -> Iterable[Winner]:
    """Name the first of every ranking, three rankings at most."""
    rankings = list(dict.fromkeys(row["ranking"] for row in standings))[:3]
    for ranking in rankings:
        for row in standings:
            if row["ranking"] == ranking and row["rank"] == 1:
                names = clean_names(row["names"]) or clean(row["contestant"])
                yield Winner(names, percentage(row["percentage"], 2))


def _players(summaries: Sequence[Summary]) -> tuple[SeasonPlayer, ...]:
    """Average the percentages of every named player who came twice or more, the best average first."""
    earned: dict[str, list[float]] = defaultdict(list)
    for summary in summaries:
        # Who came in several pairs or rankings of a session, came once.
        here: dict[str, list[float]] = defaultdict(list)
        for row in summary.get("standings", ()):
            if row["names"] and row["percentage"] is not None:
                for name in row["names"].split(" - "):
                    here[clean(name)].append(row["percentage"])
        for name, percentages in here.items():
            earned[name].append(sum(percentages) / len(percentages))
    regulars = [(sum(all_of) / len(all_of), name, all_of) for name, all_of in earned.items() if len(all_of) > 1]
    regulars.sort(key=lambda one: (-one[0], one[1]))
    return tuple(
        SeasonPlayer(name, str(len(all_of)), percentage(average, 2), percentage(max(all_of), 2))
        for average, name, all_of in regulars
        if name and not name.startswith("…")
    )


def season_record(folders: Mapping[str, str]) -> bytes:
    """Write down which sessions a season has, and what each was made from."""
    record = {"generator": f"overtrick {__version__}", "sessions": dict(sorted(folders.items()))}
    return (json.dumps(record, indent=1) + "\n").encode()


def season_folders(out: Path) -> dict[str, str]:
    """Read back what `season_record` wrote to the folder `out`: fingerprints by folder; empty for a new one.

    Raises:
        OutputError: the folder holds files of others, or a record that is damaged.
    """
    record = out / SEASON
    if not record.is_file():
        if out.is_dir() and any(out.iterdir()):
            raise OutputError(f"{out}: holds files that overtrick did not write; choose an empty or a new folder")
        return {}
    try:
        sessions = json.loads(record.read_bytes())["sessions"]
        return {str(folder): str(made_from) for folder, made_from in sessions.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise OutputError(f"{record}: is damaged; move the folder away or choose another one") from error


def template_folders(config: Config) -> list[Path]:
    """List the folders that pages are made with: ours, and the club's own."""
    return [resource("templates")] + ([Path(config.site.templates)] if config.site.templates else [])


def contents(tops: Iterable[Path]) -> bytes:
    """Sum up the contents of files and of all files in folders.

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
    """Sum up all that a session's site is made from: files, corrections, settings, templates, and this program.

    Args:
        path: the file, or the folder of files.
        folder: of the session in its season: corrections of other sessions don't count.
        config: the club's settings.
        templates: the `contents` of the `template_folders`.
        pdf: whether the site has PDF documents.

    Raises:
        OSError: a file can't be read.
    """
    site = config.site.model_copy(update={"corrections": config.site.corrected(folder)})
    settings = config.model_copy(update={"site": site}).model_dump_json(exclude={"publish", "inbox"})
    digest = hashlib.sha256(f"{__version__}\n{pdf}\n{settings}".encode())
    digest.update(templates + contents([path, *_corrections_beside(path)]))
    return digest.hexdigest()
