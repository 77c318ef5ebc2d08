"""A club's season: the bulletins of many sessions, and an index of them."""

import gc
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final, Literal

from overtrick.assemble.beside import is_corrections
from overtrick.config import Config
from overtrick.machine import spare_threads
from overtrick.pipeline import evaluate
from overtrick.problems import has_errors
from overtrick.render.bulletin import remove_record, write_bulletin, write_record, write_season
from overtrick.render.season import contents, fingerprint, season_folders, template_folders
from overtrick.render.slugs import unique_slugs

_MANY: Final = 8
"""Sessions from which on it pays to start other processes."""

Outcome = Literal["made", "made with errors", "unchanged", "left out"]
"""What became of a session; one without deals and results is left out."""


def season(paths: Sequence[str], out: Path, config: Config, *, pdf: bool = True) -> Iterator[tuple[str, Outcome]]:
    """Write the sites of many sessions to folders below `out`, and an index of all that are there.

    A file is a session, and so is each file and each folder in a folder, unless it is hidden or holds corrections; the
    folder of its site is named like it. Only what changed since the last time is read and written, on all cores;
    sessions written before stay.

    Args:
        paths: files and folders.
        out: the folder of the season.
        config: the club's settings.
        pdf: whether each session gets its PDF.

    Yields:
        The folder of each session when it is there, with what became of it.

    Raises:
        OSError: a file can't be read.
        OutputError, LanguageError: as `render.bulletin.write_bulletin` raises them.
    """
    folders = season_folders(out)
    given = [path for path in map(Path, paths) if not is_corrections(path)]
    sessions = [inside for path in given for inside in (_inside(path) if path.is_dir() else [path])]
    templates = contents(template_folders(config))
    changed = {}
    for path, folder in zip(sessions, unique_slugs(path.stem for path in sessions), strict=True):
        made_from = fingerprint(path, folder, config, templates, pdf=pdf)
        if folders.get(folder) == made_from and (out / folder).is_dir():
            yield folder, "unchanged"
        else:
            changed[folder] = (path, made_from)
    tasks = [(path, out, folder, config, pdf) for folder, (path, _) in changed.items()]
    if tasks:
        write_record(out, folders)
    for folder, outcome in _each(tasks):
        if outcome != "left out":
            folders[folder] = changed[folder][1]
            # A run that is stopped goes on from here the next time.
            write_record(out, folders)
        yield folder, outcome
    if folders:
        write_season(out, folders, config)
    elif tasks:
        remove_record(out)


def _inside(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not path.name.startswith(".") and not is_corrections(path))


_Task = tuple[Path, Path, str, Config, bool]


def _each(tasks: list[_Task]) -> Iterator[tuple[str, Outcome]]:
    """Publish sessions: a few here, many on all cores."""
    if len(tasks) < _MANY:
        yield from map(_published, tasks)
        return
    spare_threads()
    # A fork of a process in which polars has threads may hang; what pages are made of has no cycles to be looked for.
    with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=gc.disable) as workers:
        yield from workers.map(_published, tasks)


def _published(task: _Task) -> tuple[str, Outcome]:
    path, out, folder, config, pdf = task
    session = evaluate([str(path)], config)
    if session.is_blank:
        return folder, "left out"
    write_bulletin(session, out / folder, config, pdf=pdf, folder=folder)
    return folder, "made with errors" if has_errors(session.problems) else "made"
