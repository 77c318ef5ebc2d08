"""A club's season: the bulletins of many sessions, their index, and the pages of their people."""

import gc
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from typing import Final, Literal, TypeVar

from overtrick.apps.inbox.looks import Looks
from overtrick.conversion import publish
from overtrick.core.atomic_write import OutputError, only_run
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.machine import Show, explain_failure, follow_parent, show_nothing, spare_threads, starting_workers
from overtrick.core.problems import has_errors
from overtrick.files.assemble.beside import Found, find_corrections, is_corrections
from overtrick.files.formats.looks import list_places
from overtrick.judge.analyse import Solver
from overtrick.judge.analyse.solver import PlaySolvers, open_stored, wants_analysis
from overtrick.judge.people.season import Evening
from overtrick.pipeline import evaluate, read
from overtrick.show.history.changes import is_due
from overtrick.show.history.publications import find_end
from overtrick.show.html.contestants import make_slug, make_slugs
from overtrick.show.html.season_page import FOLDERS
from overtrick.show.publish import season_site
from overtrick.show.publish.season_site import Notes, make_notes
from overtrick.show.text.display import format_count, make_printable

_MANY: Final = 8
"""The number of sessions from which worker processes save time."""

Outcome = Literal["made", "made with errors", "unchanged", "left out", "removed earlier"]
"""The outcome of a session. One with neither deals nor results is left out."""

Report = Callable[[str], None]
"""Takes a message for people to read."""

Steps = Callable[[int, int], None]
"""Takes the number of items that are done, and of all items."""

Progress = Callable[[str], Steps | None]
"""Takes words for items; None where nobody looks on."""

Solvers = Callable[[str], tuple[Solver, PlaySolvers]]
"""Takes words for an evening; returns the solver of its tables, and those of its plays."""

_Item = TypeVar("_Item")
_Done = TypeVar("_Done")


class SeasonError(Exception):
    """A session of a season can't be removed or renamed; the message says why."""


def _keep_quiet(_message: str) -> None:
    """Drop a message."""


def _show_nothing(_words: str) -> None:
    """Show no progress."""


def make_season(  # noqa: PLR0913 - what the command line offers
    paths: Sequence[str],
    out: Path,
    config: Config,
    *,
    pdf: bool = True,
    report: Report = _keep_quiet,
    tell: Report = _keep_quiet,
    progress: Progress = _show_nothing,
    solvers: Solvers | None = None,
) -> Iterator[tuple[str, Outcome]]:
    """Write the sites of many sessions to folders below `out`, and an index of all sessions there.

    Files that belong together (`assemble.together`) are a session, and so is each folder in a folder. Hidden ones are
    left out. Its corrections belong to it. A session's site has a folder with the same name. Only files that changed
    since the last run are read, and only sessions that changed are written, on all cores. Earlier sessions stay. A
    session that was removed stays out, unless its file is named by itself.

    Args:
        paths: files and folders.
        out: the folder of the season.
        config: the club's settings.
        pdf: whether each session gets its PDFs.
        report: takes what is wrong with the season.
        tell: takes what was done.
        progress: takes words for what is done, and returns what shows how much of it is done.
        solvers: solve what an analysis needs; the sites are written without it first, and then completed.

    Yields:
        The folder of each session, as soon as it is written, and what happened to it.

    Raises:
        OSError: a file can't be read.
        OutputError, LanguageError: as `pipeline.publish` raises them. Also if another run is writing the
            season.
    """
    with only_run(out, 0), _Workers(progress) as workers:
        yield from _make_season(paths, out, config, workers, pdf=pdf, report=report, tell=tell, solvers=solvers)


def _make_season(  # noqa: PLR0913 - as `make_season`
    paths: Sequence[str],
    out: Path,
    config: Config,
    workers: "_Workers",
    *,
    pdf: bool,
    report: Report,
    tell: Report,
    solvers: Solvers | None,
) -> Iterator[tuple[str, Outcome]]:
    record, notes = season_site.read_record(out), Notes(out)
    settings = season_site.digest_settings(config, pdf=pdf)
    evenings: dict[str, Evening] = {}
    tasks: dict[str, _Task] = {}
    changed: dict[str, _Task] = {}
    looks = Looks(record.files)
    for files, folder, named in _list_sessions(paths, record, looks, workers):
        if folder in record.removed and not named:
            yield folder, "removed earlier"
            continue
        made_from = season_site.fingerprint(files, folder, config, settings)
        is_made = record.sessions.get(folder) == made_from and _is_current(out / folder, config)
        known = notes.read(folder, made_from) if is_made else None
        tasks[folder] = _Task(files, out, folder, config, pdf, made_from, only_notes=is_made)
        if known:
            evenings[folder] = known
            yield folder, "unchanged"
        else:
            changed[folder] = tasks[folder]
    if changed:
        season_site.write_record(out, record)
    for folder, outcome, evening, joined in workers.map(_make, [*changed.values()], "Making evenings"):
        _tell_joined(folder, joined, tell)
        if evening:
            record.sessions[folder] = changed[folder].made_from
            record.removed = [name for name in record.removed if name != folder]
            evenings[folder] = evening
            notes.write(folder, changed[folder].made_from, evening)
            # An interrupted run resumes from here.
            season_site.write_record(out, record)
        yield folder, outcome
    workers.show("Making the index and the pages of players")
    if record.sessions:
        _write_index(out, record, config, evenings, report)
        if _complete_all(tasks, evenings, notes, solvers, tell):
            _write_index(out, record, config, evenings, report)
    elif changed:
        season_site.remove_record(out)


def _tell_joined(folder: str, lines: Iterable[str], tell: Report) -> None:
    for line in lines:
        tell(f"{folder}: {make_printable(line)}")


def _is_current(site: Path, config: Config) -> bool:
    """Return whether a site is there, and does not call results provisional although their time has passed."""
    return site.is_dir() and not (config.site.objection is not None and is_due(find_end(site)))


def _write_index(
    out: Path, record: season_site.SeasonRecord, config: Config, evenings: dict[str, Evening], report: Report
) -> None:
    """Write the index and the pages of people; report sessions whose people are not known."""
    notes = Notes(out)
    for folder, made_from in record.sessions.items():
        known = evenings.get(folder) or notes.read(folder, made_from)
        if known:
            evenings[folder] = known
        else:
            report(f"{folder}: not in the pages of players and series; give its files again")
    present = [evenings[folder] for folder in sorted(record.sessions) if folder in evenings]
    for message in season_site.write_season(out, record, config, present):
        report(message)


def _list_sessions(
    paths: Sequence[str], record: season_site.SeasonRecord, looks: Looks, workers: "_Workers"
) -> list[tuple[list[Path], str, bool]]:
    """Return each session: its files or its folder, its folder in the season, and whether it was named by itself."""
    given = [path for path in map(Path, paths) if not is_corrections(path)]
    inside = [file for path in given for file in (_inside(path) if path.is_dir() else [path])]
    sessions = looks.group(inside, lambda look, lots: workers.map(look, lots, "Looking into files", size=len))
    record.files = dict(looks.known)
    # The pages of people have these names.
    slugs = make_slugs([*FOLDERS, *(name for name, _ in sessions)])[len(FOLDERS) :]
    by_itself = {path for path in given if not path.is_dir()}
    return [
        (files, record.renamed.get(folder, folder), not by_itself.isdisjoint(files))
        for (_, files), folder in zip(sessions, slugs, strict=True)
    ]


def _inside(folder: Path) -> list[Path]:
    files, folders = list_places(folder)
    return sorted(files + folders)


@dataclass(frozen=True)
class _Task:
    files: list[Path]
    out: Path
    folder: str
    config: Config
    pdf: bool
    made_from: str
    only_notes: bool


_Made = tuple[str, Outcome, Evening | None, tuple[str, ...]]
"""The folder of a session, what happened to it, its people, and what was joined from which files."""


class _Workers(ExitStack):
    """Processes on all cores, which start when there is enough to do for them."""

    _pool: ProcessPoolExecutor | None = None

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress
        self._shown = False

    def show(self, words: str, done: int = 0, total: int = 0) -> None:
        """Show what is done, and how much of it; single items are too short to be shown."""
        if (self._shown or total > 1) and (steps := self._progress(words)):
            self._shown = True
            steps(done, total)

    def map(
        self, work: Callable[[_Item], _Done], items: list[_Item], words: str, size: Callable[[_Item], int] = lambda _: 1
    ) -> Iterator[_Done]:
        """Apply a function to each item, and show how many are done: a few in this process, many on all cores.

        An item counts for as many as its size.
        """
        sizes = [size(item) for item in items]
        total = sum(sizes)
        self.show(words, 0, total)
        for count, done in zip(accumulate(sizes), self._map(work, items, on_all_cores=total >= _MANY), strict=True):
            self.show(words, count, total)
            yield done

    def _map(self, work: Callable[[_Item], _Done], items: list[_Item], *, on_all_cores: bool) -> Iterator[_Done]:
        if not on_all_cores:
            return map(work, items)
        if self._pool is None:
            spare_threads()
            # A forked process would inherit the threads of polars and may hang.
            spawn = get_context("spawn")
            self._pool = self.enter_context(ProcessPoolExecutor(mp_context=spawn, initializer=_begin_worker))
        with starting_workers():
            return self._pool.map(work, items)


def _begin_worker() -> None:
    # Pages are made from objects without cycles.
    gc.disable()
    follow_parent()


def _complete_all(
    tasks: Mapping[str, _Task], evenings: dict[str, Evening], notes: Notes, solvers: Solvers | None, tell: Report
) -> bool:
    """Analyse the sessions that are not analysed yet, and return whether there were any."""
    left = [tasks[folder] for folder, evening in evenings.items() if not evening.analysed and folder in tasks]
    if not solvers or not left:
        return False
    tell(f"The pages are there; the analysis of {format_count(len(left), 'evening', 'evenings')} follows.")
    for number, task in enumerate(left, 1):
        evenings[task.folder] = _complete(task, *solvers(f"Evening {number} of {len(left)}"))
        notes.write(task.folder, task.made_from, evenings[task.folder])
    return True


def _complete(task: _Task, solver: Solver, play_solvers: PlaySolvers) -> Evening:
    """Write the site of a session with its analysis, and return its notes."""
    files = [str(file) for file in task.files]
    found = find_corrections(files)
    session = evaluate(read(files, task.config), task.config, found, solver=solver, play_solver=play_solvers)
    publish(session, task.out / task.folder, task.config, pdf=task.pdf, folder=task.folder)
    return make_notes(session, task.config, task.folder)


def _make(task: _Task) -> _Made:
    files = [str(file) for file in task.files]
    session = evaluate_stored(read(files, task.config), task.config, find_corrections(files))
    if session.is_blank:
        return task.folder, "left out", None, ()
    if not task.only_notes:
        publish(session, task.out / task.folder, task.config, pdf=task.pdf, folder=task.folder)
    evening = make_notes(session, task.config, task.folder)
    if task.only_notes:
        return task.folder, "unchanged", evening, ()
    return task.folder, "made with errors" if has_errors(session.problems) else "made", evening, session.facts.joined


def evaluate_stored(
    session: Session, config: Config, corrections: Sequence[Found], show: Show = show_nothing
) -> Session:
    """Evaluate a session, analysed if everything that has to be solved for it was solved before.

    Nothing is solved, so that the session can be published at once.
    """
    if wants_analysis(config):
        stored = open_stored()
        plays = stored.find_plays, stored.find_best_cards
        analysed = evaluate(session, config, corrections, solver=stored.find_tables, play_solver=plays, show=show)
        if stored.is_complete:
            return analysed
    return evaluate(session, config, corrections, show=show)


def add_to_season(out: Path, folder: str, session: Session, config: Config, report: Report) -> None:
    """Add a session whose site has been written to the index of a season, and to the pages of its people.

    Args:
        out: the folder of the season.
        folder: of the session in it.
        session: scored and ranked.
        config: the club's settings.
        report: takes messages about the season.

    Raises:
        OutputError, LanguageError: as `publish.season_site.write_season` raises them.
    """
    record = season_site.adopt_sites(out)
    evening = make_notes(session, config, folder)
    made_from = season_site.digest_notes(evening)
    Notes(out).write(folder, made_from, evening)
    record.sessions[folder] = made_from
    _write_index(out, record, config, {folder: evening}, report)


def remove_session(out: Path, folder: str, config: Config, report: Report = _keep_quiet) -> None:
    """Take a session out of a season: its site, its line in the index, and its part in the pages of people.

    It stays out when the season is made again, unless its file is named by itself.

    Raises:
        SeasonError: the season has no such session.
        OutputError, LanguageError: as `publish.season_site.write_season` raises them.
    """
    record = season_site.read_record(out)
    _check_known(record, folder)
    del record.sessions[folder]
    record.removed = sorted({*record.removed, folder})
    # First the links to it go, then the site: readers never follow a link to nothing.
    _write_index(out, record, config, {}, report)
    with explain_failure(out / folder, OutputError, "can't be removed"), suppress(FileNotFoundError):
        shutil.rmtree(out / folder)
    Notes(out).remove(folder)


def rename_session(out: Path, folder: str, new: str, config: Config, report: Report = _keep_quiet) -> str:
    """Give a session of a season another folder, and so another address. It keeps it when the season is made again.

    Returns:
        The new folder: the new name as an address has it.

    Raises:
        SeasonError: the season has no such session, or already has one of the new name.
        OutputError, LanguageError: as `publish.season_site.write_season` raises them.
    """
    record, notes = season_site.read_record(out), Notes(out)
    _check_known(record, folder)
    slug = make_slug(new)
    if slug in {*record.sessions, *FOLDERS} or (out / slug).exists():
        raise SeasonError(f"{slug}: the season already has this name; choose another one")
    made_from = record.sessions.pop(folder)
    evening = notes.read(folder, made_from)
    with explain_failure(out / folder, OutputError, "can't be renamed"):
        (out / folder).rename(out / slug)
    record.sessions[slug] = made_from
    record.renamed = {old: slug if name == folder else name for old, name in record.renamed.items()}
    if slug not in record.renamed.values():
        record.renamed[folder] = slug
    known = {}
    if evening:
        known[slug] = Evening(**{**vars(evening), "folder": slug})
        notes.write(slug, made_from, known[slug])
        notes.remove(folder)
    _write_index(out, record, config, known, report)
    return slug


def _check_known(record: season_site.SeasonRecord, folder: str) -> None:
    if folder not in record.sessions:
        known = ", ".join(sorted(record.sessions)[:20]) or "none"
        raise SeasonError(f"{folder}: not an evening of this season; the evenings are: {known}")
