"""Which of the files to ingest are one evening, by the rule of `assemble.together`.

Only files of one folder, or of one folder in a container, are looked at together: many folders of an archive hold a
`results.xml`. The archive knows an evening of several files by the hash of their bytes.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from overtrick.apps.archive.inputs import OF_EVENING, Piece
from overtrick.apps.archive.work import FAULTS, WHOLE, pack, read_piece, unpack
from overtrick.core.frames import Session
from overtrick.core.words import spoken
from overtrick.files.assemble import keep_apart
from overtrick.files.assemble.together import Held, Outcomes, People, group_files, list_held, list_people

if TYPE_CHECKING:
    from overtrick.core.config import Config
    from overtrick.files.formats.base import Small

_HASH: Final = 16
"""How many digits of the hash of an evening the archive keeps. It only tells the evenings of one file apart."""


_BITS: Final = 1024
"""The numbers of boards in a word of `Boards`."""


class Boards(AbstractSet[int]):
    """Numbers of boards, with a bit for each: a folder may hold thousands of files with thousands of boards.

    For example 1, 3 and 1030 are the bits 1 and 3 of word 0 and the bit 6 of word 1: `{0: 0b1010, 1: 0b1000000}`.
    """

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        """Take numbers in any order."""
        self.words: dict[int, int] = {}
        for number in numbers:
            word, bit = divmod(number, _BITS)
            self.words[word] = self.words.get(word, 0) | 1 << bit

    def __contains__(self, number: object) -> bool:
        """Return whether a number is one of them."""
        return isinstance(number, int) and bool(self.words.get(number // _BITS, 0) >> number % _BITS & 1)

    def __iter__(self) -> Iterator[int]:
        """Yield each number once."""
        for word, bits in self.words.items():
            yield from (word * _BITS + bit for bit in range(bits.bit_length()) if bits >> bit & 1)

    def __len__(self) -> int:
        """Return how many there are."""
        return sum(map(int.bit_count, self.words.values()))

    def isdisjoint(self, other: Iterable[Any]) -> bool:
        """Return whether no number is in both."""
        if isinstance(other, Boards):
            return not any(bits & other.words.get(word, 0) for word, bits in self.words.items())
        return super().isdisjoint(other)


Look = Callable[[Sequence[Piece]], Mapping[str, Held]]
"""Returns by file what some files hold, as `look` does."""


def look(settings: "Config", files: tuple[Piece, ...], *, folder: str = "") -> tuple[Held, ...]:
    """Return what files hold, without those that can't be read: these belong to none.

    Args:
        settings: the club's.
        files: to be read together.
        folder: where their results wait until they are compared with others; empty to keep them in memory.
    """
    parts: list[Session | Small] = []
    listed: dict[str, People] = {}
    try:
        with spoken(settings.words()):
            for piece in files:
                read = read_piece(piece)
                parts += read
                # Put together with others, it no longer shows which file they are of.
                tables = (part.contestants for part in read if isinstance(part, Session))
                listed[piece.source] = frozenset[tuple[str, str]]().union(*map(list_people, tables))
            read_files = list_held(keep_apart(parts), listed)
    except (*FAULTS, OSError):
        alone = (look(settings, (piece,), folder=folder) for piece in files if len(files) > 1)
        return tuple(chain.from_iterable(alone))
    small = (replace(file, played=Boards(file.played), dealt=Boards(file.dealt)) for file in read_files)
    return tuple(put_results_aside(file, folder) if folder else file for file in small)


def put_results_aside(file: Held, folder: str) -> Held:
    """Return what a file holds, with its results on disk: few files are compared by them, and there may be millions."""
    if not file.results:
        return file
    name = hashlib.sha256(file.source.encode("utf-8", "replace")).hexdigest()
    place = Path(folder) / f"{name}.results"
    try:
        place.write_bytes(pack(file.outcomes()))
    except OSError:
        return file
    return replace(file, outcomes=partial(_read_results, place))


def _read_results(place: Path) -> Outcomes:
    results: Outcomes = unpack(place.read_bytes())
    return results


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
    seen = look_at(asked) if asked else {}
    return [piece for files in folders.values() for piece in _join_folder(files, seen)]


def _join_folder(pieces: Sequence[Piece], seen: Mapping[str, Held]) -> Iterable[Piece]:
    known = [seen[piece.source] for piece in pieces if piece.source in seen]
    of_source = {piece.source: piece for piece in pieces}
    for group in group_files(known, given=False):
        yield from _label([of_source.pop(file.source) for file in group])
    yield from of_source.values()


def _label(files: Sequence[Piece]) -> Sequence[Piece]:
    """Return the files of an evening with its hash; files of one evening must fit in memory."""
    bytes_of = list(dict.fromkeys(piece.sha256 for piece in files))
    if len(bytes_of) == 1 or sum(piece.size for piece in files) > WHOLE:
        return files
    evening = hashlib.sha256("\n".join(bytes_of).encode()).hexdigest()[:_HASH]
    return [replace(piece, evening=evening) for piece in files]


def is_unchanged(pieces: Sequence[Piece], stored: Mapping[str, str]) -> bool:
    """Return whether the archive holds all of some files, as they are.

    Args:
        pieces: the files of a folder.
        stored: by file, `sha256` in the archive.
    """
    return all(stored.get(piece.source, "").partition(OF_EVENING)[0] == piece.sha256 for piece in pieces)
