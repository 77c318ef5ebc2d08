"""Which of the files to ingest are one evening, by the rule of `assemble.together`.

Only files of one folder, or of one folder in a container, are looked at together: many folders of an archive hold a
`results.xml`. The archive knows an evening of several files by the hash of their bytes.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final, Protocol

import polars as pl

from overtrick.archive.inputs import OF_EVENING, Piece
from overtrick.archive.work import FAULTS, WHOLE, read_piece
from overtrick.assemble import keep_apart
from overtrick.assemble.together import Held, group_files, list_held

if TYPE_CHECKING:
    from overtrick.formats.small import Small
    from overtrick.frames import Session

_HASH: Final = 16
"""How many digits of the hash of an evening the archive keeps. It only tells the evenings of one file apart."""


class Look(Protocol):
    """Returns by file what some files hold, as `look` does."""

    def __call__(self, pieces: Sequence[Piece], *, closely: bool) -> Mapping[str, Held]:
        """Look at files, closely or not."""


def look(files: tuple[Piece, ...], *, closely: bool = False) -> tuple[Held, ...]:
    """Return what files hold, without those that can't be read: these belong to none.

    Args:
        files: to be read together.
        closely: whether to find `people` and `outcomes` too. That takes longer.
    """
    parts: list[Session | Small] = []
    try:
        for piece in files:
            parts += read_piece(piece)
        held = list_held(keep_apart(parts))
    except (*FAULTS, OSError):
        return _look_at_each(files, closely=closely) if len(files) > 1 else ()
    if not closely:
        return tuple(replace(one, outcomes=dict) for one in held)
    if len(files) > 1:
        # Whom only a table names is known only of a file that is read alone.
        alone = {one.source for one in held if not one.people}
        again = _look_at_each([piece for piece in files if piece.source in alone], closely=True)
        held = [*(one for one in held if one.source not in alone), *again]
    return tuple(replace(one, outcomes=partial(dict, one.outcomes())) for one in held)


def _look_at_each(files: Sequence[Piece], *, closely: bool) -> tuple[Held, ...]:
    return tuple(chain.from_iterable(look((piece,), closely=closely) for piece in files))


def join_evenings(pieces: Sequence[Piece], look_at: Look) -> list[Piece]:
    """Return files with `Piece.evening` filled, those of one evening one after the other.

    Args:
        pieces: whole folders.
        look_at: called only for files that may belong together.
    """
    folders: dict[str, list[Piece]] = {}
    for piece in pieces:
        folders.setdefault(piece.folder, []).append(piece)
    asked = [piece for files in folders.values() if len(files) > 1 for piece in files if piece.size <= WHOLE]
    held = dict(look_at(asked, closely=False)) if asked else {}
    alike = {
        name for files in folders.values() for name in _alike([held[one.source] for one in files if one.source in held])
    }
    held |= look_at([piece for piece in asked if piece.source in alike], closely=True) if alike else {}
    return [piece for files in folders.values() for piece in _join_folder(files, held)]


def _alike(files: Iterable[Held]) -> set[str]:
    """Return the files of a folder whose people and results decide whether they are parts of one evening."""
    facts = [(file, day, event) for file in files if file.results for day in file.dates for event in file.events]
    rows = {"source": [file.source for file, *_ in facts], "name": [file.name for file, *_ in facts]}
    stated = pl.DataFrame({**rows, "day": [day for _, day, _ in facts], "event": [event for *_, event in facts]})
    several = pl.col("name").n_unique().over("day", "event") > 1
    return set(stated.filter(several)["source"]) if facts else set()


def _join_folder(pieces: Sequence[Piece], held: Mapping[str, Held]) -> Iterable[Piece]:
    known = [held[piece.source] for piece in pieces if piece.source in held]
    of_source = {piece.source: piece for piece in pieces}
    for group in _group_folder(known):
        yield from _label([of_source.pop(file.source) for file in group])
    yield from of_source.values()


def _label(files: Sequence[Piece]) -> Sequence[Piece]:
    """Return the files of an evening with its hash; files of one evening must fit in memory."""
    bytes_of = list(dict.fromkeys(piece.sha256 for piece in files))
    if len(bytes_of) == 1 or sum(piece.size for piece in files) > WHOLE:
        return files
    evening = hashlib.sha256("\n".join(bytes_of).encode()).hexdigest()[:_HASH]
    return [replace(piece, evening=evening) for piece in files]


def _group_folder(files: Sequence[Held]) -> list[list[Held]]:
    """Return the files of each evening in a folder, as `group_files` does, in a time in proportion to their number."""
    groups = [group for linked in _link(files) for group in group_files(linked, given=False)]
    # Deals that nothing else links to an evening belong to the only one that there is.
    one = sum(any(file.results for file in group) for group in groups) == 1
    return group_files(files, given=False) if one else groups


def _link(files: Sequence[Held]) -> list[list[Held]]:
    """Return the files that have a name, or a day and an event, in common with others, directly or through these."""
    days_of_deals = {day for file in files if not file.results for day in file.dates}
    linked: dict[object, list[Held]] = {}
    for file in files:
        events = [(day, event) for day in file.dates for event in file.events] if file.results else []
        keys: list[object] = [file.name, *events, *((day,) for day in file.dates & days_of_deals)]
        met = {id(linked[key]): linked[key] for key in keys if key in linked}
        whole = [*chain.from_iterable(met.values()), file]
        of_files = {key for key, group in linked.items() if id(group) in met} if len(met) > 1 else set()
        if len(met) == 1:
            (whole,) = met.values()
            whole.append(file)
        for key in {*keys, *of_files}:
            linked[key] = whole
    place = {file.source: number for number, file in enumerate(files)}
    groups = {id(group): group for group in linked.values()}.values()
    return [sorted(group, key=lambda file: place[file.source]) for group in groups]


def is_unchanged(pieces: Sequence[Piece], stored: Mapping[str, str]) -> bool:
    """Return whether the archive holds all of some files, as they are.

    Args:
        pieces: the files of a folder.
        stored: by file, `sha256` in the archive.
    """
    return all(stored.get(piece.source, "").partition(OF_EVENING)[0] == piece.sha256 for piece in pieces)
