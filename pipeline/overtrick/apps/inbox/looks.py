"""What the files of a season hold, remembered from one run to the next, and the sessions that they make."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from overtrick.core.frames import Session
from overtrick.files.assemble import assemble, read
from overtrick.files.assemble.beside import show_path
from overtrick.files.assemble.together import Held, Outcomes, group_files, list_held, list_outcomes, name_of_evening
from overtrick.files.formats.read import read_each

_SETS: Final = ("dates", "events", "scoring", "played", "dealt")
"""What is remembered of a file: attributes of `Held`."""

_WHO: Final = "who"
"""Digests of `Held.people`: the record is published with the season, and some people are hidden there."""

Look = dict[str, Any]
"""What a file holds, as the record has it."""

LookAll = Callable[[Callable[[list[Path]], list[Look]], list[list[Path]]], Iterable[list[Look]]]
"""Applies a function to each of some lists of paths, like `map`."""

_AT_ONCE: Final = 8
"""Files that are looked into at a time: of small ones, most of the time that each takes alone is saved."""


@dataclass
class Looks:
    """What is known of files.

    Attributes:
        known: by path, the size and time of a file and what it holds; only JSON.
    """

    known: Mapping[str, Any] = field(default_factory=dict)

    def group(self, paths: Sequence[Path], look_all: LookAll = map) -> list[tuple[str, list[Path]]]:
        """Return the name and the files of each session; a folder is a session by itself."""
        files = [path for path in paths if not path.is_dir()]
        found = {show_path(path): path for path in files}
        seen = {name: look for name, path in found.items() if (look := self._recall(path))}
        # Neighbours are of one kind then.
        new = sorted((name for name in found if name not in seen), key=lambda name: found[name].suffix)
        lots = [new[at : at + _AT_ONCE] for at in range(0, len(new), _AT_ONCE)]
        looked = look_all(look_into, [[found[name] for name in lot] for lot in lots])
        seen |= zip(new, chain.from_iterable(looked), strict=True)
        self.known = {name: seen[name] for name in found}
        held = [_held(path, seen[name]) for name, path in found.items()]
        groups = [[found[one.source] for one in group] for group in group_files(held, given=False)]
        with_results = {one.source for one in held if one.results}
        named = [(_name(group, with_results), group) for group in groups]
        folders = [(path.stem, [path]) for path in paths if path.is_dir()]
        place = {path: number for number, path in enumerate(paths)}
        return sorted([*named, *folders], key=lambda session: place[session[1][0]])

    def _recall(self, path: Path) -> Look | None:
        known = self.known.get(show_path(path))
        return known if isinstance(known, dict) and known.get("at") == _state(path) and _WHO in known else None


def look_into(paths: Sequence[Path]) -> list[Look]:
    """Read files and return what each one holds."""
    states = [_state(path) for path in paths]
    read = read_each([str(path) for path in paths])
    return [_describe(path, at, parts) for path, at, parts in zip(paths, states, read, strict=True)]


def _describe(path: Path, at: list[int], parts: list[Session]) -> Look:
    held = next(iter(list_held(assemble(parts))), None) or Held(str(path), results=False)
    return {
        "at": at,
        "results": held.results,
        **{name: sorted(getattr(held, name)) for name in _SETS},
        _WHO: sorted(_digest(number, names) for number, names in held.people),
    }


def _state(path: Path) -> list[int]:
    state = path.stat()
    return [state.st_size, state.st_mtime_ns]


def _name(group: Sequence[Path], with_results: set[str]) -> str:
    """Return the name of a session: that of its first file with results, as the file has it if it is alone."""
    if len(group) == 1:
        return group[0].stem
    return name_of_evening(next((path for path in group if show_path(path) in with_results), group[0]))


def _digest(number: str, names: str) -> str:
    return hashlib.sha256(f"{number}\n{names}".encode("utf-8", "replace")).hexdigest()[:16]


def _held(path: Path, look: Mapping[str, Any]) -> Held:
    sets: dict[str, Any] = {name: frozenset(look.get(name, ())) for name in _SETS}
    people = frozenset((str(one), "") for one in look.get(_WHO, ()))
    return Held(show_path(path), bool(look.get("results")), **sets, people=people, outcomes=partial(_outcomes, path))


def _outcomes(path: Path) -> Outcomes:
    return list_outcomes(read([str(path)]).results).get(show_path(path), {})
