"""One run: what is new among the files goes to the workers, and what they bring into the tables."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import polars as pl

from overtrick.archive.inputs import Piece, Unread, listed, pieces
from overtrick.archive.inputs import opened as opened_piece
from overtrick.archive.store import Part, Store
from overtrick.archive.work import WHOLE, Done, Failure, work
from overtrick.archive.workers import Workers, all_done
from overtrick.frames import PROBLEMS, SOURCES, conform, empty
from overtrick.problems import Finding, report_findings

TASK: Final = 16 * 1024 * 1024
"""Most bytes of files that a worker reads at a time; their rows are packed together."""

EACH: Final = 8
"""Tasks that each worker gets at least, where there are so many files: then all are done at about the same time."""

LEAST: Final = 2 * 1024 * 1024
"""Bytes of files below which a task is not made smaller for that: it costs a worker some time to begin."""

FILES: Final = 2000
"""Files that a worker reads at a time."""

COMMIT_SECONDS: Final = 5.0
"""What workers bring is put into the tables this often: each commit costs every later reader a little."""

FAILED: Final = "ingest-failed"


@dataclass
class Progress:
    """How far a run is: bytes of files in all, looked at and handed to workers; files and records taken in."""

    total: int
    looked_at: int = 0
    under_way: int = 0
    files: int = 0
    records: int = 0
    skipped: int = 0

    @property
    def dealt_with(self) -> int:
        """Bytes of files that need no more work."""
        return max(self.looked_at - self.under_way, 0)


@dataclass
class Outcome:
    """What a run came to: `problems` are those of files that are not in the archive, and of those that failed."""

    progress: Progress
    problems: pl.DataFrame = field(default_factory=lambda: empty(PROBLEMS))


Report = Callable[[Progress], None]


def ingest(store: Store, paths: Sequence[str], workers: Workers, report: Report = lambda _: None) -> Outcome:
    """Take files into an archive: those whose bytes it does not hold yet.

    A file whose bytes changed takes the place of the old one. One that can't be read is not taken in and is named in
    the outcome; one at which this program fails is taken in without rows, and kept in quarantine with the traceback.

    Args:
        store: the archive; its tables are made when they are not there.
        paths: files, folders (walked), zip and tar files.
        workers: who reads.
        report: told of the progress now and then.

    Raises:
        ArchiveError: the archive can't be written.
    """
    store.create()
    files = listed(paths)
    run = _Run(store, Progress(sum(_size_of(file) for file in files)), report)
    tasks = run.tasks(files, min(TASK, max(run.progress.total // (EACH * workers.count), LEAST)))
    while True:
        for files_done, done in all_done(workers, partial(work, store.uri, store.options), tasks, _given_up):
            run.take(files_done, done)
        run.commit()
        # Copies of a file that could not be read after all are read instead of it.
        again = run.orphaned_copies()
        if not again:
            break
        run.progress.under_way += sum(piece.size for piece in again)
        tasks = iter([(piece,) for piece in again])
    return Outcome(run.progress, findings(run.unread))


def findings(unread: Iterable[Unread]) -> pl.DataFrame:
    """List what could not be read as problems."""
    return pl.concat([empty(PROBLEMS), *(report_findings([one.finding], one.source) for one in unread)])


class _Run:
    """The state of a run."""

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
        """Put files that are new into tasks of up to `most` bytes: small ones together, a large one alone."""
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
            for piece in pieces(file):
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
        """Take what a worker brought; now and then, put it into the tables."""
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
        """Put into the tables what is there by now, with the copies of it."""
        ready = {sha: self._copies.pop(sha) for sha in list(self._copies) if sha in self._held}
        copies = {copy.source: copy for pieces_of_sha in ready.values() for copy in pieces_of_sha}
        sources = pl.concat([empty(SOURCES), *self._sources])
        if copies or not sources.is_empty():
            left = self.store.commit(sources, self._parts, {name: copy.sha256 for name, copy in copies.items()})
            for name in left:
                self._held.discard(copies[name].sha256)
                self._copies.setdefault(copies[name].sha256, []).append(copies[name])
            self.progress.files += len(copies) - len(left)
        self._sources, self._parts, self._committed = [], [], time.monotonic()

    def orphaned_copies(self) -> list[Piece]:
        """Give one copy of each content that was to be read elsewhere and was not."""
        return [copies.pop(0) for copies in self._copies.values() if copies]

    def _quarantined(self, failure: Failure) -> pl.DataFrame:
        """Keep a file that failed with its traceback, and name it in the tables."""
        piece = failure.piece
        folder = f"quarantine/{piece.sha256}"
        said = Finding(FAILED, values={"reason": failure.reason[:1000]})
        problems = report_findings([said], piece.source)
        self.unread.append(Unread(piece.source, said))
        self.store.keep(f"{folder}/traceback.txt", f"{piece.source}\n{failure.traceback}".encode())
        if piece.size <= WHOLE:
            self.store.keep(f"{folder}/content", _content(piece))
        self._parts.append(self.store.put("problems", problems.with_columns(pl.lit(piece.sha256).alias("sha256"))))
        row = {"source": piece.source, "size": piece.size, "sha256": piece.sha256, "records": 0}
        return conform(SOURCES, pl.DataFrame([row]))


def _failed(store: Store) -> set[str]:
    """List the bytes that failed before: they are tried again, since the program may have been mended."""
    failed = store.scan()["problems"].filter(pl.col("code") == FAILED).select("sha256").collect()
    return set(failed["sha256"])


def _given_up(piece: Piece) -> Done:
    reason = "the worker that read it died, as if killed or out of memory"
    return Done(failures=(Failure(piece, f"{reason}\n", reason),))


def _content(piece: Piece) -> bytes:
    try:
        with opened_piece(piece) as file:
            return file.read()
    except OSError:
        return b""


def _size_of(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
