"""Readings to sessions: which results, deals and contestants of which files belong together.

`read` is what most callers want: files in, one session out. `assemble` is the stage itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, Final

import polars as pl

from overtrick.assemble.gather import gather
from overtrick.assemble.join import join_boards
from overtrick.formats.contestants import together
from overtrick.formats.read import read_files, with_small_read
from overtrick.formats.small import Small
from overtrick.formats.text import BLOCK
from overtrick.frames import Session
from overtrick.machine import no_garbage_collection

TOGETHER: Final = 4 * BLOCK
"""Bytes of whole files that `read_in_parts` puts into one part."""


def read(paths: Sequence[str], *, verified: bool = False, by_file: bool = False) -> Session:
    """Read files, folders (walked, in the order of their names) or `-` for standard input into one session.

    Args:
        paths: what to read.
        verified: whether files are held against the standard of their format too, as `overtrick check` does.
        by_file: whether each file of results is a session of its own (`join.join_boards`).

    Returns:
        The session with `sources`, `items`, `records`, `annotations`, `results`, `contestants`, `problems` and `facts`.
        A path that can't be read is a problem like any other.
    """
    with no_garbage_collection():
        return assemble(list(read_files(paths, verified=verified)), by_file=by_file)


def read_in_parts(paths: Sequence[str], *, verified: bool = False, by_file: bool = False) -> Iterator[Session]:
    """Read the same as `read`, as sessions one after the other that together hold it, in bounded memory.

    Small files come together, `TOGETHER` bytes of them, a file never apart; a larger file alone, in parts of whole
    games. `record` counts from 0 in each part; only the row of `sources` in a file's last part has its size.
    """
    held: list[Session] = []
    size = 0
    for part in read_files(paths, verified=verified):
        with no_garbage_collection():
            held.append(part)
            ended = len(part.sources) > 0 and part.sources["size"].null_count() == 0
            size += int(part.sources["size"].sum()) if ended else TOGETHER
            if size >= TOGETHER:
                yield assemble(held, by_file=by_file)
                held, size = [], 0
    if held:
        yield assemble(held, by_file=by_file)


def each_alone(parts: Iterable[Session | Small]) -> Session:
    """Put parts of files into one session in which every file stands by itself: nothing is joined by board."""
    with no_garbage_collection():
        return gather(_joined(list(with_small_read(parts))))


def assemble(parts: list[Session], *, by_file: bool = False) -> Session:
    """Put what files hold together into one session.

    Args:
        parts: as `formats.read.read_files` yields them.
        by_file: whether each file of results is a session of its own (`join.join_boards`).
    """
    return join_boards(gather(_joined(parts)), by_file=by_file)


def _joined(parts: list[Session]) -> Session:
    """Put sessions together; records are numbered on through all of them."""
    if len(parts) == 1:
        return parts[0]
    offset = 0
    frames: dict[str, Any] = {field.name: [] for field in fields(Session) if field.name != "facts"}
    for part in parts:
        for name, group in frames.items():
            frame = getattr(part, name)
            group.append(frame.with_columns(pl.col("record") + offset) if "record" in frame.columns else frame)
        offset += len(part.records)
    # One chunk a column: polars panics where it formats a column of which a filter leaves a chunk empty.
    whole = Session(**{name: pl.concat(group, rechunk=True) for name, group in frames.items() if group})
    # Of a file in parts the last row alone is whole.
    known = whole.sources.filter(pl.col("size").is_not_null() | pl.struct("source").is_last_distinct())
    return replace(whole, sources=known, contestants=together(whole.contestants))
