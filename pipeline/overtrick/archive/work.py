"""What a worker does, on this machine or another: files in, data files of the tables out."""

import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final

import polars as pl

from overtrick.archive.inputs import Piece, Unread, digest_with, opened
from overtrick.archive.judge import judged, not_compared
from overtrick.archive.store import Part, Store
from overtrick.archive.tables import DATA, unplaced
from overtrick.assemble import each_alone
from overtrick.assemble.beside import read_corrections, shown
from overtrick.formats.read import read_source
from overtrick.formats.registry import HEAD, recognised
from overtrick.formats.small import Small
from overtrick.formats.sources import Source
from overtrick.frames import SOURCES, Session, dtypes, empty
from overtrick.problems import Finding, report_findings

WHOLE: Final = 64 * 1024 * 1024
"""Bytes up to which a file is one session. No club and no championship fills as much; collections do."""


FAULTS: Final = (Exception, pl.exceptions.PanicException)
"""What a mistake of this program or of a library raises; one file must not hold up the rest for it."""


@dataclass(frozen=True)
class Failure:
    """A file that this program could not read although it should."""

    piece: Piece
    traceback: str
    reason: str


@dataclass(frozen=True)
class Done:
    """What became of the files of a task.

    Attributes:
        sources: `frames.SOURCES` of those that were read.
        parts: data files with their rows.
        failures: files at which this program failed.
        unread: files that can't be read, or changed meanwhile.
    """

    sources: pl.DataFrame = field(default_factory=lambda: empty(SOURCES))
    parts: tuple[Part, ...] = ()
    failures: tuple[Failure, ...] = ()
    unread: tuple[Unread, ...] = ()


def work(uri: str, options: Mapping[str, str], files: tuple[Piece, ...]) -> Done:
    """Read, check and score some files, and write their rows to data files of the archive.

    A file that fails is left out, whatever it raises; what can't be written raises.
    """
    store = Store(uri, options)
    corrected = [piece for piece in files if piece.corrections]
    if corrected and len(files) > 1:
        others = tuple(piece for piece in files if not piece.corrections)
        return _merged([work(uri, options, some) for some in (others, *((piece,) for piece in corrected)) if some])
    if len(files) == 1 and files[0].size > WHOLE:
        return _large(store, files[0])
    parts: list[Session | Small] = []
    failures: list[Failure] = []
    unread: list[Unread] = []
    for piece in files:
        try:
            parts += _read(piece)
        except (_ChangedError, OSError) as error:
            unread.append(_unread(piece, error))
        except FAULTS as error:
            failures.append(failure(piece, error))
    if not parts:
        return Done(failures=tuple(failures), unread=tuple(unread))
    try:
        session = _corrected(each_alone(parts), files[0]) if corrected else judged(each_alone(parts))
    except FAULTS as error:
        if len(files) == 1:
            return Done(failures=(failure(files[0], error),))
        return _merged([work(uri, options, (piece,)) for piece in files])
    return Done(session.sources, tuple(_written(store, session)), tuple(failures), tuple(unread))


def failure(piece: Piece, error: BaseException) -> Failure:
    """Take down what was raised for a file."""
    said = traceback.format_exception_only(error)[-1].strip()
    return Failure(piece, "".join(traceback.format_exception(error)), said)


class _ChangedError(Exception):
    """A file has other bytes than when it was listed."""


def _unread(piece: Piece, error: _ChangedError | OSError) -> Unread:
    if isinstance(error, _ChangedError):
        return Unread(piece.source, Finding("ingest-changed"))
    return Unread(piece.source, Finding("file-unreadable", values={"reason": error.strerror or str(error)}))


def _parts(piece: Piece) -> Iterator[Session | Small]:
    with opened(piece) as file:
        source = Source(file)
        yield from read_source(source, piece.source)
        if digest_with(source.sha256, piece.corrections) != piece.sha256:
            raise _ChangedError


def _read(piece: Piece) -> list[Session | Small]:
    return list(_parts(piece))


def _large(store: Store, piece: Piece) -> Done:
    """Read a file part by part; its results are not compared with one another."""
    written: list[Part] = []
    sources = empty(SOURCES)
    records = 0
    found = [Finding("ingest-not-compared")]
    if piece.corrections:
        found.append(Finding("correction-left-out", values={"source_file": piece.source}))
    said = report_findings(found, piece.source)
    about = {"source": piece.source, "sha256": piece.sha256}
    parts = _parts(piece)
    while True:
        try:
            row = pl.DataFrame([{**about, "format": _form(piece)}], schema=dtypes(SOURCES))
            part = next(parts, None)
            session = not_compared(each_alone([part])) if part else None
        except (_ChangedError, OSError) as error:
            return Done(unread=(_unread(piece, error),))
        except FAULTS as error:
            return Done(failures=(failure(piece, error),))
        if not session:
            return Done(sources, tuple(written))
        problems = pl.concat([said, session.problems])
        written += _written(store, replace(session, sources=row, problems=problems), records)
        records += session.records.height
        said, sources = said.clear(), session.sources


def _corrected(session: Session, piece: Piece) -> Session:
    """Apply the corrections of a file, check it and score it; its rows belong to the bytes of both."""
    from overtrick.correct import correct  # noqa: PLC0415 - few files have corrections

    session, rulings = correct(session, [read_corrections(Path(piece.corrections))])
    session = judged(session, rulings)
    # The tables know no corrections files: what is wrong with one is told of the file that it corrects.
    own = pl.col("source") == shown(piece.corrections)
    where = pl.format("{}:{}: ", "source", pl.col("line").fill_null(1))
    told = session.problems.with_columns(
        pl.when(own).then(where + pl.col("message")).otherwise("message").alias("message"),
        pl.when(own).then(pl.lit(piece.source)).otherwise("source").alias("source"),
        *(pl.when(~own.fill_null(value=False)).then(name).alias(name) for name in ("line", "column")),
    )
    return replace(session, problems=told, sources=session.sources.with_columns(pl.lit(piece.sha256).alias("sha256")))


@cache
def _form(piece: Piece) -> str:
    """Say what a file of text is, which its row of `sources` tells only with the last part."""
    with opened(piece) as file:
        known = recognised(file.read(HEAD))
    return known.name if known else "pbn"


def _written(store: Store, session: Session, records: int = 0) -> Iterator[Part]:
    """Write the rows of a session; records are numbered from `records` in each file, whatever stood before it."""
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


def _merged(done: list[Done]) -> Done:
    return Done(
        pl.concat([one.sources for one in done]),
        tuple(part for one in done for part in one.parts),
        tuple(failed for one in done for failed in one.failures),
        tuple(left for one in done for left in one.unread),
    )
