"""One run: new files go to the workers, and the rows that they bring back go into the tables."""

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate, chain, groupby
from tempfile import TemporaryDirectory
from typing import Final

import polars as pl

from overtrick.apps.archive import inputs
from overtrick.apps.archive.evenings import is_unchanged, join_evenings, look, put_results_aside
from overtrick.apps.archive.store import Part, Store
from overtrick.apps.archive.work import WHOLE, Done, Failure, work
from overtrick.apps.archive.workers import Processes, Workers, run_tasks
from overtrick.core.config import Config
from overtrick.core.frames import PROBLEMS, SOURCES, conform, empty
from overtrick.core.problems import Finding, report_findings
from overtrick.files.assemble.together import Held

TASK: Final = 16 * 1024 * 1024
"""The most bytes of files in a task. The rows of a task share data files."""

EACH: Final = 8
"""The fewest tasks per worker if there are enough files, so that all workers finish at about the same time."""

LEAST: Final = 2 * 1024 * 1024
"""The fewest bytes in a task for that purpose, because starting a task takes time too."""

LOOK: Final = 512 * 1024
"""The most bytes of files in a task that finds evenings: a few seconds of work, so that the progress moves evenly."""

LOOKING: Final = 2
"""How many times longer it takes to find the evening of small files than to score them."""

FILES: Final = 2000
"""The most files in a task."""

KEPT: Final = 1024 * 1024 * 1024
"""Bytes of files whose frames are kept on disk from when their evening is found until they are scored."""

SHARE: Final = 5
"""More are kept if they fit in the fifth part of the free space: a file that is not kept is read twice."""

COMMIT_SECONDS: Final = 5.0
"""Seconds between commits to the tables: every commit costs all later readers a little."""

FAILED: Final = "ingest-failed"


@dataclass
class Progress:
    """The progress of a run.

    Attributes:
        total: bytes of all files.
        ended: bytes of the files of earlier batches (`split_folders`).
        batch: bytes of the files of this batch.
        steps: its work in bytes: each new file counts `LOOKING` times when its evening is found, which reads it, and
            once when it is scored. What a container holds may be larger than the container.
        passed: how much of `steps` is done.
        files: files taken in.
        records: records taken in.
        skipped: files that the archive has already.
    """

    total: int
    ended: int = 0
    batch: int = 0
    steps: int = 0
    passed: int = 0
    files: int = 0
    records: int = 0
    skipped: int = 0

    @property
    def dealt_with(self) -> int:
        """Bytes of files that are done; those whose evening is known are done in part."""
        return self.ended + (self.batch * self.passed // self.steps if self.steps else 0)

    def end_batch(self) -> None:
        """Count all files of this batch as done."""
        self.ended += self.batch
        self.batch = self.steps = self.passed = 0


@dataclass
class Outcome:
    """The outcome of a run.

    Attributes:
        progress: the final numbers.
        problems: one for each file that could not be read, or on which overtrick failed.
    """

    progress: Progress
    problems: pl.DataFrame = field(default_factory=lambda: empty(PROBLEMS))


Report = Callable[[Progress], None]


def ingest(
    store: Store,
    paths: Sequence[str],
    workers: Workers,
    report: Report = lambda _: None,
    settings: Config | None = None,
) -> Outcome:
    """Take files into an archive, except those whose bytes it holds already.

    The files of one evening are put together (`archive.evenings`), and again when one changes or another comes. A
    changed file replaces its old version. A file that can't be read stays outside the archive, and the outcome reports
    it. A file on which overtrick fails gets a row in `sources` but no others, and a copy in quarantine, with the
    traceback.

    Args:
        store: the archive; missing tables are created.
        paths: files, folders (walked), zip and tar files, also in an object store that has the options of `store`.
        workers: who reads the files.
        report: called with the progress now and then.
        settings: the club's; None for the defaults. What the archive has already keeps those it was read with.

    Raises:
        ArchiveError: the archive can't be written.
    """
    store.create()
    files, links = inputs.list_files(paths, store.options)
    settings = settings or Config()
    run = _Run(store, Progress(sum(inputs.size_of(file) for file in files)), workers, report, settings)
    judge = partial(work, store.uri, store.options, settings)
    run.unread += links
    most = min(TASK, max(run.progress.total // (EACH * workers.count), LEAST))
    for some in inputs.split_folders(files):
        run.progress.batch = sum(inputs.size_of(file) for file in some)
        with TemporaryDirectory() as folder:
            # A cluster's workers may have other disks.
            run.kept_here = folder
            tasks = _pack(run.evenings(some, folder if isinstance(workers, Processes) else ""), most)
            while True:
                for files_done, done in run_tasks(workers, judge, tasks, _give_up):
                    run.take(files_done, done)
                run.commit()
                # If a file could not be read after all, its copies are read instead.
                again = run.orphaned_copies()
                if not again:
                    break
                run.progress.passed -= sum(piece.size for piece in again)
                tasks = iter([(piece,) for piece in again])
        run.progress.end_batch()
    return Outcome(run.progress, list_problems(run.unread))


def _keep(pieces: Sequence[inputs.Piece], folder: str) -> list[inputs.Piece]:
    """Return pieces with `Piece.kept` filled, up to `KEPT` bytes of them or the `SHARE` of a large disk."""
    most = max(KEPT, shutil.disk_usage(folder).free // SHARE)
    sizes = accumulate(piece.size for piece in pieces)
    places = (f"{folder}/{number}" if size <= most else "" for number, size in enumerate(sizes))
    return [replace(piece, kept=place) for piece, place in zip(pieces, places, strict=True)]


def _pack(evenings: Iterable[tuple[inputs.Piece, ...]], most: int) -> Iterator[tuple[inputs.Piece, ...]]:
    """Yield tasks with whole evenings: small ones together up to `most` bytes, a large one alone."""
    task: list[inputs.Piece] = []
    size = 0
    for files in evenings:
        new = sum(piece.size for piece in files)
        if task and (size + new > most or len(task) >= FILES or new > WHOLE):
            yield tuple(task)
            task, size = [], 0
        task += files
        size += new
    if task:
        yield tuple(task)


def list_problems(unread: Iterable[inputs.Unread]) -> pl.DataFrame:
    """Return a problem for each file that could not be read, as `frames.PROBLEMS`."""
    return pl.concat([empty(PROBLEMS), *(report_findings([file.finding], file.source) for file in unread)])


class _Run:
    """The state of a run: what the archive holds, what the workers brought, and what waits for the next commit."""

    def __init__(self, store: Store, progress: Progress, workers: Workers, report: Report, settings: Config) -> None:
        self.store = store
        self.progress = progress
        self.unread: list[inputs.Unread] = []
        self.kept_here = ""
        """A folder on this machine for what the workers of a cluster found."""
        self._workers = workers
        self._report = report
        self._settings = settings
        known, failed = store.sources(), _failed(store)
        self._sha256_of = {name: sha for name, sha in known.select("source", "sha256").iter_rows() if sha not in failed}
        self._held = set(known["sha256"]) - failed
        self._copies: dict[str, list[inputs.Piece]] = {}
        self._sources: list[pl.DataFrame] = []
        self._parts: list[Part] = []
        self._committed = time.monotonic()

    def evenings(self, files: Sequence[inputs.Place], keep_in: str) -> Iterator[tuple[inputs.Piece, ...]]:
        """Yield the evenings with new files. A file that belongs to no other is one by itself.

        Args:
            files: whole folders.
            keep_in: a folder for the frames of files that are read to find their evening; empty for none.
        """
        new = self._new(files, keep_in)
        evenings: dict[str, list[inputs.Piece]] = {}
        sizes = Counter(f"{piece.folder}\n{piece.evening}" for piece in new if piece.evening)
        for piece in inputs.carry_contents(files, {piece.source: piece for piece in new}):
            if isinstance(piece, inputs.Unread):
                self.unread.append(piece)
                continue
            evening = f"{piece.folder}\n{piece.evening}"
            together = evenings.setdefault(evening, []) if piece.evening else []
            together.append(piece)
            if len(together) >= sizes[evening]:
                yield tuple(together)
                evenings.pop(evening, None)
        yield from map(tuple, evenings.values())

    def _new(self, files: Sequence[inputs.Place], keep_in: str) -> list[inputs.Piece]:
        """Return the files to read: those that are new or changed, with all files of their evenings."""
        folders: dict[str, list[inputs.Piece]] = {}
        for piece in self._find_pieces(files):
            folders.setdefault(piece.folder, []).append(replace(piece, content=None))
        changed = [pieces for pieces in folders.values() if not is_unchanged(pieces, self._sha256_of)]
        every = [*chain.from_iterable(changed)]
        self.progress.skipped += sum(map(len, folders.values())) - len(every)
        size = sum(piece.size for piece in every)
        self.progress.steps = (LOOKING + 1) * size
        if any(len(pieces) > 1 for pieces in changed):
            every = join_evenings(_keep(every, keep_in) if keep_in else every, partial(self._look, files, keep_in))
        self.progress.passed = LOOKING * size
        return list(self._without_copies(every))

    def _find_pieces(self, files: Sequence[inputs.Place]) -> Iterator[inputs.Piece]:
        """Yield the files, and those inside containers; note those that can't be read."""
        for file in files:
            for piece in inputs.find_pieces(file):
                if isinstance(piece, inputs.Unread):
                    self.unread.append(piece)
                else:
                    yield piece
            self._report(self.progress)

    def _without_copies(self, pieces: Iterable[inputs.Piece]) -> Iterator[inputs.Piece]:
        """Yield the files of evenings that the archive lacks, each content once; remember the others as copies."""
        planned: set[str] = set()
        for _, evening in groupby(pieces, lambda piece: (piece.folder, piece.evening or piece.source)):
            files = list(evening)
            # One file of each content is read, unless the archive or an earlier evening has all contents.
            missing = {piece.key for piece in files}
            if missing <= self._held | planned or all(map(self._is_stored, files)):
                missing = set()
            for piece in files:
                if piece.key in missing:
                    missing.remove(piece.key)
                    planned.add(piece.key)
                    yield piece
                    continue
                self.progress.passed += piece.size
                if self._is_stored(piece):
                    self.progress.skipped += 1
                else:
                    self._copies.setdefault(piece.key, []).append(piece)

    def _is_stored(self, piece: inputs.Piece) -> bool:
        """Return whether the archive has a file as it is, under its name."""
        return self._sha256_of.get(piece.source) == piece.key

    def _look(self, files: Sequence[inputs.Place], keep_in: str, pieces: Sequence[inputs.Piece]) -> dict[str, Held]:
        """Return by file what some files hold; workers read them."""
        wanted = {piece.source: piece for piece in pieces}
        carried = (piece for piece in inputs.carry_contents(files, wanted) if isinstance(piece, inputs.Piece))
        tasks = _pack(((piece,) for piece in carried), LOOK)
        found: dict[str, Held] = {}
        for task, seen in run_tasks(self._workers, partial(look, self._settings, folder=keep_in), tasks, lambda _: ()):
            here = seen if keep_in else (put_results_aside(file, self.kept_here) for file in seen)
            found |= {file.source: file for file in here}
            self.progress.passed += LOOKING * sum(piece.size for piece in task)
            self._report(self.progress)
        return found

    def take(self, files: Sequence[inputs.Piece], done: Done) -> None:
        """Take the outcome of a task, and commit now and then."""
        failures = [self._quarantined(failure) for failure in done.failures]
        sources = pl.concat([done.sources, *failures])
        self._held |= set(sources["sha256"])
        self._sources.append(sources)
        self._parts += done.parts
        self.unread += done.unread
        self.progress.passed += sum(piece.size for piece in files)
        self.progress.files += sources.height
        self.progress.records += int(sources["records"].sum())
        self._report(self.progress)
        if time.monotonic() - self._committed > COMMIT_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Put what the workers have brought into the tables, with the copies of these files."""
        ready = {sha: self._copies.pop(sha) for sha in list(self._copies) if sha in self._held}
        copies = {copy.source: copy for pieces in ready.values() for copy in pieces}
        sources = pl.concat([empty(SOURCES), *self._sources])
        if copies or not sources.is_empty():
            left = self.store.commit(sources, self._parts, {name: copy.key for name, copy in copies.items()})
            for name in left:
                self._held.discard(copies[name].key)
                self._copies.setdefault(copies[name].key, []).append(copies[name])
            self.progress.files += len(copies) - len(left)
        self._sources, self._parts, self._committed = [], [], time.monotonic()

    def orphaned_copies(self) -> list[inputs.Piece]:
        """Return one copy of each file that should have been read from another path and was not."""
        return [copies.pop(0) for copies in self._copies.values() if copies]

    def _quarantined(self, failure: Failure) -> pl.DataFrame:
        """Keep a copy of a failed file with its traceback, and return its row of `sources`."""
        piece = failure.piece
        folder = f"quarantine/{piece.sha256}"
        finding = Finding(FAILED, values={"reason": failure.reason[:1000]})
        problems = report_findings([finding], piece.source)
        self.unread.append(inputs.Unread(piece.source, finding))
        self.store.keep(f"{folder}/traceback.txt", f"{piece.source}\n{failure.traceback}".encode())
        if piece.size <= WHOLE:
            self.store.keep(f"{folder}/content", _content(piece))
        self._parts.append(self.store.put("problems", problems.with_columns(pl.lit(piece.key).alias("sha256"))))
        row = {"source": piece.source, "size": piece.size, "sha256": piece.key, "records": 0}
        return conform(SOURCES, pl.DataFrame([row]))


def _failed(store: Store) -> set[str]:
    """Return the hashes of files that failed before: they are tried again, because the bug may be fixed."""
    failed = store.scan()["problems"].filter(pl.col("code") == FAILED).select("sha256").collect()
    return set(failed["sha256"])


def _give_up(piece: inputs.Piece) -> Done:
    reason = "the worker that read it died; it may have been killed, or run out of memory"
    return Done(failures=(Failure(piece, f"{reason}\n", reason),))


def _content(piece: inputs.Piece) -> bytes:
    try:
        with inputs.open_piece(piece) as file:
            return file.read()
    except OSError:
        return b""
