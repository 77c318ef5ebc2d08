"""The one entrance for files: open them, recognise their formats, and yield what each one holds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, Final

import polars as pl

from overtrick.formats.base import Reading
from overtrick.formats.pbn.read import small as pbn_small
from overtrick.formats.pbn.read.reader import read_pbn
from overtrick.formats.registry import HEAD, recognised
from overtrick.formats.small import LONGEST, MOST_TOGETHER, Small, joined, read_small
from overtrick.formats.sources import Source, files_of, opened
from overtrick.formats.text import BLOCK, Coding, TextBlock, coding, text_blocks
from overtrick.frames import SOURCES, Session, dtypes
from overtrick.machine import no_garbage_collection
from overtrick.problems import Finding, report_findings

_SMALL: Final = {"lin", "pbn"}
"""Formats whose small files are read together."""


def read_source(source: Source, name: str) -> Iterator[Session | Small]:
    """Read one open file, as parts of whole games that `assemble.each_alone` puts together; its row of `sources` comes last.

    A small file may be left to be read with others.

    Raises:
        OSError: it can't be read.
    """
    parts = _read_text(source, name, verified=False)
    while True:
        with no_garbage_collection():
            part = next(parts, None)
        if part is None:
            return
        yield part


def readings(paths: Sequence[str], *, verified: bool) -> Iterator[Session]:
    """Read files, folders (walked, in the order of their names) or `-` for standard input, one after the other.

    Args:
        paths: what to read.
        verified: whether to check files against the standard of their format too, as `overtrick check` does.

    Yields:
        Parts of whole games, as sessions in which nothing is joined yet. The row of `sources` comes with the last part
        of its file. A path that cannot be read is a problem like any other.
    """
    files = (file for path in paths for file in files_of(path))
    return with_small_read(part for file in files for part in _read_source(file, verified=verified))


def with_small_read(parts: Iterable[Session | Small]) -> Iterator[Session]:
    """Read the small files among parts, as many together as stand side by side."""
    small: list[Small] = []
    for piece in parts:
        if small and not _goes_with(small, piece):
            yield _read_together(small)
            small = []
        if isinstance(piece, Session):
            yield piece
        else:
            small.append(piece)
    if small:
        yield _read_together(small)


def _goes_with(files: list[Small], piece: Session | Small) -> bool:
    """Say whether a file can be read together with others."""
    if isinstance(piece, Session) or len(files) == MOST_TOGETHER:
        return False
    return piece.form == files[0].form and sum(len(file.content) for file in files) < BLOCK


def _read_small_by(form: str) -> tuple[Callable[[str], bool], Callable[[Sequence[Small]], Reading]]:
    """Give what says which small files of a format can be read together, and what reads them as one text."""
    if form == "pbn":
        return pbn_small.stands_alone, pbn_small.read_games
    from overtrick.formats.lin.read import small as lin_small  # noqa: PLC0415 - most files are PBN, and don't need it
    from overtrick.formats.lin.read.reader import read_lin  # noqa: PLC0415

    return lin_small.stands_alone, lambda files: read_lin(joined(files))


def _read_together(files: Sequence[Small]) -> Session:
    _, read = _read_small_by(files[0].form)
    reading, records = read_small(files, read)
    rows = [{**file.about, "records": count} for file, count in zip(files, records, strict=True)]
    frames = {field.name: getattr(reading, field.name) for field in fields(reading)}
    return Session(**frames, sources=pl.DataFrame(rows, schema=dtypes(SOURCES)))


def _read_source(path: str, *, verified: bool) -> Iterator[Session | Small]:
    """Read one file; its row of `sources` comes with the last part. A small one may be left to be read with others."""
    # A file name need not be Unicode, and a frame's text must be.
    name = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        with opened(path) as source:
            yield from _read_text(source, name, verified=verified)
    except IsADirectoryError:
        yield _unread(name, Finding("folder-no-files", line=1, column=1))
    except OSError as error:
        yield _unread(name, Finding("file-unreadable", 1, 1, values={"reason": error.strerror or str(error)}))


def _read_text(source: Source, name: str, *, verified: bool) -> Iterator[Session | Small]:
    known = recognised(source.first()[:HEAD])
    if known and known.read:
        reading = known.read(b"".join(source.blocks()))
        yield replace(
            _named(reading, name), sources=_about(source, name, form=known.name, records=len(reading.records))
        )
        return
    found = coding(source.look())
    if isinstance(found, Finding):
        # What is no text is known before its end.
        for _ in source.blocks():
            pass
        yield replace(_unread(name, found), sources=_about(source, name))
        return
    text = text_blocks(source.blocks(), found.encoding)
    form = known.name if known else "pbn"
    if form in _SMALL and source.size <= LONGEST:
        blocks = list(text)
        if len(blocks) == 1 and _read_small_by(form)[0](blocks[0].content):
            yield _small(_row(source, name, form=form, encoding=found.encoding), blocks[0], found, verified=verified)
            return
        text = iter(blocks)
    if known and known.read_text:
        readings = known.read_text(text)
    else:
        readings = read_pbn(text, encoding=found.encoding, verified=verified)
    held = Session(problems=report_findings(found.findings, name))
    records = 0
    for reading in readings:
        if len(held.records):
            yield held
            held = Session()
        part = _named(reading, name)
        before = [key for key in ("items", "problems") if len(getattr(held, key))]
        held = replace(part, **{key: pl.concat([getattr(held, key), getattr(part, key)]) for key in before})
        records += len(part.records)
    yield replace(held, sources=_about(source, name, form=form, encoding=found.encoding, records=records))


def _small(about: dict[str, Any], text: TextBlock, found: Coding, *, verified: bool) -> Small:
    findings = list(found.findings)
    if verified and about["format"] == "pbn":
        findings += pbn_small.about_lines(text, found.encoding)
    # An empty line ends a game of PBN, and is nothing in LIN.
    return Small(about, f"{text.content}\n", tuple(findings), verified=verified, line_end=text.line_end)


def _unread(name: str, finding: Finding) -> Session:
    return Session(problems=report_findings([finding], name))


def _about(
    source: Source, name: str, *, form: str | None = None, encoding: str | None = None, records: int = 0
) -> pl.DataFrame:
    row = _row(source, name, form=form, encoding=encoding)
    return pl.DataFrame([{**row, "records": records}], schema=dtypes(SOURCES))


def _row(source: Source, name: str, *, form: str | None, encoding: str | None) -> dict[str, Any]:
    about = {"source": name, "format": form, "encoding": encoding}
    return {**about, "size": source.size, "sha256": source.sha256}


def _named(reading: Reading, name: str) -> Session:
    """Name the source in every frame of a reading."""
    frames = {
        field.name: frame.with_columns(pl.lit(name).alias("source")) if "source" in frame.columns else frame
        for field in fields(reading)
        for frame in [getattr(reading, field.name)]
    }
    return Session(**frames)
