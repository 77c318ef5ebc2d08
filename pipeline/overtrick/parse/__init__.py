"""Text to frames. One module or package a format; `read` opens the files and puts them together."""

import gc
import hashlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import polars as pl

from overtrick.frames import SOURCES, Session, dtypes, empty
from overtrick.parse.formats import FORMATS, recognised
from overtrick.parse.gather import gather
from overtrick.parse.join import join_boards
from overtrick.parse.pbn.reader import read_pbn
from overtrick.parse.reading import Reading
from overtrick.parse.text import decode
from overtrick.problems import Finding, findings_frame

SUFFIXES = (".pbn", *(suffix for known in FORMATS for suffix in known.suffixes))
"""Names that a walked folder gives up; a file that is named itself is read whatever its name."""

STDIN = "-"


def read(paths: Sequence[str], *, verified: bool = False) -> Session:
    """Read files, folders (walked, in the order of their names) or `-` for standard input into one session.

    Args:
        paths: what to read.
        verified: whether files are held against the standard of their format too, as `overtrick check` does.

    Returns:
        The session with `sources`, `items`, `records`, `annotations`, `results`, `contestants`, `problems` and `facts`.
        A path that can't be read is a problem like any other.
    """
    session = Session()
    with _no_garbage_collection():
        parts = [_read_source(source, verified=verified) for path in paths for source in _sources(path)]
    return join_boards(gather(_joined(parts))) if parts else session


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Reading makes many objects and no cycles: looking for cycles only costs time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _sources(path: str) -> list[str]:
    """List the files that a path stands for; a folder without any stands for itself, and is reported."""
    folder = Path(path)
    if path == STDIN or not folder.is_dir():
        return [path]
    files = sorted(str(file) for file in folder.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    return files or [path]


def _read_source(path: str, *, verified: bool) -> Session:
    # A file name need not be Unicode, and a frame's text must be.
    source = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        data = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except IsADirectoryError:
        return _unread(source, Finding("file-no-games", line=1, column=1))
    except OSError as error:
        return _unread(source, Finding("file-unreadable", 1, 1, values={"reason": error.strerror or str(error)}))
    known = recognised(data)
    if known:
        reading = known.read(data)
        return _placed(reading, source, _about(source, data, form=known.name, records=len(reading.records)))
    text = decode(data)
    if isinstance(text, Finding):
        return _unread(source, text, data)
    reading = read_pbn(text.content, encoding=text.encoding, verified=verified)
    about = _about(source, data, form="pbn", encoding=text.encoding, records=len(reading.records))
    return _placed(reading, source, about, text.findings)


def _unread(source: str, finding: Finding, data: bytes | None = None) -> Session:
    about = empty(SOURCES) if data is None else _about(source, data)
    return Session(sources=about, problems=findings_frame([finding], source))


def _about(
    source: str, data: bytes, *, form: str | None = None, encoding: str | None = None, records: int = 0
) -> pl.DataFrame:
    row = {
        "source": source,
        "format": form,
        "encoding": encoding,
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "records": records,
    }
    return pl.DataFrame([row], schema=dtypes(SOURCES))


def _placed(reading: Reading, source: str, about: pl.DataFrame, findings: Sequence[Finding] = ()) -> Session:
    """Name the source in every frame of a reading."""
    named = {
        field.name: frame.with_columns(pl.lit(source).alias("source")) if "source" in frame.columns else frame
        for field in fields(reading)
        for frame in [getattr(reading, field.name)]
    }
    problems = pl.concat([findings_frame(findings, source), named.pop("problems")])
    return Session(sources=about, problems=problems, **named)


def _joined(parts: list[Session]) -> Session:
    """Put the sessions of several files together; records are numbered on through all of them."""
    if len(parts) == 1:
        return parts[0]
    offset = 0
    frames: dict[str, Any] = {}
    for part in parts:
        for field in fields(part):
            frame = getattr(part, field.name)
            if isinstance(frame, pl.DataFrame):
                moved = frame.with_columns(pl.col("record") + offset) if "record" in frame.columns else frame
                frames.setdefault(field.name, []).append(moved)
        offset += len(part.records)
    return replace(Session(), **{name: pl.concat(group) for name, group in frames.items()})
