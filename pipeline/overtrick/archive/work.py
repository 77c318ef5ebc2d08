"""The work of one worker, on this machine or another: files in, data files of the tables out."""

import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import polars as pl

from overtrick.archive.inputs import Piece, Unread, digest_with, open_piece
from overtrick.archive.judge import judge_files, judge_part
from overtrick.archive.store import Part, Store
from overtrick.archive.tables import DATA, unplaced
from overtrick.assemble import keep_apart
from overtrick.assemble.beside import read_corrections, show_path
from overtrick.formats.read import read_source
from overtrick.formats.small import Small
from overtrick.formats.sources import Source
from overtrick.frames import SOURCES, Session, empty
from overtrick.problems import Finding, report_findings

WHOLE: Final = 64 * 1024 * 1024
"""The most bytes of a file that is one session. No club and no championship fills as much; collections do."""


FAULTS: Final = (Exception, pl.exceptions.PanicException)
"""The exceptions that bugs in overtrick or a library raise. A file that triggers one must not stop the others."""


@dataclass(frozen=True)
class Failure:
    """A file that overtrick should be able to read, but could not."""

    piece: Piece
    traceback: str
    reason: str


@dataclass(frozen=True)
class Done:
    """The outcome of a task.

    Attributes:
        sources: the files that were read, as `frames.SOURCES`.
        parts: data files with their rows.
        failures: files on which overtrick failed.
        unread: files that can't be read, or that changed in the meantime.
    """

    sources: pl.DataFrame = field(default_factory=lambda: empty(SOURCES))
    parts: tuple[Part, ...] = ()
    failures: tuple[Failure, ...] = ()
    unread: tuple[Unread, ...] = ()


def work(uri: str, options: Mapping[str, str], files: tuple[Piece, ...]) -> Done:
    """Read, check and score some files, and write their rows to data files of the archive.

    A file that fails is left out, whatever it raises.

    Raises:
        ArchiveError: a data file can't be written.
    """
    store = Store(uri, options)
    corrected = [piece for piece in files if piece.corrections]
    if corrected and len(files) > 1:
        others = tuple(piece for piece in files if not piece.corrections)
        return _merge([work(uri, options, some) for some in (others, *((piece,) for piece in corrected)) if some])
    if len(files) == 1 and files[0].size > WHOLE:
        return _read_large(store, files[0])
    parts: list[Session | Small] = []
    failures: list[Failure] = []
    unread: list[Unread] = []
    for piece in files:
        try:
            parts += _read(piece)
        except (_ChangedError, OSError) as error:
            unread.append(_unread(piece, error))
        except FAULTS as error:
            failures.append(describe_failure(piece, error))
    if not parts:
        return Done(failures=tuple(failures), unread=tuple(unread))
    try:
        session = _correct(keep_apart(parts), files[0]) if corrected else judge_files(keep_apart(parts))
    except FAULTS as error:
        if len(files) == 1:
            return Done(failures=(describe_failure(files[0], error),))
        return _merge([work(uri, options, (piece,)) for piece in files])
    return Done(session.sources, tuple(_write(store, session)), tuple(failures), tuple(unread))


def describe_failure(piece: Piece, error: BaseException) -> Failure:
    """Return the failure of a file, with what was raised."""
    reason = traceback.format_exception_only(error)[-1].strip()
    return Failure(piece, "".join(traceback.format_exception(error)), reason)


class _ChangedError(Exception):
    """A file has changed since it was listed."""


def _unread(piece: Piece, error: _ChangedError | OSError) -> Unread:
    if isinstance(error, _ChangedError):
        return Unread(piece.source, Finding("ingest-changed"))
    return Unread(piece.source, Finding("file-unreadable", values={"reason": error.strerror or str(error)}))


def _read_parts(piece: Piece) -> Iterator[Session | Small]:
    with open_piece(piece) as file:
        source = Source(file)
        yield from read_source(source, piece.source)
        if digest_with(source.sha256, piece.corrections) != piece.sha256:
            raise _ChangedError


def _read(piece: Piece) -> list[Session | Small]:
    return list(_read_parts(piece))


def _read_large(store: Store, piece: Piece) -> Done:
    """Read a file part by part. Its results are not compared with one another."""
    written: list[Part] = []
    sources = empty(SOURCES)
    records = 0
    found = [Finding("ingest-not-compared")]
    if piece.corrections:
        found.append(Finding("correction-left-out", values={"source_file": piece.source}))
    problems = report_findings(found, piece.source)
    parts = _read_parts(piece)
    while True:
        try:
            part = next(parts, None)
            session = judge_part(keep_apart([part])) if part else None
        except (_ChangedError, OSError) as error:
            return Done(unread=(_unread(piece, error),))
        except FAULTS as error:
            return Done(failures=(describe_failure(piece, error),))
        if not session:
            return Done(sources, tuple(written))
        named = session.sources.with_columns(pl.lit(piece.sha256).alias("sha256"))
        every = pl.concat([problems, session.problems])
        written += _write(store, replace(session, sources=named, problems=every), records)
        records += session.records.height
        # Only the first part carries the problem of the whole file.
        problems, sources = problems.clear(), session.sources


def _correct(session: Session, piece: Piece) -> Session:
    """Apply the corrections of a file, check it and score it; its rows belong to the bytes of both."""
    from overtrick.correct import correct  # noqa: PLC0415 - few files have corrections

    session, rulings = correct(session, [read_corrections(Path(piece.corrections))])
    session = judge_files(session, rulings)
    # The tables have no corrections files: their problems become those of the file that they correct.
    own = (pl.col("source") == show_path(piece.corrections)).fill_null(value=False)
    where = pl.format("{}:{}: ", "source", pl.col("line").fill_null(1))
    problems = session.problems.with_columns(
        pl.when(own).then(where + pl.col("message")).otherwise("message").alias("message"),
        pl.when(own).then(pl.lit(piece.source)).otherwise("source").alias("source"),
        *(pl.when(~own).then(name).alias(name) for name in ("line", "column")),
    )
    sources = session.sources.with_columns(pl.lit(piece.sha256).alias("sha256"))
    return replace(session, problems=problems, sources=sources)


def _write(store: Store, session: Session, records: int = 0) -> Iterator[Part]:
    """Write the rows of a session. In each file the records are numbered from `records`, regardless of other files."""
    content = session.sources.select("source", "sha256")
    first = session.records.group_by("source").agg(pl.col("record").min().alias("first"))
    files = content.join(first, on="source", how="left", maintain_order="left")
    source_of = session.records.select("record", "source")
    for table in DATA:
        rows: pl.DataFrame = unplaced(session) if table == "items" else getattr(session, table)
        if rows.is_empty():
            continue
        if "source" not in rows.columns:
            rows = rows.join(source_of, on="record", how="left", maintain_order="left")
        own = rows.join(files, on="source", how="left", maintain_order="left")
        yield store.put(table, own.with_columns(pl.col("record") - pl.col("first") + records))


def _merge(done: list[Done]) -> Done:
    return Done(
        pl.concat([one.sources for one in done]),
        tuple(part for one in done for part in one.parts),
        tuple(failed for one in done for failed in one.failures),
        tuple(left for one in done for left in one.unread),
    )
