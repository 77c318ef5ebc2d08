"""A club's season: the bulletins of many sessions, and their index."""

import gc
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final, Literal

from overtrick.assemble.beside import is_corrections
from overtrick.config import Config
from overtrick.inbox.looks import Looks
from overtrick.machine import follow_parent, spare_threads
from overtrick.pipeline import evaluate
from overtrick.problems import has_errors
from overtrick.render.atomic_write import only_run
from overtrick.render.bulletin import write_bulletin
from overtrick.render.finality import is_due
from overtrick.render.publications import find_end
from overtrick.render.season_site import (
    digest_files,
    fingerprint,
    list_template_folders,
    read_looks,
    read_record,
    remove_record,
    write_record,
    write_season,
)
from overtrick.render.slugs import make_slugs

_MANY: Final = 8
"""The number of sessions from which worker processes save time."""

Outcome = Literal["made", "made with errors", "unchanged", "left out"]
"""What happened to a session. One with neither deals nor results is left out."""


def make_season(paths: Sequence[str], out: Path, config: Config, *, pdf: bool = True) -> Iterator[tuple[str, Outcome]]:
    """Write the sites of many sessions to folders below `out`, and an index of all sessions there.

    Files that belong together (`assemble.together`) are a session, and so is each folder in a folder. Hidden ones are
    left out. Its corrections belong to it. A session's site has a folder with the same name. Only files that changed
    since the last run are read, and only sessions that changed are written, on all cores. Earlier sessions stay.

    Args:
        paths: files and folders.
        out: the folder of the season.
        config: the club's settings.
        pdf: whether each session gets its PDFs.

    Yields:
        The folder of each session, as soon as it is written, and what happened to it.

    Raises:
        OSError: a file can't be read.
        OutputError, LanguageError: as `render.bulletin.write_bulletin` raises them. Also if another run is writing the
            season.
    """
    with only_run(out, 0):
        yield from _make_season(paths, out, config, pdf=pdf)


def _make_season(paths: Sequence[str], out: Path, config: Config, *, pdf: bool) -> Iterator[tuple[str, Outcome]]:
    folders = read_record(out)
    looks = Looks(read_looks(out))
    given = [path for path in map(Path, paths) if not is_corrections(path)]
    sessions = looks.group([inside for path in given for inside in (_inside(path) if path.is_dir() else [path])])
    templates = digest_files(list_template_folders(config))
    changed = {}
    for (_, files), folder in zip(sessions, make_slugs(name for name, _ in sessions), strict=True):
        made_from = fingerprint(files, folder, config, templates, pdf=pdf)
        if folders.get(folder) == made_from and (out / folder).is_dir() and not _is_final_now(out / folder, config):
            yield folder, "unchanged"
        else:
            changed[folder] = (files, made_from)
    tasks = [(files, out, folder, config, pdf) for folder, (files, _) in changed.items()]
    if tasks:
        write_record(out, folders, looks.known)
    for folder, outcome in _make_all(tasks):
        if outcome != "left out":
            folders[folder] = changed[folder][1]
            # An interrupted run resumes from here.
            write_record(out, folders, looks.known)
        yield folder, outcome
    if folders:
        write_season(out, folders, config, looks.known)
    elif tasks:
        remove_record(out)


def _is_final_now(site: Path, config: Config) -> bool:
    """Return whether a site says that results are provisional, and their time has passed."""
    return config.site.objection is not None and is_due(find_end(site))


def _inside(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not path.name.startswith(".") and not is_corrections(path))


_Task = tuple[list[Path], Path, str, Config, bool]


def _make_all(tasks: list[_Task]) -> Iterator[tuple[str, Outcome]]:
    """Make the sites: a few in this process, many on all cores."""
    if len(tasks) < _MANY:
        yield from map(_make, tasks)
        return
    spare_threads()
    # A forked process would inherit the threads of polars and may hang. Pages are made from objects without cycles.
    with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=_begin_worker) as workers:
        yield from workers.map(_make, tasks)


def _begin_worker() -> None:
    gc.disable()
    follow_parent()


def _make(task: _Task) -> tuple[str, Outcome]:
    files, out, folder, config, pdf = task
    session = evaluate([str(file) for file in files], config)
    if session.is_blank:
        return folder, "left out"
    write_bulletin(session, out / folder, config, pdf=pdf, folder=folder)
    return folder, "made with errors" if has_errors(session.problems) else "made"
