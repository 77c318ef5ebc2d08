"""Which files belong to one session, and which to none."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from overtrick.assemble import read
from overtrick.assemble.beside import SUFFIX, is_corrections
from overtrick.bridge.cards import is_complete
from overtrick.formats.sources import source_lines
from overtrick.frames import Session
from overtrick.render.slugs import make_slug
from overtrick.render.terminal import Palette, format_problems

_ROLES: Final = re.compile(r"([-_. ]+(deals?|hands?|boards?|results?|scores?|contestants?|names?))+$", re.IGNORECASE)
"""Words at the end of a name that describe the content of a file, not its session."""


@dataclass(frozen=True)
class Look:
    """What a file holds.

    Attributes:
        path: the file.
        deals: whether it holds complete deals.
        results: whether it holds results.
        date: the first date that a game states, `YYYY.MM.DD`.
        reason: why it belongs to no session, for people to read; empty if it does.
    """

    path: Path
    deals: bool
    results: bool
    date: str | None
    reason: str


def look_into(path: Path) -> Look:
    """Read a file and return what it holds.

    Raises:
        OSError: it can't be opened, perhaps because another program has it open.
    """
    path.open("rb").close()
    session = read([str(path)])
    deals = bool(is_complete(session.records["deal"]).any())
    results = session.results.height > 0
    dates = session.records["date"].drop_nulls()
    date = next((text for text in dates if re.fullmatch(r"[0-9]{4}\.[0-9][0-9]\.[0-9][0-9]", text)), None)
    return Look(path, deals, results, date, "" if deals or results else _reason(session))


def _reason(session: Session) -> str:
    problems = format_problems(session, source_lines, Palette())
    return f"This file holds neither complete deals nor results.\n{problems}"


def session_name(path: Path) -> str:
    """Return the name of a file's session: `tuesday` for `tuesday-results.csv`."""
    stem = path.name[: -len(SUFFIX)] if is_corrections(path) else path.stem
    return make_slug(_ROLES.sub("", stem) or stem)


def group_sessions(looks: Iterable[Look]) -> dict[str, list[Look]]:
    """Return the files of each session, in the order of their names."""
    groups: dict[str, list[Look]] = {}
    for found in sorted(looks, key=lambda found: found.path):
        groups.setdefault(session_name(found.path), []).append(found)
    return groups


def date_of(group: Sequence[Look]) -> str | None:
    """Return the date of a session: from its files with results, else from those with deals; None if none states it."""
    ordered = sorted(group, key=lambda found: not found.results)
    return next((found.date for found in ordered if found.date), None)


def is_whole(group: Sequence[Look]) -> bool:
    """Return whether the files hold both deals and results."""
    return has_results(group) and any(found.deals for found in group)


def has_results(group: Sequence[Look]) -> bool:
    """Return whether any of the files holds results."""
    return any(found.results for found in group)
