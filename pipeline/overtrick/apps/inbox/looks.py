"""The content of a season's files, remembered from one run to the next, and the sessions that they make."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, Final

from overtrick.core.frames import Session
from overtrick.files.assemble import assemble, read
from overtrick.files.assemble.beside import show_path
from overtrick.files.assemble.together import Held, Outcomes, group_files, list_held, list_outcomes, name_of_evening
from overtrick.files.formats.read import read_each

_SETS: Final = ("dates", "events", "scoring", "played", "dealt")
"""The attributes of `Held` that are remembered of a file."""

_WHO: Final = "who"
"""Digests of `Held.people`: the record is published with the season, and some people are hidden there."""

Look = dict[str, Any]
"""The content of a file, as the record has it."""

LookAll = Callable[[Callable[[list[Path]], list[Look]], list[list[Path]]], Iterable[list[Look]]]
"""Applies a function to each of some lists of paths, like `map`."""

_AT_ONCE: Final = 8
"""Files that are looked into at a time: of small ones, most of the time that each takes alone is saved."""


@dataclass
class Looks:
    """The remembered content of files.

    Attributes:
        known: by path, the size and time of a file and what it holds; only JSON.
    """

    known: Mapping[str, Any] = field(default_factory=dict)

    def group(self, paths: Sequence[Path], look_all: LookAll = map) -> list[tuple[str, list[Path]]]:
        """Return the name and the files of each session, in the order of their first files.

        A folder is a session by itself, and `assemble.together` says which files are one. In this example `b.csv` holds
        results of the day that `d.pbn` and its deals are of; nothing else has the day or the name of another file:

            a.pbn  b.csv  c/  d.pbn    becomes    ("a", [a.pbn])  ("b", [b.csv, d.pbn])  ("c", [c/])
        """
        files = {show_path(path): path for path in paths if not path.is_dir()}
        self._look(files, look_all)
        sessions = [(path.stem, [path]) for path in paths if path.is_dir()]
        evenings = group_files([_held(path, self.known[name]) for name, path in files.items()], given=False)
        sessions += [(_name(evening, files), [files[file.source] for file in evening]) for evening in evenings]
        place = {path: number for number, path in enumerate(paths)}
        return sorted(sessions, key=lambda session: place[session[1][0]])

    def _look(self, files: Mapping[str, Path], look_all: LookAll) -> None:
        """Fill `known` with these files and no others; only those that are new or changed are read."""
        recalled = {name: look for name, path in files.items() if (look := self._recall(path))}
        # By suffix, so that the files of a lot are of one kind.
        new = sorted(files.keys() - recalled.keys(), key=lambda name: files[name].suffix)
        lots = [[files[name] for name in new[at : at + _AT_ONCE]] for at in range(0, len(new), _AT_ONCE)]
        looks = recalled | dict(zip(new, chain.from_iterable(look_all(look_into, lots)), strict=True))
        self.known = {name: looks[name] for name in files}

    def _recall(self, path: Path) -> Look | None:
        known = self.known.get(show_path(path))
        return known if isinstance(known, dict) and known.get("at") == _state(path) and _WHO in known else None


def look_into(paths: Sequence[Path]) -> list[Look]:
    """Read files and return what each one holds."""
    states = [_state(path) for path in paths]
    read = read_each([str(path) for path in paths])
    return [_describe(path, at, parts) for path, at, parts in zip(paths, states, read, strict=True)]


def _describe(path: Path, at: list[int], parts: list[Session]) -> Look:
    file = next(iter(list_held(assemble(parts))), None) or Held(str(path), results=False)
    is_read = not any((part.problems["code"] == "file-unreadable").any() for part in parts)
    return {
        # What could not be read today is looked at again.
        "at": at if is_read else [],
        "results": file.results,
        **{name: sorted(getattr(file, name)) for name in _SETS},
        _WHO: sorted(sha256("\n".join(one).encode("utf-8", "replace")).hexdigest()[:16] for one in file.people),
    }


def _state(path: Path) -> list[int]:
    state = path.stat()
    return [state.st_size, state.st_mtime_ns]


def _name(evening: Sequence[Held], files: Mapping[str, Path]) -> str:
    """Return the name of a session: that of its first file with results, as the file has it if it is alone."""
    first = files[next((file for file in evening if file.results), evening[0]).source]
    return first.stem if len(evening) == 1 else name_of_evening(first)


def _held(path: Path, look: Mapping[str, Any]) -> Held:
    sets: dict[str, Any] = {name: frozenset(look.get(name, ())) for name in _SETS}
    people = frozenset((str(digest), "") for digest in look.get(_WHO, ()))
    return Held(show_path(path), bool(look.get("results")), **sets, people=people, outcomes=partial(_outcomes, path))


def _outcomes(path: Path) -> Outcomes:
    return list_outcomes(read([str(path)]).results).get(show_path(path), {})
