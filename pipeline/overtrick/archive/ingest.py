"""One run: new files go to the workers, and the rows that they bring back go into the tables."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import polars as pl

from overtrick.archive.inputs import Piece, Unread, find_pieces, list_files, open_piece
from overtrick.archive.store import Part, Store
from overtrick.archive.work import WHOLE, Done, Failure, work
from overtrick.archive.workers import Workers, run_tasks
from overtrick.frames import PROBLEMS, SOURCES, conform, empty
from overtrick.problems import Finding, report_findings

TASK: Final = 16 * 1024 * 1024
"""The most bytes of files in a task. The rows of a task share data files."""

EACH: Final = 8
"""The fewest tasks per worker if there are enough files, so that all workers finish at about the same time."""

LEAST: Final = 2 * 1024 * 1024
"""The fewest bytes in a task for that purpose, because starting a task takes time too."""

FILES: Final = 2000
"""The most files in a task."""

COMMIT_SECONDS: Final = 5.0
"""Seconds between commits to the tables: every commit costs all later readers a little."""

FAILED: Final = "ingest-failed"


@dataclass
class Progress:
    """The progress of a run.

    Attributes:
        total: bytes of all files.
        looked_at: bytes of files that were hashed.
        under_way: bytes of files that workers have.
        files: files taken in.
        records: records taken in.
        skipped: files that the archive has already.
    """

    total: int
    looked_at: int = 0
    under_way: int = 0
    files: int = 0
    records: int = 0
    skipped: int = 0

    @property
    def dealt_with(self) -> int:
        """Bytes of files that are done."""
        return max(self.looked_at - self.under_way, 0)


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


def ingest(store: Store, paths: Sequence[str], workers: Workers, report: Report = lambda _: None) -> Outcome:
    """Take files into an archive, except those whose bytes it holds already.

    A changed file replaces its old version. A file that can't be read stays outside the archive, and the outcome
    reports it. A file on which overtrick fails gets a row in `sources` but no others, and a copy in quarantine, with
    the traceback.

    Args:
        store: the archive; missing tables are created.
        paths: files, folders (walked), zip and tar files.
        workers: who reads the files.
        report: called with the progress now and then.

    Raises:
        ArchiveError: the archive can't be written.
    """
    store.create()
    files, links = list_files(paths)
    run = _Run(store, Progress(sum(_size_of(file) for file in files)), report)
    run.unread += links
    tasks = run.tasks(files, min(TASK, max(run.progress.total // (EACH * workers.count), LEAST)))
    while True:
        for files_done, done in run_tasks(workers, partial(work, store.uri, store.options), tasks, _give_up):
            run.take(files_done, done)
        run.commit()
        # If a file could not be read after all, its copies are read instead.
        again = run.orphaned_copies()
        if not again:
            break
        run.progress.under_way += sum(piece.size for piece in again)
        tasks = iter([(piece,) for piece in again])
    return Outcome(run.progress, list_problems(run.unread))


def list_problems(unread: Iterable[Unread]) -> pl.DataFrame:
    """Return a problem for each file that could not be read, as `frames.PROBLEMS`."""
    return pl.concat([empty(PROBLEMS), *(report_findings([one.finding], one.source) for one in unread)])


class _Run:
    """The state of a run: what the archive holds, what the workers brought, and what waits for the next commit."""

    def __init__(self, store: Store, progress: Progress, report: Report) -> None:
        self.store = store
        self.progress = progress
        self.unread: list[Unread] = []
        self._report = report
        known, failed = store.sources(), _failed(store)
        self._sha256_of = {name: sha for name, sha in known.select("source", "sha256").iter_rows() if sha not in failed}
        self._held = set(known["sha256"]) - failed
        self._copies: dict[str, list[Piece]] = {}
        self._sources: list[pl.DataFrame] = []
        self._parts: list[Part] = []
        self._committed = time.monotonic()

    def tasks(self, files: Iterable[Path], most: int) -> Iterator[tuple[Piece, ...]]:
        """Yield tasks with the new files: small ones together up to `most` bytes, a large one alone."""
        held: list[Piece] = []
        size = 0
        for piece in self._new(files):
            if held and (size + piece.size > most or len(held) >= FILES or piece.size > WHOLE):
                yield tuple(held)
                held, size = [], 0
            held.append(piece)
            size += piece.size
        if held:
            yield tuple(held)

    def _new(self, files: Iterable[Path]) -> Iterator[Piece]:
        planned: set[str] = set()
        for file in files:
            for piece in find_pieces(file):
                if isinstance(piece, Unread):
                    self.unread.append(piece)
                elif self._sha256_of.get(piece.source) == piece.sha256:
                    self.progress.skipped += 1
                elif piece.sha256 in self._held or piece.sha256 in planned:
                    self._copies.setdefault(piece.sha256, []).append(piece)
                else:
                    planned.add(piece.sha256)
                    self.progress.under_way += piece.size
                    yield piece
            self.progress.looked_at += _size_of(file)
            self._report(self.progress)

    def take(self, files: Sequence[Piece], done: Done) -> None:
        """Take the outcome of a task, and commit now and then."""
        failures = [self._quarantined(failure) for failure in done.failures]
        sources = pl.concat([done.sources, *failures])
        self._held |= set(sources["sha256"])
        self._sources.append(sources)
        self._parts += done.parts
        self.unread += done.unread
        self.progress.under_way -= sum(piece.size for piece in files)
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
            left = self.store.commit(sources, self._parts, {name: copy.sha256 for name, copy in copies.items()})
            for name in left:
                self._held.discard(copies[name].sha256)
                self._copies.setdefault(copies[name].sha256, []).append(copies[name])
            self.progress.files += len(copies) - len(left)
        self._sources, self._parts, self._committed = [], [], time.monotonic()

    def orphaned_copies(self) -> list[Piece]:
        """Return one copy of each file that should have been read from another path and was not."""
        return [copies.pop(0) for copies in self._copies.values() if copies]

    def _quarantined(self, failure: Failure) -> pl.DataFrame:
        """Keep a copy of a failed file with its traceback, and return its row of `sources`."""
        piece = failure.piece
        folder = f"quarantine/{piece.sha256}"
        finding = Finding(FAILED, values={"reason": failure.reason[:1000]})
        problems = report_findings([finding], piece.source)
        self.unread.append(Unread(piece.source, finding))
        self.store.keep(f"{folder}/traceback.txt", f"{piece.source}\n{failure.traceback}".encode())
        if piece.size <= WHOLE:
            self.store.keep(f"{folder}/content", _content(piece))
        self._parts.append(self.store.put("problems", problems.with_columns(pl.lit(piece.sha256).alias("sha256"))))
        row = {"source": piece.source, "size": piece.size, "sha256": piece.sha256, "records": 0}
        return conform(SOURCES, pl.DataFrame([row]))


def _failed(store: Store) -> set[str]:
    """Return the hashes of files that failed before: they are tried again, because the bug may be fixed."""
    failed = store.scan()["problems"].filter(pl.col("code") == FAILED).select("sha256").collect()
    return set(failed["sha256"])


def _give_up(piece: Piece) -> Done:
    reason = "the worker that read it died; it may have been killed, or run out of memory"
    return Done(failures=(Failure(piece, f"{reason}\n", reason),))


def _content(piece: Piece) -> bytes:
    try:
        with open_piece(piece) as file:
            return file.read()
    except OSError:
        return b""


def _size_of(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
